"""What the programs write to their output: one line an event, from the level that the settings name."""

from __future__ import annotations

import asyncio
import logging

import structlog


def _is_fault(record: logging.LogRecord) -> bool:
    """False for a stream that was cut off because its reader had stalled: uvicorn takes that for a fault."""
    return not (record.exc_info and record.exc_info[0] is asyncio.CancelledError)


def set_up(level: str) -> None:
    """Write events of this level and above, and tracebacks without the values of variables.

    Where the package rich is installed, structlog would show those: tokens and addresses among them."""
    logging.getLogger("uvicorn.error").addFilter(_is_fault)
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelName(level.upper())),
    )
