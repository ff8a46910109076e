"""Whole games in the ``.mat`` format."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mitsuboshi.games.backgammon import BACKGAMMON
from mitsuboshi.games.backgammon.mat import MAT, MAT_CHARS_MAX, MAT_TURNS_MAX
from mitsuboshi.games.backgammon.moves import Final
from mitsuboshi.games.backgammon.notation import texts
from mitsuboshi.games.game import InvalidText, Outcome, Transcript
from mitsuboshi.rooms.names import clean_name
from mitsuboshi.rooms.refused import Refused
from tests.games.backgammon.literals import start, thrown

WRITTEN = """\
; [Player 1 "Ann"]
; [Player 2 "Bo B."]
; [EventDate "2026.02.03"]

 0 point match

 Game 1
 Ann : 0                        Bo B. : 0
  1) 31: 8/5 6/5                 65: 24/18 18/13
  2) 66: 24/18 24/18 13/7 13/7
                                 Wins 1 point
"""
TRANSCRIPT = Transcript(
    ("31:8/5 6/5", "65:24/13", "66:24/18(2) 13/7(2)"),
    names={"white": "Ann", "black": "Bo B."},
    outcome=Outcome("black", "resignation", 1),
    date="2026-02-03",
)


def test_a_game_is_written_in_two_columns() -> None:
    """White's turns left, each step by itself."""
    assert MAT.write(TRANSCRIPT) == WRITTEN


def test_what_is_written_is_read_again() -> None:
    """Names, date, moves and result."""
    assert MAT.read(WRITTEN) == TRANSCRIPT
    assert MAT.read(WRITTEN.replace("\n", "\r\n")) == TRANSCRIPT


def test_black_may_begin() -> None:
    """The first throw is white's die, then black's; on paper the larger number comes first."""
    transcript = Transcript(("13:8/5 6/5", "21:13/11 6/5"))
    text = MAT.write(transcript)
    assert "  1)                             31: 8/5 6/5\n  2) 21: 13/11 6/5" in text
    assert MAT.read(text) == transcript


def test_games_of_other_programs_are_read() -> None:
    """A longer match's first game, names with scores, plays joined or not, with tabs and counts."""
    text = """\
 7 point match

 Game 1
 first player(JPN) : 2           second : 5
  1)                             46: 24/18 18/14
  2) 33: 24/21(2) 13/10(2)       11: 14/13 8/7(2) 6/5
  3) 41:\t21/17* 21/20*
"""
    read = MAT.read(text)
    assert read.names == {"white": "first player(JPN)", "black": "second"}
    assert read.moves == ("46:24/14", "33:24/21(2) 13/10(2)", "11:14/13 8/7(2) 6/5", "41:21/17* 21/20*")
    assert read.outcome is None


def test_a_hit_that_is_not_told_is_none_where_both_ways_are_open() -> None:
    """Programs that join steps tell every hit on the way."""
    moves, text = _until(re.compile("[0-9]+/[0-9]+/[0-9]+"))
    first, _, last = text.split("/")
    played = MAT.read(MAT.write(Transcript((*moves[:-1], f"{moves[-1].partition(':')[0]}:{text}"))))
    steps = MAT.write(Transcript(played.moves)).rstrip().rpartition(": ")
    assert MAT.read(f"{steps[0]}: {first}/{last}").moves == played.moves


def test_a_turn_without_a_play_is_a_pass() -> None:
    """In whichever words, or none."""
    moves, _ = _until(re.compile("pass"))
    text = MAT.write(Transcript(moves))
    assert "Cannot Move" in text
    assert MAT.read(text).moves == moves
    for words in ("", "no play", "can't move", "Dances", "????", "-"):
        assert MAT.read(text.replace("Cannot Move", words)).moves == moves


def _until(wanted: re.Pattern[str]) -> tuple[tuple[str, ...], str]:
    """The moves of a random game up to a turn with a legal move like the wanted one, that one the last."""
    rnd = random.Random(7)
    position, moves = start(), list[str]()
    while True:
        throw = rnd.choice(BACKGAMMON.chance(position))
        position = thrown(position, throw)
        legal = BACKGAMMON.legal_moves(position) or ["pass"]
        found = next((move for move in legal if wanted.fullmatch(move)), None)
        move = found or rnd.choice(legal)
        moves.append(f"{_high_first(throw, len(moves))}:{move}")
        if found:
            return tuple(moves), found
        position = start() if BACKGAMMON.outcome(position) else BACKGAMMON.play(position, move)[1]


def _high_first(throw: str, turn: int) -> str:
    return throw if turn == 0 else "".join(sorted(throw, reverse=True))


