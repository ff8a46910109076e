"""The rules of a room: a command becomes events, or is Refused. Pure: time and chance are arguments.

Checks come in one order: who asks, the room's status, the version, the turn, the move itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct, structs

from mitsuboshi.games.game import AmbiguousMove, Game, IllegalMove, InvalidText, Outcome
from mitsuboshi.games.registry import GAMES
from mitsuboshi.rooms import commands as c
from mitsuboshi.rooms import events as e
from mitsuboshi.rooms.apply import SHOWN_MOVES, apply
from mitsuboshi.rooms.create import room_created, start_position
from mitsuboshi.rooms.names import clean_name, folded
from mitsuboshi.rooms.refused import Refused
from mitsuboshi.rooms.state import LastMove, Line, Result, Room, Seat, Status

SUBSTITUTE_LEVEL = "intermediate"
GAMES_MAX = 100
"""Games in one room; the next rematch is refused."""
PASS = "pass"  # noqa: S105 - a move's text


class Decision(Struct, frozen=True):
    """The events of one command, in order, the time they happened at, and the room after them."""

    now: c.Now
    room: Room
    events: tuple[e.AnyEvent, ...]


def decide(
    room: Room | None, command: c.Command, now: c.Now, seed: int, line: Line | None = None
) -> Decision:
    """What the command makes of the room; Refused when it may not be.

    ``room`` is None for Create alone. ``seed`` is a fresh number below 2**48. ``line`` is that of
    the game in play, and is needed only for an undo.
    """
    history = _History(room, now, seed)
    if isinstance(command, c.Create):
        _create(history, command)
    elif isinstance(command, c.Act):
        _act(history, command, line)
    else:
        _DECIDERS[type(command)](history, command)
    return Decision(now, history.room, tuple(history.events))


class _History:
    """The room as it grows, event by event, while one command is decided."""

    def __init__(self, room: Room | None, now: c.Now, seed: int) -> None:
        self._room = room
        self.now = now
        self._seed = seed
        self.events: list[e.AnyEvent] = []

    @property
    def room(self) -> Room:
        if self._room is None:
            raise ValueError("no room has been created yet")
        return self._room

    def add(self, kind: Callable[..., e.AnyEvent], **fields: Any) -> None:
        """The event happens: it is stamped, kept and folded."""
        version = self._room.version + 1 if self._room else 1
        event = kind(id=f"{version}-{self._seed}", version=version, at_ms=self.now.wall_ms, **fields)
        self.events.append(event)
        self._room = apply(self._room, event)


def _game(room: Room) -> Game[Any]:
    return GAMES[room.game]


# --- creation, seats, start ---------------------------------------------------------------------------------


def _create(history: _History, command: c.Create) -> None:
    created, own_seats = room_created(command, history.now)
    history.add(e.RoomCreated, **created)
    name = clean_name(command.body.name) if command.body.name is not None else None
    for seat in own_seats:
        history.add(e.SeatTaken, seat=seat, person=command.person, name=name)
    _begin_if_full(history)


def _join(history: _History, command: c.Join) -> None:
    room, body = history.room, command.body
    _require_open(room)
    if room.visibility == "private" and body.invite != room.invite:
        raise Refused("wrong_invite", "this room is private: its invite is needed", "invite")
    seat = _seat_to_join(room, body.seat)
    name = _free_name(room, command.person, body.name) if body.name is not None else None
    history.add(e.SeatTaken, seat=seat, person=command.person, name=name)
    _begin_if_full(history)


def _seat_to_join(room: Room, wanted: str | None) -> str:
    if wanted is not None and room.seat(wanted) is None:
        raise Refused("invalid_body", f"there is no seat {wanted!r} in this room", "seat")
    candidates = [seat for seat in room.seats if wanted in (None, seat.seat)]
    for seat in candidates:
        if seat.kind == "open":
            return seat.seat
    if any(seat.put_later for seat in candidates):
        raise Refused("already_started", "the game has begun with an AI in that seat")
    raise Refused("seat_taken", "that seat is taken" if wanted else "every seat is taken")


def _free_name(room: Room, person: str, text: str) -> str:
    name = clean_name(text)
    others = {folded(seat.name) for seat in room.seats if seat.name is not None and seat.person != person}
    if folded(name) in others:
        raise Refused("name_taken", "somebody in this room has that name, or one that looks like it", "name")
    return name


def _begin_if_full(history: _History) -> None:
    room = history.room
    if room.status == "waiting" and all(seat.kind != "open" for seat in room.seats):
        _begin(history, room.seats)


def _begin(history: _History, seats: tuple[Seat, ...]) -> None:
    room = history.room
    game = _game(room)
    position = start_position(game, len(seats), room.options, room.start)
    history.add(
        e.GameStarted,
        game_number=room.game_number + 1,
        seats=seats,
        position=game.write(position),
        to_move=game.to_move(position),
        ply=game.ply(position),
    )


# --- a person's actions -------------------------------------------------------------------------------------


def _act(history: _History, command: c.Act, line: Line | None) -> None:
    room, action = history.room, command.action
    _require_right(room, command.person, action)
    _require_status(room, action)
    if action.version is not None and not room.changed_version <= action.version <= room.version:
        raise Refused("stale_version", "the game has changed since that version", "version")
    if isinstance(action, c.Undo):
        _undo(history, command.person, line)
    else:
        _ACTIONS[type(action)](history, command.person, action)


def _require_right(room: Room, person: str, action: c.AnyAction) -> None:
    if isinstance(action, c.Start):
        if person != room.owner:
            raise Refused("not_owner", "only the owner of the room may do that")
        return
    held = room.held_by(person)
    if not held:
        raise Refused("not_seated", "this token holds no seat in this room")
    if action.seat is not None and action.seat not in held:
        raise Refused("not_your_seat", f"this token does not hold the seat {action.seat!r}", "seat")


_REQUIRED_STATUS: dict[type[c.AnyAction], Status] = {
    c.Start: "waiting",
    c.Move: "playing",
    c.Pass: "playing",
    c.Undo: "playing",
    c.Resign: "playing",
    c.Rematch: "finished",
    c.Answer: "finished",
}


def _require_open(room: Room) -> None:
    if room.status == "closed":
        raise Refused("room_closed", "the room is closed")


def _require_status(room: Room, action: c.AnyAction) -> None:
    _require_open(room)
    required = _REQUIRED_STATUS.get(type(action), room.status)
    if room.status == required:
        return
    if required == "waiting":
        raise Refused("already_started", "the game has begun")
    if required == "finished":
        raise Refused("not_finished", "the game is not over")
    if room.status == "finished":
        raise Refused("game_over", "the game is over")
    raise Refused("not_playing", "the game has not begun")


def _start(history: _History, person: str, action: c.Start) -> None:
    room = history.room
    seats = tuple(
        Seat(seat.seat, "ai", level=action.fill, put_later=True) if seat.kind == "open" else seat
        for seat in room.seats
    )
    _begin(history, seats)


def _move(history: _History, person: str, action: c.Move) -> None:
    _play(history, _seat_on_turn(history.room, person, action), action.move)


def _pass(history: _History, person: str, action: c.Pass) -> None:
    _play(history, _seat_on_turn(history.room, person, action), PASS)


def _seat_on_turn(room: Room, person: str, action: c.AnyAction) -> str:
    seat = action.seat or room.to_move
    if seat is None or seat != room.to_move or seat not in room.held_by(person):
        raise Refused("not_your_turn", f"it is {room.to_move}'s turn")
    return seat


def _play(history: _History, seat: str, text: str, fallback: bool = False) -> None:
    game = _game(history.room)
    before = game.read(history.room.position, history.room.options)
    try:
        move, after = game.play(before, text)
    except InvalidText as fault:
        raise Refused("invalid_move", str(fault), "move") from None
    except AmbiguousMove as fault:
        raise Refused("ambiguous_move", str(fault), "move") from None
    except IllegalMove as fault:
        raise Refused("illegal_move", str(fault), "move") from None
    board = {"position": game.write(after), "to_move": game.to_move(after), "ply": game.ply(after)}
    if move == PASS:
        history.add(e.Passed, seat=seat, **board)
    else:
        details = game.details(before, move)
        history.add(e.MovePlayed, seat=seat, move=move, details=details, fallback=fallback, **board)
    outcome = game.outcome(after)
    if outcome is not None:
        _end(history, outcome)


def _end(history: _History, outcome: Outcome) -> None:
    result = Result(outcome.winner, outcome.reason, outcome.points, outcome.places)
    history.add(e.GameEnded, result=result)


def plies_to_undo_to(room: Room, person: str) -> int | None:
    """How many turns remain when the person takes back, or None where no seat of theirs has moved."""
    held = room.held_by(person)
    own = {str(index) for index, seat in enumerate(room.seats) if seat.seat in held}
    plies = max(map(room.movers.rfind, own), default=-1)
    return plies if plies >= 0 else None


def may_undo_at_once(room: Room) -> bool:
    """Whether an undo needs nobody's consent: alone in the room unless it is off, or where it is free."""
    return room.undo == "free" or (room.undo == "default" and len(room.people()) == 1)


