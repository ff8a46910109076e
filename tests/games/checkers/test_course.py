"""How games end: without a move, by repetition, by forty moves, by resignation; and what undo restores."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise

import pytest

from mitsuboshi.games.checkers import CHECKERS
from mitsuboshi.games.checkers.moves import jumpers
from mitsuboshi.games.checkers.position import Position
from mitsuboshi.games.game import IllegalMove, Outcome
from tests.games.checkers.literals import after, again, board, random_game, reason

THERE_AND_BACK = ("4-8", "32-27", "8-4", "27-32")


def kings() -> Position:
    """A king and a man for each side, far from each other; red moves first."""
    return board("B", white="K32 30", red="K4 1")


def walk(position: Position, plies: int) -> list[Position]:
    """Positions of king's moves without a capture, the given one first; none comes a third time."""
    for seed in range(100):
        rnd = random.Random(seed)
        walked = [position]
        while len(walked) <= plies and (following := _quiet(walked[-1])):
            walked.append(rnd.choice(following))
        if len(walked) > plies:
            return walked
    raise AssertionError("no such walk was found")


def _quiet(position: Position) -> Sequence[Position]:
    """The positions after each king's move that leaves nothing to take and does not end the game early."""
    following = [CHECKERS.play(position, move)[1] for move in CHECKERS.legal_moves(position)]
    return [
        again(here)
        for here in following
        if len(here.quiet) > len(position.quiet)
        and not jumpers(here)
        and reason(here) in {None, "forty_moves"}
    ]


def test_a_blocked_side_has_lost() -> None:
    """It neither waits nor passes."""
    blocked = board("W", white="21", red="17 14")
    assert CHECKERS.outcome(blocked) == Outcome("red", "no_moves")
    assert CHECKERS.legal_moves(blocked) == []
    assert not CHECKERS.must_pass(blocked)
    for move in ("pass", "21x14"):
        with pytest.raises(IllegalMove):
            CHECKERS.play(blocked, move)


def test_a_side_without_pieces_has_lost() -> None:
    """On the very ply that takes the last one."""
    position = after(board("B", white="18", red="15"), "15x22")
    assert CHECKERS.outcome(position) == Outcome("red", "no_moves")
    assert CHECKERS.write(position) == "W:W:B22"


def test_a_resignation_gives_the_game_to_the_other() -> None:
    """On either side's turn."""
    assert CHECKERS.resigned(kings(), "red") == Outcome("white", "resignation")
    assert CHECKERS.resigned(kings(), "white") == Outcome("red", "resignation")
    with pytest.raises(ValueError, match="green does not play checkers"):
        CHECKERS.resigned(kings(), "green")


def test_the_third_occurrence_is_a_draw() -> None:
    """Not the second, and not a ply early; the position at the start counts."""
    position = kings()
    for move in (*THERE_AND_BACK, *THERE_AND_BACK[:3]):
        position = after(position, move)
        assert CHECKERS.outcome(position) is None
    position = after(position, THERE_AND_BACK[3])
    assert CHECKERS.outcome(position) == Outcome(None, "repetition", points=0)
    assert CHECKERS.legal_moves(position) == []
    with pytest.raises(IllegalMove, match="the game is over"):
        CHECKERS.play(position, "4-8")


def test_undo_takes_repetitions_back_too() -> None:
    """Two occurrences, a move taken back, another one played: the draw comes at the true third."""
    twice = after(kings(), *THERE_AND_BACK)
    kept = again(after(twice, "4-8"))
    # The move 32-27 is taken back and replaced: the board after it is new.
    other = after(kept, "32-28", "8-4", "28-32")
    assert reason(other) == "repetition"
    assert reason(after(kept, "32-28", "8-4")) is None
    assert reason(after(kept, "30-26", "8-4")) is None
    assert reason(after(kept, *THERE_AND_BACK[1:])) == "repetition"


