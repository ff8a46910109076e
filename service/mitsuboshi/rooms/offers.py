"""Undo, at once or by consent, and the answers to what was offered."""

from __future__ import annotations

from mitsuboshi.rooms import commands as c
from mitsuboshi.rooms import events as e
from mitsuboshi.rooms.history import History
from mitsuboshi.rooms.refused import Refused
from mitsuboshi.rooms.seats import vote
from mitsuboshi.rooms.state import Line, Offer, Room
from mitsuboshi.rooms.turns import expire_offer, plies_to_undo_to, undo_to


def undo_needs_consent(room: Room) -> bool | None:
    """Whether the others must agree to an undo, or None where there is no undo at all."""
    alone = len(room.people()) == 1
    if room.undo == "free" or (alone and room.undo != "off"):
        return False
    return True if room.undo == "request" else None


def undo(history: History, person: str, action: c.Undo, line: Line | None) -> None:
    """Back to before the person's last move: at once, or as an offer to the others."""
    room = history.room
    consent = undo_needs_consent(room)
    if consent is None:
        raise Refused("undo_off", "undo is switched off in this room")
    plies = plies_to_undo_to(room, person)
    if plies is None:
        raise Refused("nothing_to_undo", "no seat of yours has made a move")
    if room.offer is not None and consent:
        raise Refused("offer_pending", "an offer is waiting for its answer")
    if not consent:
        expire_offer(history)
        undo_to(history, plies, _given(line))
        return
    held = room.held_by(person)
    offer = Offer(
        kind="undo",
        by=action.seat or held[0],
        version=history.next_version,
        to_version=_given(line).version_after(plies),
        plies=plies,
        waiting_for=tuple(s.seat for s in room.seats if s.kind == "person" and s.person != person),
    )
    history.add(e.OfferMade, offer=offer)


def _given(line: Line | None) -> Line:
    if line is None:
        raise ValueError("an undo needs the game's line")
    return line


def answer(history: History, person: str, action: c.Answer, line: Line | None) -> None:
    """Yes or no to another game or to an offer."""
    if action.to == "rematch":
        if not history.room.rematch:
            raise Refused("nothing_to_answer", "nobody has asked for another game")
        vote(history, person, action.accept)
        return
    offer = history.room.offer
    if offer is None or offer.kind != action.to:
        raise Refused("nothing_to_answer", f"no {action.to} request waits for an answer")
    if action.version is not None and action.version < offer.version:
        raise Refused("stale_version", "the offer has been made since that version", "version")
    held = history.room.held_by(person)
    if offer.by in held and not action.accept:
        expire_offer(history)
        return
    seats = tuple(seat for seat in held if seat in offer.waiting_for)
    if not seats:
        raise Refused("nothing_to_answer", "the request does not wait for your answer")
    history.add(e.OfferAnswered, kind=offer.kind, seats=seats, accept=action.accept)
    pending = history.room.offer
    if pending is not None and not pending.waiting_for:
        undo_to(history, pending.plies, _given(line))
