"""The REST application: routes, refusals, and the life of what stands behind them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from litestar import Litestar
from litestar.datastructures import State
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

from mitsuboshi.api import games, health, pages, rooms
from mitsuboshi.api.errors import HANDLERS
from mitsuboshi.api.service import Service

OpenService = Callable[[], AbstractAsyncContextManager[Service]]

ROUTES = [*games.ROUTES, *rooms.ROUTES, *health.ROUTES, *pages.ROUTES]


def create_app(open_service: OpenService, max_body_bytes: int) -> Litestar:
    """The application; it serves at once, and answers 503 until ``open_service`` has opened what it needs."""

    @asynccontextmanager
    async def life(app: Litestar) -> AsyncIterator[None]:
        ending = asyncio.Event()
        opening = asyncio.create_task(_keep_open(app, open_service, ending))
        try:
            yield
        finally:
            ending.set()
            if app.state.service is None:
                opening.cancel()
            await asyncio.gather(opening, return_exceptions=True)

    return Litestar(
        ROUTES,
        state=State({"service": None}),
        lifespan=[life],
        exception_handlers=HANDLERS,
        request_max_body_size=max_body_bytes,
        openapi_config=OpenAPIConfig(
            title="Mitsuboshi",
            version="1",
            description="Rooms for board games: the Diamond Game, with people and AIs.",
            # Served by pages.py, completed.
            path="/openapi",
            render_plugins=[JsonRenderPlugin()],
            use_handler_docstrings=True,
        ),
        logging_config=None,
        debug=False,
    )


async def _keep_open(app: Litestar, open_service: OpenService, ending: asyncio.Event) -> None:
    async with open_service() as service:
        app.state.service = service
        await ending.wait()
        app.state.service = None
