"""Once the pieces are past one another the engine counts moves and takes the shortest way home."""

from __future__ import annotations

from typing import Any

import pytest

from mitsuboshi.ai import _engine
from mitsuboshi.ai._engine import Engine, Stop
from tests.engine.boards import START_2
from tests.engine.searches import told

RACE_2 = "1/2/3/4/8yyyyY/6y2yy1/7y1yy/2yy1y1y2/2rr5/3r1r4/4Rr5/7r4/7rr4/1rr1/rrr/1r/1 r 2 104 0"
"""Red needs 11 moves, yellow 8."""
RACE_3 = "1/2/3/4/Gg1g5y1yY/gggg4yyyy/ggg5yyy/g2g4yy/ggg2ry1y/5r1y2/11/5r6/4r1rr5/rrrr/rrr/r1/R g 3 155 0"
"""Green needs 5 moves, as does yellow; red 6."""
STRAGGLER_2 = "1/2/3/4/9yyyY/7yyyyy/7y1yy/8yy/8y/10/11/7r4/4rrr1r4/Rrrr/rrr/rr/r r 2 145 0"
"""Red needs 5 moves; yellow's are none of its concern. One of its men is far behind."""


@pytest.fixture(scope="module")
def engine() -> Engine:
    """One context, as a worker has it."""
    return Engine(16)


def turns_until_over(engine: Engine, position: str, options: dict[str, Any], nodes: int) -> dict[str, int]:
    """Plays on to the end; answers the moves that each seat made."""
    turns = {"r": 0, "y": 0, "g": 0}
    while lines := engine.search("diamond", position, options, nodes=nodes, race_width=512):
        turns[position.split()[1]] += 1
        position = _engine.play("diamond", position, options, lines[0].move)
    return turns


@pytest.mark.parametrize(("position", "seat", "moves"), [(RACE_2, "y", 8), (RACE_3, "g", 5)])
def test_a_race_is_won_in_the_fewest_moves(engine: Engine, position: str, seat: str, moves: int) -> None:
    """No move is wasted, with few nodes either."""
    assert turns_until_over(engine, position, {}, 1500)[seat] == moves


def test_the_depth_of_a_race_is_its_end_and_the_score_the_lead(engine: Engine) -> None:
    """Depth counts plies to the own goal. Who needs fewer moves is ahead."""
    (behind,) = engine.search("diamond", RACE_2, {}, nodes=20_000, race_width=512)
    assert (behind.depth, len(behind.pv)) == (2 * 11 - 1, 1)
    assert behind.score <= -900
    (ahead,) = engine.search(
        "diamond", _engine.play("diamond", RACE_2, {}, behind.move), {}, nodes=20_000, race_width=512
    )
    assert ahead.depth == 2 * 8 - 1
    assert 900 <= ahead.score < 1000


@pytest.mark.parametrize("width", [8, 16, 32, 64, 512])
def test_a_narrow_look_does_not_wander_about(engine: Engine, width: int) -> None:
    """A move more than is needed, not twelve times as many: a poor way is looked for again, wider."""
    (line,) = engine.search("diamond", STRAGGLER_2, {}, race_width=width, movetime_ms=5000)
    assert 2 * 5 - 1 <= line.depth <= 2 * 6 - 1


@pytest.mark.parametrize("position", [RACE_2, RACE_3])
def test_a_race_searched_within_nodes_repeats_itself(engine: Engine, position: str) -> None:
    """And keeps within them, however few."""
    for nodes in (2, 50, 700, 20_000):
        first = engine.search("diamond", position, {}, nodes=nodes, race_width=512)
        assert first[0].nodes <= nodes
        assert told(Engine(16).search("diamond", position, {}, nodes=nodes, race_width=512)) == told(first)


def test_an_opponent_whose_way_was_not_found_is_not_taken_to_be_fast(engine: Engine) -> None:
    """With few nodes green's own way is known, the others' are not: the score is the position's."""
    scores = [engine.search("diamond", RACE_3, {}, nodes=n, race_width=512)[0].score for n in (300, 20_000)]
    assert scores[0] == engine.search("diamond", RACE_3, {}, nodes=200, race_width=512)[0].score
    assert -500 < scores[0] < 500
    assert scores[1] == 950


