"""Our plays and those of two independent generators."""

from __future__ import annotations

import pytest

from mitsuboshi.games.backgammon import BACKGAMMON
from tests.games.backgammon.literals import OPTIONS, playout

gnubg_nn = pytest.importorskip("gnubg_nn")
pytest.importorskip("bgsage")

from tests.games.backgammon import peers  # noqa: E402 - it imports both

ENDS_EITHER_WAY = "XGID=--B---E-A----AA-B-B----aA-:0:0:-1:41:0:0:0:0:10"


def test_every_throw_has_the_final_positions_that_two_other_generators_find() -> None:
    """On positions of random games, among them enough of every kind that generators get wrong."""
    seen = peers.compare(4000)
    assert all(number > 100 for number in seen.values()), seen


def test_where_the_last_checker_could_go_by_one_number_both_are_played() -> None:
    """2/1*/off uses both numbers of a 4-1, so 2/off is no play: GNU Backgammon agrees, bgsage offers both."""
    position = BACKGAMMON.read(ENDS_EITHER_WAY, OPTIONS)
    assert BACKGAMMON.legal_moves(position) == ["2/1*/off"]
    assert peers.gnubg(position) == peers.ours(position)
    assert len(peers.sage(position)) == 2


def test_position_ids_are_those_of_gnu_backgammon() -> None:
    """Of every position of some games."""
    for seed in range(5):
        for position in playout(seed):
            sides = [list(side[1:]) for side in (position.theirs, position.mine)]
            text = BACKGAMMON.facts(position)["gnu_id"].partition(":")[0]
            assert text == gnubg_nn.position_id(sides)
