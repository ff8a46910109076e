"""A worker whose searcher misbehaves: ``python -m tests.e2e.strange_worker KIND``."""

from __future__ import annotations

import asyncio
import ctypes
import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from mitsuboshi import logs, worker
from mitsuboshi.settings import Settings
from tests.ai.stand_ins import WRONG_ANSWERS, StandIn, first_legal, until_stopped


def crashes(*_: Any) -> Any:
    """A real segmentation fault."""
    ctypes.string_at(0)


def hangs(*_: Any) -> Any:
    """A search that never ends, whatever it is told."""
    threading.Event().wait()


def holds_the_interpreter(*_: Any) -> Any:
    """A search in C that never lets anybody else run."""
    ctypes.PyDLL(None).pause()


KINDS: dict[str, Callable[..., Any]] = {
    **WRONG_ANSWERS,
    "first legal": first_legal,
    "until stopped": until_stopped,
    "crash": crashes,
    "hang": hangs,
    "hold": holds_the_interpreter,
}

if __name__ == "__main__":
    own = Settings.from_environ(os.environ)
    logs.set_up(own.log_level, "worker")
    with suppress(asyncio.CancelledError):
        asyncio.run(worker.work(own, own.redis_url, StandIn(KINDS[sys.argv[1]])))
