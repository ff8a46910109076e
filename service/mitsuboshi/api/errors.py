"""Every way in which a request can fail becomes one problem document."""

from __future__ import annotations

from typing import Any

import msgspec
import structlog
from litestar import Response
from litestar.exceptions import HTTPException, ValidationException
from litestar.types import ExceptionHandlersMap

from mitsuboshi.api.bodies import WrongType
from mitsuboshi.api.problems import MEDIA_TYPE, STATUS, HttpCode, Problem, problem
from mitsuboshi.api.service import AnyRequest, service_of
from mitsuboshi.host.ports import StoreUnavailable
from mitsuboshi.rooms.refused import Refused
from mitsuboshi.rooms.state import Room
from mitsuboshi.rooms.views import require_watcher

RETRY_AFTER_S = "1"
_encode = msgspec.json.Encoder().encode
_log = structlog.get_logger()

CODES: dict[int, HttpCode] = {
    404: "not_found",
    405: "method_not_allowed",
    406: "not_acceptable",
    413: "too_large",
}


def answer(document: Problem, headers: dict[str, str] | None = None) -> Response[bytes]:
    """The problem document as a response, with the headers that go with its status."""
    headers = dict(headers or {})
    if document.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    if document.status == 503:
        headers["Retry-After"] = RETRY_AFTER_S
    return Response(_encode(document), status_code=document.status, media_type=MEDIA_TYPE, headers=headers)


def _refused(request: AnyRequest, fault: Refused) -> Response[bytes]:
    document = problem(STATUS[fault.code], fault.code, fault.detail, field=fault.field)
    if fault.room is not None and document.status in (409, 410):
        document = _with_room(request, document, fault.room)
    return answer(document)


def _with_room(request: AnyRequest, document: Problem, room: Room) -> Problem:
    """The document with the state that is its reason, where the caller may see that."""
    service = service_of(request)
    person = service.person(request)
    try:
        require_watcher(room, person)
    except Refused:
        return document
    return msgspec.structs.replace(document, version=room.version, room=service.view(room, person))


def _wrong_type(_: AnyRequest, fault: WrongType) -> Response[bytes]:
    return answer(
        problem(415, "unsupported_media_type", "the body must be plain JSON: Content-Type: application/json")
    )


def _unavailable(_: AnyRequest, fault: StoreUnavailable) -> Response[bytes]:
    _log.warning("store_unavailable", reason=str(fault))
    return answer(problem(503, "store_unavailable", "the service cannot reach its store; try again"))


def _invalid(_: AnyRequest, fault: ValidationException) -> Response[bytes]:
    extra: Any = fault.extra[0] if isinstance(fault.extra, list) and fault.extra else {}
    message, name = extra.get("message", fault.detail), extra.get("key")
    return answer(problem(422, "invalid_query", str(message), field=name))


def _http(_: AnyRequest, fault: HTTPException) -> Response[bytes]:
    if fault.status_code >= 500:
        return _crashed(_, fault)
    if fault.status_code not in CODES:
        return answer(problem(422, "invalid_body", fault.detail))
    return answer(problem(fault.status_code, CODES[fault.status_code], fault.detail), fault.headers)


def _crashed(request: AnyRequest, fault: Exception) -> Response[bytes]:
    _log.error("request_failed", method=request.method, path=request.url.path, exc_info=fault)
    return answer(problem(500, "internal_error", "the service failed; nothing is known to have changed"))


HANDLERS: ExceptionHandlersMap = {
    Refused: _refused,
    WrongType: _wrong_type,
    StoreUnavailable: _unavailable,
    ValidationException: _invalid,
    HTTPException: _http,
    Exception: _crashed,
}
