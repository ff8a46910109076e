"""The fold: a room and one of its events make the next room. No rule is checked here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import structs

from mitsuboshi.rooms import events as e
from mitsuboshi.rooms.state import FORMAT, Chance, LastMove, Room, Seat

FORMER_MAX = 16
"""People who have left that a room remembers."""
SHOWN_MOVES = {2: 1, 3: 2}
"""How many last moves clients show, by number of players: one for every other seat."""


def apply(room: Room | None, event: e.AnyEvent) -> Room:
    """The room after the event; ``room`` is None only before ``room_created``."""
    if isinstance(event, e.RoomCreated):
        return _created(event)
    if room is None:
        raise ValueError(f"{type(event).__name__} needs a room")
    changes = _CHANGES[type(event)](room, event)
    return structs.replace(room, version=event.version, event_id=event.id, **changes)


def _created(event: e.RoomCreated) -> Room:
    return Room(
        format=FORMAT,
        id=event.room,
        version=event.version,
        event_id=event.id,
        changed_version=event.version,
        turn_id="",
        status="waiting",
        game=event.game,
        owner=event.owner,
        invite=event.invite,
        visibility=event.visibility,
        options=event.options,
        undo=event.undo,
        metadata=event.metadata,
        seats=event.seats,
        start=event.start,
        created_ms=event.created_ms,
        expires_ms=event.expires_ms,
        clock_ms=event.clock_ms,
        absence_ms=event.absence_ms,
        absence_then=event.absence_then,
        clock_with_others=event.clock_with_others,
        first_moves=event.moves,
        chance=_next_chance(event),
    )


def _next_chance(event: e.RoomCreated | e.GameEnded) -> Chance | None:
    if event.sealed_secret is None or event.commitment is None:
        return None
    return Chance(event.sealed_secret, event.commitment)


def _with_seat(room: Room, new: Seat) -> tuple[Seat, ...]:
    return tuple(new if seat.seat == new.seat else seat for seat in room.seats)


def _seat_taken(room: Room, event: e.SeatTaken) -> dict[str, Any]:
    return {"seats": _with_seat(room, Seat(event.seat, "person", event.person, event.name))}


def _seat_left(room: Room, event: e.SeatLeft) -> dict[str, Any]:
    if event.level is None:
        seat = Seat(event.seat)
    else:
        seat = Seat(event.seat, "ai", level=event.level, put_later=True)
    changes: dict[str, Any] = {
        "seats": _with_seat(room, seat),
        "rematch": _without(room.rematch, event.seat),
        "absent": _without(room.absent, event.seat),
        "substituted": _without(room.substituted, event.seat),
        # The owner's start stands: an AI takes the seat. A full room is full no longer.
        "nonces_due_ms": None if room.fill is None else room.nonces_due_ms,
    }
    holder = room.seat(event.seat)
    if holder is not None and holder.person is not None:
        changes["former"] = (*_without(room.former, holder.person), holder.person)[-FORMER_MAX:]
        nonces = room.given_nonces
        changes["given_nonces"] = {person: nonces[person] for person in nonces if person != holder.person}
    if room.to_move == event.seat:
        changes |= {"turn_id": event.id, "turn_due_ms": None, "steps": ()}
    return changes


def _without(names: tuple[str, ...], gone: str) -> tuple[str, ...]:
    return tuple(name for name in names if name != gone)


def _new_turn(event: e.BoardEvent) -> dict[str, Any]:
    return {
        "changed_version": event.version,
        "turn_id": event.id,
        "turn_due_ms": event.turn_due_ms,
        "out_of_time": False,
        "position": event.position,
        "to_move": event.to_move,
        "ply": event.ply,
        "steps": (),
    }


def _nonces_awaited(room: Room, event: e.NoncesAwaited) -> dict[str, Any]:
    return {"nonces_due_ms": event.nonces_due_ms, "fill": event.fill}


def _nonce_given(room: Room, event: e.NonceGiven) -> dict[str, Any]:
    return {"given_nonces": room.given_nonces | {event.person: event.nonce}}


def _game_started(room: Room, event: e.GameStarted) -> dict[str, Any]:
    return _new_turn(event) | {
        "status": "playing",
        "game_number": event.game_number,
        "seats": event.seats,
        "rematch": (),
        "absent": (),
        "substituted": (),
        "offer": None,
        "movers": "",
        "throws": (),
        "first_moves": (),
        "given_nonces": {},
        "nonces_due_ms": None,
        "fill": None,
        "chance": room.chance and structs.replace(room.chance, nonces=event.nonces),
        "last_moves": (),
        "result": None,
        "games": room.games if room.result is None else (*room.games, room.result),
    }


def _dice_rolled(room: Room, event: e.DiceRolled) -> dict[str, Any]:
    turn = len(room.movers)
    earlier = (*room.throws[:turn], *[""] * (turn - len(room.throws)))
    throws = (*earlier, event.throw, *room.throws[turn + 1 :])
    return _new_turn(event) | {"throws": throws, "out_of_time": room.out_of_time}


def _steps_changed(room: Room, event: e.StepMade | e.StepUndone) -> dict[str, Any]:
    return {"steps": event.steps, "changed_version": event.version}


def _turn_taken(room: Room, event: e.MovePlayed | e.Passed, mover: str) -> dict[str, Any]:
    return _new_turn(event) | {"movers": room.movers + mover}


def _move_played(room: Room, event: e.MovePlayed) -> dict[str, Any]:
    mover = str(next(index for index, seat in enumerate(room.seats) if seat.seat == event.seat))
    shown = SHOWN_MOVES.get(len(room.seats), 1)
    last_moves = (*room.last_moves, LastMove(event.seat, event.ply, event.move, event.details))[-shown:]
    return _turn_taken(room, event, mover) | {"last_moves": last_moves}


def _passed(room: Room, event: e.Passed) -> dict[str, Any]:
    return _turn_taken(room, event, "-")


def _undone(room: Room, event: e.Undone) -> dict[str, Any]:
    return _new_turn(event) | {
        "movers": room.movers[: event.plies],
        "last_moves": event.last_moves,
        "offer": None,
    }


def _clock_expired(room: Room, event: e.ClockExpired) -> dict[str, Any]:
    return {
        "turn_id": event.id,
        "turn_due_ms": None,
        "out_of_time": True,
        "steps": (),
        "changed_version": event.version,
    }


def _seat_absent(room: Room, event: e.SeatAbsent) -> dict[str, Any]:
    return {"absent": (*room.absent, event.seat)}


def _seat_substituted(room: Room, event: e.SeatSubstituted) -> dict[str, Any]:
    changes: dict[str, Any] = {"substituted": (*room.substituted, event.seat)}
    # A move that is out of time is an AI's already.
    if room.to_move == event.seat and not room.out_of_time:
        changes |= {"turn_id": event.id, "turn_due_ms": None, "steps": ()}
    return changes


def _seat_returned(room: Room, event: e.SeatReturned) -> dict[str, Any]:
    changes: dict[str, Any] = {
        "absent": _without(room.absent, event.seat),
        "substituted": _without(room.substituted, event.seat),
    }
    if room.to_move == event.seat and event.seat in room.substituted and not room.out_of_time:
        changes |= {"turn_id": event.id, "turn_due_ms": event.turn_due_ms}
    return changes


def _offer_made(room: Room, event: e.OfferMade) -> dict[str, Any]:
    return {"offer": structs.replace(event.offer, id=event.id)}


def _offer_answered(room: Room, event: e.OfferAnswered) -> dict[str, Any]:
    if room.offer is None or not event.accept:
        return {"offer": None}
    waiting_for = tuple(seat for seat in room.offer.waiting_for if seat not in event.seats)
    return {"offer": structs.replace(room.offer, waiting_for=waiting_for) if waiting_for else None}


def _offer_expired(room: Room, event: e.OfferExpired) -> dict[str, Any]:
    return {"offer": None}


_NO_TURN: dict[str, Any] = {
    "turn_id": "",
    "turn_due_ms": None,
    "out_of_time": False,
    "to_move": None,
    "steps": (),
    "absent": (),
    "substituted": (),
    "offer": None,
}


def _game_ended(room: Room, event: e.GameEnded) -> dict[str, Any]:
    return {
        "status": "finished",
        "changed_version": event.version,
        **_NO_TURN,
        "result": event.result,
        "chance": _next_chance(event),
        "past_chances": room.past_chances if room.chance is None else (*room.past_chances, room.chance),
    }


def _rematch_voted(room: Room, event: e.RematchVoted) -> dict[str, Any]:
    votes = set(room.rematch) | set(event.seats) if event.accept else set(room.rematch) - set(event.seats)
    changes: dict[str, Any] = {"rematch": tuple(seat.seat for seat in room.seats if seat.seat in votes)}
    return changes if event.accept else changes | {"nonces_due_ms": None}


def _renamed(room: Room, event: e.Renamed) -> dict[str, Any]:
    seats = (
        structs.replace(seat, name=event.name) if seat.seat in event.seats else seat for seat in room.seats
    )
    return {"seats": tuple(seats)}


def _room_closed(room: Room, event: e.RoomClosed) -> dict[str, Any]:
    return {"status": "closed", "changed_version": event.version, **_NO_TURN, "nonces_due_ms": None}


_CHANGES: dict[type[e.AnyEvent], Callable[[Room, Any], dict[str, Any]]] = {
    e.SeatTaken: _seat_taken,
    e.SeatLeft: _seat_left,
    e.NoncesAwaited: _nonces_awaited,
    e.NonceGiven: _nonce_given,
    e.GameStarted: _game_started,
    e.DiceRolled: _dice_rolled,
    e.StepMade: _steps_changed,
    e.StepUndone: _steps_changed,
    e.MovePlayed: _move_played,
    e.Passed: _passed,
    e.Undone: _undone,
    e.ClockExpired: _clock_expired,
    e.SeatAbsent: _seat_absent,
    e.SeatSubstituted: _seat_substituted,
    e.SeatReturned: _seat_returned,
    e.OfferMade: _offer_made,
    e.OfferAnswered: _offer_answered,
    e.OfferExpired: _offer_expired,
    e.GameEnded: _game_ended,
    e.RematchVoted: _rematch_voted,
    e.Renamed: _renamed,
    e.RoomClosed: _room_closed,
}