def test_the_same_board_with_the_other_side_to_move_is_another_position() -> None:
    """A king that loses a move by a detour: the board comes back after an odd number of plies."""
    position = board("B", white="K32", red="K5")
    path = ["5-1", "32-27", "1-6", "27-24", "6-9", "24-28", "9-5", "28-32"]
    assert reason(after(position, *path)) is None
    boards = [after(position, *path[:plies]) for plies in range(len(path) + 1)]
    assert (boards[0].red, boards[0].white) == (boards[-1].red, boards[-1].white)
    flipped = board("W", white="K32", red="K5")
    assert CHECKERS.write(flipped) != CHECKERS.write(position)
    assert reason(after(flipped, "32-27", "5-1", "27-32", "1-5")) is None


def test_a_mans_move_or_a_capture_begins_the_count_anew() -> None:
    """What cannot come back is not remembered."""
    twice = after(kings(), *THERE_AND_BACK)
    moved = after(twice, "1-5")
    assert moved.quiet == ()
    assert reason(after(moved, "32-27", "4-8", "27-32", "8-4")) is None
    taken = after(board("B", white="K32 K18 30", red="K4 15"), "15x22")
    assert taken.quiet == ()


def test_forty_quiet_moves_by_each_side_are_a_draw() -> None:
    """At ply 80 and not before; the limit is told all the way."""
    walked = walk(kings(), 80)
    for ply, position in enumerate(walked[:-1]):
        assert CHECKERS.outcome(position) is None
        assert CHECKERS.draw_limit(position) == (80, 80 - ply)
    assert CHECKERS.outcome(walked[80]) == Outcome(None, "forty_moves", points=0)
    assert CHECKERS.draw_limit(walked[80]) == (80, 0)


def test_a_mans_move_at_the_last_ply_resets_the_forty_moves() -> None:
    """And undo across the limit restores the count."""
    walked = walk(kings(), 80)
    before = walked[79]
    assert reason(walked[80]) == "forty_moves"
    assert reason(again(before)) is None
    man = "30-" if before.to_move == "white" else "1-"
    reset = after(before, next(move for move in CHECKERS.legal_moves(before) if move.startswith(man)))
    assert reason(reset) is None
    assert CHECKERS.draw_limit(reset) == (80, 80)


def patrol() -> list[int]:
    """39 king's steps to square 11 by 16, away from the corner, on no square more than twice."""
    near = {square["id"]: square["neighbours"] for square in CHECKERS.geometry()["squares"]}
    corner = {3, 4, 7, 8, 11, 12, 15}
    for seed in range(1000):
        rnd, path = random.Random(seed), [11, 16]
        while free := [to for to in near[path[-1]] if to not in corner and path.count(to) < 2]:
            path.append(rnd.choice(free))
            if len(path) == 40:
                return path[::-1]
    raise AssertionError("no such way was found")


def test_a_win_comes_before_a_draw_on_the_same_ply() -> None:
    """The 80th quiet ply is a king's move that shuts white's last king in."""
    way = patrol()
    position = board("W", white="K4", red=f"3 K12 15 K{way[0]}")
    for number, (origin, end) in enumerate(pairwise(way)):
        position = after(position, "8-4" if number % 2 else "4-8", f"{origin}-{end}")
        assert CHECKERS.outcome(position) is None
    position = after(position, "8-4")
    assert CHECKERS.draw_limit(position) == (80, 1)
    assert reason(after(position, "11-7")) == "forty_moves"
    assert CHECKERS.outcome(after(position, "12-8")) == Outcome("red", "no_moves")


def test_random_games_end_by_the_rules() -> None:
    """Each in one of the three ways, and no move is offered after that."""
    ends = set()
    for seed in range(60):
        *_, last = random_game(seed, plies=2000)
        assert CHECKERS.legal_moves(last) == []
        ends.add(reason(last))
    assert None not in ends
    assert {"no_moves", "repetition"} <= ends
