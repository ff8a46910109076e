"""The engine finds moves: within its limits, the same ones again, to the end of the game."""

from __future__ import annotations

import threading
import time

import pytest

from mitsuboshi.ai import _engine
from mitsuboshi.ai._engine import Engine, Line, Stop
from tests.engine.boards import (
    MAN_ON_APEX,
    NO_MOVE,
    ONE_MOVE,
    START_2,
    START_3,
    STUCK_RULES,
    TARGET_BUT_118,
    red_and_yellow,
)
from tests.engine.searches import answer_of, answers_side_by_side, told


@pytest.fixture(scope="module")
def engine() -> Engine:
    """One context, as a worker has it."""
    return Engine(16)


@pytest.mark.parametrize("position", [START_2, START_3])
def test_a_search_limited_by_nodes_repeats_itself(engine: Engine, position: str) -> None:
    """The same answer from a new context, and after other searches: those of three write over the table."""
    first = told(engine.search("diamond", position, {}, nodes=20_000))
    for other in (MAN_ON_APEX, START_3):
        engine.search("diamond", other, {}, nodes=5_000)
    assert told(engine.search("diamond", position, {}, nodes=20_000)) == first
    assert told(Engine(16).search("diamond", position, {}, nodes=20_000)) == first
    assert first[0][3] == 20_000


@pytest.mark.parametrize("position", [START_2, START_3])
def test_limits_are_kept(engine: Engine, position: str) -> None:
    """Depth and time; without the limit it would think for ever, and a busy machine may add seconds."""
    assert engine.search("diamond", position, {}, plies=3)[0].depth == 3
    assert 55 <= engine.search("diamond", position, {}, movetime_ms=60)[0].time_ms < 20_000


def test_lines_are_different_moves_best_first(engine: Engine) -> None:
    """As many as there are, with a play from each."""
    lines = engine.search("diamond", START_2, {}, plies=3, lines=5)
    assert len({line.move for line in lines}) == 5
    assert [line.score for line in lines] == sorted((line.score for line in lines), reverse=True)
    assert all(line.pv[0] == line.move for line in lines)
    assert len(engine.search("diamond", START_2, {}, plies=1, lines=500)) == 20
    assert told(lines)[0][:2] == told(engine.search("diamond", START_2, {}, plies=3))[0][:2]


@pytest.mark.parametrize("position", [START_2, START_3])
def test_the_expected_play_is_legal(engine: Engine, position: str) -> None:
    """Each move of it in its turn; with three players and a depth it ends where a seat is skipped."""
    line = engine.search("diamond", position, {}, plies=4)[0]
    assert len(line.pv) >= 2 or position == START_3
    for move in line.pv:
        position = _engine.play("diamond", position, {}, move)


def test_a_man_leaves_the_apex_and_the_king_wins(engine: Engine) -> None:
    """A win is found and told as 1000 points; then it is played."""
    line = engine.search("diamond", MAN_ON_APEX, {}, plies=5)[0]
    assert (line.move, line.score) == ("120-118", 1000)
    won = red_and_yellow((TARGET_BUT_118 | {118}) - {120}, king=94)
    line = engine.search("diamond", won, {}, movetime_ms=1000)[0]
    assert (line.move, line.score) == ("94-120", 1000)
    over = _engine.play("diamond", won, {}, "94-120")
    assert engine.search("diamond", over, {}, plies=2) == []


def test_a_threat_to_win_is_seen_from_the_other_side(engine: Engine) -> None:
    """Whatever yellow does, red wins next."""
    won = red_and_yellow((TARGET_BUT_118 | {118}) - {120}, king=94, to_move="yellow")
    assert engine.search("diamond", won, {}, plies=4)[0].score == -1000


