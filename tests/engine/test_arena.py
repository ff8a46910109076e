"""Matches, levels and counts from the command line."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from dataclasses import replace

import pytest

from mitsuboshi.ai import arena, perft
from mitsuboshi.ai._engine import Engine, play
from mitsuboshi.ai.arena import (
    Match,
    Played,
    elo,
    even_share,
    interval,
    net_points,
    opening,
    play_game,
    play_games,
    play_match,
    progress,
    report,
    seatings,
)
from mitsuboshi.ai.contestants import Pace, Turn, contestant
from mitsuboshi.ai.crosstable import crosstable, fit, labels
from mitsuboshi.ai.levels import GAME_LEVELS, LEVELS, MOVETIME_LEAST_MS, budget, level_of
from mitsuboshi.games.backgammon import BACKGAMMON
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


def test_the_first_may_always_be_alone() -> None:
    """In each seat by turns, against all the others; its even share is then that of one seat."""
    assert seatings(3, alone=True) == [(0, 1, 1), (1, 0, 1), (1, 1, 0)]
    assert seatings(2, alone=True) == seatings(2)
    one = match("greedy", "greedy", players=3)
    assert even_share(one) == 0.5
    assert even_share(replace(one, alone=True)) == pytest.approx(1 / 3)
    assert elo(1 / 3, 1 / 3) == pytest.approx(0)
    assert elo(1 / 2, 1 / 3) == pytest.approx(elo(2 / 3))


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
    played = play_games(match(command, "beginner", nodes=1500), range(2))
    assert [one.points for one in played] == [1.0, 1.0]
    assert all(one.depths[0] > one.turns[0] for one in played)


def test_a_stronger_level_beats_a_weaker_one() -> None:
    """At equal nodes the weaker is still held back by plies and noise."""
    played = play_games(match("intermediate", "beginner", nodes=2000), range(6))
    assert sum(one.points for one in played) >= 5


def backgammon(a: str, b: str, seed: int = 1) -> Match:
    """A match of backgammon, everybody at the level's own limits."""
    options = complete_options(BACKGAMMON.options, {})
    return Match("backgammon", 2, options, (a, b), Pace(time_scale=1.0), 0, seed)


def test_a_look_at_one_throw_beats_a_pip_racer_in_backgammon() -> None:
    """Clearly, in wins and in points: a small stand-in for the long match that the docs quote."""
    played = play_games(backgammon("intermediate", "greedy"), range(12))
    assert sum(one.points for one in played) >= 9
    assert sum(one.won for one in played) > 9


class Throws:
    """Passes on what a contestant does and notes the throws that it was given."""

    def __init__(self, name: str) -> None:
        self._player = contestant(name, "backgammon", Pace())
        self.dice: dict[int, str] = {}

    def move(self, turn: Turn) -> tuple[str, int]:
        """The contestant's move."""
        position = BACKGAMMON.load(turn.position, turn.options)
        self.dice[BACKGAMMON.ply(position)] = str(BACKGAMMON.dice(position))
        return self._player.move(turn)

    def close(self) -> None:
        """Nothing is held."""


def test_both_seatings_of_an_opening_have_the_same_throws() -> None:
    """In the same order, so that luck cancels out; the next opening has others."""
    match, found = backgammon("greedy", "greedy"), list[list[str]]()
    for number in (0, 1, 2):
        one = Throws("greedy")
        play_game(match, number, (one, one))
        found.append([one.dice[ply] for ply in sorted(one.dice)])
    shortest = min(map(len, found))
    assert found[0][:shortest] == found[1][:shortest] != found[2][:shortest]


def test_points_are_reported_with_an_error_bar_over_openings(capsys: pytest.CaptureFixture[str]) -> None:
    """Two seatings of an opening are one piece of evidence."""
    played = [Played(1.0, 50, (25, 25), (25, 25), opening, won) for opening in range(8) for won in (3, -1)]
    assert net_points(played) == (1.0, 0.0)
    text = report(backgammon("a", "b"), played)
    assert "won +1.000 points a game  (95%: +1.000 to +1.000)" in text
    words = ("backgammon", "--a", "greedy", "--b", "intermediate", "--games", "2", "--processes", "1")
    assert called(arena, *words) == 0
    assert "2 games" in capsys.readouterr().out


