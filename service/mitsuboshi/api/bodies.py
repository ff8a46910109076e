"""Reading what a request carries beside its path: the body, the version it was made for, its key."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Any, TypeVar

import msgspec
from litestar.exceptions import InternalServerException
from msgspec import structs

from mitsuboshi.api.faults import refusal
from mitsuboshi.api.service import AnyRequest
from mitsuboshi.host.ports import RequestKey
from mitsuboshi.rooms.commands import Action
from mitsuboshi.rooms.refused import Refused

KEY_CHARS_MIN, KEY_CHARS_MAX = 16, 64
_KEY = re.compile(rf"[!-~]{{{KEY_CHARS_MIN},{KEY_CHARS_MAX}}}")
_VERSION = re.compile(r'(?P<quote>"?)(?P<version>[0-9]{1,15})(?P=quote)')

T = TypeVar("T")


class WrongType(Exception):
    """The body is not declared as JSON, or as compressed JSON."""


async def read_body(request: AnyRequest, decoder: msgspec.json.Decoder[T]) -> T:
    """The request's JSON body; WrongType or Refused when it is none, or not of the decoder's type."""
    content_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if content_type != "application/json" or "content-encoding" in request.headers:
        raise WrongType
    try:
        body = await request.body()
    except InternalServerException:
        # Litestar's word for a client that hung up; nobody reads the answer.
        raise Refused("invalid_body", "the body ended early") from None
    return decoded(decoder, body)


def decoded(decoder: msgspec.json.Decoder[T], data: bytes) -> T:
    """What the JSON says; Refused when it is none, or not of the decoder's type."""
    try:
        return decoder.decode(data)
    except msgspec.ValidationError as fault:
        raise refusal(str(fault), decoder, data) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
        raise Refused("invalid_body", f"this is no JSON: {fault}") from None


def with_if_match(request: AnyRequest, action: Action) -> Action:
    """The action, conditional on the If-Match header's version where it names none itself."""
    header = request.headers.get("if-match")
    if header is None or header == "*":
        return action
    tag = _VERSION.fullmatch(header.strip())
    if tag is None:
        raise Refused("invalid_query", "If-Match is a version, as in the ETag", "If-Match")
    version = int(tag["version"])
    if action.version not in (None, version):
        raise Refused("invalid_query", "If-Match and the action name different versions", "If-Match")
    return structs.replace(action, version=version)


def is_known(request: AnyRequest, version: int) -> bool:
    """Whether the If-None-Match header names that version, or any."""
    tags = [tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")]
    return f'"{version}"' in tags or tags == ["*"]


def request_key(request: AnyRequest, caller: str | None, body: Any) -> RequestKey | None:
    """What is remembered of the request's Idempotency-Key, or None where it has none."""
    return key_of(request.headers.get("idempotency-key"), caller, body, "Idempotency-Key")


def key_of(key: Any, caller: str | None, body: Any, field: str) -> RequestKey | None:
    """What is remembered of the key that came as ``field``, if any; Refused where it is no key."""
    if key is None:
        return None
    if not isinstance(key, str) or not _KEY.fullmatch(key):
        detail = f"an idempotency key is {KEY_CHARS_MIN} to {KEY_CHARS_MAX} visible characters"
        raise Refused("invalid_query", detail, field)
    # The body as read, not as sent: white space and the order of fields make no other request.
    return RequestKey(
        _digest(f"{caller or ''}\n{key}".encode()),
        _digest(msgspec.json.encode(body, order="deterministic")),
    )


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest()[:32]
