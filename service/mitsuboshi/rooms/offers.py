"""Undo, at once or by consent, draw offers, and the answers to what was offered."""

from __future__ import annotations

from mitsuboshi.games.game import AUTO_ROLL, Outcome
from mitsuboshi.rooms import commands as c
from mitsuboshi.rooms import events as e
from mitsuboshi.rooms.history import History
from mitsuboshi.rooms.refused import Refused
from mitsuboshi.rooms.seats import vote
from mitsuboshi.rooms.state import Line, Offer, Room
from mitsuboshi.rooms.turns import default_seat, end, expire_offer, plies_to_undo_to, undo_to


def undo_needs_consent(room: Room) -> bool | None:
    """Whether the others must agree to an undo, or None where there is no undo at all."""
    alone = len(room.people()) == 1
    if room.undo == "free" or (alone and room.undo != "off"):
        return False
    return True if room.undo == "request" else None


def is_turn_in_hand(room: Room, person: str, thrown: bool) -> bool:
    """Whether the person has a throw to play, so that nothing before it can be taken back.

    One that nobody asked for leaves an undo open until its first step."""
    asked_for = not room.options.get(AUTO_ROLL.name)
    return thrown and room.to_move in room.held_by(person) and bool(asked_for or room.steps)


def undo(history: History, person: str, action: c.Undo, line: Line | None) -> None:
    """Back to before the person's last move: at once, or as an offer to the others."""
    room = history.room
    consent = undo_needs_consent(room)
    if consent is None:
        raise Refused("undo_off", "undo is switched off in this room")
    plies = plies_to_undo_to(room, person)
    if plies is None:
        raise Refused("nothing_to_undo", "no seat of yours has made a move")
    if is_turn_in_hand(room, person, thrown=history.game.dice(history.position) is not None):
        raise Refused("turn_in_hand", "the dice are thrown: only steps can be taken back, by unstep")
    if room.offer is not None and consent:
        raise Refused("offer_pending", "an offer is waiting for its answer")
    if not consent:
        expire_offer(history)
        undo_to(history, plies, _given(line))
        return
    offer = Offer(
        kind="undo",
        by=default_seat(room, person, action),
        version=history.next_version,
        to_version=_given(line).version_after(plies),
        plies=plies,
        waiting_for=tuple(s.seat for s in room.seats if s.kind == "person" and s.person != person),
    )
    history.add(e.OfferMade, offer=offer)


def offer_draw(history: History, person: str, action: c.OfferDraw) -> None:
    """The seat offers a draw to the others; one who plays for all of them has it at once."""
    room, from_ply = history.room, history.game.policy.draw_from_ply
    if from_ply is None:
        raise Refused("not_in_this_game", "in this game nobody offers a draw")
    if room.offer is not None:
        raise Refused("offer_pending", "an offer is waiting for its answer")
    others = tuple(seat.seat for seat in room.seats if seat.person != person)
    if not others:
        _agree(history)
        return
    offer = Offer(
        kind="draw",
        by=default_seat(room, person, action),
        version=history.next_version,
        to_version=None,
        plies=0,
        waiting_for=others,
    )
    history.add(e.OfferMade, offer=offer)
    if room.ply < from_ply:
        _answer_draw(history, _seats_of_ais(history.room), accept=False)


def _seats_of_ais(room: Room) -> tuple[str, ...]:
    """Those of the seats that are to answer which AIs hold."""
    waiting_for = room.offer.waiting_for if room.offer is not None else ()
    return tuple(seat.seat for seat in room.seats if seat.kind == "ai" and seat.seat in waiting_for)


def ai_answer(history: History, command: c.AiAnswer) -> None:
    """An AI says yes or no to a draw."""
    offer = history.room.offer
    if offer is None or offer.id != command.job_id or offer.kind != "draw":
        raise Refused("stale_job", "the room no longer waits for this answer")
    _answer_draw(history, _seats_of_ais(history.room), command.accept)


def _answer_draw(history: History, seats: tuple[str, ...], accept: bool) -> None:
    if not seats:
        return
    history.add(e.OfferAnswered, kind="draw", seats=seats, accept=accept)
    if accept and history.room.offer is None:
        _agree(history)


def _agree(history: History) -> None:
    end(history, Outcome(None, "agreement", points=0))


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
    if offer.kind == "draw":
        _answer_draw(history, seats, action.accept)
        return
    history.add(e.OfferAnswered, kind=offer.kind, seats=seats, accept=action.accept)
    if action.accept and history.room.offer is None:
        undo_to(history, offer.plies, _given(line))