def test_an_outside_engine_is_told_the_throw_with_the_position() -> None:
    """Here our own, as another process."""
    command = f"cmd:{sys.executable} -m mitsuboshi engine"
    match = replace(backgammon(command, "greedy"), pace=Pace(nodes=200))
    played = play_games(match, range(2))
    assert sum(one.won for one in played) > 0


def test_every_game_has_all_levels() -> None:
    """In the same order, with times that grow likewise."""
    for levels in GAME_LEVELS.values():
        assert [(one.name, one.movetime_ms) for one in levels.values()] == [
            (one.name, one.movetime_ms) for one in LEVELS.values()
        ]
    assert level_of("backgammon", "advanced").limits != level_of("diamond", "advanced").limits


def test_a_report_has_error_bars_that_are_sound_at_the_ends(capsys: pytest.CaptureFixture[str]) -> None:
    """A clean sweep says how much it proves."""
    played = [
        Played(1.0, 90, (45, 45), (405, 45), winner=n % 4 // 3, spent_s=(0.9, 0.045)) for n in range(200)
    ]
    text = report(match("a", "b"), played)
    assert "wins 200  draws 0  losses 0" in text
    assert "95%: 98.1% to 100.0%; even would be 50.0%" in text
    assert "plies 90.0 on average, 90 at most" in text
    assert "wins by seat: red 75.0%, yellow 25.0%" in text
    assert "mean depth 9.0 and 1.0" in text
    assert "mean time 20.0 and 1.0 ms a move" in text
    assert interval(100, 200)[0] == pytest.approx(0.431, abs=0.001)
    assert elo(0.75) == pytest.approx(190.8, abs=0.1)
    assert (
        called(arena, "diamond", "--a", "greedy", "--b", "beginner", "--games", "2", "--processes", "1") == 0
    )
    assert "2 games" in capsys.readouterr().out


@pytest.mark.parametrize("processes", [1, 2])
def test_a_match_tells_how_far_it_is(processes: int) -> None:
    """After every opening, to the end, with the points so far."""
    heard: list[str] = []
    played = play_match(
        match("greedy", "greedy"), 4, processes, lambda games: heard.append(progress(4, games))
    )
    assert len(played) == 4
    assert ["2/4" in heard[0], "4/4" in heard[-1]] == [True, True]
    assert [line.count("#") for line in heard] == [20, 40]


def test_one_against_all_others_is_reported_as_such(capsys: pytest.CaptureFixture[str]) -> None:
    """With the share that would be even."""
    words = ("diamond", "--players", "3", "--a", "intermediate", "--b", "beginner", "--seats", "one")
    assert called(arena, *words, "--games", "3", "--processes", "1") == 0
    printed = capsys.readouterr().out
    assert "intermediate against 2 times beginner: 3 games" in printed
    assert "even would be 33.3%" in printed


def test_ratings_are_those_that_make_the_results_likeliest() -> None:
    """A known difference is found again, also by way of a third; who wins all has a rating too."""
    scores = {("a", "b"): (1000, 750.0), ("b", "c"): (1000, 750.0), ("a", "c"): (1000, 900.0)}
    ratings = fit(["a", "b", "c"], scores)
    assert ratings["a"] - ratings["b"] == pytest.approx(elo(0.75), abs=2)
    assert ratings["a"] - ratings["c"] == pytest.approx(elo(0.9), abs=2)
    assert sum(ratings.values()) == pytest.approx(0)
    assert 600 < fit(["a", "b"], {("a", "b"): (100, 100.0)})["a"] * 2 < 1200


def test_a_round_robin_ranks_everybody(capsys: pytest.CaptureFixture[str]) -> None:
    """Each against each, the best first, with points in percent and a rating with its error bar."""
    words = ("diamond", "--all", "greedy", "beginner", "intermediate", "--games", "2", "--processes", "1")
    assert called(arena, *words) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 5
    assert lines[1].split()[1:5] == ["intermediate", "-", "100.0", "100.0"]
    assert "±" in lines[1]
    assert lines[-1] == "2 games of each pair"


def test_an_outside_program_is_named_without_its_folder() -> None:
    """A table of long paths is hard to read."""
    names = ["cmd:/some/where/rivals two-ply", "greedy"]
    played = [Played(1.0, 90, (45, 45), (45, 45))] * 4
    lines = crosstable(names, {(names[0], names[1]): played}).splitlines()
    assert lines[1].startswith(" 1  rivals two-ply ")


def test_a_beginner_plays_on_varied_and_ends_its_games() -> None:
    """Against itself: from many first moves, forward as a rule, and never near the draw limit."""
    firsts, forward, moved, longest = set[str](), 0, 0, 0
    limits = level_of("diamond", "beginner").limits
    engine, start = Engine(1), DIAMOND.start(2, OPTIONS)
    rows = [point["seen_by"]["red"]["row"] for point in DIAMOND.geometry()["points"]]
    for game in range(200):
        text, plies = DIAMOND.save(start), 0
        while lines := engine.search(
            "diamond",
            text,
            OPTIONS,
            plies=limits.plies,
            noise=limits.noise,
            race_width=limits.race_width,
            seed=1000 * game + plies,
        ):
            if text.split()[1] == "r" and lines[0].move != "pass":
                origin, destination = map(int, lines[0].move.split("-"))
                forward, moved = forward + (rows[destination] > rows[origin]), moved + 1
            if plies == 0:
                firsts.add(lines[0].move)
            text, plies = play("diamond", text, OPTIONS, lines[0].move), plies + 1
        longest = max(longest, plies)
    assert longest < 600
    assert len(firsts) > 8
    assert forward / moved > 0.8


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("--a", "greedy"),
        ("--a", "greedy", "--b", "beginner", "--all", "greedy", "beginner"),
        ("--all", "greedy"),
        ("--all", "greedy", "greedy"),
        ("--all", "greedy", "beginner", "--seats", "one"),
        ("--a", "nobody", "--b", "greedy"),
        ("--a", "greedy", "--b", "cmd:/does/not/exist"),
        ("--a", "greedy", "--b", "greedy", "--players", "5"),
        ("--a", "greedy", "--b", "greedy", "--option", "places=some"),
        ("--a", "greedy", "--b", "greedy", "--games", "0"),
        ("--a", "greedy", "--b", "greedy", "--nodes", "-5"),
        ("--a", "greedy", "--b", "greedy", "--time-scale", "0"),
        ("--a", "greedy", "--b", "greedy", "--movetime-ms", "9999999999999999999999"),
        ("--a", "greedy", "--b", "greedy", "--opening-plies", "100000"),
        ("--a", "greedy", "--b", "cmd:"),
    ],
)
def test_a_match_that_cannot_be_played_is_told(words: tuple[str, ...]) -> None:
    """As the command line tells every misuse."""
    with pytest.raises(SystemExit) as ended:
        called(arena, "diamond", *words)
    assert ended.value.code == 2


