"""The session: enter a room, then turn lines and news into commands and boards until one side ends it."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from typing import TextIO

import httpx

from mitsuboshi_play.api import Api, Away, Link, Refused
from mitsuboshi_play.boards.board import Board
from mitsuboshi_play.boards.registry import BOARDS
from mitsuboshi_play.commands import parse
from mitsuboshi_play.entrance import Entered, enter
from mitsuboshi_play.inbox import Ended, Gone, Inbox, Message, Reader, Seen, Typed, Watcher, next_message
from mitsuboshi_play.options import BadUsage, Settings
from mitsuboshi_play.player import Player
from mitsuboshi_play.screen import Screen, glyphs_for
from mitsuboshi_play.snapshot import BadAnswer, Snapshot
from mitsuboshi_play.table import Table
from mitsuboshi_play.texts import Texts
from mitsuboshi_play.tokens import BadTokenFile

DONE, REFUSED_ONCE, USAGE, NO_SERVER, NO_ROOM, ROOM_GONE, INTERRUPTED = 0, 1, 2, 3, 4, 5, 130


class OtherGame(Exception):
    """A room's game, for which this client has no board."""


class Session:
    """One run of the program; ``interactive`` where a person types, false for a pipe."""

    def __init__(
        self,
        settings: Settings,
        environ: Mapping[str, str],
        out: TextIO,
        *,
        read: Callable[[], bytes],
        interactive: bool,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._settings = settings
        self._environ = environ
        self._out = out
        self._interactive = interactive
        self._texts = Texts()
        self._screen = Screen(out, settings.color, prompts=interactive)
        self._silent = False
        self._api = Api(settings.server, Link(self._lost, self._found), settings.patience_s, transport)
        self._inbox: Inbox = Inbox()
        self._reader = Reader(self._inbox, read)

    def run(self) -> int:
        """Play until the end; the exit code."""
        try:
            entered, board = self._enter()
        except OtherGame as fault:
            return self._end(NO_ROOM, "other_game", game=fault, games=", ".join(BOARDS))
        except BadUsage as fault:
            return self._end(USAGE, "bad_usage", detail=fault)
        except BadTokenFile as fault:
            return self._end(USAGE, "bad_token_file", file=fault.file, reason=fault.reason)
        except (Refused, Away, BadAnswer) as fault:
            return self._failed(fault, NO_ROOM)
        except KeyboardInterrupt:
            return INTERRUPTED
        return self._play(entered, board)

    def _enter(self) -> tuple[Entered, Board]:
        """The room and its game's board; what is wrong with the view is said before a room is made."""
        if self._settings.join is None:
            seats, board = self._board(self._settings.game)
            return enter(self._api, self._settings, seats, self._environ), board
        entered = enter(self._api, self._settings, (), self._environ)
        return entered, self._board(entered.room.game)[1]

    def _board(self, game: str) -> tuple[list[str], Board]:
        """The game's seats and its board."""
        if game not in BOARDS:
            raise OtherGame(game)
        page, view = self._api.game(game), self._settings.view
        seats = page.get("seats")
        if not isinstance(seats, list) or "geometry" not in page:
            raise BadAnswer("game page")
        glyphs = glyphs_for(self._out, self._settings.color, self._settings.ascii)
        board = BOARDS[game](page["geometry"], self._texts, glyphs)
        if view not in (None, *board.seats):
            raise BadUsage(self._texts("no_seat", seat=view))
        return [str(seat) for seat in seats], board

    def _play(self, entered: Entered, board: Board) -> int:
        table = Table(entered.room, board, self._texts, self._settings.view)
        player = Player(self._api, table, self._screen)
        self._invite(entered)
        try:
            code = self._loop(table, player)
        except KeyboardInterrupt:
            code = INTERRUPTED
        except (Refused, Away, BadAnswer) as fault:
            code = self._failed(fault, ROOM_GONE)
        self._screen.end_prompt()
        if code != ROOM_GONE:
            self._farewell(table.room, entered)
        return code

    def _loop(self, table: Table, player: Player) -> int:
        room = table.room
        player.show()
        player.give_nonce()
        self._reader.start()
        Watcher(self._inbox, lambda after: self._api.wait(room.id, after), room.version).start()
        while not player.done and table.room.status != "closed":
            if self._may_read(table.room, player):
                self._screen.ask(self._prompt(table, player))
                self._reader.ask()
            message = next_message(self._inbox)
            if isinstance(message, Ended):
                break
            self._take(message, table, player)
            player.give_nonce()
        if table.room.status == "closed":
            return ROOM_GONE
        return REFUSED_ONCE if player.refused and not self._interactive else DONE

    def _take(self, message: Message, table: Table, player: Player) -> None:
        match message:
            case Typed(line):
                self._reader.pending = False
                self._screen.typed()
                command = parse(line, player.picking)
                if command is not None:
                    player.do(command)
            case Seen(room, rolled_back):
                if rolled_back or room.version > table.room.version:
                    player.see(room)
            case Gone(fault):
                raise fault

    def _may_read(self, room: Snapshot, player: Player) -> bool:
        """A person may type at any time; a script's next line waits for its turn: it needs no clock."""
        asked = room.offer is not None and bool(set(room.offer.waiting_for) & set(room.you))
        settled = room.my_turn or asked or room.status in ("finished", "closed")
        player.waiting = player.waiting and not settled and not self._interactive
        return self._interactive or settled or not (player.waiting or (room.status == "playing" and room.you))

    def _prompt(self, table: Table, player: Player) -> str:
        return self._texts("prompt", seat="pick" if player.picking else table.view)

    def _invite(self, entered: Entered) -> None:
        # Written with = as ids may begin with a dash, which would look like another option.
        if any(seat.kind == "open" for seat in entered.room.seats):
            invite = f" --invite={entered.invite}" if entered.invite else ""
            values = {"server": self._settings.server, "room": entered.room.id, "invite": invite}
            self._screen.say(self._texts("invite", **values))

    def _farewell(self, room: Snapshot, entered: Entered) -> None:
        values = {"server": self._settings.server, "room": room.id}
        if room.you and entered.token_file:
            self._screen.say(self._texts("come_back", file=shlex.quote(str(entered.token_file)), **values))
        elif not room.you:
            self._screen.say(self._texts("watch_again", **values))

    def _failed(self, fault: Refused | Away | BadAnswer, refused: int) -> int:
        server = self._settings.server
        match fault:
            case Refused():
                return self._end(refused, "refused", detail=fault.detail)
            case Away():
                return self._end(NO_SERVER, "away", server=server, seconds=fault.seconds)
        return self._end(NO_SERVER, "bad_answer", server=server, reason=fault)

    def _end(self, code: int, key: str, **values: object) -> int:
        self._screen.say(self._texts(key, **values))
        return code

    def _lost(self, key: str, detail: str) -> None:
        """Told with every answer that failed to come; said once until one comes again."""
        if not self._silent:
            self._silent = True
            self._screen.say(self._texts(key, server=self._settings.server, reason=detail, detail=detail))

    def _found(self) -> None:
        if self._silent:
            self._silent = False
            self._screen.say(self._texts("back_again"))
