"""Events as every viewer sees them, as JSON: nobody's id, no secret, no deadline."""

from __future__ import annotations

from typing import Any

import msgspec

from mitsuboshi.games.game import notation_of
from mitsuboshi.rooms import events as e
from mitsuboshi.rooms.views import holder_view, shown_move

HIDDEN = {
    "owner",
    "invite",
    "person",
    "created_ms",
    "expires_ms",
    "start",
    "moves",
    "turn_due_ms",
    "nonces_due_ms",
    "clock_with_others",
    "sealed_secret",
}


def event_view(event: e.AnyEvent) -> dict[str, Any]:
    """The event as everybody sees it; what the game tells of a move stands beside the move."""
    view: dict[str, Any] = msgspec.to_builtins(event)
    view.update(view.pop("details", {}))
    if isinstance(event, e.RoomCreated | e.GameStarted):
        view["seats"] = [msgspec.to_builtins(holder_view(seat)) for seat in event.seats]
    if isinstance(event, e.Undone):
        view["last_moves"] = [shown_move(move) for move in event.last_moves]
    if isinstance(event, e.OfferMade):
        for name in ("plies", "id"):
            view["offer"].pop(name)
    for name in ("position", "position_now"):
        if name in view:
            view[name] = notation_of(view[name])
    return {key: value for key, value in view.items() if key not in HIDDEN}
