"""The rules of a room: a command becomes events, or is Refused. Pure: time and chance are arguments.

Checks come in one order: who asks, the room's status, the version, the turn, the move itself. What a command
does then stands in ``seats``, ``turns``, ``offers`` and ``times``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from mitsuboshi.rooms import commands as c
from mitsuboshi.rooms import events as e
from mitsuboshi.rooms import offers, seats, steps, times, turns
from mitsuboshi.rooms.history import History
from mitsuboshi.rooms.refused import Refused
from mitsuboshi.rooms.state import Line, Room, Status


class Decision(Struct, frozen=True):
    """The events of one command, in order, the time they happened at, and the room after them."""

    now: c.Now
    room: Room
    events: tuple[e.AnyEvent, ...]


def needs_line(room: Room, command: c.Command) -> bool:
    """Whether the decision may look at the game's line."""
    if room.status != "playing" or not isinstance(command, c.Act):
        return False
    return isinstance(command.action, c.Undo | c.Answer)


def decide(
    room: Room | None, command: c.Command, now: c.Now, seed: bytes, line: Line | None = None
) -> Decision:
    """What the command makes of the room; Refused when it may not be.

    ``room`` is None for Create alone. ``seed`` are 32 fresh random bytes. ``line`` is that of
    the game in play, where ``needs_line``.
    """
    history = History(room, now, seed)
    match command:
        case c.Create():
            seats.create(history, command)
        case c.Join():
            seats.join(history, command)
        case c.Act():
            _act(history, command, line)
        case c.Close():
            _close(history, command)
        case c.AiMove():
            _ai_move(history, command)
        case c.AiAnswer():
            offers.ai_answer(history, command)
        case c.Return():
            times.give_back(history, command.person)
        case c.Look():
            times.look(history, command)
    return Decision(now, history.room, tuple(history.events))


_REQUIRED_STATUS: dict[type[c.AnyAction], Status] = {
    c.Start: "waiting",
    c.Move: "playing",
    c.Step: "playing",
    c.Unstep: "playing",
    c.Confirm: "playing",
    c.Roll: "playing",
    c.OfferDraw: "playing",
    c.Pass: "playing",
    c.Undo: "playing",
    c.Resign: "playing",
    c.Substitute: "playing",
    c.Rematch: "finished",
}

_ACTIONS: dict[type[c.AnyAction], Callable[[History, str, Any], None]] = {
    c.Start: seats.start,
    c.Move: turns.move,
    c.Step: steps.step,
    c.Unstep: steps.unstep,
    c.Confirm: steps.confirm,
    c.Roll: steps.roll,
    c.OfferDraw: offers.offer_draw,
    c.Nonce: seats.give_nonce,
    c.Pass: turns.pass_turn,
    c.Resign: turns.resign,
    c.Leave: seats.leave,
    c.Rematch: lambda history, person, action: seats.vote(history, person, accept=True),
    c.Rename: seats.rename,
    c.Substitute: times.substitute,
}


def _act(history: History, command: c.Act, line: Line | None) -> None:
    room, person, action = history.room, command.person, command.action
    _require_right(room, person, action)
    _require_status(room, action)
    if action.version is not None and not room.changed_version <= action.version <= room.version:
        raise Refused("stale_version", "the game has changed since that version", "version")
    if room.status == "playing":
        times.give_back(history, person)
    match action:
        case c.Undo():
            offers.undo(history, person, action, line)
        case c.Answer():
            offers.answer(history, person, action, line)
        case _:
            _ACTIONS[type(action)](history, person, action)


def _require_right(room: Room, person: str, action: c.AnyAction) -> None:
    if isinstance(action, c.Start):
        if person != room.owner:
            raise Refused("not_owner", "only the owner of the room may do that")
        return
    held = room.held_by(person)
    if not held:
        raise Refused("not_seated", "this token holds no seat in this room")
    if isinstance(action, c.Substitute):
        if room.seat(action.seat) is None:
            raise Refused("invalid_body", f"there is no seat {action.seat!r} in this room", "seat")
    elif action.seat is not None and action.seat not in held:
        raise Refused("not_your_seat", f"this token does not hold the seat {action.seat!r}", "seat")


def _require_status(room: Room, action: c.AnyAction) -> None:
    if room.status == "closed":
        raise Refused("room_closed", "the room is closed")
    required = _REQUIRED_STATUS.get(type(action), room.status)
    if isinstance(action, c.Answer):
        required = "finished" if action.to == "rematch" else "playing"
    if room.status == required:
        return
    if required == "waiting":
        raise Refused("already_started", "the game has begun")
    if required == "finished":
        raise Refused("not_finished", "the game is not over")
    if room.status == "finished":
        raise Refused("game_over", "the game is over")
    raise Refused("not_playing", "the game has not begun")


def _close(history: History, command: c.Close) -> None:
    if command.person != history.room.owner:
        raise Refused("not_owner", "only the owner may close the room")
    if history.room.status == "closed":
        raise Refused("room_closed", "the room is closed")
    seats.close(history, by="owner")


def _ai_move(history: History, command: c.AiMove) -> None:
    room = history.room
    if room.status != "playing" or command.job_id != room.turn_id or room.to_move is None:
        raise Refused("stale_job", "the room no longer waits for this answer")
    turns.play(history, room.to_move, command.move, command.fallback)
