"""Plays as text: ``13/8 6/5*``, from the mover's own view; ``docs/games/backgammon.md`` describes it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final as Constant

from mitsuboshi.games.backgammon.board import BAR, OFF, POINTS
from mitsuboshi.games.backgammon.moves import Final, Path, Step, plays
from mitsuboshi.games.backgammon.position import Position
from mitsuboshi.games.game import InvalidText

MOVE_CHARS_MAX: Constant = 80
STEPS_OF_A_PLAY: Constant = 4

_NAMES: Constant = ("off", *map(str, range(1, POINTS + 1)), "bar")
_PLACES: Constant = {name: place for place, name in enumerate(_NAMES)} | {"0": OFF, "25": BAR}
_PART: Constant = re.compile(r"([^/*()]+)((?:/[^/*()]+\*?)+)(?:\(([1-4])\))?")
_LANDING: Constant = re.compile(r"/([^/*()]+)(\*?)")
_SEPARATORS: Constant = re.compile("[ ,]+")

Chain = tuple[int, ...]
"""The places that one checker touches, its origin first."""


def name(place: int) -> str:
    """A place as plays name it."""
    return _NAMES[place]


def step_text(step: Step) -> str:
    """One step: ``13/8``, ``bar/22*``, ``6/off``."""
    origin, target, hit = step
    return f"{_NAMES[origin]}/{_NAMES[target]}{'*' if hit else ''}"


@lru_cache(maxsize=256)
def texts(position: Position) -> dict[Final, str]:
    """The canonical text of every legal play, by what it leads to."""
    found = plays(position)
    written = {final: play_text(path) for final, path in found.items()}
    if len({checkers for checkers, _ in found}) < len(found):
        # Ways that differ in what they hit between, and in nothing else, name every point that they touch.
        ways: dict[bytes, list[Final]] = {}
        for final in found:
            ways.setdefault(final[0], []).append(final)
        for finals in ways.values():
            if len(finals) > 1:
                written |= {final: play_text(found[final], every_point=True) for final in finals}
    return written


@lru_cache(maxsize=256)
def finals(position: Position) -> dict[str, Final]:
    """What every legal play leads to, by its canonical text."""
    return {text: final for final, text in texts(position).items()}


def play_text(path: Path, every_point: bool = False) -> str:
    """The canonical text of a play: descending origins, one part for the way of one checker.

    A part names the points between where something is hit on them, or all of them with ``every_point``."""
    parts: dict[Chain, tuple[int, int]] = {}
    for chain, hits in _chains(path):
        count, others = parts.get(chain, (0, 0))
        parts[chain] = (count + 1, others | hits)
    ordered = sorted(parts, key=_part_order) if len(parts) > 1 else parts
    return " ".join([_part_text(chain, *parts[chain], every_point) for chain in ordered])


def _chains(path: Path) -> Iterable[tuple[Chain, int]]:
    """The steps joined to ways of single checkers, each with the points, as bits, on which it hits."""
    ends: list[int] = []
    chains: list[Chain] = []
    hits: list[int] = []
    for origin, target, hit in sorted(path, key=_by_origin):
        if origin in ends:
            way = ends.index(origin)
            ends[way] = target
            chains[way] += (target,)
            hits[way] |= hit << target
        else:
            ends.append(target)
            chains.append((origin, target))
            hits.append(hit << target)
    return zip(chains, hits, strict=True)


def _by_origin(step: Step) -> int:
    return -step[0]


def _part_order(chain: Chain) -> tuple[int, int]:
    return -chain[0], chain[-1]


@lru_cache(maxsize=4096)
def _part_text(chain: Chain, count: int, hits: int, every_point: bool) -> str:
    text = _NAMES[chain[0]]
    for place in chain[1:]:
        if hits >> place & 1:
            text += f"/{_NAMES[place]}*"
        elif every_point or place == chain[-1]:
            text += f"/{_NAMES[place]}"
    return f"{text}({count})" if count > 1 else text


@dataclass(frozen=True, slots=True)
class Way:
    """A piece of a play as a text tells it: from one place to another by one number or several."""

    origin: int
    target: int
    hit: bool
    """Whether the text says so."""

    def __str__(self) -> str:
        return step_text((self.origin, self.target, self.hit))


def read_ways(text: str) -> list[Way]:
    """The pieces of a play's text, in its order; InvalidText names the part that cannot be read."""
    if len(text) > MOVE_CHARS_MAX:
        raise InvalidText(f"a move has at most {MOVE_CHARS_MAX} characters, this one {len(text)}")
    parts = [part for part in _SEPARATORS.split(text.lower()) if part]
    if not parts:
        raise InvalidText("a move is written like 13/8 6/5*, bar/22, 6/off(2), or pass")
    ways = [way for number, part in enumerate(parts, 1) for way in _read_part(part, number)]
    if len(ways) > STEPS_OF_A_PLAY:
        raise InvalidText(f"a move has at most {STEPS_OF_A_PLAY} steps, this one {len(ways)}")
    return ways


def _read_part(part: str, number: int) -> Iterable[Way]:
    match = _PART.fullmatch(part)
    if not match:
        raise InvalidText(f"part {number}: {part!r} is not like 13/8, 6/5*, bar/22, 6/off or 8/5(2)")
    landings = _LANDING.findall(match[2])
    places = [_place(place, number) for place in (match[1], *(place for place, _ in landings))]
    if places != sorted(places, reverse=True) or len(set(places)) < len(places):
        raise InvalidText(f"part {number}: {part!r} does not go down: checkers move from 24 towards 1")
    ways = [
        Way(origin, target, bool(star))
        for origin, target, (_, star) in zip(places, places[1:], landings, strict=False)
    ]
    return ways * int(match[3] or 1)


def _place(text: str, number: int) -> int:
    place = _PLACES.get(text)
    if place is None:
        raise InvalidText(f"part {number}: {text!r} is neither a point from 1 to 24 nor bar or off")
    return place
