"""What each command does: it asks the server, shows the answer, and tells every refusal in one sentence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mitsuboshi_play.api import Api, Refused
from mitsuboshi_play.commands import Command, Move, Pick, PointName, Select, Unknown, Word
from mitsuboshi_play.questions import Questions, Sorry
from mitsuboshi_play.screen import Screen
from mitsuboshi_play.snapshot import Snapshot
from mitsuboshi_play.status import list_picks
from mitsuboshi_play.table import Table


class Player:
    """The hands of the one who types; ``refused`` counts what was not done, ``done`` ends the session."""

    def __init__(self, api: Api, table: Table, screen: Screen) -> None:
        self.refused = 0
        self.done = False
        self.waiting = False
        """Whether the next line is to wait until it is this player's turn or the game is over."""
        self._api = api
        self._table = table
        self._screen = screen
        self._texts = table.texts
        self._questions = Questions(api, table, screen)
        self._asked: str | None = None
        self._words: dict[str, Callable[[str], None]] = {
            "moves": lambda _: self._questions.moves(),
            "hint": self._questions.hint,
            "record": self._questions.record,
            "undo": lambda _: self._act("undo"),
            "pass": lambda _: self._act("pass"),
            "rematch": lambda _: self._act("rematch"),
            "start": lambda level: self._act("start", fill=level or None),
            "substitute": lambda seat: self._act("substitute", seat=seat or None),
            "rename": lambda name: self._act("rename", name=name),
            "accept": lambda _: self._answer(True),
            "decline": lambda _: self._answer(False),
            "resign": lambda rest: self._ask("resign", rest),
            "leave": lambda rest: self._ask("leave", rest),
            "board": lambda _: self.show(),
            "back": lambda _: self._back(),
            "view": self._view,
            "wait": lambda _: self._wait(),
            "help": lambda _: self._screen.say(self._texts("help")),
            "quit": lambda _: self._quit(),
        }

    @property
    def picking(self) -> bool:
        """Whether a number picks a destination."""
        return bool(self._table.choices)

    def do(self, command: Command) -> None:
        """Carry the command out. Away passes through: without a server there is nothing to carry out."""
        asked, self._asked = self._asked, None
        try:
            if asked:
                self._confirmed(asked, command)
            else:
                self._carry_out(command)
        except Sorry as sorry:
            self._sorry(sorry.key, **sorry.values)
        except Refused as no:
            self._sorry("refused", detail=no.detail)
            if no.room is not None:
                self.see(no.room)

    def see(self, room: Snapshot) -> None:
        """Take the room as it is now and show what has changed of it."""
        if self._table.adopt(room):
            self.show()
        else:
            self._screen.show(self._table.status())

    def show(self) -> None:
        """Draw the board and its status, below an empty line."""
        self._screen.show([[], *self._table.board(), *self._table.status()])

    def _carry_out(self, command: Command) -> None:
        match command:
            case Word(name, rest) if name in self._words:
                self._words[name](rest)
            case Move(origin, target):
                self._act("move", move=f"{self._point(origin)}-{self._point(target)}")
            case Select(origin):
                self._select(origin)
            case Pick(number):
                self._pick(number)
            case Word(text) | Unknown(text):
                raise Sorry("unknown", text=text)

    def _act(self, kind: str, **members: Any) -> None:
        """Send an action for the room as it was seen; members that are None are left out."""
        given = {name: value for name, value in members.items() if value is not None}
        room = self._table.room
        self.see(self._api.act(room.id, {"type": kind, "version": room.version, **given}))

    def _sorry(self, key: str, **values: object) -> None:
        self.refused += 1
        self._screen.say(self._texts(key, **values))

    def _point(self, name: PointName) -> int:
        point = self._table.point(name)
        if point is None:
            raise Sorry("not_a_point", place=name)
        return point

    def _select(self, origin: PointName) -> None:
        point = self._point(origin)
        table, texts = self._table, self._texts
        choices = [legal for legal in self._questions.legal_moves() if legal.path[0] == point]
        if not choices:
            raise Sorry("no_move_of", place=origin)
        table.choices = choices
        self._screen.show([[], *table.board()])
        place = table.geometry.place(table.view, point)
        picks = list_picks(choices, table.geometry, table.view, texts)
        lines = [texts("piece", place=place, point=point), *picks, texts("pick", count=len(choices))]
        self._screen.say("\n".join(lines))

    def _pick(self, number: int) -> None:
        count = len(self._table.choices)
        if not 1 <= number <= count:
            raise Sorry("bad_pick", count=count)
        self._act("move", move=self._table.choices[number - 1].move)

    def _back(self) -> None:
        self._table.choices = ()
        self.show()

    def _answer(self, accept: bool) -> None:
        room = self._table.room
        if room.offer is None and not room.rematch:
            raise Sorry("no_offer")
        self._act("answer", to=room.offer.kind if room.offer else "rematch", accept=accept)

    def _ask(self, kind: str, rest: str) -> None:
        if rest == "yes":
            self._confirmed(kind, Word("yes"))
        else:
            self._asked = kind
            self._screen.say(self._texts(f"ask_{kind}"))

    def _confirmed(self, kind: str, command: Command) -> None:
        if command != Word("yes"):
            self._screen.say(self._texts("not_done"))
            return
        self._act(kind)
        self.done = kind == "leave"

    def _view(self, seat: str) -> None:
        fixed = None if seat in ("", "auto") else seat
        if fixed is not None and fixed not in self._table.geometry.seats:
            raise Sorry("no_seat", seat=seat)
        self._table.fixed_view = fixed
        self._screen.say(self._texts("view", seat=self._table.view))
        self.show()

    def _wait(self) -> None:
        self.waiting = True

    def _quit(self) -> None:
        self.done = True
