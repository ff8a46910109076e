"""Games as ``.mat`` text, which Jellyfish brought up, and GNU Backgammon and eXtreme Gammon read and write.

White's turns stand in the left column, black's in the right one. ``docs/games/backgammon.md`` shows a game.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from mitsuboshi.games.backgammon import xgid
from mitsuboshi.games.backgammon.board import SEATS
from mitsuboshi.games.backgammon.matching import find
from mitsuboshi.games.backgammon.moves import Path, plays
from mitsuboshi.games.backgammon.notation import texts
from mitsuboshi.games.backgammon.position import Position
from mitsuboshi.games.backgammon.rules import after_chance, chance, must_pass, outcome, play, play_pass, start
from mitsuboshi.games.game import PASS, AmbiguousMove, IllegalMove, InvalidText, Outcome, Transcript

MAT_CHARS_MAX: Final = 100_000
MAT_TURNS_MAX: Final = 1000
MAT_LINE_CHARS_MAX: Final = 300
_RIGHT_COLUMN: Final = 18
"""Blanks before a turn or a result that put it into the right column."""
_LEFT_WIDTH: Final = 27

_COMMENT: Final = re.compile(r'\s*;(?:\s*\[(\w+(?: \w+)*) +"(.*)"\])?.*')
_LENGTH: Final = re.compile(r"\s*[0-9]{1,5} point match\s*")
_GAME: Final = re.compile(r"\s*Game ([0-9]{1,5})\s*")
_NAMES: Final = re.compile(r"\s*(.*?) ?: ?[0-9]{1,5} +(.*?) ?: ?[0-9]{1,5}\s*")
_NUMBERED: Final = re.compile(r"\s*([0-9]{1,5})\)")
_TURN: Final = re.compile(r"( *)([1-6][1-6]): *((?:(?! [1-6][1-6]:| Wins | Doubles).)*)")
_WINS: Final = re.compile(r"(\s*)Wins ([0-9]{1,5}) points?\b.*")
_CUBE: Final = re.compile("doubles|takes|drops|beavers|raccoons", re.IGNORECASE)
_NO_PLAY: Final = re.compile(r"(?:cannot move|can't move|no play|no move|dances?|-|\?{4})?", re.IGNORECASE)
_DATE: Final = re.compile(r"([0-9]{4})[.-]([0-9]{2})[.-]([0-9]{2})")
_CONTROL: Final = re.compile(r'[\x00-\x1f\x7f"]+')


class Mat:
    """The ``.mat`` format, for one game without a doubling cube."""

    media_type: str = "text/plain"

    def read(self, text: str) -> Transcript:
        """The game in ``text``; InvalidText names line, column and fault."""
        if len(text) > MAT_CHARS_MAX:
            raise InvalidText(f"a game has at most {MAT_CHARS_MAX} characters, this one {len(text)}")
        reader = _Reader()
        for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
            try:
                reader.take(line)
            except _Fault as fault:
                raise InvalidText(f"line {number}, column {fault.column + 1}: {fault}") from None
        if not (reader.games or reader.moves or reader.start or reader.outcome):
            raise InvalidText("line 1, column 1: there is no game in this text")
        return reader.transcript()

    def write(self, transcript: Transcript) -> str:
        """The game as text; where it begins otherwise than usual, with a line for it that is our own.

        A move that cannot be read or made is InvalidText, IllegalMove or AmbiguousMove, as it comes."""
        position = start(len(SEATS)) if transcript.start is None else xgid.read(transcript.start)
        names = {seat: _CONTROL.sub(" ", transcript.names.get(seat, "")).strip() or seat for seat in SEATS}
        lines = [f'; [Player {number} "{names[seat]}"]' for number, seat in enumerate(SEATS, 1)]
        if transcript.date:
            lines.append(f'; [EventDate "{transcript.date.replace("-", ".")}"]')
        if not position.opening:
            lines.append(f'; [XGID "{xgid.write(position)}"]')
        lines += ["", " 0 point match", "", " Game 1", f" {names['white'] + ' : 0':<30} {names['black']} : 0"]
        lines += _rows(_replayed(position, transcript.moves))
        if transcript.outcome is not None and transcript.outcome.winner is not None:
            points = transcript.outcome.points
            gap = " " * (6 if transcript.outcome.winner == "white" else 6 + _LEFT_WIDTH)
            lines.append(f"{gap}Wins {points} point{'s' if points > 1 else ''}")
        return "\n".join(lines) + "\n"


MAT: Final = Mat()


class _Fault(ValueError):
    """What is wrong in a line, and the column where, counted from 0."""

    def __init__(self, column: int, message: str) -> None:
        super().__init__(message)
        self.column = column


class _Reader:
    """What the lines taken so far tell."""

    def __init__(self) -> None:
        self.position = start(len(SEATS))
        self.start: str | None = None
        self.moves: list[str] = []
        self.names: dict[str, str] = {}
        self.date = ""
        self.outcome: Outcome | None = None
        self.games = 0
        self.named = False

    def transcript(self) -> Transcript:
        """The game so far."""
        end = self.outcome or outcome(self.position)
        names = {seat: name for seat, name in self.names.items() if name and name != seat}
        return Transcript(tuple(self.moves), self.start, names, end, self.date)

    def take(self, line: str) -> None:
        """Go on by one line; _Fault where it cannot be read or its turns are against the rules."""
        if len(line) > MAT_LINE_CHARS_MAX:
            raise _Fault(MAT_LINE_CHARS_MAX, f"a line has at most {MAT_LINE_CHARS_MAX} characters")
        line = line.expandtabs().rstrip()
        if not line or _LENGTH.fullmatch(line) or (self.games and self._are_names(line)):
            return
        if header := _COMMENT.fullmatch(line):
            self._header(header[1] or "", header[2] or "", max(header.start(2), 0))
        elif game := _GAME.fullmatch(line):
            self.games += 1
            if self.games > 1 or int(game[1]) > 1:
                raise _Fault(game.start(1), "one game is read, the first of a match")
        elif numbered := _NUMBERED.match(line):
            self._turns(line, numbered.end())
        elif wins := _WINS.fullmatch(line):
            self._wins(SEATS[len(wins[1]) >= _RIGHT_COLUMN], int(wins[2]), wins.end(1))
        elif not self._are_names(line):
            raise self._unreadable(line, 0)

    def _are_names(self, line: str) -> bool:
        """Take the line with names and scores, the only one and before the turns, whatever the names are."""
        names = None if self.named or self.moves or self.outcome else _NAMES.fullmatch(line)
        if names is None:
            return False
        self.named = True
        for seat, name in zip(SEATS, names.groups(), strict=True):
            self.names.setdefault(seat, name.strip())
        return True

    def _header(self, key: str, value: str, at: int) -> None:
        if key in ("Player 1", "Player 2"):
            self.names[SEATS[key == "Player 2"]] = value
        elif key == "EventDate" and (date := _DATE.fullmatch(value)):
            self.date = "-".join(date.groups())
        elif key == "XGID":
            if self.moves:
                raise _Fault(at, "the position comes before the turns")
            try:
                self.position = xgid.read(value)
            except InvalidText as fault:
                raise _Fault(at, str(fault)) from None
            self.start = xgid.write(self.position)

    def _turns(self, line: str, begin: int) -> None:
        while begin < len(line):
            turn = _TURN.match(line, begin)
            if not turn:
                wins = _WINS.fullmatch(line, begin)
                if not wins:
                    raise self._unreadable(line, begin)
                self._wins(SEATS[wins.end(1) >= _RIGHT_COLUMN], int(wins[2]), wins.end(1))
                return
            seat = SEATS[self._is_right(line, turn)]
            self._turn(seat, turn[2], turn[3].strip(), turn.start(2), turn.start(3))
            begin = turn.end()

    def _is_right(self, line: str, turn: re.Match[str]) -> bool:
        """Whether a turn is the second one of its line, or stands so far to the right."""
        return ":" in line[: turn.start()] or len(turn[1]) >= _RIGHT_COLUMN

    def _turn(self, seat: str, throw: str, text: str, throw_at: int, text_at: int) -> None:
        if len(self.moves) >= MAT_TURNS_MAX:
            raise _Fault(throw_at, f"a game has at most {MAT_TURNS_MAX} turns")
        if self.outcome or self.position.is_over:
            raise _Fault(throw_at, "the game is over before this turn")
        if self.position.opening:
            self._open(seat, throw, throw_at)
        elif seat != self.position.to_move:
            raise _Fault(throw_at, f"this is {seat}'s column, but {self.position.to_move} is to move")
        elif self.position.dice is None:
            self.position = after_chance(self.position, throw)
        elif throw not in (told := "{}{}".format(*self.position.dice), told[::-1]):
            raise _Fault(throw_at, f"{throw}: the position has a throw to play already, {told}")
        if _NO_PLAY.fullmatch(text):
            self._pass(throw, text, text_at)
            return
        try:
            final = find(self.position, text, hits_are_told=True)
        except (InvalidText, IllegalMove, AmbiguousMove) as fault:
            raise _Fault(text_at, f"{throw}: {fault}") from None
        self._made(texts(self.position)[final], play(self.position, plays(self.position)[final]))

    def _open(self, seat: str, throw: str, at: int) -> None:
        """The first throw: the larger die is that of the side that begins, in whichever order it is told."""
        if throw[0] == throw[1]:
            raise _Fault(at, f"{throw}: the opening throw is never a double")
        low, high = sorted(throw)
        self.position = after_chance(self.position, high + low if seat == "white" else low + high)

    def _pass(self, throw: str, text: str, at: int) -> None:
        if not must_pass(self.position):
            raise _Fault(at, f"{throw}: {text or 'no move'}, though numbers can be played")
        self._made(PASS, play_pass(self.position))

    def _made(self, move: str, after: Position) -> None:
        is_given = self.start is not None and not self.moves and xgid.read(self.start).dice
        self.moves.append(move if is_given else f"{_throw_of(self.position, self.start)}:{move}")
        self.position = after

    def _wins(self, seat: str, points: int, at: int) -> None:
        end = outcome(self.position)
        if self.outcome or not 1 <= points <= 3:
            raise _Fault(at, "a game has one winner, of 1, 2 or 3 points")
        if end and (end.winner, end.points) != (seat, points):
            raise _Fault(at, f"{seat} wins {points}, but on the board {end.winner} wins {end.points}")
        self.outcome = end or Outcome(seat, "resignation", points)

    def _unreadable(self, line: str, begin: int) -> _Fault:
        if cube := _CUBE.search(line):
            return _Fault(cube.start(), f"{cube[0]}: the doubling cube is not played here")
        rest = line[begin:].lstrip()
        return _Fault(len(line) - len(rest), f"{rest[:20]!r} is neither a turn nor a result")


def _throw_of(position: Position, start: str | None) -> str:
    """The throw in hand as ``chance`` writes it: in the opening, white's die first."""
    high, low = position.dice or (0, 0)
    is_opening = start is None and position.ply == 0
    return f"{low}{high}" if is_opening and position.to_move == "black" else f"{high}{low}"


