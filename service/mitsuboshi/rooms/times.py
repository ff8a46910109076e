"""What the passing of time does to a room: clocks, absence and return, the room's own end.

All deadlines are in service time, which stands still while the service is down.
"""

from __future__ import annotations

from collections.abc import Mapping

from mitsuboshi.games.game import Outcome
from mitsuboshi.games.registry import GAMES
from mitsuboshi.rooms import commands as c
from mitsuboshi.rooms import events as e
from mitsuboshi.rooms.history import SUBSTITUTE_LEVEL, History, has_clock
from mitsuboshi.rooms.refused import Refused
from mitsuboshi.rooms.seats import begin_next, close, give_up
from mitsuboshi.rooms.state import Room
from mitsuboshi.rooms.turns import end, go_on

Seen = Mapping[str, int]
"""Service time at which each person was last there."""


def look(history: History, command: c.Look) -> None:
    """Whatever is due by now happens."""
    if _is_over(history, command):
        close(history, by="time")
        return
    due_ms = history.room.nonces_due_ms
    if due_ms is not None and history.now.service_ms >= due_ms:
        begin_next(history)
    if history.room.status != "playing":
        return
    for person in sorted(history.room.people()):
        if is_present(person, command.seen, command.waits, history.now):
            give_back(history, person)
    _check_clock(history)
    _check_absence(history, command)


def _is_over(history: History, command: c.Look) -> bool:
    room, now_ms = history.room, history.now.service_ms
    seen_ms = last_seen_ms(room, command.seen)
    over = now_ms >= min(room.expires_ms, seen_ms + command.waits.idle_ms)
    return over and room.status != "closed"


def last_seen_ms(room: Room, seen: Seen) -> int:
    """When anybody who holds a seat, or the owner, was last there; the creation counts."""
    return max([room.created_ms, *(seen.get(person, 0) for person in room.keepers())])


def is_present(person: str, seen: Seen, waits: c.Waits, now: c.Now) -> bool:
    """Whether the person has shown itself lately."""
    return person in seen and now.service_ms < seen[person] + waits.presence_ms


def anybody_present(room: Room, seen: Seen, waits: c.Waits, now: c.Now) -> bool:
    """Whether anybody who holds a seat has shown itself lately."""
    return any(is_present(person, seen, waits, now) for person in room.people())


def absent_at_ms(room: Room, person: str, seen: Seen, waits: c.Waits) -> int:
    """When the person will have been away for too long, if it does not come back."""
    return seen.get(person, room.created_ms) + waits.presence_ms + room.absence_ms


def watches_absence(room: Room) -> bool:
    """Whether anybody's absence matters now; where it loses the game as a clock does, that is the measure."""
    clock_loses = GAMES[room.game].policy.clock == "loses" and has_clock(room, room.seats)
    if room.absence_then == "lose" and clock_loses:
        return False
    return room.status == "playing" and room.absence_then != "wait" and len(room.people()) > 1


def _check_clock(history: History) -> None:
    room = history.room
    if room.status != "playing" or room.turn_due_ms is None or history.now.service_ms < room.turn_due_ms:
        return
    seat = str(room.to_move)
    history.add(e.ClockExpired, seat=seat)
    if history.game.policy.clock == "loses":
        others = [other.seat for other in room.seats if other.seat != seat]
        end(history, Outcome(others[0], "timeout"))
    go_on(history)


def _check_absence(history: History, command: c.Look) -> None:
    seen, waits, now = command.seen, command.waits, history.now
    if not anybody_present(history.room, seen, waits, now):
        return  # Nobody is there whom the others' absence could keep waiting.
    for person in sorted(history.room.people()):
        room = history.room
        away = now.service_ms >= absent_at_ms(room, person, seen, waits)
        if away and watches_absence(room) and not set(room.held_by(person)) <= set(room.absent):
            _mark_absent(history, person)


def _mark_absent(history: History, person: str) -> None:
    then = history.room.absence_then
    for seat in history.room.held_by(person):
        history.add(e.SeatAbsent, seat=seat)
        if then == "substitute":
            history.add(e.SeatSubstituted, seat=seat, level=SUBSTITUTE_LEVEL)
    go_on(history)
    if then == "lose":
        _lose(history, person)


def _lose(history: History, person: str) -> None:
    """The person's time is over: with two seats the other wins, else it is as if the person had left."""
    held = history.room.held_by(person)
    others = [seat.seat for seat in history.room.seats if seat.seat not in held]
    if len(others) == 1:
        end(history, Outcome(others[0], "timeout"))
    else:
        give_up(history, person, "timeout")


def give_back(history: History, person: str) -> None:
    """The person is there again: its seats are its own."""
    for seat in history.room.held_by(person):
        if seat in history.room.absent:
            clock_ms = history.room.clock_ms if has_clock(history.room, history.room.seats) else None
            due_ms = None if clock_ms is None else history.now.service_ms + clock_ms
            history.add(e.SeatReturned, seat=seat, turn_due_ms=due_ms)


def substitute(history: History, person: str, action: c.Substitute) -> None:
    """An AI plays for another's seat, because that person is absent."""
    room = history.room
    if action.seat not in room.absent or action.seat in room.substituted:
        raise Refused("not_absent", f"no substitute is needed for {action.seat}", "seat")
    history.add(e.SeatSubstituted, seat=action.seat, level=SUBSTITUTE_LEVEL)
    go_on(history)
