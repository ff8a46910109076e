"""The rules in Python and in C, and the search: lists of legal moves, leaves of perft, nodes and depth."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median

from bench import script
from bench.figures import spread, table
from mitsuboshi.ai import _engine
from mitsuboshi.ai.perft import python_perft

AIM_LEAVES_PER_S = 200e6
GAME, OPTIONS = script.GAME, script.OPTIONS


def rates(work: Callable[[], int], rounds: int) -> list[float]:
    """Units of work in a second of processor time, of each round; the work answers how many it did."""
    found = []
    for _ in range(rounds):
        begun = time.process_time()
        done = work()
        found.append(done / (time.process_time() - begun))
    return found


def lists_in_python() -> int:
    """Lists of legal moves along a game; the positions are read beforehand."""
    for position in _READ:
        GAME.legal_moves(position)
    return len(_READ)


def lists_in_c() -> int:
    """The same through the C extension, from text to list of texts."""
    for text in _TEXTS:
        _engine.legal_moves(GAME.key, text, OPTIONS)
    return len(_TEXTS)


_TEXTS = script.game(0)[1]
_READ = [GAME.read(text, OPTIONS) for text in _TEXTS]


def search_rows(quick: bool) -> list[tuple[str, str]]:
    """Nodes per second, and the depth reached in a tenth of a second, along a game."""
    engine = _engine.Engine(64)
    per_s, depths = [], []
    for text in _TEXTS[10:130:60] if quick else _TEXTS[10:130:6]:
        line = engine.search(GAME.key, text, OPTIONS, movetime_ms=100)[0]
        per_s.append(line.nodes / max(line.time_ms, 1) * 1000)
        depths.append(float(line.depth))
    return [("search: nodes/s", spread(per_s)), ("search: plies looked ahead in 0.1 s", spread(depths))]


def run(quick: bool) -> str:
    """Measure, and answer the report."""
    rounds, (python_depth, c_depth) = (1, (2, 3)) if quick else (7, (3, 5))
    start = GAME.start(2, OPTIONS)
    text = GAME.write(start)
    middle = _TEXTS[40]
    leaves = rates(lambda: _engine.perft(GAME.key, text, OPTIONS, c_depth), rounds)
    rows = [
        ("Python: lists of legal moves/s", spread(rates(lists_in_python, rounds))),
        ("C: lists of legal moves/s, from and to text", spread(rates(lists_in_c, rounds))),
        (
            f"Python: perft leaves/s, start, depth {python_depth}",
            spread(rates(lambda: python_perft(GAME, start, python_depth), rounds)),
        ),
        (f"C: perft leaves/s, start, depth {c_depth}", spread(leaves)),
        (
            f"C: perft leaves/s, ply 40, depth {c_depth - 2}",
            spread(rates(lambda: _engine.perft(GAME.key, middle, OPTIONS, c_depth - 2), rounds)),
        ),
        *search_rows(quick),
    ]
    aim = f"C perft: {median(leaves) / 1e6:.0f} million leaves a second; aim {AIM_LEAVES_PER_S / 1e6:.0f}"
    return f"{table(('one core, diamond for two', 'median (least to most)'), rows)}\n\n{aim}"
