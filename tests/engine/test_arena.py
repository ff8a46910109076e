"""Matches, levels and counts from the command line."""

from __future__ import annotations

import argparse
import sys
from collections import Counter

import pytest

from mitsuboshi.ai import arena, perft
from mitsuboshi.ai.arena import Match, Played, elo, interval, opening, play_games, report, seatings
from mitsuboshi.ai.contestants import Pace
from mitsuboshi.ai.levels import LEVELS, MOVETIME_LEAST_MS, budget
from mitsuboshi.games.diamond import DIAMOND
from mitsuboshi.games.game import complete_options

OPTIONS = complete_options(DIAMOND.options, {})


def called(module: object, *words: str) -> int:
    """A command's exit code, called as the command line calls it."""
    parser = argparse.ArgumentParser()
    module.add_arguments(parser)  # type: ignore[attr-defined]
    code: int = module.run(parser.parse_args(words))  # type: ignore[attr-defined]
    return code


def match(a: str, b: str, players: int = 2, nodes: int = 200) -> Match:
    """A short match."""
    return Match("diamond", players, OPTIONS, (a, b), Pace(nodes=nodes), 4, 1)


def test_every_seating_has_both_and_is_fair() -> None:
    """Each contestant sits on each seat as often as the other."""
    for players in (2, 3):
        ways = seatings(players)
        for seat in range(players):
            assert Counter(way[seat] for way in ways)[0] == len(ways) // 2


def test_openings_vary_and_repeat() -> None:
    """By their number alone."""
    one = match("greedy", "greedy")
    texts = [DIAMOND.write(opening(DIAMOND, one, number)) for number in range(6)]
    assert len(set(texts)) == 6
    assert DIAMOND.write(opening(DIAMOND, one, 3)) == texts[3]


@pytest.mark.parametrize("players", [2, 3])
def test_a_short_search_beats_the_greedy_player(players: int) -> None:
    """Nearly always: a small stand-in for the long match that the docs quote."""
    games = len(seatings(players)) * 2
    played = play_games(match("advanced", "greedy", players, nodes=400), range(games))
    assert sum(one.points for one in played) >= 0.75 * games
    assert all(one.plies < 400 for one in played)


def test_an_outside_engine_plays_by_the_protocol() -> None:
    """Here our own, as another process."""
    command = f"cmd:{sys.executable} -m mitsuboshi engine"
    played = play_games(match(command, "beginner", nodes=300), range(2))
    assert [one.points for one in played] == [1.0, 1.0]
    assert all(one.depths[0] > one.turns[0] for one in played)


def test_a_stronger_level_beats_a_weaker_one() -> None:
    """At equal nodes the weaker is still held back by plies and noise."""
    played = play_games(match("intermediate", "beginner", nodes=2000), range(6))
    assert sum(one.points for one in played) >= 5


def test_a_report_has_error_bars_that_are_sound_at_the_ends(capsys: pytest.CaptureFixture[str]) -> None:
    """A clean sweep says how much it proves."""
    played = [Played(1.0, 90, (45, 45), (400, 45))] * 200
    text = report(("a", "b"), played)
    assert "wins 200  draws 0  losses 0" in text
    assert "95%: 98.1% to 100.0%" in text
    assert interval(100, 200)[0] == pytest.approx(0.431, abs=0.001)
    assert elo(0.75) == pytest.approx(190.8, abs=0.1)
    assert (
        called(arena, "diamond", "--a", "greedy", "--b", "beginner", "--games", "2", "--processes", "1") == 0
    )
    assert "2 games" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words",
    [
        ("--a", "nobody", "--b", "greedy"),
        ("--a", "greedy", "--b", "cmd:/does/not/exist"),
        ("--a", "greedy", "--b", "greedy", "--players", "5"),
        ("--a", "greedy", "--b", "greedy", "--option", "places=some"),
        ("--a", "greedy", "--b", "greedy", "--games", "0"),
    ],
)
def test_a_match_that_cannot_be_played_is_told(words: tuple[str, ...]) -> None:
    """As the command line tells every misuse."""
    with pytest.raises(SystemExit) as ended:
        called(arena, "diamond", *words)
    assert ended.value.code == 2


def test_perft_prints_a_line_for_each_depth(capsys: pytest.CaptureFixture[str]) -> None:
    """By the engine and by the Python rules alike."""
    assert called(perft, "diamond", "--depth", "4") == 0
    assert capsys.readouterr().out == "1 20\n2 400\n3 12567\n4 395128\n"
    words = ("diamond", "--players", "3", "--depth", "2", "--option", "king_min_run=2")
    assert called(perft, *words) == called(perft, *words, "--python") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == lines[2:]


def test_budgets_shrink_with_the_queue_and_keep_the_level(capsys: pytest.CaptureFixture[str]) -> None:
    """Never below the least, never above the level's own."""
    times = [level.movetime_ms for level in LEVELS.values()]
    assert times == [100, 300, 1000, 5000]
    for level in LEVELS.values():
        shrunk = [budget(level, waiting) for waiting in (0, 1, 3, 1000)]
        assert shrunk[0] == level.limits
        assert [one.movetime_ms for one in shrunk] == sorted(
            (one.movetime_ms for one in shrunk), reverse=True
        )
        assert shrunk[-1].movetime_ms == MOVETIME_LEAST_MS
        assert {(one.plies, one.noise) for one in shrunk} == {(level.limits.plies, level.limits.noise)}
