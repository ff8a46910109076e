"""The benchmarks run: each with tiny sizes, for its report and its end, not for its figures."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from bench.__main__ import NAMES
from bench.figures import number, quantile, ratio, spread, table
from bench.strength import rows
from tests.processes import processes_with
from tests.tidy.tree import ROOT


@pytest.mark.parametrize("name", NAMES)
def test_a_benchmark_reports_and_leaves_no_process_behind(name: str) -> None:
    """It prints a table, and its servers end with it."""
    command = [sys.executable, "-m", "bench", name, "--quick"]
    before = processes_with("bench.servers")
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert f"## {name}" in done.stdout
    assert "| --" in done.stdout
    assert processes_with("bench.servers") <= before


def test_a_benchmark_that_does_not_exist_is_refused() -> None:
    """A slip of the pen does not measure nothing in silence."""
    command = [sys.executable, "-m", "bench", "rest_moves"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert "there is no benchmark 'rest_moves'" in done.stderr


def test_the_service_s_own_command_hands_on_options_that_come_first() -> None:
    """Those of the benchmarks' program."""
    command = [sys.executable, "-m", "mitsuboshi", "bench", "--help"]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=True).stdout
    assert "--soak" in told


def test_half_the_load_is_kept_up_for_as_long_as_one_likes() -> None:
    """Of one benchmark alone; it tells of the start, the middle and the end."""
    command = [sys.executable, "-m", "bench", "live", "--quick", "--soak"]
    done = subprocess.run(
        [*command, "0.05"], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count(" min ") == 3
    command.remove("live")
    refused = subprocess.run(
        [*command, "1"], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert refused.returncode == 2
    assert "--soak is for live alone" in refused.stderr


def test_figures_are_medians_with_their_spread() -> None:
    """What the reports show of a list of values."""
    assert spread([1.0, 3.0, 2.0]) == "2 (1 to 3)"
    assert ratio([1.0, 2.0], [2.0, 2.0]) == "0.75 (0.50 to 1.00)"
    assert [quantile([5.0, 1.0, 3.0], share) for share in (0.5, 0.99)] == [3.0, 5.0]
    assert [number(value) for value in (0.01234, 12.34, 1234.5)] == ["0.0123", "12.3", "1,234"]
    assert table(("a", "b"), [("1", "22")]) == "| a | b  |\n| - | -- |\n| 1 | 22 |"


def test_a_match_of_the_strength_table_is_saved_and_not_played_again(tmp_path: Path) -> None:
    """With the command that played it, so that it can be quoted."""
    command = [sys.executable, "-m", "bench.strength", str(tmp_path), "intermediate-beginner", "--quick"]
    told = [
        subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=True).stdout
        for _ in range(2)
    ]
    (saved,) = tmp_path.iterdir()
    assert saved.read_text().startswith("$ mitsuboshi arena diamond --a intermediate --b beginner --games 2 ")
    assert told[0] == told[1]
    assert saved.read_text() in told[0]


def test_the_matches_of_the_strength_table_have_names_of_their_own() -> None:
    """One would else be taken for the other; and short ones are the same matches."""
    names = [row.name for row in rows(quick=False)]
    assert len(set(names)) == len(names) == len(list(rows(quick=True)))
