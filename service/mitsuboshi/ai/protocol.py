"""The engine protocol on standard input and output, as docs/PROTOCOL.md describes it.

One thread reads, another thinks, so that ``stop`` and ``quit`` are heard at once. A line that makes no sense
is answered by ``error TEXT`` and changes nothing.
"""

from __future__ import annotations

import argparse
import secrets
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, BinaryIO, Final, TextIO

from mitsuboshi.ai._engine import Engine, Line, Stop
from mitsuboshi.ai.levels import LEVELS, RACE_WIDTH, Limits, level_of
from mitsuboshi.games.game import Game, Options, OptionValue, complete_options
from mitsuboshi.games.registry import GAMES

LINE_BYTES_MAX: Final = 1 << 16
"""A longer line is not read; the longest game's moves take a fifth of it."""


class Nonsense(ValueError):
    """A line that asks for something that does not exist or does not fit."""


@dataclass(frozen=True, slots=True)
class Board:
    """What the next ``go`` is about: ``position`` and ``moves`` as they were given."""

    game: Game[Any]
    players: int
    options: Options
    position: str | None = None
    moves: tuple[str, ...] = ()

    def text(self) -> str:
        """The position after the moves, saved; ValueError where they do not fit."""
        if self.position is None:
            position = self.game.start(self.players, self.options)
        else:
            position = self.game.read(self.position, self.options)
            if self.game.players(position) != self.players:
                raise Nonsense(f"the game is for {self.players} players, the position is not")
        for move in self.moves:
            position = _after(self.game, position, move)
        return self.game.save(position)


def _after(game: Game[Any], position: Any, word: str) -> Any:
    """The position after a move, or after ``THROW:MOVE``; ``THROW:`` is a throw that is not played yet."""
    throw, colon, move = word.rpartition(":")
    if colon and game.chance(position):
        position = game.after_chance(position, throw)
    elif colon and sorted(throw) != sorted(map(str, game.dice(position) or ())):
        raise Nonsense(f"{word}: that is not the throw in hand")
    return game.play(position, move)[1] if move or not colon else position


class Protocol:
    """One conversation: ``say`` is called with each line to send, from two threads."""

    def __init__(self, say: Callable[[str], None], engine: Engine | None = None) -> None:
        self._say = say
        self._engine = engine or Engine()
        self._board: Board | None = None
        self._stop = Stop()
        self._thread: threading.Thread | None = None
        self._thinking = False

    def hear(self, line: str) -> bool:
        """Do what one line asks; False once it was ``quit``."""
        words = line.split()
        if words == ["quit"]:
            return False
        try:
            if words:
                self._obey(words[0], words[1:])
        except ValueError as fault:
            self._say(f"error {_one_line(str(fault))}")
        return True

    def end(self, *, at_once: bool) -> None:
        """Wait until nothing is being thought about any more; ``at_once`` ends it."""
        if at_once:
            self._stop.set()
        if self._thread:
            self._thread.join()

    def _obey(self, verb: str, words: list[str]) -> None:
        if verb == "game":
            self._board = _new_board(words)
            self._say("ready")
        elif verb == "option":
            self._change(options=_with_option(self._known(), words))
        elif verb == "position":
            self._change(position=" ".join(words), moves=())
        elif verb == "moves":
            self._change(moves=tuple(words))
        elif verb == "go":
            self._go(_limits(self._known().game.key, words))
        elif verb == "stop":
            self._stop.set()
        else:
            raise Nonsense(f"unknown word: {verb}")

    def _known(self) -> Board:
        if self._board is None:
            raise Nonsense("name the game first: game NAME PLAYERS")
        return self._board

    def _change(self, **changes: Any) -> None:
        board = replace(self._known(), **changes)
        board.text()  # raises where the change does not fit
        self._board = board

    def _go(self, limits: Limits) -> None:
        board = self._known()
        if self._thinking:
            raise Nonsense("still thinking: stop first")
        self._stop, self._thinking = Stop(), True
        work = (board.game.key, board.text(), dict(board.options), limits, self._stop)
        self._thread = threading.Thread(target=self._think, args=work)
        self._thread.start()

    def _think(
        self, game: str, position: str, options: dict[str, OptionValue], limits: Limits, stop: Stop
    ) -> None:
        try:
            lines = self._engine.search(
                game,
                position,
                options,
                movetime_ms=limits.movetime_ms,
                nodes=limits.nodes,
                plies=limits.plies,
                noise=limits.noise,
                race_width=limits.race_width,
                seed=secrets.randbits(31),
                stop=stop,
            )
            answers = _answers(lines)
        except ValueError as fault:
            answers = [f"error {_one_line(str(fault))}"]
        except MemoryError:
            answers = ["error no memory"]
        # Before the answer: whoever has heard it may ask at once for the next.
        self._thinking = False
        for answer in answers:
            self._say(answer)


