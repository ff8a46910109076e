"""Names: what is taken, how it is cleaned, and when two of them are one."""

# ruff: noqa: RUF001 - look-alikes are what these tests are about

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mitsuboshi.rooms.names import NAME_MAX, clean_name, folded
from mitsuboshi.rooms.refused import Refused
from tests.rooms.table import Table, refused


@pytest.mark.parametrize(
    ("given_name", "kept"),
    [
        ("Ayumi", "Ayumi"),
        ("  Ayumi\u3000", "Ayumi"),
        ("Ayumi   Sato", "Ayumi Sato"),
        ("Zoe\u0301", "Zo\u00e9"),
        ("あゆみ", "あゆみ"),
        ("김철수", "김철수"),
        ("עדי", "עדי"),
        ("<b>bold</b>", "<b>bold</b>"),
        ("=1+1", "=1+1"),
        ("🦊", "🦊"),
        ("x" * NAME_MAX, "x" * NAME_MAX),
        ("e\u0301" * NAME_MAX, "\u00e9" * NAME_MAX),
    ],
)
def test_a_name_is_trimmed_and_composed(given_name: str, kept: str) -> None:
    """The length is that of the cleaned name, in code points."""
    assert clean_name(given_name) == kept


@pytest.mark.parametrize(
    "name",
    [
        "   ",
        "\u200b",
        "A\u200byumi",
        "\u202eimuyA",
        "Ayumi\u2066",
        "A\nB",
        "A\tB",
        "A\x00B",
        "A\u2028B",
        "\ufeffAyumi",
        "👩\u200d👩\u200d👧",
        "A\ue000",
        "A\ud800",
        "x" * (NAME_MAX + 1),
        "x" * 1_000_000,
        "\u0301" * 60,
    ],
)
def test_a_name_that_is_not_safe_to_show_is_refused(name: str) -> None:
    """Control, format and private characters, nothing at all, and what is too long."""
    with refused("invalid_body", "name"):
        clean_name(name)


@pytest.mark.parametrize(
    "blank",
    ["\u3164", "\uffa0", "\u115f", "\u1160", "\u2800", "\u034f", "\ufe0f", "\u180b", "\U000e0100", "\u17b4"],
)
def test_a_character_that_shows_nothing_is_refused(blank: str) -> None:
    """Unicode calls some letters and marks invisible: a name of them looks empty, or like another's."""
    for name in (blank, f"Ayumi{blank}"):
        with refused("invalid_body", "name"):
            clean_name(name)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ayumi", "AYUMI"),
        ("Ayumi", "Ayumi"),
        ("Zoe\u0301", "Zo\u00e9"),
        ("Straße", "STRASSE"),
        ("paypal", "pаypаl"),
        ("TOM", "ТОМ"),
        ("HEBOX", "НЕВОХ"),
        ("KATE", "ΚΑΤΕ"),
        ("ＡＢＣ", "abc"),
        ("ﬁn", "fin"),
    ],
)
def test_names_that_look_the_same_are_the_same(one: str, other: str) -> None:
    """Case, width, composition, and letters of other scripts that look like Latin ones."""
    assert folded(clean_name(one)) == folded(clean_name(other))


def test_names_that_look_different_are_different() -> None:
    """The folding must not make everybody the same."""
    names = ["Ayumi", "Ayame", "Zoe", "Zoé", "Ann", "Anna", "Вова", "Боря", "あ", "い"]
    assert len({folded(name) for name in names}) == len(names)


def test_two_people_of_a_room_never_have_the_same_name() -> None:
    """Neither by joining nor by renaming; one's own old name is free to oneself."""
    table = Table(name="Ayumi", seats={"red": "me", "yellow": "open", "green": "open"})
    with refused("name_taken", "name"):
        table.join("bob", name="аYUMI ")
    table.join("bob", name="Bob")
    table.join("ann", name="AYUMI")
    with refused("name_taken", "name"):
        table.act("bob", "rename", name="ａｙｕｍｉ")
    table.act("ann", "rename", name="Ayu")
    table.act("bob", "rename", name="Ayumi")
    assert [seat.name for seat in table.room.seats] == ["Ayu", "Ayumi", "Ayu"]


def test_a_name_leaves_with_its_person() -> None:
    """Who left keeps no name from others."""
    table = Table(name="Ayumi", seats={"red": "me", "yellow": "open", "green": "open"})
    table.join("bob", name="Bob")
    table.act("bob", "leave")
    table.join("cleo", name="Bob")
    assert table.room.seats[1].name == "Bob"


def test_a_room_is_not_created_under_a_bad_name() -> None:
    """The creation's name is cleaned like any."""
    with refused("invalid_body", "name"):
        Table(name="\u202e")
    assert Table(name=" Ayumi ").room.seats[0].name == "Ayumi"


@given(st.text(max_size=40))
def test_a_cleaned_name_stays_as_it_is(name: str) -> None:
    """Cleaning twice is cleaning once, and what is kept is short, composed and printable."""
    try:
        kept = clean_name(name)
    except Refused:
        return
    assert clean_name(kept) == kept
    assert 1 <= len(kept) <= NAME_MAX
    assert unicodedata.is_normalized("NFC", kept)
    assert folded(kept)
