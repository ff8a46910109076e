"""The programs' own log."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
import structlog

from mitsuboshi import logs


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    yield
    structlog.reset_defaults()


def test_a_traceback_shows_no_values_of_variables(capsys: pytest.CaptureFixture[str]) -> None:
    """A token in a variable must not end up in a log."""
    logs.set_up("info", "serve")
    token = "t0k" + "en" * 8
    try:
        len(int("7", base=len(token)))  # type: ignore[arg-type]
    except TypeError as fault:
        structlog.get_logger().error("request_failed", exc_info=fault)
    said = capsys.readouterr().out
    assert "TypeError" in said
    assert "test_logs.py" in said
    assert token not in said


def test_only_the_level_of_the_settings_and_above_is_written(capsys: pytest.CaptureFixture[str]) -> None:
    """One line an event."""
    logs.set_up("warning", "worker")
    structlog.get_logger().info("of_no_interest")
    structlog.get_logger().warning("of_interest", number=7)
    said = capsys.readouterr().out
    assert "of_no_interest" not in said
    assert said.count("\n") == 1
    assert "[warning" in said
    assert "number=7" in said
    assert "role=worker" in said
    assert f"pid={os.getpid()}" in said
