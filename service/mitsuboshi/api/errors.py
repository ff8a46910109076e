"""Every way in which a request can fail becomes one problem document."""

from __future__ import annotations

from typing import Any

import msgspec
import structlog
from litestar import Response
from litestar.exceptions import HTTPException, ValidationException
from litestar.types import ExceptionHandlersMap

from mitsuboshi.api.bodies import WrongType
from mitsuboshi.api.limits import TooMany
from mitsuboshi.api.problems import MEDIA_TYPE, STATUS, HttpCode, Problem, problem
from mitsuboshi.api.service import AnyRequest, Service
from mitsuboshi.host.ports import StoreUnavailable
from mitsuboshi.rooms.refused import Refused
from mitsuboshi.rooms.state import Room
from mitsuboshi.rooms.views import require_watcher

RETRY_AFTER_S = 1
_encode = msgspec.json.Encoder().encode
_log = structlog.get_logger()

CODES: dict[int, HttpCode] = {
    404: "not_found",
    405: "method_not_allowed",
    406: "not_acceptable",
    413: "too_large",
}


def answer(
    document: Problem, headers: dict[str, str] | None = None, wait_s: int = RETRY_AFTER_S
) -> Response[bytes]:
    """The problem document as a response, with the headers that go with its status."""
    headers = dict(headers or {})
    if document.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    if document.status in (429, 503):
        headers["Retry-After"] = str(wait_s)
    return Response(_encode(document), status_code=document.status, media_type=MEDIA_TYPE, headers=headers)


def refusal(fault: Refused, service: Service | None, person: str | None) -> Problem:
    """The document of a refusal, with the room where its state is the reason."""
    document = problem(STATUS[fault.code], fault.code, fault.detail, field=fault.field)
    if service is None or fault.room is None or document.status not in (409, 410):
        return document
    return _with_room(document, service, fault.room, person)


def unavailable() -> Problem:
    """The document for when the store is away."""
    return problem(503, "store_unavailable", "the service cannot reach its store; try again")


def _refused(request: AnyRequest, fault: Refused) -> Response[bytes]:
    service: Service | None = request.app.state.service
    person = service.person_again(request) if service is not None and fault.room is not None else None
    wait_s = fault.wait_s if isinstance(fault, TooMany) else RETRY_AFTER_S
    if STATUS[fault.code] >= 500:
        _count(request)
    return answer(refusal(fault, service, person), wait_s=wait_s)


def _count(request: AnyRequest) -> None:
    """One more answer that says that the service failed; the metrics tell how many."""
    request.app.state.failures += 1


def _with_room(document: Problem, service: Service, room: Room, person: str | None) -> Problem:
    """The document with the state that is its reason, where the caller may see that."""
    try:
        require_watcher(room, person)
    except Refused:
        return document
    return msgspec.structs.replace(document, version=room.version, room=service.view_as_known(room, person))


def _wrong_type(_: AnyRequest, fault: WrongType) -> Response[bytes]:
    return answer(
        problem(415, "unsupported_media_type", "the body must be plain JSON: Content-Type: application/json")
    )


def _unavailable(request: AnyRequest, fault: StoreUnavailable) -> Response[bytes]:
    # While the process starts it waits for its store, and says so itself.
    if request.app.state.service is not None:
        _log.warning("store_unavailable", reason=str(fault))
        _count(request)
    return answer(unavailable())


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
    _count(request)
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