@pytest.mark.parametrize("movetime_ms", [1, 2, 3])
def test_the_own_way_leaves_time_for_the_others(engine: Engine, movetime_ms: int) -> None:
    """A race is told as one only where all have been looked at."""
    (line,) = engine.search("diamond", RACE_3, {}, movetime_ms=movetime_ms, race_width=512)
    assert line.score > -500


def test_a_narrow_look_leads_home_too(engine: Engine) -> None:
    """Whatever the depth and the noise of the ordinary search, and by far fewer positions."""
    (behind,) = engine.search("diamond", RACE_2, {}, nodes=20_000, race_width=512)
    ahead = _engine.play("diamond", RACE_2, {}, behind.move)
    (line,) = engine.search("diamond", ahead, {}, plies=1, noise=700, race_width=8)
    (strong,) = engine.search("diamond", ahead, {}, movetime_ms=5_000, race_width=512)
    assert line.depth > 1
    assert (line.margin or 0) > 0
    assert line.nodes * 10 < strong.nodes


def test_the_last_beam_is_as_wide_as_was_asked_for(engine: Engine) -> None:
    """A greater width looks at more."""
    widths = (8, 20, 32, 64, 512)
    lines = [engine.search("diamond", RACE_2, {}, nodes=100_000, race_width=width)[0] for width in widths]
    assert all(line.depth > 10 for line in lines)
    assert len({line.nodes for line in lines}) == len(widths)


def test_the_ordinary_search_stays_where_the_race_is_not_asked_for(engine: Engine) -> None:
    """Before the pieces have passed one another, for several lines, with no width."""
    assert engine.search("diamond", START_2, {}, nodes=5_000, race_width=512)[0].depth < 10
    assert len(engine.search("diamond", RACE_2, {}, nodes=5_000, lines=3, race_width=512)) == 3
    assert engine.search("diamond", RACE_2, {}, plies=2)[0].depth == 2
    assert engine.search("diamond", RACE_2, {}, plies=2, noise=60)[0].depth == 2


@pytest.mark.parametrize(
    "options",
    [
        {"leave_target": False},
        {"border_stop": False},
        {"king_min_run": 2},
        {"places": "all"},
        {"leave_target": False, "border_stop": False, "king_min_run": 2, "places": "all"},
    ],
)
@pytest.mark.parametrize("position", [RACE_2, RACE_3])
def test_a_race_is_played_by_the_options(engine: Engine, position: str, options: dict[str, Any]) -> None:
    """Every move is legal, and it comes to an end soon."""
    assert max(turns_until_over(engine, position, options, 1500).values()) <= 16


def test_a_race_that_the_draw_limit_ends_first_is_no_win(engine: Engine) -> None:
    """Where the moves that are left do not reach, the ordinary search goes on."""
    late = RACE_2.replace(" 104 ", " 790 ")
    assert engine.search("diamond", late, {}, nodes=3_000, race_width=512)[0].score < 900
    assert max(turns_until_over(engine, late, {}, 1500).values()) == 5


def test_a_stop_ends_a_look_for_the_way_home(engine: Engine) -> None:
    """With a legal move."""
    stop = Stop()
    stop.set()
    (line,) = engine.search("diamond", RACE_2, {}, stop=stop, race_width=512)
    assert line.move in _engine.legal_moves("diamond", RACE_2, {})


@pytest.mark.parametrize("ply", [200, 400, 700])
def test_a_weak_level_ends_a_game_that_needs_a_move_back(engine: Engine, ply: int) -> None:
    """A man has to leave the apex for the king, however long the game has gone on, and whoever plays."""
    position = f"1/2/3/4/9yyyy/7Yyyyy/8yyy/8yy/8y/10/11/12/4Rrrrr4/rrrr/rrr/rr/r r 2 {ply} 0"
    while lines := engine.search("diamond", position, {}, plies=3, noise=60, seed=ply, race_width=8):
        position = _engine.play("diamond", position, {}, lines[0].move)
        ply += 1
    assert ply < 790
