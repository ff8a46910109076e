"""Positions as XGID, as GNU Backgammon's ids and as they are saved; facts and geometry."""

from __future__ import annotations

import base64
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mitsuboshi.games.backgammon import BACKGAMMON
from mitsuboshi.games.backgammon.board import BAR, CHECKERS, OFF, PLACES, START
from mitsuboshi.games.backgammon.gnuid import position_id
from mitsuboshi.games.backgammon.position import Position, check
from mitsuboshi.games.game import InvalidText, notation_of
from tests.games.backgammon.literals import OPTIONS, board, played, playout, side, start, thrown

BOARD = "-b----E-C---eE---c-e----B-"
TO_THROW = f"XGID={BOARD}:0:0:1:00:0:0:0:0:10"
OPENING_31 = TO_THROW.replace(":00:", ":31:")


def read(text: str) -> Position:
    return BACKGAMMON.read(text, OPTIONS)


def test_the_start_is_written_as_other_programs_write_it() -> None:
    """With the throw once it is there; before the opening throw it is saved with a word of its own."""
    assert BACKGAMMON.write(start()) == TO_THROW
    assert BACKGAMMON.save(start()) == f"{TO_THROW}|0|opening"
    assert BACKGAMMON.save(thrown(start(), "31")) == OPENING_31
    black = TO_THROW.replace(":1:00", ":-1:31")
    assert BACKGAMMON.save(thrown(start(), "13")) == black
    assert BACKGAMMON.save(played(thrown(start(), "31"), "8/5 6/5")) == (
        "XGID=-b---BD-B---eE---c-e----B-:0:0:-1:00:0:0:0:0:10|1"
    )


def test_the_board_is_written_from_whites_side_whoever_moves() -> None:
    """Black's bar first, white's last; what is borne off is what is missing."""
    position = board("bar:1 1:4", "bar:2 1:3 6:2", dice=(3, 1), to_move="black")
    assert BACKGAMMON.write(position) == "XGID=aC----B-----------------dB:0:0:-1:31:0:0:0:0:10"
    assert (position.white[OFF], position.black[OFF]) == (15 - 7, 15 - 5)


def test_a_position_of_another_program_is_read() -> None:
    """Dice in either order, no prefix, a match's score, an owner of a cube that was not turned."""
    expected = thrown(start(), "31")
    for text in (
        OPENING_31,
        OPENING_31.replace("XGID=", ""),
        OPENING_31.replace("XGID=", "xgid="),
        OPENING_31.replace(":31:", ":13:"),
        f"XGID={BOARD}:0:1:1:31:6:4:1:7:10",
        f"XGID={BOARD}:0:0:1:31:0:0:3:0:10",
    ):
        assert read(text) == expected


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (OPENING_31 + ":0", "10 parts with colons between, not 11"),
        (f"XGID={BOARD}", "10 parts with colons between, not 1"),
        (OPENING_31.replace("B-:", "B:"), "board: has 26 characters, not 25"),
        (OPENING_31.replace("E-C", "E?C"), "board, column 13: '?' is neither"),
        (OPENING_31.replace("XGID=", "").replace("E-C", "E?C"), "board, column 8: '?' is neither"),
        (OPENING_31.replace("E-C", "P-C"), "board, column 12: 'P' is neither"),
        (OPENING_31.replace("E-C", "\u00c9-C"), "board, column 12: '\u00c9' is neither"),
        (OPENING_31.replace("E-C", "E-D"), "white has 15 checkers at most, not 16"),
        (OPENING_31.replace("---eE", "---fE"), "black has 15 checkers at most, not 16"),
        (OPENING_31.replace("=-b", "=Ab"), "board, column 6: 'A': white's checkers are not on black's bar"),
        (OPENING_31.replace("B-:", "Ba:"), "board, column 31: 'a': black's checkers are not on white's bar"),
        (f"XGID={'-' * 26}:0:0:1:00:0:0:0:0:10", "cannot both have borne off all checkers"),
        (f"XGID=-a{'-' * 24}:0:0:1:31:0:0:0:0:10", "nothing to throw for once the game is over"),
        (
            "XGID=aBBBBBB------------bbbbbbA:0:0:1:31:0:0:0:0:10",
            "both sides are on the bar before closed home boards",
        ),
        (OPENING_31.replace(":1:31", ":0:31"), "turn: '0' is neither 1, white, nor -1, black"),
        (OPENING_31.replace(":31:", ":71:"), "dice: '71' is neither two numbers from 1 to 6 nor 00"),
        (OPENING_31.replace(":31:", ":30:"), "dice: '30' is neither"),
        (OPENING_31.replace(":31:", ":\u0663\u0661:"), "dice: '\u0663\u0661' is neither"),
        (OPENING_31.replace(":31:", ":D:"), "dice: 'D' offers the cube"),
        (OPENING_31.replace(":0:0:1:", ":1:1:1:"), "cube: '1' is not 0: the doubling cube is not played"),
        (OPENING_31.replace(":0:0:1:", ":0:2:1:"), "cube owner: '2' is not -1, 0 or 1"),
        (OPENING_31.replace("0:0:0:0:10", "0:x:0:0:10"), "black's score: 'x' is not a whole number"),
        (OPENING_31.replace(":10", ":"), "largest cube: '' is not a whole number"),
        ("x" * 101, "at most 100 characters, this one 101"),
    ],
)
def test_a_fault_in_an_xgid_is_named_by_its_place(text: str, fault: str) -> None:
    """Column or part, and the reason."""
    with pytest.raises(InvalidText) as refused:
        read(text)
    assert fault in str(refused.value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("4HPwATDgc/ABMA:cAkAAAAAAAAE", TO_THROW),
        ("4HPwATDgc/ABMA:cAgAAAAAAAAA", TO_THROW),
        ("4HPwATDgc/ABMA:cAkAAAAAAAAA", TO_THROW),
        ("4HPwATDgc/ABMA:cIlqAAAAAAAE", TO_THROW.replace(":00:", ":52:")),
        ("sGfwATDgc/ABMA:MAEgAgAAAAAA", "XGID=-b---BD-B---eE---c-e----B-:0:0:-1:00:0:0:0:0:10"),
        ("4HPwATCwZ/ABMA:cIkIAgAAAAAA", "XGID=-b---BD-B---eE---c-e----B-:0:0:1:21:0:0:0:0:10"),
    ],
)
def test_ids_of_gnu_backgammon_are_read(text: str, expected: str) -> None:
    """The side that is not on roll comes first; white is player 1; match lengths are read over."""
    assert BACKGAMMON.write(read(text)) == expected


