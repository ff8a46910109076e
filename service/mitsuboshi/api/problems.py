"""Problem documents (RFC 9457): one schema for every refusal, and the status of each code."""

from __future__ import annotations

from typing import Any, Literal

from litestar.openapi.datastructures import ResponseSpec
from msgspec import Struct

from mitsuboshi.rooms.refused import Code
from mitsuboshi.rooms.views import Snapshot

MEDIA_TYPE = "application/problem+json"
DETAIL_CHARS_MAX, FIELD_CHARS_MAX = 400, 100


HttpCode = Literal[
    "internal_error",
    "method_not_allowed",
    "not_acceptable",
    "not_found",
    "too_large",
    "unsupported_media_type",
]
"""Codes of refusals that concern no room."""


class Problem(Struct, frozen=True, omit_defaults=True):
    """Why a request was refused: ``code`` for programs, ``detail`` for people.

    ``field`` is the path of the part at fault. ``version`` and ``room`` come with every 409 and 410
    of a room that the caller may watch: the state that forbids the request."""

    type: str
    title: str
    status: int
    code: Code | HttpCode
    detail: str
    field: str | None = None
    version: int | None = None
    room: Snapshot | None = None


TITLES = {
    401: "Who are you?",
    403: "Not yours to do",
    404: "Not found",
    405: "Method not allowed",
    406: "Not acceptable",
    409: "The state forbids it",
    410: "Closed",
    413: "Too large",
    415: "Unsupported media type",
    422: "Cannot be done as asked",
    429: "Too many requests",
    500: "Our fault",
    503: "Not now",
}

STATUS: dict[Code, int] = {
    "no_api_key": 401,
    "no_token": 401,
    "unknown_token": 401,
    "not_owner": 403,
    "not_seated": 403,
    "not_your_seat": 403,
    "private_room": 403,
    "wrong_invite": 403,
    "room_not_found": 404,
    "game_not_found": 404,
    "already_started": 409,
    "game_over": 409,
    "leave_instead": 409,
    "name_taken": 409,
    "not_finished": 409,
    "not_playing": 409,
    "not_your_turn": 409,
    "nonce_given": 409,
    "not_in_this_game": 409,
    "nothing_to_answer": 409,
    "nothing_to_roll": 409,
    "nothing_to_undo": 409,
    "seat_taken": 409,
    "stale_job": 409,
    "stale_version": 409,
    "too_many_games": 409,
    "turn_in_hand": 409,
    "turn_incomplete": 409,
    "undo_off": 409,
    "not_absent": 409,
    "offer_pending": 409,
    "room_closed": 410,
    "ambiguous_move": 422,
    "illegal_move": 422,
    "invalid_body": 422,
    "invalid_move": 422,
    "invalid_option": 422,
    "invalid_position": 422,
    "invalid_query": 422,
    "invalid_record": 422,
    "key_reused": 422,
    "unknown_action": 422,
    "too_many_connections": 429,
    "too_many_requests": 429,
    "busy": 503,
    "pool_unavailable": 503,
    "store_unavailable": 503,
}


def problem(
    status: int, code: Code | HttpCode, detail: str, field: str | None = None, **more: Any
) -> Problem:
    """The document of a refusal; what it repeats of the request is cut."""
    if field is not None:
        field = field[:FIELD_CHARS_MAX]
    kind = f"urn:mitsuboshi:problem:{code}"
    return Problem(kind, TITLES[status], status, code, detail[:DETAIL_CHARS_MAX], field, **more)


def documented(*statuses: int) -> dict[int, ResponseSpec]:
    """The refusals of an endpoint, as its description lists them; those that any endpoint has are added."""
    return {
        status: ResponseSpec(
            Problem, generate_examples=False, description=TITLES[status], media_type=MEDIA_TYPE
        )
        for status in sorted({*statuses, 401, 422, 429, 500, 503})
    }
