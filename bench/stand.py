"""The test stand: a Redis and servers as processes of their own, each on its core, all ended for certain."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from mitsuboshi.local import leash
from mitsuboshi.local.redis_server import EmbeddedRedis
from mitsuboshi.settings import Settings

STOP_S = 15.0


def cores() -> tuple[int, int]:
    """The core of the server under test, and that of everything else; the same where there is one."""
    allowed = sorted(os.sched_getaffinity(0))
    return allowed[0], allowed[-1]


def pin(pid: int, core: int) -> None:
    """Keep every thread of the process on one core."""
    for thread in Path(f"/proc/{pid}/task").iterdir():
        with suppress(ProcessLookupError):
            os.sched_setaffinity(int(thread.name), {core})


def cpu_s(pid: int) -> float:
    """Seconds of processor time that the process has used, by the scheduler's own count."""
    tasks = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(task.read_text().split()[0]) for task in tasks) / 1e9


def settings(url: str) -> Settings:
    """Those of a server under test: all requests come from one address, and none is one too many."""
    return Settings(redis_url=url, log_level="warning", requests_per_token_s=0, requests_per_address_s=0)


@dataclass(frozen=True, slots=True)
class Server:
    """A running server."""

    port: int
    pid: int


@contextmanager
def redis() -> Iterator[EmbeddedRedis]:
    """A fresh Redis as ``mitsuboshi up`` runs it, with its append-only file."""
    with tempfile.TemporaryDirectory(prefix="mb-") as folder, EmbeddedRedis(Path(folder)) as server:
        yield server


@contextmanager
def process(
    arguments: Sequence[str],
    environ: dict[str, str],
    handed: Sequence[int] = (),
    output: IO[bytes] | None = None,
) -> Iterator[int]:
    """A ``python -m …`` of this environment, ended with the block; its process id."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("MITSUBOSHI_")}
    child = subprocess.Popen(
        leash.command([sys.executable, "-m", *arguments]),
        env={**clean, **environ},
        pass_fds=tuple(handed),
        stdout=output,
        stderr=output,
    )
    try:
        yield child.pid
    finally:
        child.terminate()
        try:
            child.wait(STOP_S)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()


@contextmanager
def server(kind: str, url: str, core: int) -> Iterator[Server]:
    """One of the servers of ``bench.servers``, on that core."""
    with socket.create_server(("127.0.0.1", 0), backlog=512) as listener, ExitStack() as stack:
        number = listener.fileno()
        arguments = ["bench.servers", kind, url, str(number), str(core)]
        pid = stack.enter_context(process(arguments, {}, [number]))
        yield Server(listener.getsockname()[1], pid)
