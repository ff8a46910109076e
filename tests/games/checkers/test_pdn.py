"""Whole games as PDN: there and back, what is read over, and every fault by line and column."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mitsuboshi.games.checkers import CHECKERS
from mitsuboshi.games.checkers.moves import jumpers
from mitsuboshi.games.checkers.pdn import MOVES_MAX, TEXT_CHARS_MAX
from mitsuboshi.games.game import InvalidText, Outcome, Transcript

PDN = CHECKERS.transcripts["pdn"]
ENDING = "W:W22,32:B11,18"
FAR_APART = "B:WK12,20,24,28:BK21,5,9,13"

WRITTEN = """\
[Event "?"]
[Site "?"]
[Date "2026.05.01"]
[Round "?"]
[White "Bea \\"B\\" \\\\"]
[Black "Ayumi"]
[Result "0-1"]
[GameType "21"]

1. 11-15 23-18 2. 8-11 0-1
"""

LIBERAL = """\
[Event "a"]
[Event "b"]
[Date "1847.??.??"]
[Black "Ann"]
[Result "1/2-1/2"]
[GameType "21,B,8,8,N1,0"]

{ a comment with 9-13 and ( in it }
1.11-15! 23-19?! $1 ; to the end of the line 12-16
2. 8-11 ( 2. 9-14 { or } ( 2. 9-13 ) 18x9 ) 22-17 3.
4-8 *
"""


def played_out(seed: int, start: str | None) -> Transcript:
    """A random game from the start or a position, to the end that the rules see."""
    rnd, moves = random.Random(seed), []
    position = CHECKERS.start(2, {}) if start is None else CHECKERS.read(start, {})
    while legal := CHECKERS.legal_moves(position):
        moves.append(rnd.choice(legal))
        position = CHECKERS.play(position, moves[-1])[1]
    names = {"red": "Ann", "white": "Bo"}
    return Transcript(tuple(moves), start, names, CHECKERS.outcome(position), "2026-05-01")


def long_game(plies: int, seed: int = 0) -> list[str]:
    """Moves of a game that goes on: kings wander, and a man moves before the draw by forty moves."""
    rnd, position, moves = random.Random(seed), CHECKERS.read(FAR_APART, {}), []
    while len(moves) < plies and (legal := CHECKERS.legal_moves(position)):
        ways = [(move, CHECKERS.play(position, move)[1]) for move in legal]
        fair = [
            (move, following)
            for move, following in ways
            if not jumpers(following) and not CHECKERS.outcome(following)
        ]
        quiet = [way for way in fair if way[1].quiet]
        men = [way for way in fair if not way[1].quiet]
        move, position = rnd.choice((len(position.quiet) >= 70 and men) or quiet or fair or ways)
        moves.append(move)
    return moves if len(moves) == plies else long_game(plies, seed + 1)


def fault(text: str) -> str:
    """What is wrong with a text."""
    with pytest.raises(InvalidText) as refused:
        PDN.read(text)
    return str(refused.value)


def test_a_game_is_written_as_documented() -> None:
    """The Seven Tag Roster, the game's type, numbered moves, the result; red is Black, and 0-1 its win."""
    names = {"red": "Ayumi", "white": 'Bea "B" \\'}
    game = Transcript(
        ("11-15", "23-18", "8-11"), None, names, Outcome("red", "resignation"), date="2026-05-01"
    )
    assert PDN.write(game) == WRITTEN
    assert PDN.read(WRITTEN) == game


def test_a_game_from_a_position_has_its_fen() -> None:
    """White's first move has the dots; captures name every square."""
    game = Transcript(("22x15x8",), ENDING, {}, None)
    text = PDN.write(game)
    assert '[SetUp "1"]\n[FEN "W:W22,32:B11,18"]\n\n1... 22x15x8 *\n' in text
    # All of red's pieces are gone: the board has the result that the text leaves open.
    assert PDN.read(text) == Transcript(game.moves, ENDING, {}, Outcome("white", "no_moves"))


@settings(max_examples=30, deadline=None, derandomize=True)
@given(st.integers(0, 2**32), st.sampled_from([None, "W:WK22,30:BK1,5,K9,18", "B:WK2,30:B1,K31"]))
def test_a_random_game_is_the_same_once_written_and_read(seed: int, start: str | None) -> None:
    """Moves, start, names, end and date; no line is longer than 79 characters."""
    game = played_out(seed, start)
    text = PDN.write(game)
    assert PDN.read(text) == game
    assert PDN.write(PDN.read(text)) == text
    assert all(len(line) < 80 for line in text.splitlines())


@given(st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]), min_size=1, max_size=24))
def test_any_name_comes_back(name: str) -> None:
    """Quotes, backslashes and brackets too; a question mark alone stands for nobody."""
    game = Transcript(("11-15",), names={} if name == "?" else {"white": name})
    assert PDN.read(PDN.write(game)) == game


