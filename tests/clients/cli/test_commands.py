"""One line in, one command out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mitsuboshi_play.commands import LINE_MAX, Command, Move, Pick, Select, Unknown, Word, parse
from mitsuboshi_play.geometry import Place


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("14-26", Move(14, 26)),
        (" 14 - 26 ", Move(14, 26)),
        ("14 26", Move(14, 26)),
        ("5.1-6.2", Move(Place(5, 1), Place(6, 2))),
        ("5.1 6.2", Move(Place(5, 1), Place(6, 2))),
        ("14-6.2", Move(14, Place(6, 2))),
        ("14", Select(14)),
        ("5.1", Select(Place(5, 1))),
        ("moves", Word("moves")),
        ("MOVES", Word("moves")),
        ("?", Word("help")),
        ("q", Word("quit")),
        ("hint master", Word("hint", "master")),
        ("resign yes", Word("resign", "yes")),
        ("rename  Ayumi  K. ", Word("rename", "Ayumi  K.")),
        ("moves now", Unknown("moves now")),
        ("1-2-3", Unknown("1-2-3")),
        ("14-", Unknown("14-")),
        ("5.1.2", Unknown("5.1.2")),
        ("-14", Unknown("-14")),
        ("\uff11\uff14-26", Unknown("\uff11\uff14-26")),
        ("1234", Unknown("1234")),
        ("jump!", Unknown("jump!")),
    ],
)
def test_lines_are_read(line: str, command: Command) -> None:
    assert parse(line, picking=False) == command


def test_a_bare_number_picks_while_a_piece_is_in_hand() -> None:
    assert parse("3", picking=True) == Pick(3)
    assert parse("3", picking=False) == Select(3)
    assert parse("5.1", picking=True) == Select(Place(5, 1))
    assert parse("14-26", picking=True) == Move(14, 26)


def test_an_empty_line_is_no_command() -> None:
    assert parse("  \t", picking=False) is None


def test_a_line_too_long_is_not_kept() -> None:
    command = parse("9" * (LINE_MAX + 1), picking=True)
    assert isinstance(command, Unknown)
    assert len(command.text) < 50


@given(st.text(), st.booleans())
def test_no_text_breaks_the_reader(line: str, picking: bool) -> None:
    parse(line, picking)