def test_a_margin_is_told_in_moves_where_the_game_is_a_race(engine: Engine) -> None:
    """Above 0 for whoever is ahead; none in other games, and none once a win is found."""
    (line,) = engine.search("diamond", red_and_yellow(TARGET_BUT_118, king=2), {}, plies=1)
    assert line.margin is not None
    assert line.margin > 3
    assert line.margin == round(line.margin, 1)
    behind = red_and_yellow(TARGET_BUT_118, king=2, to_move="yellow")
    assert (engine.search("diamond", behind, {}, plies=1)[0].margin or 0) < -3
    assert engine.search("diamond", MAN_ON_APEX, {}, plies=4)[0].margin is None
    assert engine.search("checkers", "B:W18,27:B15,3", {}, plies=4)[0].margin is None


@pytest.mark.parametrize(("position", "move"), [(ONE_MOVE, "93-72"), (NO_MOVE, "pass")])
def test_a_single_legal_move_or_pass_is_told_at_once(engine: Engine, position: str, move: str) -> None:
    """Without search: one node, however much time there is."""
    (line,) = engine.search("diamond", position, STUCK_RULES, movetime_ms=20_000, lines=3)
    assert (line.move, line.nodes, line.pv) == (move, 1, [move])
    assert line.time_ms < 5_000
    assert _engine.play("diamond", position, STUCK_RULES, move) != position


def test_a_win_that_ends_the_game_for_the_next_of_three_is_seen(engine: Engine) -> None:
    """Red cannot keep yellow, which moves next, from bringing its last man home."""
    position = (
        "1/2/3/4/Ggg5yyyyY/ggg1g3yyyy/g1ggg3yyy/gg1g3yy1/g3r3y/10/11/5r6/4rr1rr4/1rrr/rrr/rr/R r 3 147 0"
    )
    line = engine.search("diamond", position, {}, plies=2)[0]
    assert line.score == -1000
    assert len(line.pv) == 2
    after = _engine.play("diamond", position, {}, line.move)
    assert not _engine.legal_moves("diamond", _engine.play("diamond", after, {}, line.pv[1]), {})


def test_games_are_played_to_a_win(engine: Engine) -> None:
    """Twelve games by quick searches end by a win, long before the draw limit, with two and with three."""
    for number in range(12):
        players = 2 + number % 2
        position = _engine.start("diamond", players, {})
        for move in range(2 * players):
            moves = _engine.legal_moves("diamond", position, {})
            position = _engine.play("diamond", position, {}, moves[(7 * number + 3 * move) % len(moves)])
        while lines := engine.search("diamond", position, {}, nodes=400):
            position = _engine.play("diamond", position, {}, lines[0].move)
        assert int(position.split()[3]) < 130 * players


def test_kings_that_are_alone_on_their_way_come_home(engine: Engine) -> None:
    """Where all men are home, and short looks see nothing that is better than to wait."""
    rows = "1/2/3/4/1gggg3yyyy1/gggg1R2yyyy/ggg5yyy/gg6yy/g5G1y/10/5Y5/12/4rrrrr4/rrrr/rrr/rr/1"
    position = f"{rows} r 3 600 0"
    while lines := engine.search("diamond", position, {}, plies=3, noise=60, race_width=8):
        position = _engine.play("diamond", position, {}, lines[0].move)
    assert int(position.split()[3]) < 700


def test_three_are_told_lines_without_a_depth(engine: Engine) -> None:
    """Each its own move and legal play, every seat in its turn; all of them if so many are wanted."""
    moves = set(_engine.legal_moves("diamond", START_3, {}))
    for wanted in (1, 3, 500):
        lines = engine.search("diamond", START_3, {}, nodes=3_000, lines=wanted)
        assert len({line.move for line in lines} & moves) == min(wanted, len(moves))
        scores = [line.score for line in lines]
        assert scores == sorted(scores, reverse=True)
        assert {line.depth for line in lines} == {len(lines[0].pv)}
        for line in lines:
            position = START_3
            for move in line.pv:
                position = _engine.play("diamond", position, {}, move)
    assert len(engine.search("diamond", START_3, {}, nodes=30_000)[0].pv) > 3
    assert engine.search("diamond", START_3, {}, nodes=1)[0].move in moves