def test_every_position_has_its_gnu_id_among_the_facts() -> None:
    """As the program itself writes it for a money game in which gammons count."""
    facts = BACKGAMMON.facts(start())
    assert facts == {
        "pips": {"white": 167, "black": 167},
        "off": {"white": 0, "black": 0},
        "bar": {"white": 0, "black": 0},
        "gnu_id": "4HPwATDgc/ABMA:cAkAAAAAAAAE",
    }
    after = played(thrown(start(), "31"), "8/5 6/5")
    assert BACKGAMMON.facts(after)["gnu_id"].startswith("sGfwATDgc/ABMA:")
    assert BACKGAMMON.facts(after)["pips"] == {"white": 163, "black": 167}


def _match(**fields: int) -> str:
    """A match id with some bits set otherwise than in that of the start: by name, the first bit."""
    bits = int.from_bytes(base64.b64decode("cAkAAAAAAAAE"), "little")
    first = {"cube": 0, "double": 12, "resignation": 13, "state": 8, "one": 15, "other": 18}
    for name, value in fields.items():
        bits ^= value << first[name]
    return "4HPwATDgc/ABMA:" + base64.b64encode(bits.to_bytes(9, "little")).decode()


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("4HPwATDgc/ABM:cAkAAAAAAAAE", "14 characters, a colon and a match id of 12, not of 13 and 12"),
        ("4HPwATDgc/ABMA:", "14 characters, a colon and a match id of 12, not of 14 and 0"),
        ("4HPwATDgc.ABMA:cAkAAAAAAAAE", "column 10: '.' is not a Base64 character"),
        ("4HPwATDgc/ABMA:cAkAAAA=AAAE", "column 23: '=' is not a Base64 character"),
        ("//////////////:cAkAAAAAAAAE", "has 15 checkers at most"),
        ("////BwDgc/ABMA:cAkAAAAAAAAE", "black has 15 checkers at most, not 35"),
        ("AAAAAAAAAAAAAQ:cAkAAAAAAAAE", "position id: goes on after the last bar"),
        (_match(cube=1), "the doubling cube is not played here"),
        (_match(double=1), "the doubling cube is not played here"),
        (_match(resignation=1), "the game is given up, or about to be"),
        (_match(state=2), "the game is given up, or about to be"),
        (_match(state=6), "7 is no state of a game"),
        (_match(one=7, other=1), "7 and 1 are not dice of 1 to 6"),
        (_match(one=3), "3 and 0 are not dice of 1 to 6"),
    ],
)
def test_a_fault_in_a_gnu_id_is_named_by_its_place(text: str, fault: str) -> None:
    """Column or part, and the reason."""
    with pytest.raises(InvalidText) as refused:
        read(text)
    assert fault in str(refused.value)