GIVEN = '; [XGID "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"]\n'
HEAD = " Game 1\n Ann : 0                        Bo : 0\n"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "line 1, column 1: there is no game"),
        ("hello", "line 1, column 1: 'hello' is neither a turn nor a result"),
        (HEAD + "  1) 31: 8/5 6/5  hello", "line 3, column 10: 31: part 3: 'hello' is not like 13/8"),
        (HEAD + "  1) 31: 8/5 6/4", "line 3, column 10: 31: 6/4: 2 is not among the numbers left"),
        (
            HEAD + "  1) 31: 8/5 6/5   65: 24/18",
            "line 3, column 24: 65: 2 numbers can be played, and must be",
        ),
        (HEAD + "  1) 33: 8/5 6/5", "line 3, column 6: 33: the opening throw is never a double"),
        (HEAD + "  1) 31: Cannot Move", "line 3, column 10: 31: Cannot Move, though numbers can be played"),
        (HEAD + "  1) 31:", "line 3, column 9: 31: no move, though numbers can be played"),
        (
            HEAD + "  1) 31: 8/5 6/5\n  2) 65: 24/13",
            "line 4, column 6: this is white's column, but black is to",
        ),
        (
            HEAD + "  1) 31: 8/5 6/5                 Doubles => 2",
            "Doubles: the doubling cube is not played here",
        ),
        (
            HEAD + "  1) 31: 8/5 6/5\n  2) Takes",
            "line 4, column 6: Takes: the doubling cube is not played here",
        ),
        (HEAD + "  1) 31: 8/5 6/5\n\n Game 2\n", "line 5, column 7: one game is read"),
        (" Game 3\n", "line 1, column 7: one game is read"),
        (
            HEAD + "  1) 31: 8/5 6/5\n      Wins 4 points",
            "line 4, column 7: a game has one winner, of 1, 2 or 3",
        ),
        (
            HEAD + "  1) 31: 8/5 6/5\n      Wins 1 point\n  2) 21: 6/5 6/4",
            "line 5, column 6: the game is over",
        ),
        ('; [XGID "XGID=-b"]', "line 1, column 10: an XGID has 10 parts"),
        (GIVEN + "  1) 42: 8/4 6/4", "line 2, column 6: 42: the position has a throw to play already, 31"),
        (GIVEN + "  1) 13: 8/5 6/5\n" + GIVEN, "line 3, column 10: the position comes before the turns"),
        (HEAD + " " * 301, "line 3, column 301: a line has at most 300 characters"),
        ("x" * (MAT_CHARS_MAX + 1), "at most 100000 characters"),
    ],
)
def test_a_fault_is_named_by_line_and_column(text: str, fault: str) -> None:
    """And what is wrong there."""
    with pytest.raises(InvalidText) as refused:
        MAT.read(text)
    assert fault in str(refused.value)


def test_a_result_that_the_board_denies_is_refused() -> None:
    """Winner and points must be those of the position."""
    moves, outcome = _whole_game(3)
    text = MAT.write(Transcript(moves, outcome=outcome))
    wins = f"Wins {outcome.points} point"
    assert MAT.read(text).outcome == outcome
    with pytest.raises(InvalidText, match="but on the board"):
        MAT.read(text.replace(wins, f"Wins {outcome.points % 3 + 1} point"))


def test_a_game_of_too_many_turns_is_refused() -> None:
    """Two sides that hit all they can, and stay where they can be hit, play for long."""
    rnd = random.Random(1)
    position, moves = start(), list[str]()
    while len(moves) <= MAT_TURNS_MAX:
        throw = rnd.choice(BACKGAMMON.chance(position))
        position = thrown(position, throw)
        legal = texts(position)
        move = legal[max(legal, key=_slowest)] if legal else "pass"
        moves.append(f"{_high_first(throw, len(moves))}:{move}")
        position = BACKGAMMON.play(position, move)[1]
    text = MAT.write(Transcript(tuple(moves)))
    with pytest.raises(InvalidText, match="a game has at most 1000 turns") as refused:
        MAT.read(text)
    line, column = map(int, re.findall("[0-9]+", str(refused.value))[:2])
    within = [*text.splitlines()[: line - 1], text.splitlines()[line - 1][: column - 1]]
    assert len(MAT.read("\n".join(within)).moves) == MAT_TURNS_MAX


def _slowest(final: Final) -> tuple[int, int, int]:
    checkers, hits = final
    return hits.bit_count(), -checkers[0], checkers[1:25].count(1)


def test_a_game_from_another_position_has_a_line_for_it() -> None:
    """With the throw in it or still to come; the throw that it has is not told again."""
    text = "XGID=-b----E-C---eE---c-e----B-:0:0:-1:{}:0:0:0:0:10"
    given = Transcript(("8/5 6/5", "65:24/13"), start=text.format("31"))
    assert f'; [XGID "{given.start}"]' in MAT.write(given)
    assert MAT.read(MAT.write(given)) == given
    thrown_later = Transcript(("44:24/16 13/9(2)",), start=text.format("00"))
    assert MAT.read(MAT.write(thrown_later)) == thrown_later


