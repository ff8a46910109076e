"""Who may play in the arena: the levels of the house, outside engines, and a greedy player to measure by."""

from __future__ import annotations

import random
import shlex
import subprocess
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from typing import IO, Any, Final, Protocol

from mitsuboshi.ai._engine import Engine
from mitsuboshi.ai.levels import LEVELS, Limits, level_of
from mitsuboshi.games.backgammon import BACKGAMMON
from mitsuboshi.games.checkers import CHECKERS
from mitsuboshi.games.diamond import DIAMOND
from mitsuboshi.games.game import PASS, Options
from mitsuboshi.games.registry import GAMES

QUIT_S: Final = 2
"""How long an outside engine has to end by itself."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A contestant's turn: the position, and how it came about; a throw to be played has been made."""

    game: str
    players: int
    options: Options
    opening: str
    """The position in which the contestants took over; in a game with chance, the present one."""
    moves: Sequence[str]
    """The moves since then."""
    position: str
    """The present position, saved."""
    seed: int


@dataclass(frozen=True, slots=True)
class Pace:
    """How long everybody may think, in place of a level's own time: the first that is set."""

    nodes: int = 0
    movetime_ms: int = 0
    time_scale: float = 1.0

    def applied(self, limits: Limits) -> Limits:
        """A level's limits at this pace; what keeps weak levels weak stays."""
        if self.nodes:
            return replace(limits, movetime_ms=0, nodes=self.nodes)
        scaled = self.movetime_ms or max(1, round(limits.movetime_ms * self.time_scale))
        return replace(limits, movetime_ms=scaled)


class Contestant(Protocol):
    """Plays one seat, or several."""

    def move(self, turn: Turn) -> tuple[str, int]:
        """A legal move and the plies it looked ahead."""

    def close(self) -> None:
        """Give back what it holds."""


class LevelContestant:
    """A level of the house."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._engine = Engine()

    def move(self, turn: Turn) -> tuple[str, int]:
        """The engine's move within the limits."""
        limits = self._limits
        line = self._engine.search(
            turn.game,
            turn.position,
            turn.options,
            movetime_ms=limits.movetime_ms,
            nodes=limits.nodes,
            plies=limits.plies,
            noise=limits.noise,
            race_width=limits.race_width,
            seed=turn.seed,
        )[0]
        return line.move, line.depth

    def close(self) -> None:
        """Nothing is held."""


class GreedyContestant:
    """Takes a move that looks best at once; equal ones by lot."""

    def move(self, turn: Turn) -> tuple[str, int]:
        """The move with the greatest gain."""
        game = GAMES[turn.game]
        position = game.load(turn.position, turn.options)
        moves = game.legal_moves(position) or [PASS]
        gain = _GAINS[turn.game]
        lot = random.Random(turn.seed)  # noqa: S311 - a match must repeat
        return max(moves, key=lambda move: (gain(position, move), lot.random())), 1

    def close(self) -> None:
        """Nothing is held."""


@cache
def _diamond_rows(seat: str) -> tuple[list[int], str]:
    """The row of each point as the seat sees it, and how a move from the seat's target apex begins."""
    board = DIAMOND.geometry()
    rows = [point["seen_by"][seat]["row"] for point in board["points"]]
    return rows, f"{board['seats'][seat]['target']['apex']}-"


def _diamond_gain(position: Any, move: str) -> int:
    """Rows gained; but a man who makes room on the apex for the king does well."""
    if move == PASS:
        return 0
    rows, from_apex = _diamond_rows(DIAMOND.to_move(position))
    origin, destination = map(int, move.split("-"))
    gained = rows[destination] - rows[origin]
    makes_room = move.startswith(from_apex) and DIAMOND.facts(position)["king_to_apex"]
    return gained + 3 if makes_room else gained


def _backgammon_gain(position: Any, move: str) -> int:
    """Pips by which the mover gets ahead: those it moves, and those that hit checkers have to move again."""
    parts = BACKGAMMON.details(position, move)["parts"]
    return sum(part["from"] - part["to"] + (part["to"] if part["hit"] else 0) for part in parts)


def _checkers_gain(position: Any, move: str) -> int:
    """Twice the men and three times the kings by which the mover is ahead after the move."""
    mover = CHECKERS.to_move(position)
    _, after = CHECKERS.play(position, move)
    gain = 0
    for seat, count in CHECKERS.facts(after)["pieces"].items():
        worth: int = 2 * count["men"] + 3 * count["kings"]
        gain += worth if seat == mover else -worth
    return gain


_GAINS: Final[dict[str, Callable[[Any, str], int]]] = {
    "diamond": _diamond_gain,
    "backgammon": _backgammon_gain,
    "checkers": _checkers_gain,
}
"""By game, what a move gains at once. One row a game."""


class OutsideFailed(Exception):
    """Another program has ended or complains; the text says which."""


class OutsideContestant:
    """Another program that speaks the engine protocol."""

    def __init__(self, command: str, limits: Limits) -> None:
        if not shlex.split(command):
            raise ValueError("cmd: needs a program")
        self._go = f"go nodes {limits.nodes}" if limits.nodes else f"go movetime_ms {limits.movetime_ms}"
        self._program = subprocess.Popen(  # noqa: S603 - the person at the keyboard named it
            shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self._opened: tuple[str, int, Options] | None = None

    def move(self, turn: Turn) -> tuple[str, int]:
        """Its answer; OutsideFailed when it complains or ends."""
        opened = (turn.game, turn.players, turn.options)
        if self._opened != opened:
            self._opened = opened
            self._say(f"game {turn.game} {turn.players}")
            self._hear("ready")
            for name, value in turn.options.items():
                self._say(f"option {name} {str(value).lower()}")
        self._say(f"position {turn.opening}")
        if turn.moves:
            self._say("moves " + " ".join(turn.moves))
        self._say(self._go)
        words = self._hear("best")
        values = dict(zip(words[2::2], words[3::2], strict=False))
        return words[1], int(values.get("depth", 0))

    def close(self) -> None:
        """End the program, if need be by force."""
        with suppress(OutsideFailed):
            self._say("quit")
        try:
            self._program.wait(timeout=QUIT_S)
        except subprocess.TimeoutExpired:
            self._program.kill()
            self._program.wait()
        with suppress(BrokenPipeError):
            _pipe(self._program.stdin).close()
        _pipe(self._program.stdout).close()

    def _say(self, line: str) -> None:
        try:
            _pipe(self._program.stdin).write(line + "\n")
        except BrokenPipeError:
            raise OutsideFailed("the outside engine has ended") from None

    def _hear(self, verb: str) -> list[str]:
        for line in _pipe(self._program.stdout):
            words = line.split()
            if words and words[0] == "error":
                raise OutsideFailed(f"the outside engine answered: {line.strip()}")
            if words and words[0] == verb:
                return words
        raise OutsideFailed("the outside engine has ended")


def _pipe(pipe: IO[str] | None) -> IO[str]:
    assert pipe is not None  # noqa: S101 - both were asked for
    return pipe


def contestant(name: str, game: str, pace: Pace) -> Contestant:
    """Who plays a game under that name: a level, ``greedy`` or ``cmd:PATH``; ValueError for any other."""
    if name.startswith("cmd:"):
        limits = pace.applied(level_of(game, "advanced").limits)
        return OutsideContestant(name.removeprefix("cmd:"), limits)
    if name == "greedy":
        return GreedyContestant()
    if name in LEVELS:
        return LevelContestant(pace.applied(level_of(game, name).limits))
    raise ValueError(f"{name!r} is none of: {', '.join(LEVELS)}, greedy, cmd:PATH")
