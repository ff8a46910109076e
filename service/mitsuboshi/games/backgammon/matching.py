"""Which legal play a text means, in whatever order and form it tells it; or why it means none."""

from __future__ import annotations

from collections.abc import Sequence

from mitsuboshi.games.backgammon.board import BAR, HOME, OFF
from mitsuboshi.games.backgammon.moves import (
    Final,
    Path,
    after,
    move,
    move_back,
    numbers_of,
    plays,
    steps,
)
from mitsuboshi.games.backgammon.notation import Way, finals, name, read_ways, texts
from mitsuboshi.games.backgammon.position import Position
from mitsuboshi.games.backgammon.rules import check_turn
from mitsuboshi.games.game import AmbiguousMove, IllegalMove


def find(position: Position, text: str, hits_are_told: bool = False) -> Final:
    """The legal play that a text means, as a key of ``plays``.

    Hits may be left out; with ``hits_are_told`` what is not told is no hit, where that decides between plays.
    InvalidText, AmbiguousMove or IllegalMove say what is wrong."""
    final = finals(position).get(text)
    return _matching(position, text, hits_are_told) if final is None else final


def _matching(position: Position, text: str, hits_are_told: bool) -> Final:
    ways = read_ways(text)
    check_turn(position)
    legal = plays(position)
    if not legal:
        raise IllegalMove("no number of this throw can be played: the turn passes")
    reached = realised(position, ways)
    meant = [final for final in reached if final in legal]
    if not meant:
        raise IllegalMove(_why_none(position, ways, made=bool(reached)))
    told = sum({1 << way.target for way in ways if way.hit})
    fitting = [final for final in meant if final[1] & told == told]
    if not fitting:
        raise IllegalMove(_no_hit(ways, meant))
    if hits_are_told and len(fitting) > 1:
        fitting = [final for final in fitting if final[1] == told] or fitting
    if len(fitting) > 1:
        choices = " or ".join(sorted(texts(position)[final] for final in fitting))
        raise AmbiguousMove(f"{text!r} may be {choices}")
    return fitting[0]


def realised(position: Position, ways: Sequence[Way]) -> set[Final]:
    """All that the pieces of a play can lead to by the numbers thrown, however few of them that takes."""
    return _realise(
        list(position.mine),
        list(position.theirs),
        numbers_of(position.dice or (0, 0)),
        [(way.origin, way.target) for way in ways],
        0,
    )


def _realise(
    mine: list[int], theirs: list[int], numbers: tuple[int, ...], ways: list[tuple[int, int]], hits: int
) -> set[Final]:
    if not ways:
        return {(bytes(mine), hits)}
    found: set[Final] = set()
    for number in set(numbers):
        possible = dict(steps(mine, theirs, number))
        left = list(numbers)
        left.remove(number)
        for way in set(ways):
            origin, goal = way
            target = possible.get(origin, -1)
            if target < goal:
                continue
            rest = list(ways)
            rest.remove(way)
            if target > goal:
                rest.append((target, goal))
            hit = move(mine, theirs, origin, target)
            found |= _realise(mine, theirs, tuple(left), rest, hits | hit << target)
            move_back(mine, theirs, origin, target, hit)
    return found


def _no_hit(ways: Sequence[Way], meant: Sequence[Final]) -> str:
    """Which star tells of a hit that there is in none of the plays meant."""
    for way in ways:
        if way.hit and not any(hits >> way.target & 1 for _, hits in meant):
            return f"{way} hits nothing"
    return "these hits are not made by one play"


def _why_none(position: Position, ways: Sequence[Way], made: bool) -> str:
    """Why the pieces are no legal play, though the numbers make them, where ``made``."""
    most = len(next(iter(plays(position).values())))
    if not made:
        return _fault(position, ways)
    if most > 1 or len(ways) > 1:
        return f"{most} numbers can be played, and must be"
    return f"only one number can be played, and it must be the larger, {_only_number(position)}"


def _only_number(position: Position) -> int:
    origin, target, _ = next(iter(plays(position).values()))[0]
    return next(
        number
        for number in numbers_of(position.dice or (0, 0))
        if (origin, target) in steps(position.mine, position.theirs, number)
    )


def _fault(position: Position, ways: Sequence[Way]) -> str:
    """What is in the way of the first piece that cannot be made after those of higher origins."""
    mine, theirs = position.mine, position.theirs
    left = numbers_of(position.dice or (0, 0))
    for way in sorted(ways, key=lambda way: -way.origin):
        route = _route(mine, theirs, left, way.origin, way.target)
        if route is None:
            return why_not(mine, theirs, left, way)
        path, left = route
        mine, theirs = after(mine, theirs, path)
    return "these parts cannot be played together"


def _route(
    mine: Sequence[int], theirs: Sequence[int], numbers: tuple[int, ...], origin: int, goal: int
) -> tuple[Path, tuple[int, ...]] | None:
    """One way from a place to another and the numbers that it leaves, or None."""
    for number in dict.fromkeys(numbers):
        target = dict(steps(mine, theirs, number)).get(origin, -1)
        if target < goal:
            continue
        left = list(numbers)
        left.remove(number)
        if target == goal:
            return ((origin, target, False),), tuple(left)
        own, others = after(tuple(mine), tuple(theirs), [(origin, target, False)])
        if further := _route(own, others, tuple(left), target, goal):
            return ((origin, target, False), *further[0]), further[1]
    return None


def why_not(mine: Sequence[int], theirs: Sequence[int], numbers: tuple[int, ...], way: Way) -> str:
    """What is in the way of one piece of a play, which cannot be made with the numbers."""
    origin, target = way.origin, way.target
    if mine[BAR] and origin != BAR:
        return f"{way}: the checkers on the bar must enter first"
    if not mine[origin]:
        return f"{way}: there is no checker on {'the bar' if origin == BAR else f'point {name(origin)}'}"
    if target == OFF and any(mine[HOME + 1 :]):
        return f"{way}: checkers are borne off once all are in the home board"
    if not numbers:
        return f"{way}: every number has been used by the other parts"
    if target == OFF and origin < min(numbers):
        return f"{way}: a larger number bears off from the highest point only"
    if target != OFF and theirs[BAR - target] > 1:
        return f"{way}: point {target} is blocked"
    sums = {sum(numbers[:count]) for count in range(1, len(numbers) + 1)} | set(numbers)
    if origin - target not in sums and target != OFF:
        return (
            f"{way}: {origin - target} is not among the numbers left, {_listed(numbers)}, nor a sum of them"
        )
    return f"{way}: cannot be made with the numbers left, {_listed(numbers)}: the points between are blocked"


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))