def test_two_sides_on_one_point_are_refused() -> None:
    """Only a position id can tell of them: here two of black's on white's point 24, where white has two."""
    mine, theirs = side("24:2"), side("1:2")
    with pytest.raises(InvalidText, match="both sides stand on white's point 24"):
        read(f"{position_id(mine, theirs)}:cAkAAAAAAAAE")


@pytest.mark.parametrize("memory", ["|", "|x", "|-1", "|01", "|1|opening", "|0|open", "|0|opening|", "|9|9"])
def test_what_was_not_saved_is_not_loaded(memory: str) -> None:
    """Nothing but a ply, or the opening's first."""
    with pytest.raises(InvalidText, match="after the position"):
        BACKGAMMON.load(TO_THROW + memory, OPTIONS)
    with pytest.raises(InvalidText, match="after the position"):
        BACKGAMMON.load(f"{OPENING_31}|0|opening", OPTIONS)


def _any_position(seed: int) -> Position | None:
    """Checkers thrown onto the board; None where they make no position."""
    rnd = random.Random(seed)
    sides = []
    taken: set[int] = set()
    for _ in range(2):
        places = rnd.sample(range(PLACES), rnd.randint(2, 9))
        counts = [0] * PLACES
        for _ in range(CHECKERS):
            counts[
                rnd.choice([place for place in places if place in (OFF, BAR) or place not in taken] + [OFF])
            ] += 1
        taken = {BAR - point for point in range(1, BAR) if counts[point]}
        sides.append(tuple(counts))
    dice = tuple(sorted(rnd.choices(range(1, 7), k=2), reverse=True))
    position = Position(
        sides[0],
        sides[1],
        rnd.choice(BACKGAMMON.seats),
        rnd.choice([None, (dice[0], dice[1])]),
        rnd.randrange(300),
    )
    try:
        check(position)
    except InvalidText:
        return None
    return position


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.integers(0, 2**32))
def test_positions_come_back_from_each_of_their_texts(seed: int) -> None:
    """XGID, GNU id and the saved text, which alone keeps the ply."""
    position = _any_position(seed)
    if position is None:
        return
    assert BACKGAMMON.load(BACKGAMMON.save(position), OPTIONS) == position
    text = BACKGAMMON.write(position)
    assert notation_of(BACKGAMMON.save(position)) == text
    assert BACKGAMMON.write(read(text)) == text
    assert read(BACKGAMMON.facts(position)["gnu_id"]) == read(text)


def test_the_opening_comes_back() -> None:
    """It is more than its text, which reads as white's to throw two dice."""
    assert BACKGAMMON.load(BACKGAMMON.save(start()), OPTIONS) == start()
    assert read(BACKGAMMON.write(start())) == Position(START, START, "white")


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.integers(0, 20), st.data())
def test_a_mutated_position_is_refused_or_playable(seed: int, data: st.DataObject) -> None:
    """Never another exception than InvalidText, and what is accepted can be looked at."""
    position = next(playout(seed))
    text = data.draw(st.sampled_from([BACKGAMMON.write(position), BACKGAMMON.facts(position)["gnu_id"]]))
    for _ in range(data.draw(st.integers(1, 3))):
        at, length = data.draw(st.integers(0, len(text))), data.draw(st.integers(0, 2))
        text = text[:at] + data.draw(st.text("aAbBoO-:0123456D+/=\u0660\n", max_size=2)) + text[at + length :]
    try:
        found = read(text)
    except InvalidText:
        return
    assert read(BACKGAMMON.write(found)) == found
    BACKGAMMON.facts(found)
    BACKGAMMON.legal_moves(found)


def test_the_geometry_is_enough_to_draw_the_board() -> None:
    """24 points, the bar and the tray, with the numbers by which each seat knows them."""
    geometry = BACKGAMMON.geometry()
    points = {point["id"]: point for point in geometry["points"]}
    assert set(points) == {*range(1, 25), "bar", "off"}
    assert len({(point["x"], point["y"]) for point in points.values()}) == 26
    assert points[24]["seen_by"] == {"white": {"number": 24}, "black": {"number": 1}}
    assert (points["bar"]["seen_by"]["black"], points["off"]["seen_by"]["white"]) == (
        {"number": 25},
        {"number": 0},
    )
    assert (points[1]["x"], points[1]["y"]) == (12, 0)
    assert (points[24]["x"], points[24]["y"]) == (12, 1)
    for seat in BACKGAMMON.seats:
        home = geometry["seats"][seat]["home"]
        assert sorted(points[point]["seen_by"][seat]["number"] for point in home) == [1, 2, 3, 4, 5, 6]
