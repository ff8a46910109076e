"""The life of the application: when it serves, and how it opens what it needs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import cast

import pytest

from mitsuboshi.api import app as module
from mitsuboshi.api.app import create_app
from mitsuboshi.api.service import Service
from mitsuboshi.host.ports import StoreUnavailable

POLL_S, WITHIN_S = 0.01, 10.0


async def test_what_could_not_be_opened_is_opened_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Redis that goes away just after its first answer must not leave a process that never serves."""
    monkeypatch.setattr(module, "RETRY_S", POLL_S)
    tries: list[int] = []
    closed: list[bool] = []
    opened, service = asyncio.Event(), cast(Service, object())

    @asynccontextmanager
    async def open_service() -> AsyncIterator[Service]:
        tries.append(len(tries))
        if len(tries) < 3:
            raise StoreUnavailable("away again")
        opened.set()
        yield service
        closed.append(True)

    app = create_app(open_service, max_body_bytes=1024)
    async with app.lifespan(), asyncio.timeout(WITHIN_S):
        await opened.wait()
        await asyncio.sleep(0)
        assert app.state.service is service
        assert tries == [0, 1, 2]
        assert not closed
    assert closed
    assert app.state.service is None


async def test_an_application_whose_service_never_opens_can_be_ended() -> None:
    """Whether it is opening it just then or waits for the next try."""

    @asynccontextmanager
    async def never() -> AsyncIterator[Service]:
        await asyncio.Event().wait()
        yield cast(Service, object())

    @asynccontextmanager
    async def away() -> AsyncIterator[Service]:
        await refuse()
        yield cast(Service, object())

    async def refuse() -> None:
        raise StoreUnavailable("away")

    for open_service in (never, away):
        async with asyncio.timeout(WITHIN_S):
            async with create_app(open_service, max_body_bytes=1024).lifespan():
                await asyncio.sleep(0)
