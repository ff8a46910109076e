"""The C code does nothing that a sanitizer objects to."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ENGINE = Path(__file__).parents[2] / "service" / "engine"
FLAGS = [
    "-std=c11",
    "-g",
    "-O1",
    "-fno-strict-aliasing",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The engine's own program, with address, leak and undefined behaviour checks in it."""
    compiler = shutil.which("cc")
    assert compiler, "a C compiler is needed"
    sources = [str(path) for path in ENGINE.glob("*.c") if path.name != "module.c"]
    built = tmp_path_factory.mktemp("sanitized") / "engine"
    subprocess.run([compiler, *FLAGS, "-o", str(built), *sources], check=True)
    return built


def output(program: Path, *words: str) -> str:
    """What the program prints; it must end well."""
    done = subprocess.run(
        [program, *words], capture_output=True, text=True, timeout=300, env=os.environ, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def test_perft_is_sound(program: Path) -> None:
    """And right."""
    assert output(program, "perft", "diamond", "2", "4").split()[-1] == "395128"
    assert output(program, "perft", "diamond", "3", "4").split()[-1] == "251480"
    assert output(program, "perft", "backgammon", "2", "2").split()[-1] == "178306"
    assert output(program, "perft", "checkers", "2", "8").split()[-1] == "845931"


def test_bench_is_sound_and_repeats_itself(program: Path) -> None:
    """Its signature is the same again: the search depends on nothing but its position."""
    signatures = {output(program, "bench").split()[-1] for _ in range(2)}
    assert len(signatures) == 1


def test_damaged_texts_and_random_games_are_sound(program: Path) -> None:
    """Under random options, with two and with three players, with random throws."""
    for game in ("diamond", "backgammon", "checkers"):
        assert output(program, "fuzz", game, "1", "40").startswith("40 games")


def test_the_speed_of_moves_is_measured(program: Path) -> None:
    """Without and with an evaluation of each position that they lead to."""
    words = output(program, "rate", "backgammon", "20").split()
    assert words[::2] == ["positions/s", "evaluations/s"]
    assert all(int(number) > 0 for number in words[1::2])


@pytest.mark.parametrize(
    "words", [(), ("perft",), ("perft", "ludo", "2", "1"), ("best", "diamond", "1", "x")]
)
def test_a_wrong_call_ends_with_a_complaint(program: Path, words: tuple[str, ...]) -> None:
    """Exit code 2 and a line."""
    done = subprocess.run([program, *words], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert "engine:" in done.stderr