def _replayed(position: Position, moves: Iterable[str]) -> Iterable[tuple[str, str]]:
    """Each turn's seat and its text as the format has it."""
    for move in moves:
        throw, _, text = move.rpartition(":")
        if position.dice is None or throw:
            if throw not in chance(position):
                raise InvalidText(f"{move!r}: {throw!r} is not a throw that may come here")
            position = after_chance(position, throw)
        high_low = "{}{}".format(*position.dice or ())
        if text == PASS:
            yield position.to_move, f"{high_low}: Cannot Move"
            position = play_pass(position)
        else:
            path = plays(position)[find(position, text)]
            yield position.to_move, f"{high_low}: {_plain(path)}"
            position = play(position, path)


def _plain(path: Path) -> str:
    """A play step by step, the bar as 25 and off as 0, as every reader of the format takes it."""
    return " ".join([f"{origin}/{target}{'*' if hit else ''}" for origin, target, hit in path])


def _rows(turns: Iterable[tuple[str, str]]) -> list[str]:
    """Numbered lines of two turns, white's and then black's."""
    rows: list[list[str]] = []
    for seat, text in turns:
        if seat == "white" or not rows:
            rows.append([""])
        if seat == "white":
            rows[-1][0] = text
        else:
            rows[-1].append(text)
    return [
        f"{number:3}) {row[0]:<{_LEFT_WIDTH}} {' '.join(row[1:])}".rstrip()
        for number, row in enumerate(rows, 1)
    ]
