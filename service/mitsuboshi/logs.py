"""What the programs write to their output: one line an event, from the level that the settings name."""

from __future__ import annotations

import asyncio
import logging
import os
from typing import Any

import structlog


def _is_fault(record: logging.LogRecord) -> bool:
    """False for a stream that was cut off because its reader had stalled: uvicorn takes that for a fault."""
    return not (record.exc_info and record.exc_info[0] is asyncio.CancelledError)


def _process(role: str) -> structlog.typing.Processor:
    """Adds to each line which program wrote it, and the process id."""

    def add(_: Any, __: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
        return {"role": role, "pid": os.getpid(), **event}

    return add


def set_up(level: str, role: str) -> None:
    """Write events of this level and above, each with its process, and tracebacks without variables' values.

    Where the package rich is installed, structlog would show those: tokens and addresses among them."""
    logging.getLogger("uvicorn.error").addFilter(_is_fault)
    structlog.configure(
        processors=[
            _process(role),
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelName(level.upper())),
    )
