"""Lets two contestants meet, and tells how strong one is against the other.

Every opening, a few random plies from the start, is played once for each seating, so that neither the seats
nor the openings favour anybody. With three players one contestant holds one seat and the other two, by turns.
"""

from __future__ import annotations

import argparse
import math
import os
import random
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

from mitsuboshi.ai.contestants import Contestant, Pace, Turn, contestant
from mitsuboshi.ai.perft import add_game_arguments, options_from
from mitsuboshi.games.game import Game, Options
from mitsuboshi.games.registry import GAMES

CONFIDENCE: Final = 1.96
"""Standard errors in an error bar: 95%."""


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


@dataclass(frozen=True, slots=True)
class Played:
    """One game: ``points`` for the first contestant (1, ½ or 0), and what each one's search looked like."""

    points: float
    plies: int
    turns: tuple[int, int]
    depths: tuple[int, int]


def seatings(players: int) -> list[tuple[int, ...]]:
    """Who (0 or 1) sits where, every way in which both take part."""
    return [seating for seating in product((0, 1), repeat=players) if 0 < sum(seating) < players]


def opening(game: Game[Any], match: Match, number: int) -> Any:
    """The position after a few random plies; the same for the same number."""
    lot = random.Random(f"{match.seed} {number}")  # noqa: S311 - a match must repeat
    position = game.start(match.players, match.options)
    for _ in range(match.opening_plies):
        if game.outcome(position) is None and (moves := game.legal_moves(position)):
            _, position = game.play(position, lot.choice(moves))
    return position


def play_game(match: Match, number: int, contestants: Sequence[Contestant]) -> Played:
    """Play the match's game of that number."""
    game = GAMES[match.game]
    ways = seatings(match.players)
    seating = ways[number % len(ways)]
    position = opening(game, match, number // len(ways))
    first, moves = game.write(position), list[str]()
    turns, depths = [0, 0], [0, 0]
    while (outcome := game.outcome(position)) is None:
        who = seating[game.seats.index(game.to_move(position))]
        seed = hash((match.seed, number, len(moves)))
        turn = Turn(
            match.game, match.players, match.options, first, moves, game.write(position), seed & 0x7FFFFFFF
        )
        move, depth = contestants[who].move(turn)
        move, position = game.play(position, move)
        moves.append(move)
        turns[who] += 1
        depths[who] += depth
    points = 0.5 if outcome.winner is None else 1.0 - seating[game.seats.index(outcome.winner)]
    return Played(points, game.ply(position), (turns[0], turns[1]), (depths[0], depths[1]))


def play_games(match: Match, numbers: Iterable[int]) -> list[Played]:
    """Play some games of the match, one after another."""
    contestants = [contestant(name, match.pace) for name in match.names]
    try:
        return [play_game(match, number, contestants) for number in numbers]
    finally:
        for one in contestants:
            one.close()


def play_match(match: Match, games: int, processes: int) -> list[Played]:
    """Play the match's first ``games`` games, several at a time."""
    group = len(seatings(match.players))
    shares = [range(first, min(first + group, games)) for first in range(0, games, group)]
    if processes == 1:
        return play_games(match, range(games))
    with ProcessPoolExecutor(processes) as pool:
        waiting = [pool.submit(play_games, match, share) for share in shares]
        return [played for done in as_completed(waiting) for played in done.result()]


def interval(points: float, games: int) -> tuple[float, float]:
    """The share of points that lies behind a result, at 95% (Wilson's interval, sound at 0 and 1 too)."""
    share, weight = points / games, CONFIDENCE**2 / games
    middle = (share + weight / 2) / (1 + weight)
    width = CONFIDENCE * math.sqrt(share * (1 - share) / games + weight / games / 4) / (1 + weight)
    return max(middle - width, 0.0), min(middle + width, 1.0)


def elo(share: float) -> float:
    """The difference in rating that makes a share of points expected; infinite at 0 and 1."""
    if share in {0, 1}:
        return math.inf if share else -math.inf
    return -400 * math.log10(1 / share - 1)


def report(names: tuple[str, str], played: Sequence[Played]) -> str:
    """What a match has shown, for people."""
    count, points = len(played), sum(one.points for one in played)
    results = [sum(one.points == value for one in played) for value in (1, 0.5, 0)]
    low, high = interval(points, count)
    depths = [
        sum(one.depths[who] for one in played) / max(sum(one.turns[who] for one in played), 1)
        for who in (0, 1)
    ]
    return "\n".join(
        (
            f"{names[0]} against {names[1]}: {count} games",
            f"wins {results[0]}  draws {results[1]}  losses {results[2]}",
            f"points {points / count:.1%}  (95%: {low:.1%} to {high:.1%})",
            f"elo {elo(points / count):+.0f}  (95%: {elo(low):+.0f} to {elo(high):+.0f})",
            f"plies {sum(one.plies for one in played) / count:.1f} on average",
            f"mean depth {depths[0]:.1f} and {depths[1]:.1f}",
        )
    )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add_game_arguments(parser)
    who = "a level, greedy, or cmd:PATH for a program that speaks the engine protocol"
    parser.add_argument("--a", required=True, metavar="WHO", help=who)
    parser.add_argument("--b", required=True, metavar="WHO", help="likewise")
    parser.add_argument("--games", type=int, default=100, metavar="N", help="games to play (100)")
    pace = parser.add_mutually_exclusive_group()
    pace.add_argument("--nodes", type=int, default=0, metavar="N", help="positions a move")
    pace.add_argument("--movetime-ms", type=int, default=0, metavar="T", help="time of a move")
    pace.add_argument(
        "--time-scale", type=float, default=1.0, metavar="X", help="share of a level's own time"
    )
    parser.add_argument("--opening-plies", type=int, default=4, metavar="N", help="random plies first (4)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the openings and of all lots")
    parser.add_argument(
        "--processes", type=int, default=os.cpu_count() or 1, metavar="N", help="games at a time"
    )
    parser.set_defaults(parser=parser)


def run(arguments: argparse.Namespace) -> int:
    """Play the match and print the report."""
    game = GAMES[arguments.game]
    pace = Pace(arguments.nodes, arguments.movetime_ms, arguments.time_scale)
    names = (arguments.a, arguments.b)
    try:
        options = options_from(game, arguments.option)
        game.start(arguments.players, options)
        for name in names:
            contestant(name, pace).close()
    except (ValueError, OSError) as fault:
        arguments.parser.error(str(fault))
    match = Match(game.key, arguments.players, options, names, pace, arguments.opening_plies, arguments.seed)
    if arguments.games < 1 or arguments.processes < 1:
        arguments.parser.error("--games and --processes must be 1 or more")
    print(report(names, play_match(match, arguments.games, arguments.processes)))
    return 0
