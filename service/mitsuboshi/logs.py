"""What the programs write to their output: one line an event, from the level that the settings name."""

from __future__ import annotations

import logging

import structlog


def set_up(level: str) -> None:
    """Write events of this level and above, and tracebacks without the values of variables.

    Where the package rich is installed, structlog would show those: tokens and addresses among them."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelName(level.upper())),
    )
