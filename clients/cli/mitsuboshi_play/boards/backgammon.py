"""The words of the board of backgammon: points as each side counts them, moves as 13/8 6/5*."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from mitsuboshi_play.boards.backgammon_picture import Marks, Picture, Side
from mitsuboshi_play.boards.board import Glyphs, Origin, Turn
from mitsuboshi_play.boards.xgid import BAR, OFF, BadXgid, read_xgid
from mitsuboshi_play.paint import Line
from mitsuboshi_play.snapshot import BadAnswer, Described, Json, Snapshot
from mitsuboshi_play.texts import Texts

PLACES = {"bar": BAR, "off": OFF} | {str(place): place for place in range(BAR + 1)}
NAMES = {BAR: "bar", OFF: "off"}
PLACE = r"(?:\d{1,2}|bar|off)"
ALONE = re.compile(PLACE, re.ASCII)
PART = rf"{PLACE}(?:[/-]{PLACE}\*?)+(?:\([1-4]\))?"
MOVE = re.compile(rf"{PART}(?:[ ,]+{PART})*", re.ASCII)
TWO = re.compile(rf"({PLACE}) +({PLACE})", re.ASCII)


class Backgammon:
    """24 points, bar and tray; see ``Board`` for what each method promises."""

    def __init__(self, geometry: Json, texts: Texts, glyphs: Glyphs) -> None:
        self._rows, self._letters = _read(geometry)
        self._texts = texts
        self._glyphs = glyphs
        self.seats = tuple(self._letters)

    def picture(self, room: Snapshot, view: str, choices: Sequence[Described]) -> list[Line]:
        """13 lines of at most 71 columns."""
        try:
            checkers = read_xgid(room.position_now).checkers
        except BadXgid as fault:
            raise BadAnswer(str(fault)) from fault
        other = next(seat for seat in self.seats if seat != view)
        mine = Side(view, self._letters[view], dict(enumerate(checkers[view])))
        theirs = {_turned(place): count for place, count in enumerate(checkers[other])}
        marks = _chosen(choices) if choices else _made(room, view)
        return Picture(
            self._rows[view], mine, Side(other, self._letters[other], theirs), marks, self._glyphs
        ).lines()

    def read(self, text: str, view: str) -> Turn | Origin | None:
        """``8/5 6/5``, ``13-8`` or ``13 8`` as a move or step, ``13`` or ``bar`` as a checker."""
        plain = text.lower()
        if ALONE.fullmatch(plain):
            return Origin(NAMES.get(PLACES.get(plain, -1), plain), text)
        two = TWO.fullmatch(plain)
        if two:
            return Turn(f"{two[1]}/{two[2]}")
        return Turn(plain.replace("-", "/")) if MOVE.fullmatch(plain) else None

    def spelling(self, text: str) -> str:
        """Without the sign of a hit, and with bar and off by their names."""
        names = [NAMES.get(PLACES.get(name, -1), name) for name in text.replace("*", "").split("/")]
        return "/".join(names)

    def origin(self, move: Described) -> str:
        """The place that a step leaves; empty for a play of several parts."""
        return "" if " " in move.text else move.text.partition("/")[0]

    def piece(self, origin: Origin, view: str) -> str:
        """The checker's place."""
        return self._texts("checker", place=origin.point)

    def target(self, move: Described, view: str) -> str:
        """The place that a step comes to, and whether it hits."""
        name = move.text.rpartition("/")[2]
        return f"{name.rstrip('*'):<6} {self._texts('hit') if name.endswith('*') else ''}".rstrip()

    def line(self, move: Described, view: str) -> str:
        """The text."""
        return move.text

    def name(self, move: Described, view: str) -> str:
        """The text, after the throw."""
        dice = "".join(map(str, move.details.get("dice") or ()))
        return f"{dice}: {move.text}" if dice else move.text

    def seat_note(self, room: Snapshot, seat: str) -> str:
        """Its letter on the board and its pip count; what is off and on the bar stands on the board."""
        pips = room.facts.get("pips", {}).get(seat)
        if pips is None:
            return ""
        return self._texts(
            "pips" if self._glyphs.man else "letter_pips", letter=self._letters[seat], pips=pips
        )

    def notes(self, room: Snapshot) -> list[str]:
        """Nothing: dice and steps are told of every game that has them."""
        return []


def _read(geometry: Json) -> tuple[Mapping[str, tuple[list[int | None], list[int | None]]], dict[str, str]]:
    """By seat its own numbers of the far and the near points, from the left, None for the bar; the letters.

    BadAnswer when a promised field is missing or of another shape."""
    try:
        points, seats = geometry["points"], geometry["seats"]
        letters = {str(seat): str(data["checker"]) for seat, data in seats.items()}
        rows = {seat: _rows(points, seat) for seat in letters}
    except (KeyError, TypeError, AttributeError, ValueError, StopIteration) as fault:
        raise BadAnswer(f"geometry: {fault!r}") from fault
    if len(letters) != 2 or any(len(row) != 13 for both in rows.values() for row in both):
        raise BadAnswer("geometry: not the board of backgammon")
    return rows, letters


def _rows(points: list[Json], seat: str) -> tuple[list[int | None], list[int | None]]:
    placed = {(float(p["x"]), float(p["y"])): p for p in points if p["id"] != "off"}
    numbers = {place: int(p["seen_by"][seat]["number"]) for place, p in placed.items()}
    bar = next(x for (x, _), number in numbers.items() if number == BAR)
    both = []
    for y in (1, 0):
        row: dict[float, int | None] = {x: n for (x, at), n in numbers.items() if at == y}
        both.append([(row | {bar: None})[x] for x in sorted([*row, bar])])
    near_first = 1 in both[0]
    return (both[1], both[0]) if near_first else (both[0], both[1])


def _turned(place: int) -> int:
    """A place as the other side counts it; bar and off are each side's own."""
    return place if place in (OFF, BAR) else BAR - place


def _ends(text: str) -> tuple[int, int]:
    """Where a step begins and ends."""
    origin, _, target = text.replace("*", "").partition("/")
    return PLACES.get(origin, -1), PLACES.get(target, -1)


def _chosen(choices: Sequence[Described]) -> Marks:
    ends = [_ends(choice.text) for choice in choices]
    return Marks(selected=ends[0][0], picks={target: number for number, (_, target) in enumerate(ends, 1)})


def _made(room: Snapshot, view: str) -> Marks:
    """The places that this turn's steps have come to, or else the last move's."""
    if room.steps:
        return Marks(ends=_seen((_ends(step)[1] for step in room.steps), room.to_move, view))
    if not room.last_moves:
        return Marks()
    last = room.last_moves[-1]
    return Marks(ends=_seen((int(part["to"]) for part in last.details.get("parts") or ()), last.seat, view))


def _seen(places: Iterable[int], mover: str, view: str) -> frozenset[int]:
    """Places as the mover counts them, in the viewer's numbers; what is off lies nowhere."""
    return frozenset(place if mover == view else _turned(place) for place in places if place != OFF)
