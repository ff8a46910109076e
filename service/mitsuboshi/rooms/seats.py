"""Who holds the seats: creation, joining, the start, leaving, names, the vote for another game, the end."""

from __future__ import annotations

from typing import Literal

from msgspec import structs

from mitsuboshi.games.game import VERIFIABLE
from mitsuboshi.rooms import commands as c
from mitsuboshi.rooms import events as e
from mitsuboshi.rooms.chance import is_verifiable, new_secret
from mitsuboshi.rooms.create import room_created
from mitsuboshi.rooms.history import SUBSTITUTE_LEVEL, History
from mitsuboshi.rooms.names import clean_name, folded
from mitsuboshi.rooms.refused import Refused
from mitsuboshi.rooms.state import Room, Seat
from mitsuboshi.rooms.turns import begin, end, expire_offer, go_on, outcome_when_left

NONCES_MS = 10_000
"""How long a game waits for people's nonces."""
GAMES_MAX = 100
"""Games in one room; the next rematch is refused."""


def create(history: History, command: c.Create) -> None:
    """The room begins, and its creator takes the seats asked for."""
    created, own_seats = room_created(command, history.now)
    secret = new_secret(history.chance) if created["options"].get(VERIFIABLE.name) else {}
    history.add(e.RoomCreated, **created, **secret)
    name = clean_name(command.body.name) if command.body.name is not None else None
    for seat in own_seats:
        history.add(e.SeatTaken, seat=seat, person=command.person, name=name)
    _begin_if_full(history)


def join(history: History, command: c.Join) -> None:
    """A person takes the seat named, or any."""
    room, body = history.room, command.body
    if room.status == "closed":
        raise Refused("room_closed", "the room is closed")
    if room.visibility == "private" and body.invite != room.invite:
        raise Refused("wrong_invite", "this room is private: its invite is needed", "invite")
    seat = _seat_to_join(room, body.seat)
    name = _free_name(room, command.person, body.name) if body.name is not None else None
    history.add(e.SeatTaken, seat=seat, person=command.person, name=name)
    if body.nonce is not None:
        _note_nonce(history, command.person, body.nonce)
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


def _begin_if_full(history: History) -> None:
    room = history.room
    if room.status == "waiting" and all(seat.kind != "open" for seat in room.seats):
        _begin_with_nonces(history)


def start(history: History, person: str, action: c.Start) -> None:
    """The owner begins; AIs take the open seats."""
    if history.room.nonces_due_ms is not None:
        raise Refused("already_started", "the game begins as soon as the nonces are in")
    _begin_with_nonces(history, action.fill)


def _begin_with_nonces(history: History, fill: str | None = None) -> None:
    """The next game begins as soon as everybody who has a share in its chance has given it."""
    room = history.room
    if not is_verifiable(room) or room.people() <= room.given_nonces.keys():
        begin_next(history, fill)
    elif room.nonces_due_ms is None:
        due_ms = history.now.service_ms + NONCES_MS
        history.add(e.NoncesAwaited, nonces_due_ms=due_ms, fill=fill)


def begin_next(history: History, fill: str | None = None) -> None:
    """The next game begins: the first with AIs in the open seats, a later one with the seats moved on."""
    room = history.room
    if room.status == "finished":
        begin(history, _moved_on(room) if len(room.people()) > 1 else room.seats)
        return
    level = fill or room.fill
    seats = (
        Seat(seat.seat, "ai", level=level, put_later=True) if seat.kind == "open" else seat
        for seat in room.seats
    )
    begin(history, tuple(seats))


def give_nonce(history: History, person: str, action: c.Nonce) -> None:
    """The person's share in the chance of the next game; the last one begins a game that waits for it."""
    _note_nonce(history, person, action.nonce)
    if history.room.nonces_due_ms is not None:
        _begin_with_nonces(history)


def _note_nonce(history: History, person: str, nonce: str) -> None:
    room = history.room
    if not is_verifiable(room):
        raise Refused("not_in_this_game", "the throws of this room are not verifiable", "nonce")
    if room.status == "playing":
        raise Refused("already_started", "the game has begun")
    if person in room.given_nonces:
        raise Refused("nonce_given", "you have given your nonce for the next game", "nonce")
    history.add(e.NonceGiven, person=person, seats=room.held_by(person), nonce=nonce)


def leave(history: History, person: str, action: c.Leave) -> None:
    """The person gives up every seat; that may end a game, or be all that the next one waited for."""
    give_up(history, person, "left")
    if history.room.status == "finished":
        _begin_if_all_voted(history)


def give_up(history: History, person: str, reason: str) -> None:
    """The person's seats are open, or AIs' from now on; a game that cannot go on ends for ``reason``."""
    room = history.room
    playing, players = room.status == "playing", len(room.seats)
    held = room.held_by(person)
    expire_offer(history)
    level = None if room.status == "waiting" else SUBSTITUTE_LEVEL
    for seat in held:
        history.add(e.SeatLeft, seat=seat, level=level)
    policy = history.game.policy
    nobody_left = not history.room.people()
    if playing and (nobody_left or policy.leave[players] == "loses"):
        end(history, outcome_when_left(history, held, reason))
    go_on(history)


def vote(history: History, person: str, accept: bool) -> None:
    """The person votes for another game, or takes the vote back; the last yes begins it."""
    room = history.room
    seats = room.held_by(person)
    if not accept and not set(seats) & set(room.rematch):
        raise Refused("nothing_to_answer", "you have no rematch vote to take back")
    if accept and room.game_number >= GAMES_MAX:
        raise Refused("too_many_games", f"a room holds at most {GAMES_MAX} games")
    history.add(e.RematchVoted, seats=seats, accept=accept)
    _begin_if_all_voted(history)


def _begin_if_all_voted(history: History) -> None:
    """Another game begins once everybody who is left wants it."""
    room = history.room
    votes = {seat.person for seat in room.seats if seat.seat in room.rematch}
    if votes and votes == room.people():
        _begin_with_nonces(history)


def _moved_on(room: Room) -> tuple[Seat, ...]:
    """The second seat's holder gets the first seat, and so on; the first's gets the last."""
    holders = (*room.seats[1:], room.seats[0])
    return tuple(
        structs.replace(holder, seat=seat.seat) for seat, holder in zip(room.seats, holders, strict=True)
    )


def close(history: History, by: Literal["owner", "time"]) -> None:
    """The room ends, and tells the secret of a game that it cuts short."""
    room = history.room
    told = room.chance.secret if room.chance is not None and room.status == "playing" else None
    history.add(e.RoomClosed, by=by, dice_secret=told)


def rename(history: History, person: str, action: c.Rename) -> None:
    """The person takes another name."""
    room = history.room
    history.add(e.Renamed, seats=room.held_by(person), name=_free_name(room, person, action.name))
