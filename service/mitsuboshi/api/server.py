"""Runs the API on a listening socket until it is told to end."""

from __future__ import annotations

import socket

import uvicorn
from redis.asyncio import Redis

from mitsuboshi.api.app import create_app
from mitsuboshi.settings import Settings

# Open streams and sockets are told to end and then get this long, so that a restart is bounded.
SHUTDOWN_S = 3
FRAME_BYTES_MAX = 65_536


def serve(settings: Settings, redis_url: str, listener: socket.socket) -> int:
    """Serve until SIGINT or SIGTERM, then end within seconds; the answer is the exit code."""
    redis = Redis.from_url(redis_url, protocol=2)
    config = uvicorn.Config(
        create_app(settings, redis),
        lifespan="on",
        log_config=None,
        log_level=settings.log_level,
        access_log=False,
        server_header=False,
        ws_max_size=FRAME_BYTES_MAX,
        # Compression doubles the memory of a socket, and the messages are small.
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=SHUTDOWN_S,
    )
    server = uvicorn.Server(config)
    server.run(sockets=[listener])
    return 0 if server.started else 1