@pytest.mark.parametrize("program", ["/bin/true", "/bin/false", "/bin/echo error no"])
def test_an_outside_engine_that_fails_ends_the_match(
    program: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """With a sentence and exit code 1, whenever it ends."""
    words = ("--a", f"cmd:{program}", "--b", "greedy", "--games", "2", "--processes", "1")
    assert called(arena, "diamond", *words) == 1
    assert capsys.readouterr().err.startswith("mitsuboshi arena: the outside engine ")


def test_programs_of_one_name_are_told_apart() -> None:
    """By their whole commands; others go by their own name and words."""
    names = ["cmd:/a/one --net x/y.bin", "cmd:/a/two", "cmd:/b/two", "greedy"]
    assert list(labels(names).values()) == ["one --net x/y.bin", "cmd:/a/two", "cmd:/b/two", "greedy"]


def test_perft_prints_a_line_for_each_depth(capsys: pytest.CaptureFixture[str]) -> None:
    """By the engine and by the Python rules alike."""
    assert called(perft, "diamond", "--depth", "4") == 0
    assert capsys.readouterr().out == "1 20\n2 400\n3 12567\n4 395128\n"
    assert called(perft, "backgammon", "--depth", "2") == 0
    assert capsys.readouterr().out == "1 380\n2 178306\n"
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