@pytest.mark.parametrize(
    "outcome",
    [
        Outcome("white", "resignation"),
        Outcome("white", "timeout"),
        Outcome("red", "left"),
        Outcome(None, "agreement", points=0),
        None,
    ],
)
def test_an_end_beside_the_board_comes_back(outcome: Outcome | None) -> None:
    """Time and leaving have PGN's words for them."""
    game = Transcript(("11-15",), outcome=outcome)
    assert PDN.read(PDN.write(game)) == game


def test_comments_variations_and_marks_are_read_over() -> None:
    """So are move numbers, second tags of a name, half-known dates; an asterisk leaves the end to the tag."""
    game = PDN.read(LIBERAL)
    assert game.moves == ("11-15", "23-19", "8-11", "22-17", "4-8")
    assert game.names == {"red": "Ann"}
    assert (game.start, game.date) == (None, "")
    assert game.outcome == Outcome(None, "agreement", points=0)


def test_short_captures_are_read_in_full() -> None:
    """Where they stand for one capture."""
    assert PDN.read(f'[FEN "{ENDING}"] 22x8').moves == ("22x15x8",)
    assert "line 1, column 29: 31x15: 31x15 stands for more than one capture" in fault(
        '[FEN "W:W31:B18,19,26,27"]  31x15'
    )


def test_a_setup_of_0_leaves_the_fen_aside() -> None:
    """As PGN has it."""
    assert PDN.read(f'[SetUp "0"][FEN "{ENDING}"] 11-15').start is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "line 1, column 1: there is no game"),
        (" \n{only a comment}", "line 1, column 1: there is no game"),
        ("1. 11-15\n  23-22", "line 2, column 3: 23-22: from 23 to 22 is not one square diagonally"),
        ("1. 11-33", "line 1, column 4: 11-33: square 2 of the move: '33' is not a number from 1 to 32"),
        ("1. 11-15 {open", "line 1, column 10: a comment that is not closed"),
        ("1. 11-15 }", "line 1, column 10: '}' is neither a move nor a result"),
        ("1. 11-15 (23-18", "line 1, column 10: a variation that is not closed"),
        ("1. 11-15 23-18)", "line 1, column 15: no variation is open here"),
        ("1. e4 e5", "line 1, column 4: 'e4' is neither a move nor a result"),
        ("1. 11-15 23 -18", "line 1, column 10: '23' is neither a move nor a result"),
        ('[White "a" 11-15', 'line 1, column 1: a tag is written [Name "value"]'),
        ('[White "a\n"]', 'line 1, column 1: a tag is written [Name "value"]'),
        ('\n [GameType "20"]', "line 2, column 2: GameType '20' is not 21, American checkers"),
        ('[Result "2-0"]', "line 1, column 1: Result '2-0' is not one of 1-0, 0-1, 1/2-1/2, *"),
        ('[SetUp "1"] *', "line 1, column 1: SetUp is 1, but there is no FEN"),
        ('[FEN "W:W22"] *', "line 1, column 1: FEN: a position is the side to move"),
        ('[Result "1-0"]\n11-15 0-1', "line 2, column 7: the result 0-1 is not that of the tag, 1-0"),
        ("11-15 1-0 0-1", "line 1, column 11: there is more after the end of the game: exactly one game"),
        ("11-15 * 23-18", "line 1, column 9: there is more after the end of the game: exactly one game"),
        ('11-15 *\n\n[Event "b"] 11-15', "line 3, column 1: another game begins: exactly one game is read"),
        (f'[FEN "{ENDING}"] 22x8 0-1', "the result 0-1 is not that of the last position, 1-0 (no_moves)"),
        (f'[FEN "{ENDING}"] 22x8 1-7', "1-7: the game is over (no_moves)"),
        ("x" * (TEXT_CHARS_MAX + 1), "at most 100,000 characters, this one 100,001"),
    ],
)
def test_a_fault_is_told_by_line_and_column(text: str, said: str) -> None:
    """And by what is wrong there."""
    assert said in fault(text)


def test_a_game_has_at_most_a_thousand_moves() -> None:
    """One that goes on is not read to its end."""
    moves = long_game(MOVES_MAX + 1)
    assert len(PDN.read(f'[FEN "{FAR_APART}"] {" ".join(moves[:MOVES_MAX])}').moves) == MOVES_MAX
    assert "a game has at most 1,000 moves here" in fault(f'[FEN "{FAR_APART}"] {" ".join(moves)}')


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.text(alphabet='[]{}();"\\ \n019-x.*/$!?EBW', max_size=80))
def test_no_text_makes_reading_fail_otherwise(text: str) -> None:
    """With line and column, or as a game."""
    try:
        game = PDN.read(text)
    except InvalidText as refused:
        place = str(refused)
    else:
        place = "line none" if PDN.read(PDN.write(game)).moves == game.moves else "lost"
    assert place.startswith("line ")
