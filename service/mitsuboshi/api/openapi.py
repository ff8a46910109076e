"""The API's description (OpenAPI 3.1): what Litestar reads off the endpoints, and what it cannot know.

Bodies are read by the endpoints themselves, so that a refusal names the field at fault; their schemas
come from the very types that read them.
"""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import AbstractAsyncContextManager
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
from litestar import Litestar
from litestar.handlers import HTTPRouteHandler

from mitsuboshi.api.bodies import KEY_CHARS_MAX, KEY_CHARS_MIN
from mitsuboshi.api.service import Service

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
_HEADERS = {"createRoom": [_KEY], "joinRoom": [_KEY], "act": [_KEY, _IF_MATCH]}
_TOKEN_NEEDED = {"act", "closeRoom"}
_TOKEN_USED = {"createRoom", "joinRoom", "getRoom", "roomLegalMoves", "roomEvents", "roomRecord"}


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


def _never_opened() -> AbstractAsyncContextManager[Service]:
    raise RuntimeError("this application only describes itself")


def text() -> str:
    """The description as the file holds it."""
    from mitsuboshi.api.app import create_app  # noqa: PLC0415 - the application serves this module's answer

    app = create_app(_never_opened, max_body_bytes=0)
    return json.dumps(description(app), indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what ``mitsuboshi openapi`` takes."""
    parser.add_argument("--output", type=Path, help="the file to write; standard output without it")


def run(arguments: argparse.Namespace) -> int:
    """Write the description."""
    if arguments.output is None:
        sys.stdout.write(text())
    else:
        arguments.output.write_text(text(), encoding="utf-8")
    return 0
