"""A turn made checker by checker: which steps can still become a legal play."""

from __future__ import annotations

from collections.abc import Sequence

from mitsuboshi.games.backgammon.matching import find, realised, why_not
from mitsuboshi.games.backgammon.moves import Step, after, move, move_back, numbers_of, plays, steps
from mitsuboshi.games.backgammon.notation import Way, read_ways, step_text, texts
from mitsuboshi.games.backgammon.position import Checkers, Position
from mitsuboshi.games.backgammon.rules import check_turn, must_pass
from mitsuboshi.games.game import PASS, IllegalMove


class Steps:
    """Turns of backgammon; see ``Stepwise``. A step is one checker's move by one number: ``13/8*``."""

    confirmed: bool = True
    lists_moves: bool = False

    def steps(self, position: Position, made: Sequence[str]) -> list[str]:
        """Every step that a play of as many numbers as possible can go on with, by descending origin."""
        return [step_text(step) for step in _following(position, made)]

    def step(self, position: Position, made: Sequence[str], text: str) -> str:
        """The canonical text of the step; its ``*`` may be left out.

        InvalidText where it cannot be read, IllegalMove where it is not among ``steps``."""
        ways = read_ways(text)
        check_turn(position)
        following = _following(position, made)
        for step in following:
            if len(ways) == 1 and step[:2] == (ways[0].origin, ways[0].target) and step[2] >= ways[0].hit:
                return step_text(step)
        raise IllegalMove(_why_not(position, made, following, ways))

    def after(self, position: Position, made: Sequence[str]) -> Position:
        """The board with the steps made, the same side to move with the same throw."""
        return _after(position, made)

    def move(self, position: Position, made: Sequence[str]) -> str | None:
        """The canonical text of the play that the steps make, ``pass`` where there is none to make.

        None while more steps must follow, and where there is no throw to play."""
        if must_pass(position):
            return PASS
        if position.dice is None or _following(position, made):
            return None
        return texts(position)[find(position, " ".join(made))] if made else None


def _after(position: Position, made: Sequence[str]) -> Position:
    mine, theirs, _ = _made(position, made)
    return position.with_board(mine, theirs)


def _made(position: Position, made: Sequence[str]) -> tuple[Checkers, Checkers, tuple[int, ...]]:
    """Both sides' checkers after the steps, and the numbers that are left."""
    mine, theirs = position.mine, position.theirs
    left = list(numbers_of(position.dice)) if position.dice else []
    for text in made:
        (way,) = read_ways(text)
        left.remove(_number(mine, theirs, left, way))
        mine, theirs = after(mine, theirs, [(way.origin, way.target, way.hit)])
    return mine, theirs, tuple(left)


def _number(mine: Checkers, theirs: Checkers, numbers: Sequence[int], way: Way) -> int:
    """The smallest number that makes the step; where a larger one bears off too, what follows is the same."""
    return min(number for number in numbers if (way.origin, way.target) in steps(mine, theirs, number))


def _following(position: Position, made: Sequence[str]) -> list[Step]:
    legal = plays(position)
    most = len(next(iter(legal.values()))) if legal else 0
    if len(made) >= most:
        return []
    mine, theirs, left = _made(position, made)
    if most == 1:
        return [path[0] for path in legal.values()]
    own, others = list(mine), list(theirs)
    found: dict[Step, None] = {}
    for number in dict.fromkeys(left):
        for origin, target in steps(own, others, number):
            hit = move(own, others, origin, target)
            if _can_make(own, others, _without(left, number), most - len(made) - 1):
                found[origin, target, hit] = None
            move_back(own, others, origin, target, hit)
    return sorted(found, key=lambda step: (-step[0], step[1]))


def _can_make(mine: list[int], theirs: list[int], numbers: tuple[int, ...], count: int) -> bool:
    """Whether that many steps can be made with the numbers."""
    if count == 0:
        return True
    for number in dict.fromkeys(numbers):
        for origin, target in steps(mine, theirs, number):
            hit = move(mine, theirs, origin, target)
            can = _can_make(mine, theirs, _without(numbers, number), count - 1)
            move_back(mine, theirs, origin, target, hit)
            if can:
                return True
    return False


def _without(numbers: tuple[int, ...], number: int) -> tuple[int, ...]:
    place = numbers.index(number)
    return numbers[:place] + numbers[place + 1 :]


def _why_not(position: Position, made: Sequence[str], following: Sequence[Step], ways: Sequence[Way]) -> str:
    """Why the piece of a play is none of the steps that may follow."""
    if not following:
        return "every number has been used that can be played"
    now = _after(position, made)
    if len(ways) > 1 or _takes_several(now, ways[0]):
        return "a step moves one checker by one number"
    way = ways[0]
    if (way.origin, way.target) in [step[:2] for step in following]:
        return f"{way} hits nothing"
    left = _made(position, made)[2]
    if any((way.origin, way.target) in steps(now.mine, now.theirs, number) for number in left):
        return f"{way}: after it fewer numbers could be played, or only the smaller"
    return why_not(now.mine, now.theirs, left, way)


def _takes_several(position: Position, way: Way) -> bool:
    """Whether the way can be gone, but by several numbers."""
    single = any(
        (way.origin, way.target) in steps(position.mine, position.theirs, number)
        for number in numbers_of(position.dice or (0, 0))
    )
    return not single and bool(realised(position, [way]))