def test_a_given_start_stays_given_where_it_is_the_usual_one() -> None:
    """Two dice are thrown there, so that a double may come, by the side that the position tells."""
    for turn, moves in (
        ("1", ("44:24/16 13/9(2)",)),
        ("1", TRANSCRIPT.moves),
        ("-1", ("31:8/5 6/5",)),
        ("1", ()),
    ):
        start_text = f"XGID=-b----E-C---eE---c-e----B-:0:0:{turn}:00:0:0:0:0:10"
        given = Transcript(moves, start=start_text)
        assert f'; [XGID "{start_text}"]' in MAT.write(given)
        assert MAT.read(MAT.write(given)) == given


def test_a_game_without_turns_comes_back() -> None:
    """Given up before the first throw, or not begun."""
    for outcome in (None, Outcome("white", "resignation", 1)):
        transcript = Transcript((), names={"white": "Ann", "black": "Bo"}, outcome=outcome)
        assert MAT.read(MAT.write(transcript)) == transcript


def _cleaned(text: str) -> str | None:
    try:
        return clean_name(text)
    except Refused:
        return None


NAMES = st.text(max_size=24) | st.text("0123456789): ;[]/*WinsGamepoitch\\'\"", max_size=24)


@settings(max_examples=500, deadline=None, derandomize=True)
@given(
    NAMES.map(_cleaned), NAMES.map(_cleaned), st.sampled_from(("1) Ann", "Wins 3 points", "; Bo", "Game 2"))
)
def test_names_that_rooms_accept_come_back(white: str | None, black: str | None, odd: str) -> None:
    """Whatever else of the format they look like; quotation marks become blanks."""
    for names in ({"white": white or odd, "black": black or odd}, {"white": odd, "black": black or odd}):
        told = {seat: " ".join(name.replace('"', " ").split()) for seat, name in names.items()}
        told = {seat: name for seat, name in told.items() if name and name != seat}
        read = MAT.read(MAT.write(Transcript(TRANSCRIPT.moves, names=names)))
        assert {seat: " ".join(name.split()) for seat, name in read.names.items()} == told
        assert read.moves == TRANSCRIPT.moves


@pytest.mark.parametrize(
    "name", ["1) Ann", "Wins 3 points", "; Bo", "Game 2", "7 point match", "Doubles", "31: 8/5"]
)
def test_a_names_line_of_another_program_is_one_whatever_the_names(name: str) -> None:
    """It follows the game's line; there need not be another one with the names."""
    for white, black in ((name, "Bo"), ("Ann", name)):
        read = MAT.read(f" Game 1\n {white} : 0   {black} : 0\n  1) 31: 8/5 6/5\n      Wins 1 point\n")
        assert read.names == {"white": white, "black": black}
        assert read.moves == ("31:8/5 6/5",)


def test_a_transcript_with_a_throw_that_cannot_come_is_not_written() -> None:
    """A double in the opening, or no throw."""
    for move in ("44:8/4(2)", "8/5 6/5"):
        with pytest.raises(InvalidText, match="is not a throw that may come here"):
            MAT.write(Transcript((move,)))


def _whole_game(seed: int) -> tuple[tuple[str, ...], Outcome]:
    rnd = random.Random(seed)
    position, moves = start(), []
    while (outcome := BACKGAMMON.outcome(position)) is None:
        throw = rnd.choice(BACKGAMMON.chance(position))
        position = thrown(position, throw)
        legal = BACKGAMMON.legal_moves(position)
        move = (
            (rnd.choice(legal) if rnd.random() < 0.5 else BACKGAMMON.plain_move(position))
            if legal
            else "pass"
        )
        moves.append(f"{_high_first(throw, len(moves))}:{move}")
        position = BACKGAMMON.play(position, move)[1]
    return tuple(moves), outcome


@settings(max_examples=15, deadline=None, derandomize=True)
@given(st.integers(0, 10_000), st.booleans())
def test_random_games_come_back(seed: int, over: bool) -> None:
    """Whole ones, and ones that break off."""
    moves, outcome = _whole_game(seed)
    transcript = Transcript(moves, names={"white": "A: 1", "black": "B"}, outcome=outcome)
    if not over:
        transcript = Transcript(moves[: len(moves) // 2])
    assert MAT.read(MAT.write(transcript)) == transcript


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.data())
def test_a_mutated_game_is_read_or_refused(data: st.DataObject) -> None:
    """Never another exception than InvalidText."""
    text = WRITTEN
    for _ in range(data.draw(st.integers(1, 3))):
        at, length = data.draw(st.integers(0, len(text))), data.draw(st.integers(0, 4))
        text = (
            text[:at]
            + data.draw(st.text('0123456789/*():;[]"? \nWins\u0660', max_size=3))
            + text[at + length :]
        )
    try:
        MAT.write(MAT.read(text))
    except InvalidText as fault:
        assert str(fault).startswith("line ")  # noqa: PT017
