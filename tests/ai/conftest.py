"""Workers inside the test process log as the program does."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import structlog

from mitsuboshi import logs


@pytest.fixture(autouse=True)
def _as_the_program_logs() -> Iterator[None]:
    logs.set_up("info", "worker")
    yield
    structlog.reset_defaults()
