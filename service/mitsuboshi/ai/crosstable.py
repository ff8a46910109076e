"""What a round robin has shown: everybody's points against everybody, and one rating for each.

The ratings are those under which the results are likeliest (Bradley and Terry's model, a draw counted as half
a win), with one drawn game added to every match, so that who has won all games has a rating too. Their mean
is 0.
"""

from __future__ import annotations

import math
import random
import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from statistics import fmean, stdev
from typing import Final

from mitsuboshi.ai.played import CONFIDENCE, Played

Pair = tuple[str, str]
Score = tuple[int, float]
"""Games of a match, and the points that the first has of them."""

SAMPLES: Final = 200
"""How often the matches are drawn anew for the error bars."""
SWEEPS: Final = 60
"""How often every rating is corrected; a dozen is enough where the results are not extreme."""
STRIDE: Final = 1.0
"""The greatest correction of a rating at once: where all games are won Newton's method would overshoot."""
ELO: Final = 400 / math.log(10)
"""Points of rating in a unit of the logistic function."""


def fit(names: Sequence[str], scores: Mapping[Pair, Score]) -> dict[str, float]:
    """The ratings that make the scores likeliest: one rating after the other, by Newton's method."""
    met: dict[str, list[tuple[str, int, float]]] = {name: [] for name in names}
    for (one, other), (games, points) in scores.items():
        met[one].append((other, games + 1, points + 0.5))
        met[other].append((one, games + 1, games - points + 0.5))
    ratings = dict.fromkeys(names, 0.0)
    for _ in range(SWEEPS):
        for name in names:
            surplus = weight = 0.0
            for other, games, points in met[name]:
                expected = 1 / (1 + math.exp(ratings[other] - ratings[name]))
                surplus += points - games * expected
                weight += games * expected * (1 - expected)
            ratings[name] += max(-STRIDE, min(surplus / weight, STRIDE))
    mean = fmean(ratings.values())
    return {name: ELO * (rating - mean) for name, rating in ratings.items()}


def errors(ratings: Mapping[str, float], scores: Mapping[Pair, Score]) -> dict[str, float]:
    """Half the width of each rating's error bar (95%): every match drawn anew as the ratings expect it."""
    lot = random.Random(1)  # noqa: S311 - a report must repeat
    found: dict[str, list[float]] = {name: [] for name in ratings}
    for _ in range(SAMPLES):
        drawn = {}
        for (one, other), (games, _points) in scores.items():
            expected = 1 / (1 + math.exp((ratings[other] - ratings[one]) / ELO))
            drawn[one, other] = (games, sum(lot.random() < expected for _ in range(games)))
        for name, rating in fit(list(ratings), drawn).items():
            found[name].append(rating)
    return {name: CONFIDENCE * stdev(values) for name, values in found.items()}


def label(name: str) -> str:
    """A contestant's name for people: of an outside program without its folder."""
    if not name.startswith("cmd:"):
        return name
    program, *words = shlex.split(name.removeprefix("cmd:"))
    return shlex.join((PurePath(program).name, *words))


def labels(names: Sequence[str]) -> dict[str, str]:
    """Labels by name; the whole name where two would have the same."""
    short = {name: label(name) for name in names}
    counted = Counter(short.values())
    return {name: text if counted[text] == 1 else name for name, text in short.items()}


def crosstable(names: Sequence[str], results: Mapping[Pair, Sequence[Played]]) -> str:
    """The table, best first: points in percent against each by its number, and the rating."""
    scores = {pair: (len(played), sum(one.points for one in played)) for pair, played in results.items()}
    ratings = fit(names, scores)
    bars = errors(ratings, scores)
    ranked = sorted(names, key=lambda name: -ratings[name])
    shares = {pair: points / games for pair, (games, points) in scores.items()}
    shares |= {(other, one): 1 - share for (one, other), share in shares.items()}
    shown = labels(names)
    width = max(map(len, shown.values()))
    head = "".join(f"{number:>6}" for number in range(1, len(names) + 1))
    lines = [f"{'points in %':<{width + 4}}{head}     all  elo (95%)"]
    for number, name in enumerate(ranked, 1):
        cells = "".join(
            f"{100 * shares[name, other]:6.1f}" if other != name else f"{'-':>6}" for other in ranked
        )
        mean = fmean(shares[name, other] for other in ranked if other != name)
        rating = f"{round(ratings[name]):+} ± {bars[name]:.0f}"
        lines.append(f"{number:>2}  {shown[name]:<{width}}{cells}  {100 * mean:6.1f}  {rating}")
    return "\n".join((*lines, f"{len(next(iter(results.values())))} games of each pair"))
