"""The AI workers and the API on one machine: started, watched, and ended in order."""

from __future__ import annotations

import asyncio
import http.client
import os
import signal
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from mitsuboshi.local.child import Child
from mitsuboshi.local.failure import CannotStart
from mitsuboshi.local.listener import listen, local_url
from mitsuboshi.settings import Settings, variable

READY_S = 60.0
POLL_S = 0.05
PROBE_S = 2.0
API_END_S = 15.0
WORKER_END_S = 5.0


def check_port(settings: Settings) -> None:
    """CannotStart when the API's port is taken, before anything is started."""
    listen(settings.host, settings.port).close()


def up(settings: Settings, redis_url: str) -> int:
    """Run the API and ``settings.workers`` workers on this Redis until SIGINT, SIGTERM or SIGHUP."""
    return asyncio.run(_run(settings, redis_url))


async def _run(settings: Settings, redis_url: str) -> int:
    stop, ready = asyncio.Event(), asyncio.Event()
    environ = {**os.environ, variable("redis_url"): redis_url}
    workers = [Child(f"Worker {n}", "worker", environ, ready) for n in range(1, settings.workers + 1)]
    api = Child("The API", "serve", environ, ready)
    children = [api, *workers]
    _stop_on_signals(stop, children)
    stopped = asyncio.create_task(stop.wait())
    announced = asyncio.create_task(_announce(settings, ready))
    try:
        await _first([stopped, announced, *(child.keeper for child in children)])
        if ready.is_set():
            await _first([stopped, *(child.keeper for child in children)])
    finally:
        announced.cancel()
        stopped.cancel()
        await api.end(API_END_S)
        await asyncio.gather(*(worker.end(WORKER_END_S) for worker in workers))
    return 0


async def _first(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """Return when the first of the tasks is done, raising what it raised."""
    done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in done:
        task.result()


def _stop_on_signals(stop: asyncio.Event, children: list[Child]) -> None:
    """The first signal ends all in order, a second one at once."""

    def received() -> None:
        if stop.is_set():
            for child in children:
                child.kill()
        stop.set()

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        # Under nohup the terminal's end is to be ignored.
        if signal.getsignal(number) is not signal.SIG_IGN or number != signal.SIGHUP:
            asyncio.get_running_loop().add_signal_handler(number, received)


async def _announce(settings: Settings, ready: asyncio.Event) -> None:
    """Wait for the API, then say where it is and how to play; CannotStart when it takes too long."""
    url = local_url(settings.host, settings.port)
    try:
        async with asyncio.timeout(READY_S):
            while not await asyncio.to_thread(_is_ready, url):  # noqa: ASYNC110 it is another process
                await asyncio.sleep(POLL_S)
    except TimeoutError:
        raise CannotStart(f"{url}/health/ready did not answer in {READY_S:.0f} s.") from None
    ready.set()
    print(f"Mitsuboshi is ready: {url} (the API's description: {url}/docs). Ctrl-C ends it.")
    print(f"Play: {_how_to_play(url)}", flush=True)


def _how_to_play(url: str) -> str:
    client = Path(sys.executable).parent / "mitsuboshi-play"
    if client.exists():
        return f"{client} --server {url}"
    body = '{"game": "diamond", "seats": {"red": "me", "yellow": {"ai": "beginner"}}}'
    return f"curl -X POST {url}/v1/rooms -H 'Content-Type: application/json' -d '{body}'"


def _is_ready(url: str) -> bool:
    connection = http.client.HTTPConnection(url.removeprefix("http://"), timeout=PROBE_S)
    try:
        connection.request("GET", "/health/ready")
        return connection.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
