"""The leash: a program ends with its parent, by the kernel or, where it cannot, by a watcher."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from mitsuboshi.local import leash
from tests.processes import is_alive, processes_with, wait_until

# A parent that runs a program on a leash and then waits to be killed.
PARENT = """
import subprocess, sys, time
from mitsuboshi.local import leash
command = leash.command([sys.executable, "-c", "import sys, time; print('up', flush=True); time.sleep(600)"])
if sys.argv[1] == "watch":
    command[command.index(leash.__file__)] = sys.argv[2]
subprocess.run(command)
"""
# The leash as it is on a system whose kernel holds none.
WATCHING = """
import runpy, sys
sys.platform = "elsewhere"
runpy.run_path({path!r}, run_name="__main__")
"""


@pytest.mark.parametrize("way", ["kernel", "watch"])
def test_a_program_ends_with_its_killed_parent(data_dir: Path, way: str) -> None:
    """kill -9 of the parent leaves nothing."""
    watching = data_dir / "watching.py"
    watching.write_text(WATCHING.format(path=leash.__file__))
    command = [sys.executable, "-c", PARENT, way, str(watching)]
    parent = subprocess.Popen(command, stdout=subprocess.PIPE, env={**os.environ, "MARK": str(data_dir)})
    assert parent.stdout is not None
    assert parent.stdout.readline() == b"up\n"
    family = processes_with(str(data_dir))
    assert len(family) == {"kernel": 2, "watch": 3}[way]
    parent.kill()
    parent.communicate()
    wait_until(lambda: not any(map(is_alive, family)), "the whole family ends")


def test_the_kernels_leash_costs_no_process_and_keeps_the_exit_code() -> None:
    """The program takes the place of the leash."""
    program = [sys.executable, "-c", "import os, sys; print(os.getpid()); sys.exit(7)"]
    with subprocess.Popen(leash.command(program), stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert int(child.stdout.read()) == child.pid
    assert child.returncode == 7


def test_the_watcher_passes_signals_on_and_keeps_the_exit_code() -> None:
    """Whoever ends the watcher ends the program."""
    program = "import signal, sys, time; signal.signal(15, lambda *_: sys.exit(7)); print('up', flush=True)\n"
    command = [sys.executable, "-c", f"{program}while True: time.sleep(0.01)"]
    watch = f"leash.watch(os.getppid(), 9, {command!r})"
    watcher = f"import os, sys; from mitsuboshi.local import leash; sys.exit({watch})"
    with subprocess.Popen([sys.executable, "-c", watcher], stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"up\n"
        child.send_signal(signal.SIGTERM)
        assert child.wait(10) == 7


def test_a_program_whose_parent_died_first_does_not_start() -> None:
    """Between the fork and the kernel's promise the parent may end."""
    command = leash.command([sys.executable, "-c", "print('started')"])
    command[command.index(leash.__file__) + 1] = str(os.getppid())
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (said.stdout, said.returncode) == ("", 1)