def _answers(lines: list[Line]) -> list[str]:
    if not lines:
        return ["best none"]
    result = _result(lines[0])
    moves = " ".join(_word(move) for move in lines[0].pv)
    return [f"info {result} pv {moves}", f"best {_word(lines[0].move)} {result}"]


def _word(move: str) -> str:
    """A move as one word: the parts of a play joined by commas."""
    return move.replace(" ", ",")


def _result(line: Line) -> str:
    return f"score {line.score} depth {line.depth} nodes {line.nodes} time_ms {line.time_ms}"


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _whole_number(word: str, name: str, most: int) -> int:
    if not (word.isascii() and word.isdigit() and len(word) < 16 and 1 <= int(word) <= most):
        raise Nonsense(f"{name} must be a whole number from 1 to {most}")
    return int(word)


def _new_board(words: list[str]) -> Board:
    if len(words) != 2 or words[0] not in GAMES:
        raise Nonsense(f"game NAME PLAYERS, with a name of: {', '.join(GAMES)}")
    game = GAMES[words[0]]
    players = _whole_number(words[1], "players", 9)
    if players not in game.player_counts:
        raise Nonsense(f"{game.key} is for {' or '.join(map(str, game.player_counts))} players")
    return Board(game, players, complete_options(game.options, {}))


def _with_option(board: Board, words: list[str]) -> Options:
    if len(words) != 2:
        raise Nonsense("option NAME VALUE")
    given: dict[str, object] = {**board.options, words[0]: words[1]}
    for option in board.game.options:
        if option.name == words[0]:
            given[option.name] = option.from_text(words[1])
    return complete_options(board.game.options, given)


_GO_MOST: Final = {"movetime_ms": 86_400_000, "nodes": 10**15 - 1, "plies": 1000}


def _limits(game: str, words: list[str]) -> Limits:
    if len(words) == 2 and words[0] == "level" and words[1] in LEVELS:
        return level_of(game, words[1]).limits
    if not words or len(words) % 2 or any(name not in _GO_MOST for name in words[::2]):
        raise Nonsense(
            f"go level NAME | movetime_ms T | nodes N | plies D, with a name of: {', '.join(LEVELS)}"
        )
    pairs = zip(words[::2], words[1::2], strict=True)
    given = {name: _whole_number(word, name, _GO_MOST[name]) for name, word in pairs}
    return Limits(**given, race_width=0 if "plies" in given else RACE_WIDTH)


def converse(source: BinaryIO, sink: TextIO) -> int:
    """Hold one conversation: until ``quit``, which ends a search, or the input's end, which waits for it."""
    lock = threading.Lock()

    def say(line: str) -> None:
        with lock:
            print(line, file=sink, flush=True)

    protocol = Protocol(say)
    at_once = False
    try:
        while line := source.readline(LINE_BYTES_MAX):
            if len(line) == LINE_BYTES_MAX and not line.endswith(b"\n"):
                _skip_line(source)
                say(f"error a line has at most {LINE_BYTES_MAX} bytes")
            elif not protocol.hear(line.decode("utf-8", "replace")):
                at_once = True
                break
    except BaseException:
        at_once = True
        raise
    finally:
        protocol.end(at_once=at_once)
    return 0


def _skip_line(source: BinaryIO) -> None:
    while (rest := source.readline(LINE_BYTES_MAX)) and not rest.endswith(b"\n"):
        pass


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The engine has no arguments."""


def run(_: argparse.Namespace) -> int:
    """Hold one conversation on standard input and output."""
    return converse(sys.stdin.buffer, sys.stdout)
