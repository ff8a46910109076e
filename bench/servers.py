"""The servers that are measured, each a process: ``python -m bench.servers KIND REDIS_URL SOCKET CORE``."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import uvicorn
from litestar import Litestar

from bench import stand
from bench.bare import bare
from bench.prototypes import changed
from bench.trip import trip_endpoint, write_endpoint
from mitsuboshi.api.app import create_app
from mitsuboshi.serve import open_service
from mitsuboshi.store.connect import connect


def service(url: str) -> Litestar:
    """The service, with the endpoints of ``bench.trip``."""
    settings = stand.settings(url)
    app = create_app(lambda: open_service(settings, url), settings.max_body_bytes)
    redis = connect(url)
    app.register(trip_endpoint(redis))
    app.register(write_endpoint(redis))
    return app


KINDS: dict[str, Callable[[str], Any]] = {
    "service": service,
    "bare": bare,
    "changed": changed,
    "forgetful": partial(changed, forgetful=True),
    "batched": partial(changed, batched=True),
}


def run(kind: str, url: str, number: int, core: int) -> None:
    """Serve on the socket that was handed over, with the settings of ``mitsuboshi serve``."""
    os.sched_setaffinity(0, {core})
    config = uvicorn.Config(
        KINDS[kind](url),
        loop="uvloop",
        http="httptools",
        log_config=None,
        access_log=False,
        server_header=False,
        lifespan="on",
    )
    uvicorn.Server(config).run(sockets=[socket.socket(fileno=number)])


if __name__ == "__main__":
    run(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
