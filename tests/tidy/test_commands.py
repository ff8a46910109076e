"""The two commands of the project: `make run` and `make test`."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.tidy.tree import ROOT, text

TARGETS = {"run", "test", "check", "bench", "openapi", "clean", "help"}


def test_help_names_every_target() -> None:
    """`make` alone says what there is."""
    told = subprocess.run(["make"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    assert set(re.findall(r"^  make (\w+)", told, re.MULTILINE)) == TARGETS


def test_what_runs_for_every_change_is_make_test() -> None:
    """.ci/run is executable and runs the command that everybody runs."""
    assert os.access(ROOT / ".ci/run", os.X_OK)
    assert re.search(r"^make test\b", text(Path(".ci/run")) or "", re.MULTILINE)


@pytest.mark.parametrize("script", [".ci/run", "tools/prepare.sh"])
def test_the_scripts_are_readable_to_their_shell(script: str) -> None:
    """A slip in a branch that is seldom taken is found here."""
    shell = "bash" if "bash" in (text(Path(script)) or "").splitlines()[0] else "sh"
    subprocess.run([shell, "-n", script], cwd=ROOT, check=True)


@pytest.mark.parametrize(
    ("python", "sentence"),
    [
        ("no-such-python", "Python 3.11 or later is needed, and no python3 was found"),
        ("echo old; :", "the python3 found here is older"),
        ("echo venv; :", "Python's venv module is missing"),
        ("echo headers; :", "Python's C headers (Python.h) are missing"),
    ],
)
def test_a_missing_need_is_named_in_one_sentence(tmp_path: Path, python: str, sentence: str) -> None:
    """Whoever lacks something learns what, before anything is made."""
    program = tmp_path / "python"
    if python != "no-such-python":
        program.write_text(f"#!/bin/sh\n{python}\n")
        program.chmod(0o755)
    told = prepare(tmp_path, PYTHON=str(program))
    assert told.returncode == 1
    assert sentence in told.stderr
    assert len(told.stderr.strip().splitlines()) == 1


def test_a_missing_compiler_is_named_in_one_sentence(tmp_path: Path) -> None:
    """A C compiler is the third need."""
    program = tmp_path / "python"
    # It is without fault, and was built with a compiler that is nowhere.
    program.write_text('#!/bin/sh\n[ "$1" = - ] || echo no-such-cc\n')
    program.chmod(0o755)
    told = prepare(tmp_path, PYTHON=str(program))
    assert told.returncode == 1
    assert (
        told.stderr
        == "make: A C compiler is missing (cc): install one (Debian: apt-get install gcc libc6-dev).\n"
    )


def prepare(folder: Path, **environ: str) -> subprocess.CompletedProcess[str]:
    """Run a copy of the set-up where the PATH has nothing but the barest tools."""
    tools = folder / "bin"
    tools.mkdir()
    for name in ("sh", "dirname", "id", "cat", "echo"):
        (tools / name).symlink_to(Path("/bin") / name)
    copy = folder / "tools" / "prepare.sh"
    copy.parent.mkdir()
    copy.write_text(text(Path("tools/prepare.sh")) or "")
    return subprocess.run(
        ["/bin/sh", str(copy), "run"],
        env={"PATH": str(tools), **environ},
        capture_output=True,
        text=True,
        check=False,
    )
