"""The API's description (OpenAPI 3.1): what Litestar reads off the endpoints, and what it cannot know.

Bodies are read by the endpoints themselves, so that a refusal names the field at fault; their schemas
come from the very types that read them.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

import msgspec
from litestar import Litestar
from litestar.handlers import HTTPRouteHandler

from mitsuboshi.api.bodies import KEY_CHARS_MAX, KEY_CHARS_MIN

_SCHEMAS = "#/components/schemas/{name}"
_KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "description": "Random characters: a request sent again with them has one effect and the same answer.",
    "schema": {
        "type": "string",
        "minLength": KEY_CHARS_MIN,
        "maxLength": KEY_CHARS_MAX,
        "pattern": "^[!-~]*$",
    },
}
_IF_MATCH = {
    "name": "If-Match",
    "in": "header",
    "description": "The version that the action is made for, as in the ETag: the same as its ``version``.",
    "schema": {"type": "string", "pattern": '^([0-9]{1,15}|"[0-9]{1,15}"|\\*)$'},
}
_API_KEY = {
    "name": "X-API-Key",
    "in": "header",
    "description": "The key that this service asks of whoever creates a room, where it asks for one.",
    "schema": {"type": "string"},
}
_HEADERS = {"createRoom": [_KEY, _API_KEY], "joinRoom": [_KEY], "act": [_KEY, _IF_MATCH]}
_TOKEN_NEEDED = {"act", "closeRoom", "listMyRooms"}
_TOKEN_USED = {"createRoom", "joinRoom", "getRoom", "roomLegalMoves", "roomEvents", "roomRecord", "listRooms"}


@lru_cache(maxsize=1)
def description(app: Litestar) -> dict[str, Any]:
    """The whole description, as JSON."""
    schema = app.openapi_schema.to_schema()
    bodies = {
        handler.operation_id: handler.opt["body"]
        for route in app.routes
        for handler in getattr(route, "route_handlers", ())
        if isinstance(handler, HTTPRouteHandler) and "body" in handler.opt
    }
    references, components = msgspec.json.schema_components(bodies.values(), ref_template=_SCHEMAS)
    schema["components"]["schemas"] |= components
    schema["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    request_schemas = dict(zip(bodies, references, strict=True))
    for methods in schema["paths"].values():
        for operation in methods.values():
            _complete(operation, request_schemas.get(operation["operationId"]))
    return json.loads(json.dumps(schema, sort_keys=True))  # type: ignore[no-any-return]


def _complete(operation: dict[str, Any], body: dict[str, Any] | None) -> None:
    name = operation["operationId"]
    # Litestar's own answer to a bad parameter, which is 422 here like any other unreadable request.
    operation["responses"].pop("400", None)
    if body is not None:
        operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": body}}}
    if name in _HEADERS:
        operation["parameters"] = [*operation.get("parameters", []), *_HEADERS[name]]
    if name in _TOKEN_NEEDED:
        operation["security"] = [{"token": []}]
    elif name in _TOKEN_USED:
        operation["security"] = [{}, {"token": []}]
    if name == "getRoom":
        operation["responses"]["304"] = {"description": "The room still has the version of If-None-Match."}
    if name == "roomRecord":
        operation["responses"]["200"]["content"] = {
            "application/json": {"schema": {"$ref": _SCHEMAS.format(name="Record")}},
            "text/plain": {"schema": {"type": "string"}},
        }
    if name == "roomEvents":
        operation["responses"]["204"] = {"description": "Of a stream: the room is closed, its end was seen."}
        operation["responses"]["200"]["content"] = {
            "application/json": {"schema": {"$ref": _SCHEMAS.format(name="EventPage")}},
            "text/event-stream": {"schema": {"type": "string"}},
            "application/x-ndjson": {"schema": {"type": "string"}},
        }
