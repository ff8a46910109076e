"""One line in, one command out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mitsuboshi_play.boards.board import NoPlace
from mitsuboshi_play.boards.registry import BOARDS
from mitsuboshi_play.commands import LINE_MAX, Command, Pick, Played, Unknown, Word, parse

from .conftest import board_of

EVERY_BOARD = [board_of(game) for game in BOARDS]


@pytest.mark.parametrize(
    ("line", "command"),
    [
        (" 14-26 ", Played("14-26")),
        ("14 26", Played("14 26")),
        ("8/5 6/5*", Played("8/5 6/5*")),
        ("bar", Played("bar")),
        ("moves", Word("moves")),
        ("MOVES", Word("moves")),
        ("done", Word("confirm")),
        ("r", Word("roll")),
        ("draw", Word("draw")),
        ("step 13/8", Word("step", "13/8")),
        ("?", Word("help")),
        ("q", Word("quit")),
        ("hint master", Word("hint", "master")),
        ("resign yes", Word("resign", "yes")),
        ("rename  Ayumi  K. ", Word("rename", "Ayumi  K.")),
        ("moves now", Played("moves now")),
    ],
)
def test_lines_are_read(line: str, command: Command) -> None:
    assert parse(line, picking=False) == command


def test_a_bare_number_picks_while_a_piece_is_in_hand() -> None:
    assert parse("3", picking=True) == Pick(3)
    assert parse("3", picking=False) == Played("3")
    assert parse("5.1", picking=True) == Played("5.1")
    assert parse("14-26", picking=True) == Played("14-26")


def test_an_empty_line_is_no_command() -> None:
    assert parse("  \t", picking=False) is None


def test_a_line_too_long_is_not_kept() -> None:
    command = parse("9" * (LINE_MAX + 1), picking=True)
    assert isinstance(command, Unknown)
    assert len(command.text) < 50


@given(st.text(), st.booleans())
def test_no_text_breaks_the_reader(line: str, picking: bool) -> None:
    command = parse(line, picking)
    if isinstance(command, Played):
        for board in EVERY_BOARD:
            try:
                board.read(command.text, board.seats[0])
            except NoPlace:
                continue
