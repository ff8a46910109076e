"""Lets two contestants meet, and tells how strong one is against the other.

Every opening, a few random plies from the start, is played once for each seating, so that neither the seats
nor the openings favour anybody. In a game with chance the openings differ by their throws, and every seating
has the same throws in the same order. With three players one contestant holds one seat and the other two, by
turns.
"""

from __future__ import annotations

import argparse
import math
import os
import random
import sys
from collections.abc import Callable, Iterable, Sequence
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


@dataclass(frozen=True, slots=True)
class Played:
    """One game: ``points`` for the first contestant (1, ½ or 0), and what each one's search looked like.

    ``opening`` is the opening's number; ``won`` what the first contestant has won by the game's own count,
    below 0 when it has lost."""

    points: float
    plies: int
    turns: tuple[int, int]
    depths: tuple[int, int]
    opening: int = 0
    won: int = 0


def seatings(players: int) -> list[tuple[int, ...]]:
    """Who (0 or 1) sits where, every way in which both take part."""
    return [seating for seating in product((0, 1), repeat=players) if 0 < sum(seating) < players]


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
    ways = seatings(match.players)
    seating = ways[number % len(ways)]
    position = opening(game, match, number // len(ways))
    throws = random.Random(f"{match.seed} {number // len(ways)} throws")  # noqa: S311 - likewise
    first, moves = game.write(position), list[str]()
    turns, depths = [0, 0], [0, 0]
    while (outcome := game.outcome(position)) is None:
        if game.chance(position):
            position = after_chance(game, position, throws)
            first, moves = game.write(position), []
        who = seating[game.seats.index(game.to_move(position))]
        seed = hash((match.seed, number, sum(turns))) & 0x7FFFFFFF
        turn = Turn(match.game, match.players, match.options, first, moves, game.save(position), seed)
        move, depth = contestants[who].move(turn)
        move, position = game.play(position, move)
        moves.append(move)
        turns[who] += 1
        depths[who] += depth
    points = 0.5 if outcome.winner is None else 1.0 - seating[game.seats.index(outcome.winner)]
    won = round(2 * points - 1) * outcome.points
    return Played(
        points, game.ply(position), (turns[0], turns[1]), (depths[0], depths[1]), number // len(ways), won
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
    group = len(seatings(match.players))
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


def show_progress(games: int) -> Callable[[Sequence[Played]], None]:
    """Writes the bar to a terminal; nothing where the errors go to a file."""

    def show(played: Sequence[Played]) -> None:
        if sys.stderr.isatty():
            end = "\n" if len(played) == games else ""
            print(f"\r{progress(games, played)}", end=end, file=sys.stderr, flush=True)

    return show


def interval(points: float, games: int) -> tuple[float, float]:
    """The share of points that lies behind a result, at 95% (Wilson's interval, sound at 0 and 1 too)."""
    share, weight = points / games, CONFIDENCE**2 / games
    middle = (share + weight / 2) / (1 + weight)
    width = CONFIDENCE * math.sqrt(share * (1 - share) / games + weight / games / 4) / (1 + weight)
    return max(middle - width, 0.0), min(middle + width, 1.0)


def elo(share: float) -> float:
    """The difference in rating that makes a share of points expected; infinite at 0 and 1."""
    if round(share, 9) in {0, 1}:  # the end of an interval may fall short of them by a rounding
        return math.inf if round(share) else -math.inf
    return -400 * math.log10(1 / share - 1)


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


def report(names: tuple[str, str], played: Sequence[Played]) -> str:
    """What a match has shown, for people."""
    count, points = len(played), sum(one.points for one in played)
    results = [sum(one.points == value for one in played) for value in (1, 0.5, 0)]
    low, high = interval(points, count)
    depths = [
        sum(one.depths[who] for one in played) / max(sum(one.turns[who] for one in played), 1)
        for who in (0, 1)
    ]
    net, error = net_points(played)
    counted = [f"won {net:+.3f} points a game  (95%: {net - error:+.3f} to {net + error:+.3f})"]
    return "\n".join(
        (
            f"{names[0]} against {names[1]}: {count} games",
            f"wins {results[0]}  draws {results[1]}  losses {results[2]}",
            f"points {points / count:.1%}  (95%: {low:.1%} to {high:.1%})",
            *(counted if any(abs(one.won) > 1 for one in played) else ()),
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
    parser.add_argument(
        "--opening-plies", type=int, metavar="N", help="random plies first (4; in a game with chance 0)"
    )
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
        start = game.start(arguments.players, options)
        for name in names:
            contestant(name, game.key, pace).close()
    except (ValueError, OSError) as fault:
        arguments.parser.error(str(fault))
    plies = arguments.opening_plies
    if plies is None:
        plies = 0 if game.chance(start) else OPENING_PLIES
    match = Match(game.key, arguments.players, options, names, pace, plies, arguments.seed)
    if arguments.games < 1 or arguments.processes < 1:
        arguments.parser.error("--games and --processes must be 1 or more")
    told = show_progress(arguments.games)
    print(report(names, play_match(match, arguments.games, arguments.processes, told)))
    return 0
