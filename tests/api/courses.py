"""Rooms in which everything has happened that can happen in one, but a pass."""

from __future__ import annotations

import httpx

from tests.processes import wait_until
from tests.rest import Guest, create, join, ok


def eventful(http: httpx.Client) -> Guest:
    """The owner of a room that was played to its end, twice, and closed."""
    red = create(http, name="Aya", undo="free", metadata={"ref": 1})
    yellow = join(red, name="Ben")
    red.move("6-26")
    red.did("undo")
    red.move("14-26")
    yellow.did("rename", name="Eri")
    yellow.did("leave")
    red.did("rematch")
    ok(red.close())
    return red


def timely(http: httpx.Client) -> Guest:
    """Somebody in a room in which a move's time was over, and somebody went and came back."""
    red = create(http, clock={"per_move_s": 1}, absence={"after_s": 1, "then": "substitute"})
    yellow = join(red)
    wait_until(lambda: {"clock_expired", "seat_substituted"} <= set(red.kinds()), "both, by time alone")
    yellow.see()
    return red


def offering(http: httpx.Client) -> Guest:
    """Somebody in a room in which an undo was refused, agreed to, and taken back."""
    red = create(http, undo="request")
    yellow = join(red)
    red.move("6-26")
    for accept in (False, True):
        red.did("undo")
        yellow.did("answer", to="undo", accept=accept)
    red.move("6-26")
    red.did("undo")
    red.did("answer", to="undo", accept=False)
    return red


def throwing(http: httpx.Client) -> Guest:
    """Somebody who played both sides of a backgammon game whose throws can be checked, once step by step."""
    device = create(
        http, game="backgammon", seats={"white": "me", "black": "me"}, options={"verifiable": True}
    )
    device.did("nonce", nonce="nonce-of-both")
    for _ in range(2):
        device.did("step", step=device.see()["legal_steps"][0])
        device.did("unstep")
        while steps := device.see()["legal_steps"]:
            device.did("step", step=steps[0])
        device.did("confirm")
        while "roll" in device.see()["may"]:
            device.did("roll")
    device.did("resign")
    return device


def cut_short(http: httpx.Client) -> Guest:
    """Somebody who closed the room of such a game in its middle, with an AI on the other seat."""
    owner = create(http, game="backgammon", options={"verifiable": True})
    owner.did("start", fill="beginner")
    owner.did("nonce", nonce="nonce-of-one")
    ok(owner.close())
    return owner


COURSES = (eventful, timely, offering, throwing, cut_short)
