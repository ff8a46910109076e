"""Random games, ours and OpenSpiel's side by side: the same moves at every ply.

OpenSpiel plays jump by jump, names squares ``a1`` to ``h8`` with the first mover below, and draws sooner."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from mitsuboshi.games.checkers import CHECKERS

pyspiel = pytest.importorskip("pyspiel")

NAME = {
    square["id"]: f"{'abcdefgh'[square['x']]}{square['y'] + 1}" for square in CHECKERS.geometry()["squares"]
}
SQUARE = {name: square for square, name in NAME.items()}


def turns(state: Any, path: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Any]]:
    """Every whole turn as the squares that the piece visits, with the state after it."""
    for action in state.legal_actions():
        text = state.action_to_string(state.current_player(), action)
        origin, end = SQUARE[text[:2]], SQUARE[text[2:4]]
        assert not path or path[-1] == origin
        following = state.child(action)
        whole = (*path, end) if path else (origin, end)
        if following.current_player() == state.current_player():
            yield from turns(following, whole)
        else:
            yield whole, following


def kings_of(state: Any) -> int:
    """How many kings the printed board shows."""
    rows = [line[1:] for line in str(state).splitlines()]
    return sum(row.count(letter) for row in rows for letter in "8*")


@pytest.mark.parametrize("seed", range(80))
def test_every_ply_of_a_random_game_has_the_same_moves(seed: int) -> None:
    """Whole captures too, with every square of their way."""
    rnd = random.Random(seed)
    state, position = pyspiel.load_game("checkers").new_initial_state(), CHECKERS.start(2, {})
    while not state.is_terminal() and CHECKERS.outcome(position) is None:
        theirs = dict(turns(state))
        ours = {
            tuple(CHECKERS.details(position, move)["path"]): move for move in CHECKERS.legal_moves(position)
        }
        assert sorted(ours) == sorted(theirs)
        path = rnd.choice(sorted(ours))
        state, position = theirs[path], CHECKERS.play(position, ours[path])[1]
        assert kings_of(state) == position.kings.bit_count()
    assert CHECKERS.ply(position) > 20
