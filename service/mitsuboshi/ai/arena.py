"""Lets two contestants meet, and tells how strong one is against the other.

Every opening, a few random plies from the start, is played once for each seating, so that neither the seats
nor the openings favour anybody. In a game with chance the openings differ by their throws, and every seating
has the same throws in the same order. With three players one contestant holds one seat and the other two, by
turns; or, where it is asked for, the first is always the one that is alone.
"""

from __future__ import annotations

import argparse
import math
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import Any, Final

from mitsuboshi.ai.contestants import Contestant, OutsideFailed, Pace, Turn, contestant
from mitsuboshi.ai.crosstable import crosstable
from mitsuboshi.ai.perft import add_game_arguments, options_from
from mitsuboshi.ai.played import CONFIDENCE, Played
from mitsuboshi.games.game import Game, Options
from mitsuboshi.games.registry import GAMES

BAR: Final = 40
"""Characters of the progress bar."""
OPENING_PLIES: Final = 4
"""Random plies of an opening where nothing else makes games differ."""


@dataclass(frozen=True, slots=True)
class Match:
    """What is played: everything that a game of the match depends on beside its number."""

    game: str
    players: int
    options: Options
    names: tuple[str, str]
    pace: Pace
    opening_plies: int
    seed: int
    alone: bool = False
    """Whether the first contestant always has one seat, and the second all others."""


def seatings(players: int, alone: bool = False) -> list[tuple[int, ...]]:
    """Who (0 or 1) sits where, every way in which both take part; ``alone`` leaves 0 but one seat."""
    ways = [seating for seating in product((0, 1), repeat=players) if 0 < sum(seating) < players]
    return [way for way in ways if way.count(0) == 1] if alone else ways


def even_share(match: Match) -> float:
    """The share of points that the first contestant gets where both are equally strong: that of its seats."""
    ways = seatings(match.players, match.alone)
    return sum(way.count(0) for way in ways) / match.players / len(ways)


def after_chance(game: Game[Any], position: Any, lot: random.Random) -> Any:
    """The position with chance's result put up, where it waits for one."""
    results = game.chance(position)
    return game.after_chance(position, lot.choice(results)) if results else position


def opening(game: Game[Any], match: Match, number: int) -> Any:
    """The position after a few random plies; the same for the same number."""
    lot = random.Random(f"{match.seed} {number}")  # noqa: S311 - a match must repeat
    position = game.start(match.players, match.options)
    for _ in range(match.opening_plies):
        position = after_chance(game, position, lot)
        if game.outcome(position) is None and (moves := game.legal_moves(position)):
            _, position = game.play(position, lot.choice(moves))
    return position


