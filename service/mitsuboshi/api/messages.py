"""The messages of sockets and streams as JSON schemas: what clients send, and what they are sent.

Events are described as ``event_view`` tells them: without what is nobody's business, and with a move's
details beside the move.
"""

from __future__ import annotations

from typing import Any, get_args

import msgspec
from msgspec import Struct

from mitsuboshi.api.following import SnapshotMessage
from mitsuboshi.api.socket import Hello, Ok, RefusedMessage
from mitsuboshi.rooms import events as e
from mitsuboshi.rooms.commands import AnyAction
from mitsuboshi.rooms.event_views import HIDDEN
from mitsuboshi.rooms.views import HolderView, OfferView

_REF = "#/$defs/{name}"
_OBJECT = {"type": "object"}


class _Views(Struct):
    """What events show of seats and offers."""

    holder: HolderView
    offer: OfferView


def schema() -> dict[str, Any]:
    """One JSON schema: ``to_server`` and ``to_client`` are the messages of each direction."""
    actions, events = get_args(AnyAction), get_args(e.AnyEvent)
    others = [Hello, SnapshotMessage, Ok, RefusedMessage]
    _, definitions = msgspec.json.schema_components([*actions, *others, *events, _Views], ref_template=_REF)
    for action in actions:
        definitions[action.__name__]["properties"]["id"] = {
            "type": "string",
            "description": "The Idempotency-Key of the action, which its answer names.",
        }
    for event in events:
        _as_shown(event, definitions[event.__name__])
    del definitions["_Views"]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Mitsuboshi: messages of sockets and streams",
        "to_server": _any_of([Hello, *actions]),
        "to_client": _any_of([SnapshotMessage, Ok, RefusedMessage, *events]),
        "$defs": definitions,
    }


def _any_of(types: list[type]) -> dict[str, Any]:
    return {"oneOf": [{"$ref": _REF.format(name=each.__name__)} for each in types]}


def _as_shown(event: type[Struct], definition: dict[str, Any]) -> None:
    properties = definition["properties"]
    hidden = HIDDEN | {"details"} if "details" in properties else HIDDEN
    if "details" in properties:
        definition["additionalProperties"] = True
        properties |= {"path": {"type": "array"}, "jumps": {"type": "integer"}, "rows": {"type": "integer"}}
        properties |= {"captures": {"type": "array"}}
    for name in hidden & properties.keys():
        del properties[name]
    definition["required"] = [name for name in definition["required"] if name not in hidden]
    if event in (e.RoomCreated, e.GameStarted):
        properties["seats"] = {"type": "array", "items": {"$ref": _REF.format(name="HolderView")}}
    if event is e.OfferMade:
        properties["offer"] = {"$ref": _REF.format(name="OfferView")}
    if event is e.Undone:
        properties["last_moves"] = {"type": "array", "items": _OBJECT}
