"""Waiting in tests for something to become true, with a deadline."""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Callable
from typing import Any

POLL_S = 0.01


async def eventually(true: Callable[[], Any], within_s: float = 10.0) -> Any:
    """The first true answer of the function, which may be a coroutine's; fails when there is none in time."""
    deadline = time.monotonic() + within_s
    while True:
        answer = true()
        if inspect.isawaitable(answer):
            answer = await answer
        if answer:
            return answer
        assert time.monotonic() < deadline, f"not within {within_s} s"
        await asyncio.sleep(POLL_S)
