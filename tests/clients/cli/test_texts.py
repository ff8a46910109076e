"""Every sentence comes from one table, and nothing that others wrote steers the terminal."""

import re
import string
import unicodedata
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

import mitsuboshi_play
from mitsuboshi_play.boards.board import Board
from mitsuboshi_play.snapshot import read_snapshot
from mitsuboshi_play.status import describe
from mitsuboshi_play.texts import EN, TABLES, Texts, escape

from .conftest import snapshot_json


def test_names_with_control_and_bidi_characters_are_escaped() -> None:
    assert escape("a\x1b[2Jb\u202ec\u200bd\n") == "a\\u{1b}[2Jb\\u{202e}c\\u{200b}d\\u{a}"
    assert escape("あゆみ 王") == "あゆみ 王"


@given(st.text())
def test_what_is_escaped_prints_on_one_line(text: str) -> None:
    assert not {unicodedata.category(c) for c in escape(text)} & {"Cc", "Cf", "Zl", "Zp", "Cs"}


def test_a_hostile_name_reaches_the_status_escaped(board: Board, texts: Texts) -> None:
    seats = snapshot_json()["seats"]
    seats[0]["name"] = "\x1b]0;owned\x07{x}\u202e"
    lines = describe(read_snapshot(snapshot_json(seats=seats)), board, "red", texts)
    text = "".join(span.text for line in lines for span in line)
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "\\u{1b}]0;owned\\u{7}{x}" in text


def test_every_table_has_the_same_sentences_with_the_same_values() -> None:
    def values(template: str) -> set[str | None]:
        return {name for _, name, _, _ in string.Formatter().parse(template) if name is not None}

    for table in TABLES.values():
        assert table.keys() == EN.keys()
        assert all(values(table[key]) == values(EN[key]) for key in EN)


def test_every_sentence_that_the_sources_use_is_in_the_table() -> None:
    used = set()
    for file in Path(mitsuboshi_play.__file__).parent.rglob("*.py"):
        pattern = r'(?:exts|orry|say|_end|Fault|Unfit)\(\s*(?:[A-Z_]+, )?"(\w+)"'
        used |= set(re.findall(pattern, file.read_text())) - {"key"}
    assert used <= EN.keys()
    assert len(used) > 60
