"""The rules of every game in Python: how long a list of legal moves takes, on positions of random games."""

from __future__ import annotations

import random
import time
from typing import Any

from bench.figures import number, quantile, table
from mitsuboshi.ai import _engine
from mitsuboshi.games.game import PASS, Game, complete_options
from mitsuboshi.games.registry import GAMES

PLIES_MAX = 400
PERFT_DEPTHS = {"diamond": 5, "checkers": 10, "backgammon": 3}
"""Deep enough for a second's work in C."""


def lists(game: Game[Any], seed: int) -> list[tuple[float, int]]:
    """Milliseconds and length of each list of legal moves in one random game, none of them made before."""
    options = complete_options(game.options, {})
    choice = random.Random(seed)
    position, made = game.start(min(game.player_counts), options), []
    for _ in range(PLIES_MAX):
        if results := game.chance(position):
            position = game.after_chance(position, choice.choice(results))
        begun = time.process_time_ns()
        moves = game.legal_moves(position)
        made.append(((time.process_time_ns() - begun) / 1e6, len(moves)))
        position = game.play(position, choice.choice(moves) if moves else PASS)[1]
        if game.outcome(position) is not None:
            break
    return made


def row(game: Game[Any], quick: bool) -> tuple[str, ...]:
    """One game's figures, of processor time."""
    made = [one for seed in range(2 if quick else 60) for one in lists(game, seed)]
    times = [ms for ms, _ in made]
    per_s = 1000 / sum(times)
    figures = (quantile(times, 0.5), quantile(times, 0.99), max(times))
    rates = (len(made) * per_s, sum(count for _, count in made) * per_s)
    return (game.key, *map(number, (*rates, *figures)), _leaves(game, quick))


def _leaves(game: Game[Any], quick: bool) -> str:
    """Leaves of the engine's perft in a second of processor time, the best of three."""
    options = complete_options(game.options, {})
    text = game.save(game.start(min(game.player_counts), options))
    depth = 2 if quick else PERFT_DEPTHS[game.key]
    best = 0.0
    for _ in range(1 if quick else 3):
        begun = time.process_time()
        leaves = _engine.perft(game.key, text, options, depth)
        best = max(best, leaves / (time.process_time() - begun))
    return number(best)


def run(quick: bool) -> str:
    """Measure, and answer the report."""
    head = ("game", "lists/s", "moves/s", "p50, ms", "p99, ms", "worst, ms", "perft in C, leaves/s")
    return table(head, [row(game, quick) for game in GAMES.values()])