def _undo(history: _History, person: str, line: Line | None) -> None:
    room = history.room
    if not may_undo_at_once(room):
        raise Refused("undo_off", "undo is switched off in this room")
    plies = plies_to_undo_to(room, person)
    if plies is None:
        raise Refused("nothing_to_undo", "no seat of yours has made a move")
    if line is None:
        raise ValueError("an undo needs the game's line")
    game = _game(room)
    position = game.read(line.position_after(plies), room.options)
    moves = [LastMove(t.seat, t.ply, t.move, t.details) for t in line.turns[:plies] if t.move != PASS]
    history.add(
        e.Undone,
        seat=room.seats[int(room.movers[plies])].seat,
        plies=plies,
        ply=game.ply(position),
        position=game.write(position),
        to_move=game.to_move(position),
        last_moves=tuple(moves[-SHOWN_MOVES.get(len(room.seats), 1) :]),
    )


def _resign(history: _History, person: str, action: c.Resign) -> None:
    room = history.room
    game = _game(room)
    if game.policy.resign_alone[len(room.seats)] and len(room.people()) > 1:
        raise Refused("leave_instead", "the others want to play on: leave, and an AI takes your seat")
    held = room.held_by(person)
    seat = action.seat or (room.to_move if room.to_move in held else held[0])
    _end(history, game.resigned(game.read(room.position, room.options), seat))