def play_game(match: Match, number: int, contestants: Sequence[Contestant]) -> Played:
    """Play the match's game of that number."""
    game = GAMES[match.game]
    ways = seatings(match.players, match.alone)
    seating = ways[number % len(ways)]
    position = opening(game, match, number // len(ways))
    throws = random.Random(f"{match.seed} {number // len(ways)} throws")  # noqa: S311 - likewise
    first, moves = game.write(position), list[str]()
    turns, depths, spent_s = [0, 0], [0, 0], [0.0, 0.0]
    while (outcome := game.outcome(position)) is None:
        if game.chance(position):
            position = after_chance(game, position, throws)
            first, moves = game.write(position), []
        who = seating[game.seats.index(game.to_move(position))]
        seed = hash((match.seed, number, sum(turns))) & 0x7FFFFFFF
        turn = Turn(match.game, match.players, match.options, first, moves, game.save(position), seed)
        begun = time.perf_counter()
        move, depth = contestants[who].move(turn)
        spent_s[who] += time.perf_counter() - begun
        move, position = game.play(position, move)
        moves.append(move)
        turns[who] += 1
        depths[who] += depth
    winner = None if outcome.winner is None else game.seats.index(outcome.winner)
    points = 0.5 if winner is None else 1.0 - seating[winner]
    return Played(
        points,
        game.ply(position),
        (turns[0], turns[1]),
        (depths[0], depths[1]),
        number // len(ways),
        round(2 * points - 1) * outcome.points,
        winner,
        (spent_s[0], spent_s[1]),
    )


def play_games(match: Match, numbers: Iterable[int]) -> list[Played]:
    """Play some games of the match, one after another."""
    contestants = [contestant(name, match.game, match.pace) for name in match.names]
    try:
        return [play_game(match, number, contestants) for number in numbers]
    finally:
        for one in contestants:
            one.close()


def play_match(
    match: Match, games: int, processes: int, told: Callable[[Sequence[Played]], None] = lambda _: None
) -> list[Played]:
    """Play the first ``games`` games of the match, several at a time; ``told`` hears of each that is done."""
    group = len(seatings(match.players, match.alone))
    shares = [range(first, min(first + group, games)) for first in range(0, games, group)]
    played: list[Played] = []
    if processes == 1:
        for share in shares:
            played += play_games(match, share)
            told(played)
        return played
    with ProcessPoolExecutor(processes) as pool:
        for done in as_completed([pool.submit(play_games, match, share) for share in shares]):
            played += done.result()
            told(played)
    return played


def progress(games: int, played: Sequence[Played]) -> str:
    """A bar of what is done of ``games``, with the first contestant's share of points so far."""
    count = len(played)
    bar = "#" * (BAR * count // games)
    return f"[{bar:<{BAR}}] {count}/{games}  {sum(one.points for one in played) / count:.1%}"


def show_progress(games: int, title: str = "") -> Callable[[Sequence[Played]], None]:
    """Writes the bar to a terminal, behind the title; nothing where the errors go to a file."""

    def show(played: Sequence[Played]) -> None:
        if sys.stderr.isatty():
            end = "\n" if len(played) == games else ""
            print(f"\r{title}{progress(games, played)}", end=end, file=sys.stderr, flush=True)

    return show


def interval(points: float, games: int) -> tuple[float, float]:
    """The share of points that lies behind a result, at 95% (Wilson's interval, sound at 0 and 1 too)."""
    share, weight = points / games, CONFIDENCE**2 / games
    middle = (share + weight / 2) / (1 + weight)
    width = CONFIDENCE * math.sqrt(share * (1 - share) / games + weight / games / 4) / (1 + weight)
    return max(middle - width, 0.0), min(middle + width, 1.0)


def elo(share: float, even: float = 0.5) -> float:
    """The difference in rating that makes a share of points expected; infinite at 0 and 1, 0 at ``even``."""
    if round(share, 9) in {0, 1}:  # the end of an interval may fall short of them by a rounding
        return math.inf if round(share) else -math.inf
    return 400 * math.log10(share / (1 - share) * (1 - even) / even)


def net_points(played: Sequence[Played]) -> tuple[float, float]:
    """What the first contestant wins in a game on average, and half the width of its error bar (95%).

    Games of one opening are taken together: where they share their throws, luck cancels out."""
    openings: dict[int, list[int]] = {}
    for one in played:
        openings.setdefault(one.opening, []).append(one.won)
    means = [sum(won) / len(won) for won in openings.values()]
    mean = sum(means) / len(means)
    spread = sum((one - mean) ** 2 for one in means) / max(len(means) - 1, 1)
    return mean, CONFIDENCE * math.sqrt(spread / len(means))


def means(played: Sequence[Played], sums: Callable[[Played], tuple[float, float]]) -> str:
    """Each contestant's mean over its turns of something that every game has the sums of."""
    turns = [max(sum(one.turns[who] for one in played), 1) for who in (0, 1)]
    first, second = (sum(sums(one)[who] for one in played) / turns[who] for who in (0, 1))
    return f"{first:.1f} and {second:.1f}"


def wins_by_seat(seats: Sequence[str], played: Sequence[Played]) -> str:
    """Each seat's share of the games that were won, whoever sat there."""
    wins = Counter(one.winner for one in played if one.winner is not None)
    return ", ".join(f"{seat} {wins[n] / max(wins.total(), 1):.1%}" for n, seat in enumerate(seats))


def report(match: Match, played: Sequence[Played]) -> str:
    """What a match has shown, for people."""
    count, points, even = len(played), sum(one.points for one in played), even_share(match)
    results = [sum(one.points == value for one in played) for value in (1, 0.5, 0)]
    low, high = interval(points, count)
    net, error = net_points(played)
    counted = [f"won {net:+.3f} points a game  (95%: {net - error:+.3f} to {net + error:+.3f})"]
    others = match.players - 1 if match.alone else 1
    other = match.names[1] if others == 1 else f"{others} times {match.names[1]}"
    return "\n".join(
        (
            f"{match.names[0]} against {other}: {count} games",
            f"wins {results[0]}  draws {results[1]}  losses {results[2]}",
            f"points {points / count:.1%}  (95%: {low:.1%} to {high:.1%}; even would be {even:.1%})",
            *(counted if any(abs(one.won) > 1 for one in played) else ()),
            f"elo {elo(points / count, even):+.0f}  (95%: {elo(low, even):+.0f} to {elo(high, even):+.0f})",
            f"plies {sum(one.plies for one in played) / count:.1f} on average, "
            f"{max(one.plies for one in played)} at most",
            f"wins by seat: {wins_by_seat(GAMES[match.game].seats[: match.players], played)}",
            f"mean depth {means(played, lambda one: one.depths)}",
            f"mean time {means(played, lambda one: (one.spent_s[0] * 1e3, one.spent_s[1] * 1e3))} ms a move",
        )
    )


def within(kind: Callable[[str], float], least: float, most: float) -> Callable[[str], float]:
    """What reads an argument that has bounds; ``kind`` is int or float."""

    def number(text: str) -> float:
        value = kind(text)
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"must be within {least} and {most}")
        return value

    return number


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add_game_arguments(parser)
    who = "a level, greedy, or 'cmd:PROGRAM WORD…', which speaks the engine protocol"
    parser.add_argument("--a", metavar="WHO", help=who)
    parser.add_argument("--b", metavar="WHO", help="likewise")
    parser.add_argument("--all", nargs="+", metavar="WHO", help="in place of --a and --b: each against each")
    parser.add_argument(
        "--games", type=within(int, 1, 1_000_000), default=100, metavar="N", help="games of each match (100)"
    )
    parser.add_argument(
        "--seats",
        choices=("one", "all"),
        default="all",
        help="of A: one against all others, or by turns (all)",
    )
    pace = parser.add_mutually_exclusive_group()
    pace.add_argument(
        "--nodes",
        type=within(int, 1, 10**12),
        default=0,
        metavar="N",
        help="positions a move; levels keep their plies and noise",
    )
    pace.add_argument(
        "--movetime-ms",
        type=within(int, 1, 3_600_000),
        default=0,
        metavar="T",
        help="time of a move; levels keep their plies and noise",
    )
    pace.add_argument(
        "--time-scale",
        type=within(float, 0.001, 1000.0),
        default=1.0,
        metavar="X",
        help="share of a level's own time, of advanced's for programs (1)",
    )
    parser.add_argument(
        "--opening-plies",
        type=within(int, 0, 40),
        metavar="N",
        help="random plies first (4; in a game with chance 0)",
    )
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the openings and of all lots")
    parser.add_argument(
        "--processes",
        type=within(int, 1, 256),
        default=os.cpu_count() or 1,
        metavar="N",
        help="games at a time (one a core)",
    )
    parser.set_defaults(parser=parser)


def names_from(arguments: argparse.Namespace) -> list[str]:
    """Who takes part; ValueError where that is not said, or twice."""
    if (arguments.all is None) == (arguments.a is None or arguments.b is None):
        raise ValueError("name --a and --b, or --all")
    if arguments.all is None:
        return [arguments.a, arguments.b]
    if len(set(arguments.all)) < max(len(arguments.all), 2):
        raise ValueError("--all takes two or more, each once")
    if arguments.seats == "one":
        raise ValueError("--all plays every seating: --seats one goes with --a and --b")
    return list(arguments.all)


def match_from(arguments: argparse.Namespace) -> Match:
    """The first match that is asked for; ValueError or OSError where it cannot be played."""
    game, names = GAMES[arguments.game], names_from(arguments)
    pace = Pace(arguments.nodes, arguments.movetime_ms, arguments.time_scale)
    options = options_from(game, arguments.option)
    start = game.start(arguments.players, options)
    for name in names:
        contestant(name, game.key, pace).close()
    plies = arguments.opening_plies
    if plies is None:
        plies = 0 if game.chance(start) else OPENING_PLIES
    pair, alone = (names[0], names[1]), arguments.seats == "one"
    return Match(game.key, arguments.players, options, pair, pace, plies, arguments.seed, alone)


def run(arguments: argparse.Namespace) -> int:
    """Play the match, or all of them, and print what they have shown."""
    try:
        match = match_from(arguments)
    except (ValueError, OSError) as fault:
        arguments.parser.error(str(fault))
    names, games = arguments.all or match.names, arguments.games
    results = {}
    try:
        for pair in combinations(names, 2):
            told = show_progress(games, f"{pair[0]} against {pair[1]}  " if arguments.all else "")
            results[pair] = play_match(replace(match, names=pair), games, arguments.processes, told)
    except OutsideFailed as fault:
        print(f"mitsuboshi arena: {fault}", file=sys.stderr)
        return 1
    print(crosstable(names, results) if arguments.all else report(match, results[match.names]))
    return 0
