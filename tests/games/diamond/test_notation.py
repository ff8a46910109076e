"""Position and move text: canonical both ways, and every fault named by its place."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mitsuboshi.games.diamond import DIAMOND
from mitsuboshi.games.diamond.position import Position, Rules
from mitsuboshi.games.diamond.rules import start
from mitsuboshi.games.game import IllegalMove, InvalidText
from tests.games.diamond.literals import CASES, after, options, pieces, position_of

TWO = "R/rr/rrr/rrrr/4rrrrr4/12/11/10/y8/yy8/yyy8/yyyy8/Yyyyy8/4/3/2/1 r 2 0 0"
THREE = "R/rr/rrr/rrrr/4rrrrr4/12/11/10/y7g/yy6gg/yyy5ggg/yyyy4gggg/Yyyyy3ggggG/4/3/2/1 r 3 0 0"
RED_WON = "1/2/3/4/13/12/11/10/y3y4/yy8/yyy8/yyyy8/Yyyyrrrrr4/rrrr/rrr/rr/R y 2 99 0"
RED_FINISHED = "1/2/3/4/13/12/11/g9/y3y3g/yy6gg/yyy5ggg/yyyy4gggg/YyyyrrrrrgggG/rrrr/rrr/rr/R y 3 99 0 r"


def rows(*changes: tuple[int, str]) -> str:
    """The start position for two with some rows written otherwise."""
    parts = TWO.split(" ", maxsplit=1)[0].split("/")
    for row, text in changes:
        parts[row - 1] = text
    return "/".join(parts) + " r 2 0 0"


def test_the_start_positions_are_written_as_documented() -> None:
    """Rows 1 to 17, side to move, players, ply, passes."""
    assert DIAMOND.write(DIAMOND.start(2, options())) == TWO
    assert DIAMOND.write(DIAMOND.start(3, options())) == THREE
    assert DIAMOND.write(DIAMOND.start(3, options(first_seat="green"))) == THREE.replace(" r ", " g ")


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_what_is_written_is_read_again(case: dict[str, object]) -> None:
    """The position and its text, there and back."""
    position = position_of(case)
    assert DIAMOND.read(DIAMOND.write(position), options()) == position


def test_a_position_that_is_over_can_be_read() -> None:
    """Finished games show their last position too: won, drawn by the limit, drawn by passes."""
    won = DIAMOND.read(RED_WON, options())
    outcome = DIAMOND.outcome(won)
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == ("red", "goal")
    for text in (TWO.replace("2 0 0", "2 800 0"), TWO.replace("2 0 0", "2 9 2")):
        assert DIAMOND.outcome(DIAMOND.read(text, options())) is not None
        assert DIAMOND.write(DIAMOND.read(text, options())) == text


def test_the_finished_seats_are_written_last_in_the_order_of_their_places() -> None:
    """A sixth part, and only where somebody has finished."""
    position = DIAMOND.read(RED_FINISHED, options(places="all"))
    assert position.finished == ("red",)
    assert DIAMOND.write(position) == RED_FINISHED
    assert DIAMOND.read(THREE, options(places="all")).finished == ()
    both = pieces("r60 y61 g62", "green", players=3, places="all", finished=("yellow", "red"))
    assert DIAMOND.write(both).endswith(" g 3 0 0 yr")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "5 or 6 parts, not 1"),
        (TWO[:-2], "5 or 6 parts, not 4"),
        (TWO + " r r", "5 or 6 parts, not 7"),
        (TWO.replace(" r ", "  r "), "players: 'r' is not a whole number from 2 to 3"),
        (" " + TWO, "players: 'r' is not a whole number from 2 to 3"),
        (TWO + "\n", "passes: '0\\n' is not a whole number from 0 to 2"),
        (TWO.replace(" r", "\tr"), "5 or 6 parts, not 4"),
        ("x" * 201, "at most 200 characters, this one 201"),
        (TWO + " r", "finished seats: only with the option places: all"),
        (TWO.replace("R/", ""), "rows: there must be 17, not 16"),
        (TWO.replace("R/", "R/1/"), "rows: there must be 17, not 18"),
        (rows((6, "11")), "row 6: has 12 points, not 11"),
        (rows((6, "13")), "row 6: has 12 points, not 13"),
        (rows((6, "")), "row 6: has 12 points, not 0"),
        (rows((6, "012")), "row 6: numbers of empty points"),
        (rows((6, "0r11")), "row 6: numbers of empty points"),
        (rows((6, "123")), "row 6: numbers of empty points"),
        (rows((6, "x11")), "row 6: 'x' is neither a piece nor a number"),
        (rows((6, "\u0661\u0662")), "row 6: '\u0661' is neither a piece nor a number"),
        (rows((6, "r11")), "rows: red must have 14 men and 1 king, not 15 and 1"),
        (rows((1, "1")), "rows: red must have 14 men and 1 king, not 14 and 0"),
        (rows((2, "rR")), "rows: red must have 14 men and 1 king, not 13 and 2"),
        (rows((8, "g9")), "row 8: green does not play with 2 players"),
        (rows((1, "y"), (9, "9"), (8, "R9")), "row 1: point 0 is closed to yellow"),
        (rows((2, "1r"), (5, "4rrrrr3r")), "row 5: point 22 is closed to red"),
        (rows((2, "1r"), (5, "r3rrrrr4")), "row 5: point 10 is closed to red"),
        (TWO.replace(" r ", " g "), "side to move: 'g' is not one of r, y"),
        (TWO.replace(" r ", " R "), "side to move: 'R' is not one of r, y"),
        (TWO.replace(" 2 0 0", " 4 0 0"), "players: '4' is not a whole number from 2 to 3"),
        (TWO.replace(" 2 0 0", " 3 0 0"), "rows: green must have 14 men and 1 king, not 0 and 0"),
        (TWO.replace(" 2 0 0", " 2 801 0"), "ply: '801' is not a whole number from 0 to 800"),
        (TWO.replace(" 2 0 0", " 2 -1 0"), "ply: '-1' is not a whole number from 0 to 800"),
        (TWO.replace(" 2 0 0", " 2 00 0"), "ply: '00' is not a whole number from 0 to 800"),
        (TWO.replace(" 2 0 0", " 2 \u0663 0"), "ply: '\u0663' is not a whole number from 0 to 800"),
        (TWO.replace(" 2 0 0", " 2 0 3"), "passes: '3' is not a whole number from 0 to 2"),
        (TWO.replace(" 2 0 0", f" 2 {'9' * 99} 0"), "is not a whole number from 0 to 800"),
    ],
)
def test_a_fault_in_a_position_is_named_by_its_place(text: str, fault: str) -> None:
    """Row and reason, or the name of the part after the rows."""
    with pytest.raises(InvalidText) as refused:
        DIAMOND.read(text, options())
    assert fault in str(refused.value)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (RED_FINISHED[:-1], "finished seats: '' must name 1 to 2 seats, each once"),
        (RED_FINISHED[:-2], "finished seats: red has reached its goal and must be among them"),
        (RED_FINISHED + "r", "finished seats: 'rr' must name 1 to 2 seats, each once"),
        (RED_FINISHED + "gy", "finished seats: 'rgy' must name 1 to 2 seats, each once"),
        (RED_FINISHED + "x", "finished seats: 'x' is not one of r, y, g"),
        (RED_FINISHED[:-1] + "g", "finished seats: green has not reached its goal"),
        (
            RED_FINISHED.replace("/rrrr/", "/1rrr/").replace("y3y3g", "y3yr2g"),
            "finished seats: red has not reached its goal",
        ),
        (RED_FINISHED.replace(" y ", " r "), "side to move: red has finished"),
        (RED_FINISHED.replace(" 0 r", " 3 r"), "passes: '3' is not a whole number from 0 to 2"),
    ],
)
def test_a_fault_in_the_finished_seats_is_named(text: str, fault: str) -> None:
    """They must fit the board, the side to move and the passes."""
    with pytest.raises(InvalidText) as refused:
        DIAMOND.read(text, options(places="all"))
    assert fault in str(refused.value)


def test_two_seats_cannot_both_have_won() -> None:
    """Such a position comes from no game, and would have no winner."""
    text = "1/2/3/4/8yyyyY/8yyyy/8yyy/8yy/8y/10/11/12/4rrrrr4/rrrr/rrr/rr/R r 2 99 0"
    with pytest.raises(InvalidText, match="red and yellow cannot both have reached their goal"):
        DIAMOND.read(text, options())


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "origin-destination"),
        ("1426", "origin-destination"),
        ("Pass", "origin-destination"),
        ("14-26 ", "destination: '26 '"),
        ("14-", "destination: ''"),
        ("-26", "origin: ''"),
        ("14-26-3", "destination: '26-3'"),
        ("14-121", "destination: '121' is not a whole number from 0 to 120"),
        ("014-26", "origin: '014'"),
        ("\u0661-26", "origin: '\u0661'"),
        ("14-26\n", "destination: '26\\n'"),
        ("14-" + "2" * 9000, "at most 7 characters, this one 9003"),
    ],
)
def test_a_fault_in_a_move_text_is_named(text: str, fault: str) -> None:
    """A move that cannot be read is another error than one that the rules forbid."""
    with pytest.raises(InvalidText) as refused:
        DIAMOND.play(DIAMOND.start(2, options()), text)
    assert fault in str(refused.value)


def test_the_fields_between_share_a_cache_without_mixing_rules() -> None:
    """One text under two sets of options gives two positions."""
    assert DIAMOND.read(TWO, options()).rules == Rules()
    assert DIAMOND.read(TWO, options(king_min_run=2)).rules == Rules(king_min_run=2)
    assert DIAMOND.read(TWO, options()).rules.border_stop is True


def _played(seed: int, players: int) -> Position:
    rnd = random.Random(seed)
    position = start(players, Rules())
    for _ in range(rnd.randrange(30)):
        position = after(position, rnd.choice(DIAMOND.legal_moves(position)))
    return position


def _reads_back_or_is_refused(text: str, **given: object) -> None:
    try:
        position = DIAMOND.read(text, options(**given))
    except InvalidText:
        return
    assert DIAMOND.write(position) == text
    DIAMOND.facts(position)
    moves = DIAMOND.legal_moves(position)
    assert bool(moves) == (DIAMOND.outcome(position) is None and not DIAMOND.must_pass(position))


LETTERS = "rygRYG/ 0123456789x-\u0660\n"


@settings(max_examples=400, deadline=None, derandomize=True)
@given(st.integers(0, 40), st.sampled_from([2, 3]), st.booleans(), st.data())
def test_a_mutated_position_is_refused_or_read_back(
    seed: int, players: int, play_on: bool, data: st.DataObject
) -> None:
    """Never another exception than InvalidText, and what is accepted is canonical and playable."""
    text = DIAMOND.write(_played(seed, players))
    for _ in range(data.draw(st.integers(1, 3))):
        at, length = data.draw(st.integers(0, len(text))), data.draw(st.integers(0, 2))
        text = text[:at] + data.draw(st.text(LETTERS, max_size=2)) + text[at + length :]
    _reads_back_or_is_refused(text, places="all" if play_on else "first")


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.integers(0, 40), st.sampled_from([2, 3]), st.data())
def test_a_position_with_two_points_swapped_is_refused_or_read_back(
    seed: int, players: int, data: st.DataObject
) -> None:
    """The same for faults that keep the counts right: pieces where they cannot stand."""
    position = _played(seed, players)
    cells = list(position.board)
    a, b = data.draw(st.integers(0, 120)), data.draw(st.integers(0, 120))
    cells[a], cells[b] = cells[b], cells[a]
    swapped = Position("".join(cells), position.to_move, players, position.ply, position.passes)
    _reads_back_or_is_refused(DIAMOND.write(swapped))


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.text(max_size=300) | st.text(LETTERS, max_size=300))
def test_any_text_is_refused_as_a_position_and_as_a_move(text: str) -> None:
    """Whatever a client sends."""
    _reads_back_or_is_refused(text)
    with pytest.raises((InvalidText, IllegalMove)):
        DIAMOND.play(DIAMOND.start(2, options()), text)