def _leave(history: _History, person: str, action: c.Leave) -> None:
    room = history.room
    playing, players = room.status == "playing", len(room.seats)
    held = room.held_by(person)
    level = None if room.status == "waiting" else SUBSTITUTE_LEVEL
    for seat in held:
        history.add(e.SeatLeft, seat=seat, level=level)
    policy = _game(room).policy
    nobody_left = not history.room.people()
    if playing and (nobody_left or policy.leave[players] == "loses"):
        others = [seat.seat for seat in room.seats if seat.seat not in held]
        has_winner = policy.winner_when_left[players] and len(others) == 1
        _end(history, Outcome(others[0] if has_winner else None, "left", points=int(has_winner)))
    if history.room.rematch:
        _begin_if_all_voted(history)


def _rematch(history: _History, person: str, action: c.Rematch | c.Answer) -> None:
    room = history.room
    seats = room.held_by(person)
    accept = not isinstance(action, c.Answer) or action.accept
    if isinstance(action, c.Answer) and not room.rematch:
        raise Refused("nothing_to_answer", "nobody has asked for another game")
    if not accept and not set(seats) & set(room.rematch):
        raise Refused("nothing_to_answer", "you have no rematch vote to take back")
    if accept and room.game_number >= GAMES_MAX:
        raise Refused("too_many_games", f"a room holds at most {GAMES_MAX} games")
    history.add(e.RematchVoted, seats=seats, accept=accept)
    _begin_if_all_voted(history)


def _begin_if_all_voted(history: _History) -> None:
    room = history.room
    votes = {seat.person for seat in room.seats if seat.seat in room.rematch}
    if votes == room.people():
        _begin(history, _moved_on(room) if len(votes) > 1 else room.seats)


def _moved_on(room: Room) -> tuple[Seat, ...]:
    """The second seat's holder gets the first seat, and so on; the first's gets the last."""
    holders = (*room.seats[1:], room.seats[0])
    return tuple(
        structs.replace(holder, seat=seat.seat) for seat, holder in zip(room.seats, holders, strict=True)
    )


def _rename(history: _History, person: str, action: c.Rename) -> None:
    room = history.room
    history.add(e.Renamed, seats=room.held_by(person), name=_free_name(room, person, action.name))


_ACTIONS: dict[type[c.AnyAction], Callable[[_History, str, Any], None]] = {
    c.Start: _start,
    c.Move: _move,
    c.Pass: _pass,
    c.Resign: _resign,
    c.Leave: _leave,
    c.Rematch: _rematch,
    c.Answer: _rematch,
    c.Rename: _rename,
}


# --- the service's own commands -----------------------------------------------------------------------------


def _close(history: _History, command: c.Close) -> None:
    if command.person != history.room.owner:
        raise Refused("not_owner", "only the owner may close the room")
    _require_open(history.room)
    history.add(e.RoomClosed, by="owner")


def _ai_move(history: _History, command: c.AiMove) -> None:
    room = history.room
    if room.status != "playing" or command.job_id != room.turn_id or room.to_move is None:
        raise Refused("stale_job", "the room no longer waits for this answer")
    _play(history, room.to_move, command.move, command.fallback)


def _expire(history: _History, command: c.Expire) -> None:
    room = history.room
    gone_ms = min(room.expires_ms, command.seen_ms + command.idle_ms)
    if room.status != "closed" and history.now.service_ms >= gone_ms:
        history.add(e.RoomClosed, by="time")


_DECIDERS: dict[type[c.Command], Callable[[_History, Any], None]] = {
    c.Join: _join,
    c.Close: _close,
    c.AiMove: _ai_move,
    c.Expire: _expire,
}
