"""Tokens by themselves: whose they are, and that nobody else can make one."""

from __future__ import annotations

from mitsuboshi.api.auth import TOKEN_CHARS_MAX, Tokens


def test_a_token_is_its_persons_every_time() -> None:
    """The first look computes the signature, later ones remember it."""
    tokens = Tokens(b"key of this service")
    token = tokens.write("ann")
    assert [tokens.read(token), tokens.read(token)] == ["ann", "ann"]


def test_what_was_not_signed_here_is_nobodys_every_time() -> None:
    """A wrong signature, another service's token and any other text are refused, however often they come."""
    tokens, others = Tokens(b"key of this service"), Tokens(b"another key")
    foreign = [others.write("ann"), "ann." + "x" * 22, "ann", "", ".", "ann.é", "a" * (TOKEN_CHARS_MAX + 1)]
    assert [tokens.read(token) for token in foreign * 2] == [None] * 14
