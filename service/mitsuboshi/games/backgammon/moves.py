"""Which plays a throw allows: every final position once, with one way that leads there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from mitsuboshi.games.backgammon.board import BAR, HOME, OFF
from mitsuboshi.games.backgammon.position import Checkers, Position

Step = tuple[int, int, bool]
"""One checker's move by one number: where from, where to, whether it hits; as the mover counts."""
Path = tuple[Step, ...]
"""The steps of a play in an order in which they can be made."""
Final = tuple[bytes, int]
"""What a play leads to: the mover's checkers, by place; and the points, as bits, on which it has hit."""


@lru_cache(maxsize=256)
def plays(position: Position) -> dict[Final, Path]:
    """Every final position of the throw in hand with one path to it; none where there is no throw to play.

    All of them use as many numbers as possible, and the larger one where only one of the two can be played.
    """
    if position.dice is None or position.is_over:
        return {}
    mine, theirs = list(position.mine), list(position.theirs)
    high, low = position.dice
    if high == low:
        return _doubles(mine, theirs, high)
    return _both(mine, theirs, high, low) or _one(mine, theirs, high) or _one(mine, theirs, low)


def numbers_of(dice: tuple[int, int]) -> tuple[int, ...]:
    """The numbers that a throw gives: two different ones, or one four times."""
    return dice if dice[0] != dice[1] else dice * 2


def steps(mine: Sequence[int], theirs: Sequence[int], number: int) -> list[tuple[int, int]]:
    """Where the mover's checkers can go from and to by one number, by descending origin."""
    if mine[BAR]:
        # What blocks the mover's point 25 - n stands on the other side's own point n.
        return [(BAR, BAR - number)] if theirs[number] < 2 else []
    shift = BAR + number
    found = [
        (origin, origin - number)
        for origin in range(BAR - 1, number, -1)
        if mine[origin] and theirs[shift - origin] < 2
    ]
    if not any(mine[HOME + 1 :]):
        if mine[number]:
            found.append((number, OFF))
        elif not any(mine[number + 1 :]):
            found += [(origin, OFF) for origin in range(number - 1, 0, -1) if mine[origin]][:1]
    return found


def move(mine: list[int], theirs: list[int], origin: int, target: int) -> bool:
    """Move one checker on the boards given, and say whether it hits."""
    mine[origin] -= 1
    mine[target] += 1
    if target == OFF or theirs[BAR - target] != 1:
        return False
    theirs[BAR - target] = 0
    theirs[BAR] += 1
    return True


def move_back(mine: list[int], theirs: list[int], origin: int, target: int, hit: bool) -> None:
    """Undo what ``move`` did."""
    mine[origin] += 1
    mine[target] -= 1
    if hit:
        theirs[BAR - target] = 1
        theirs[BAR] -= 1


def after(mine: Checkers, theirs: Checkers, path: Iterable[Step]) -> tuple[Checkers, Checkers]:
    """Both sides' checkers after the steps."""
    own, others = list(mine), list(theirs)
    for origin, target, _ in path:
        move(own, others, origin, target)
    return tuple(own), tuple(others)


def _doubles(mine: list[int], theirs: list[int], number: int) -> dict[Final, Path]:
    """The plays of a double.

    Steps by the same number can always be made by descending origin, and the final position tells how often
    each point was left. So plays that go down the board are all there are, and none comes twice.
    """
    found: dict[Final, Path] = {}
    _go_down(mine, theirs, number, (), found)
    most = max(map(len, found.values()))
    return {final: path for final, path in found.items() if len(path) == most} if most else {}


def _go_down(mine: list[int], theirs: list[int], number: int, path: Path, found: dict[Final, Path]) -> None:
    """Put what the path leads to into ``found`` once no step can follow it at or below its last origin.

    No closure: one that calls itself would keep all plays until Python next looks for cyclic garbage."""
    top = path[-1][0] if path else BAR
    following = [step for step in steps(mine, theirs, number) if step[0] <= top] if len(path) < 4 else ()
    for origin, target in following:
        hit = move(mine, theirs, origin, target)
        _go_down(mine, theirs, number, (*path, (origin, target, hit)), found)
        move_back(mine, theirs, origin, target, hit)
    if not following:
        # No point is hit on twice: the side that is hit does not come back within the turn.
        found[bytes(mine), sum([1 << target for _, target, hit in path if hit])] = path


def _both(mine: list[int], theirs: list[int], high: int, low: int) -> dict[Final, Path]:
    """The plays of two different numbers that use both."""
    found: dict[Final, Path] = {}
    for first, second in ((high, low), (low, high)):
        for origin, target in steps(mine, theirs, first):
            hit = move(mine, theirs, origin, target)
            for final, path in _one(mine, theirs, second).items():
                key = (final[0], final[1] | hit << target)
                if key not in found:
                    found[key] = ((origin, target, hit), *path)
            move_back(mine, theirs, origin, target, hit)
    return found


def _one(mine: list[int], theirs: list[int], number: int) -> dict[Final, Path]:
    """The plays of a single number."""
    found: dict[Final, Path] = {}
    for origin, target in steps(mine, theirs, number):
        hit = move(mine, theirs, origin, target)
        found[bytes(mine), hit << target] = ((origin, target, hit),)
        move_back(mine, theirs, origin, target, hit)
    return found
