"""Whatever is put into the binding, it answers or raises; and it keeps nothing."""

from __future__ import annotations

import gc
import random
import signal
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest

from mitsuboshi.ai import _engine
from mitsuboshi.ai._engine import Engine, Stop
from tests.engine.boards import START_2

BAD_TEXTS = ["", " ", "x", "\0", "é" * 300, "R" * 100_000, "\ud800", START_2 + " ", START_2[:-1] + "-1"]


def calls(game: Any, position: Any, options: Any) -> list[Callable[[], object]]:
    """A call of everything that reads a position."""
    engine = Engine(1)
    return [
        lambda: _engine.perft(game, position, options, 1),
        lambda: _engine.legal_moves(game, position, options),
        lambda: _engine.play(game, position, options, "6-28"),
        lambda: engine.search(game, position, options, nodes=10),
    ]


@pytest.mark.parametrize("text", BAD_TEXTS)
def test_a_text_that_cannot_be_read_is_a_value_error(text: str) -> None:
    """As game, as position, as move, as option's name and value."""
    wrong: list[Callable[[], object]] = [
        *calls(text, START_2, {}),
        *calls("diamond", text, {}),
        *calls("diamond", START_2, {text: 1}),
        *calls("diamond", START_2, {"places": text}),
        lambda: _engine.play("diamond", START_2, {}, text),
        lambda: _engine.start(text, 2, {}),
    ]
    for call in wrong:
        with pytest.raises(ValueError, match=r"."):
            call()


@pytest.mark.parametrize("value", [None, 3, b"x", [], {}, object()])
def test_a_value_of_another_type_is_a_type_error(value: object) -> None:
    """In every place but the options, where an empty mapping is right."""
    wrong = [*calls(value, START_2, {}), *calls("diamond", value, {})]
    if value != {}:
        wrong += calls("diamond", START_2, value)
    if value != 3:
        wrong += calls("diamond", START_2, {"king_min_run": value})
    for call in wrong:
        with pytest.raises((TypeError, AttributeError, ValueError)):
            call()


@pytest.mark.parametrize(
    "limits",
    [
        {"movetime_ms": -1},
        {"movetime_ms": 10**9},
        {"nodes": -1},
        {"plies": -1},
        {"lines": 0},
        {"lines": 501},
        {"noise": -1},
        {"noise": 10**6},
        {"race_width": -1},
        {"race_width": 4097},
    ],
)
def test_a_limit_out_of_range_is_a_value_error(limits: dict[str, Any]) -> None:
    """The message names it."""
    with pytest.raises(ValueError, match=next(iter(limits))):
        Engine(1).search("diamond", START_2, {}, **limits)


def test_numbers_that_no_machine_holds_are_refused() -> None:
    """OverflowError, as everywhere in Python."""
    too_much: list[dict[str, Any]] = [{"nodes": 2**80}, {"plies": 2**40}, {"movetime_ms": -(2**70)}]
    for limits in too_much:
        with pytest.raises(OverflowError):
            Engine(1).search("diamond", START_2, {}, **limits)
    for size in (0, -1, 5000):
        with pytest.raises(ValueError, match="table_mb"):
            Engine(size)
    with pytest.raises(ValueError, match="depth"):
        _engine.perft("diamond", START_2, {}, _engine.PERFT_PLIES_MAX + 1)
    with pytest.raises(TypeError):
        Engine(1).search("diamond", START_2, {}, nodes=1, stop=object())  # type: ignore[arg-type]


def test_options_may_be_text_numbers_or_truth_values() -> None:
    """As the rooms keep them, and as the protocol writes them."""
    kept: dict[str, str | int | bool] = {
        "king_min_run": 2,
        "border_stop": False,
        "draw_plies_per_seat": 50,
        "places": "all",
    }
    written = {"king_min_run": "2", "border_stop": "false", "draw_plies_per_seat": "50", "places": "all"}
    late = START_2.replace("2 0 0", "2 100 0")
    assert _engine.legal_moves("diamond", START_2, kept) == _engine.legal_moves("diamond", START_2, written)
    assert _engine.legal_moves("diamond", late, written) == []


def test_random_moves_are_refused_or_legal() -> None:
    """A thousand texts that look like moves."""
    lot = random.Random(1)
    legal = set(_engine.legal_moves("diamond", START_2, {}))
    for _ in range(1000):
        move = f"{lot.randrange(-2, 130)}{lot.choice('-- x')}{lot.randrange(-2, 130)}"
        if move in legal:
            assert _engine.play("diamond", START_2, {}, move) != START_2
        else:
            with pytest.raises(ValueError, match="no legal move"):
                _engine.play("diamond", START_2, {}, move)


def test_a_count_that_would_take_years_ends_by_ctrl_c() -> None:
    """As any program in Python does; nobody has to kill it."""
    count = (
        f"from mitsuboshi.ai._engine import perft; print(flush=True); perft('diamond', {START_2!r}, {{}}, 12)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", count], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as program:
        try:
            assert program.stdout
            program.stdout.readline()
            program.send_signal(signal.SIGINT)
            assert b"KeyboardInterrupt" in program.communicate(timeout=60)[1]
        finally:
            program.kill()


def test_nothing_is_kept_by_any_call() -> None:
    """Neither by those that answer nor by those that raise."""
    engine = Engine(1)

    def everything() -> None:
        for call in (*calls("diamond", START_2, {"places": "all"}), *calls("diamond", "x", {"places": "no"})):
            try:
                call()
            except ValueError:
                continue
        engine.search("diamond", START_2, {}, nodes=50, lines=3, stop=Stop())

    def grown() -> int:
        """Bytes that 200 rounds leave behind; other threads of the test run may add theirs."""
        gc.collect()
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(200):
            everything()
        gc.collect()
        return tracemalloc.get_traced_memory()[0] - before

    tracemalloc.start()
    try:
        everything()
        # What a call keeps is kept every time.
        assert min(grown() for _ in range(3)) < 4096
    finally:
        tracemalloc.stop()
