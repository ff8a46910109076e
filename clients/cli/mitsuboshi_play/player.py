"""What each command does: it asks the server, shows the answer, and tells every refusal in one sentence."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

from mitsuboshi_play.api import Api, Refused
from mitsuboshi_play.boards.board import NoPlace, Origin, Turn
from mitsuboshi_play.commands import Command, Pick, Played, Unknown, Word
from mitsuboshi_play.questions import Questions, Sorry
from mitsuboshi_play.screen import Screen
from mitsuboshi_play.snapshot import Snapshot
from mitsuboshi_play.status import list_picks
from mitsuboshi_play.table import Table

NONCE_BYTES = 16


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
            "steps": lambda _: self._questions.steps(),
            "verify": lambda _: self._questions.verify(),
            "hint": self._questions.hint,
            "record": self._questions.record,
            "move": lambda text: self._as_told("move", text),
            "step": lambda text: self._as_told("step", text),
            "unstep": lambda _: self._act("unstep"),
            "confirm": lambda _: self._act("confirm"),
            "roll": lambda _: self._act("roll"),
            "undo": lambda _: self._undo(),
            "pass": lambda _: self._act("pass"),
            "draw": lambda _: self._draw(),
            "nonce": lambda nonce: self._act("nonce", nonce=nonce),
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
            "help": lambda _: self._help(),
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
        except NoPlace as none:
            self._sorry("not_a_point", place=none)
        except Refused as no:
            self._sorry("refused", detail=no.detail)
            if no.room is not None:
                self.see(no.room)

    def give_nonce(self) -> None:
        """Give this player's share in the chance of verifiable dice, where the room takes it, once a game."""
        if "nonce" not in self._table.room.may:
            return
        action = {"type": "nonce", "nonce": secrets.token_urlsafe(NONCE_BYTES)}
        try:
            room = self._api.act(self._table.room.id, action)
            if self._table.adopt(room):
                self.show()
        except Refused as no:
            # The game began meanwhile, or another client of the same token was first.
            if no.room is not None:
                self.see(no.room)

    def see(self, room: Snapshot) -> None:
        """Take the room as it is now and show what has changed of it."""
        if _offer_failed(self._table.room, room):
            self._screen.say(self._texts("offer_over"))
        if self._table.adopt(room):
            self.show()
        else:
            self._screen.show(self._table.status())

    def show(self) -> None:
        """Draw the board and its status, below an empty line."""
        self._screen.show([[], *self._table.picture(), *self._table.status()])

    def _carry_out(self, command: Command) -> None:
        match command:
            case Word(name, rest) if name in self._words:
                self._words[name](rest)
            case Played(text):
                self._read(text)
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

    def _read(self, text: str) -> None:
        """A line that is no command: a move, a step, or a piece whose destinations are asked for."""
        match self._table.board.read(text, self._table.view):
            case Turn(written):
                self._play(written)
            case Origin() as origin:
                self._select(origin)
            case None:
                raise Sorry("unknown", text=text)

    def _play(self, text: str) -> None:
        """Send a move or a step, whichever of the two the server lists; it may be spelled otherwise there.

        What is not listed is a step where the turn has begun with steps, and else a move: the server says
        what is wrong with it."""
        room, spelling = self._table.room, self._table.board.spelling
        wanted = spelling(text)
        steps = [step for step in room.legal_steps if spelling(step) == wanted]
        moves = [move for move in room.legal_moves if spelling(move) == wanted]
        if steps and (room.steps or not moves):
            self._act("step", step=steps[0])
        elif moves or not room.steps:
            self._act("move", move=moves[0] if moves else text)
        else:
            self._act("step", step=text)

    def _as_told(self, kind: str, text: str) -> None:
        """Send a text as a move or as a step, as the player says."""
        turn = self._table.board.read(text, self._table.view) if text else None
        self._act(kind, **{kind: turn.text if isinstance(turn, Turn) else text})

    def _undo(self) -> None:
        """Take back: in the middle of a turn that cannot be taken back whole, its last step."""
        may = self._table.room.may
        self._act("unstep" if "unstep" in may and "undo" not in may else "undo")

    def _draw(self) -> None:
        """Offer a draw; an AI may have answered before the room's state comes back."""
        self._act("offer_draw")
        if self._table.room.status == "playing" and self._table.room.offer is None:
            self._screen.say(self._texts("offer_over"))

    def _select(self, origin: Origin) -> None:
        table, texts = self._table, self._texts
        choices = self._questions.from_place(origin.point)
        if not choices:
            raise Sorry("no_move_of", place=origin.shown)
        table.choices = choices
        self._screen.show([[], *table.picture()])
        picks = list_picks(choices, table.board, table.view)
        heading = table.board.piece(origin, table.view)
        self._screen.say("\n".join([heading, *picks, texts("pick", count=len(choices))]))

    def _pick(self, number: int) -> None:
        count = len(self._table.choices)
        if not 1 <= number <= count:
            raise Sorry("bad_pick", count=count)
        self._play(self._table.choices[number - 1].text)

    def _back(self) -> None:
        """Put back the piece in hand, or else take the last step back."""
        if not self._table.choices and "unstep" in self._table.room.may:
            self._act("unstep")
            return
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
        if fixed is not None and fixed not in self._table.board.seats:
            raise Sorry("no_seat", seat=seat)
        self._table.fixed_view = fixed
        self._screen.say(self._texts("view", seat=self._table.view))
        self.show()

    def _help(self) -> None:
        self._screen.say(f"{self._texts.or_same(f'help_{self._table.room.game}')}\n{self._texts('help')}")

    def _wait(self) -> None:
        self.waiting = True

    def _quit(self) -> None:
        self.done = True


def _offer_failed(before: Snapshot, now: Snapshot) -> bool:
    """Whether an offer of this player's has gone while the game goes on, without having been granted."""
    offer = before.offer
    is_gone = offer is not None and offer.by in before.you and now.offer is None
    return is_gone and now.status == "playing" and now.ply >= before.ply
