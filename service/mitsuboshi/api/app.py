"""The REST application: routes, refusals, and the life of what stands behind them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import structlog
from litestar import Litestar, Response, Router, route
from litestar.config.cors import CORSConfig
from litestar.datastructures import State
from litestar.enums import HttpMethod
from litestar.exceptions import NotFoundException
from litestar.handlers import BaseRouteHandler, HTTPRouteHandler
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

from mitsuboshi.api import games, health, lists, pages, rooms, socket
from mitsuboshi.api.errors import HANDLERS
from mitsuboshi.api.service import AnyRequest, Service
from mitsuboshi.host.ports import StoreUnavailable

RETRY_S = 0.5
_log = structlog.get_logger()
OpenService = Callable[[], AbstractAsyncContextManager[Service]]

ROUTES = [*games.ROUTES, *rooms.ROUTES, *lists.ROUTES, *socket.ROUTES, *health.ROUTES, *pages.ROUTES]


def create_app(open_service: OpenService, max_body_bytes: int, cors_origins: Sequence[str] = ()) -> Litestar:
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
        [*_options(ROUTES), *ROUTES],
        state=State({"service": None, "failures": 0}),
        lifespan=[life],
        exception_handlers=HANDLERS,
        before_request=_admit,
        cors_config=_cors(cors_origins) if cors_origins else None,
        request_max_body_size=max_body_bytes,
        openapi_config=OpenAPIConfig(
            title="Mitsuboshi",
            version="1",
            description="Rooms for people and AIs: the Diamond Game, American checkers, backgammon.",
            # Served by pages.py, completed.
            openapi_router=Router(
                "/openapi", route_handlers=[], before_request=_not_here, include_in_schema=False
            ),
            render_plugins=[JsonRenderPlugin()],
            use_handler_docstrings=True,
        ),
        logging_config=None,
        debug=False,
    )


async def _admit(request: AnyRequest) -> None:
    service: Service | None = request.app.state.service
    if service is not None:
        service.admit(request)


def _cors(origins: Sequence[str]) -> CORSConfig:
    return CORSConfig(
        allow_origins=list(origins),
        allow_methods=["GET", "POST", "DELETE"],
        allow_headers=[
            *("Authorization", "Content-Type", "Idempotency-Key", "If-Match", "If-None-Match"),
            *("Last-Event-ID", "X-API-Key"),
        ],
        expose_headers=["ETag", "Retry-After"],
    )


async def _keep_open(app: Litestar, open_service: OpenService, ending: asyncio.Event) -> None:
    while not ending.is_set():
        try:
            async with open_service() as service:
                app.state.service = service
                await ending.wait()
                app.state.service = None
        except StoreUnavailable as fault:
            _log.warning("store_unavailable", reason=str(fault))
        except Exception:
            _log.exception("service_not_opened")
        await asyncio.sleep(RETRY_S)


async def _not_here(_: AnyRequest) -> None:
    raise NotFoundException


def _options(handlers: Sequence[BaseRouteHandler]) -> list[HTTPRouteHandler]:
    """What answers OPTIONS on every path: Litestar's own names the methods of one handler alone."""
    methods: dict[str, set[str]] = {}
    for handler in handlers:
        if not isinstance(handler, HTTPRouteHandler):
            continue
        for path in handler.paths:
            methods.setdefault(path, {"OPTIONS"}).update(handler.http_methods)
    return [_options_of(path, ", ".join(sorted(allowed))) for path, allowed in methods.items()]


def _options_of(path: str, allowed: str) -> HTTPRouteHandler:
    @route(path, http_method=[HttpMethod.OPTIONS], status_code=204, include_in_schema=False)
    async def options() -> Response[None]:
        return Response(None, headers={"Allow": allowed})

    return options
