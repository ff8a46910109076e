"""Tokens: a person's random id, signed under the service's key. Nothing secret is stored."""

from __future__ import annotations

import base64
import hmac
import secrets
from functools import lru_cache
from hashlib import sha256

from mitsuboshi.rooms.refused import Refused

ID_BYTES = 10
SIGNATURE_CHARS = 22
TOKEN_CHARS_MAX = 128
TOKENS_REMEMBERED_MAX = 4096
"""Tokens whose signature need not be computed again: callers send the same one with every request."""


class Tokens:
    """Makes tokens and reads them, under one key."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._checked = lru_cache(TOKENS_REMEMBERED_MAX)(self._check)

    def use(self, key: bytes) -> None:
        """Sign with this key from now on; what another one signed is nobody's."""
        if key != self._key:
            self._key = key
            self._checked.cache_clear()

    def write(self, person: str) -> str:
        """The token of that person."""
        return f"{person}.{self._signature(person)}"

    def read(self, token: str) -> str | None:
        """The person whose token this is, or None when it is nobody's."""
        if len(token) > TOKEN_CHARS_MAX or not token.isascii():
            return None
        return self._checked(token)

    def _check(self, token: str) -> str | None:
        person, _, signature = token.partition(".")
        return person if hmac.compare_digest(signature, self._signature(person)) else None

    def derived_id(self, *parts: str) -> str:
        """An id that the same parts give again, and that tells nothing of them."""
        return _id_of(self._digest("id", *parts)[:ID_BYTES])

    def _signature(self, person: str) -> str:
        return base64.urlsafe_b64encode(self._digest("token", person))[:SIGNATURE_CHARS].decode()

    def _digest(self, *parts: str) -> bytes:
        # The lengths keep ("ab", "c") and ("a", "bc") apart.
        text = "".join(f"{len(part)}:{part}" for part in parts)
        return hmac.digest(self._key, text.encode(), sha256)


def random_id() -> str:
    """A fresh id of 16 small letters and digits: easy to read out, and no option to any program."""
    return _id_of(secrets.token_bytes(ID_BYTES))


def _id_of(data: bytes) -> str:
    return base64.b32encode(data).decode().lower()


def bearer_token(authorization: str | None) -> str | None:
    """The token in an Authorization header, or None without one; empty where it is of another kind."""
    if authorization is None:
        return None
    scheme, _, token = authorization.partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def known_person(token: str, tokens: Tokens) -> str:
    """The person whose token it is; Refused when it is no token of this service."""
    person = tokens.read(token)
    if person is None:
        raise Refused("unknown_token", "this is no token of this service")
    return person


def require_person(person: str | None) -> str:
    """The person; Refused when the request came without a token."""
    if person is None:
        raise Refused("no_token", "this needs a token: Authorization: Bearer …")
    return person