@pytest.mark.parametrize("nodes", [1, 10, 3_000])
def test_one_of_three_wins_where_it_can(engine: Engine, nodes: int) -> None:
    """At once, whatever the limit, and is told so; the second best move is told to win less."""
    position = (
        "1/2/3/4/Ggg5yyyyY/ggg1g3yyyy/g1ggg3yyy/gg1g3yy1/g3r3y/10/11/5r6/4rr1rr4/1rrr/rrr/rr/R y 3 148 0"
    )
    line = engine.search("diamond", position, {}, nodes=nodes)[0]
    assert line.score == 1000
    assert not _engine.legal_moves("diamond", _engine.play("diamond", position, {}, line.move), {})
    lines = engine.search("diamond", position, {}, nodes=3_000, lines=2)
    assert (lines[0].move, lines[0].score, lines[1].score < 1000) == (line.move, 1000, True)


@pytest.mark.parametrize(("position", "plies"), [(START_2, 1), (START_3, 1), (START_3, 0)])
def test_noise_varies_by_seed_and_repeats_with_it(engine: Engine, position: str, plies: int) -> None:
    """A weak level does not play the same game twice; a seed does."""

    def choice(seed: int) -> str:
        return engine.search("diamond", position, {}, plies=plies, nodes=400, noise=300, seed=seed)[0].move

    found = {seed: choice(seed) for seed in range(20)}
    assert len(set(found.values())) > 3
    assert choice(7) == found[7]


def test_a_stop_ends_a_search_without_an_end(engine: Engine) -> None:
    """With the best move so far."""
    stop, found = Stop(), list[Line]()
    thread = threading.Thread(target=lambda: found.extend(engine.search("diamond", START_2, {}, stop=stop)))
    thread.start()
    while not _is_running(engine):
        time.sleep(0.001)
    stop.set()
    thread.join(60)
    assert found[0].move in _engine.legal_moves("diamond", START_2, {})


@pytest.mark.parametrize("position", [START_2, START_3])
def test_a_stop_is_heeded_within_a_few_hundred_positions(engine: Engine, position: str) -> None:
    """That is a millisecond, on a machine that has nothing else to do."""
    stop = Stop()
    stop.set()
    assert engine.search("diamond", position, {}, stop=stop)[0].nodes <= 512


def _is_running(engine: Engine) -> bool:
    try:
        engine.search("diamond", START_2, {}, nodes=1)
    except RuntimeError:
        return True
    return False


def test_a_stop_set_too_early_is_not_lost_and_too_late_is_harmless(engine: Engine) -> None:
    """It belongs to the search that it was given to."""
    stop = Stop()
    stop.set()
    assert stop.is_set()
    assert engine.search("diamond", START_2, {}, stop=stop)
    engine.stop()
    assert engine.search("diamond", START_2, {}, nodes=5_000)[0].nodes == 5_000


def test_two_threads_search_side_by_side() -> None:
    """Each with its own context: both get the answers that they get alone."""
    positions = [START_2, START_3]
    alone = [answer_of("diamond", text, 60_000) for text in positions]
    assert answers_side_by_side("diamond", positions, 60_000) == alone


def test_one_context_refuses_a_second_search_meanwhile() -> None:
    """Memory is not shared by accident."""
    engine, stop = Engine(1), Stop()
    thread = threading.Thread(target=lambda: engine.search("diamond", START_2, {}, stop=stop))
    thread.start()
    try:
        for _ in range(1000):
            if _is_running(engine):
                break
        else:
            pytest.fail("never refused")
        with pytest.raises(RuntimeError):
            engine.search("diamond", START_2, {}, nodes=1)
    finally:
        stop.set()
        thread.join()


def test_lines_are_of_one_depth_and_their_scores_fall() -> None:
    """Wherever the limit falls: values of different depths do not compare."""
    position = "R/rr/rrr/rrrr/5rrrr4/3r8/11/10/y7g/yy5gg1/yyyy4ggg/yyyy4gggg/Yyy1y3ggggG/4/3/2/1 r 3 3 0"
    for nodes in range(20_000, 300_000, 40_000):
        lines = Engine(16).search("diamond", position, {}, nodes=nodes, lines=3)
        assert len({line.depth for line in lines}) == 1
        scores = [line.score for line in lines]
        assert scores == sorted(scores, reverse=True)
