"""Runs a program that ends when its parent ends, however the parent ends.

Used as a program of its own: ``python leash.py PARENT_PID SIGNAL PROGRAM [ARGUMENT …]``. On Linux the kernel
sends the signal when the *thread* that forked is gone, so start it from a thread that lives as long as the
program should. Elsewhere this process stays and watches its parent. The standard library only: it runs with
``-I -S``, before the program that it becomes.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

PR_SET_PDEATHSIG = 1
WATCH_S = 0.2
GRACE_S = 5.0


def command(program: list[str], *, ends_with: signal.Signals = signal.SIGKILL) -> list[str]:
    """The command line that runs ``program`` on a leash held by the calling process and thread."""
    return [sys.executable, "-I", "-S", __file__, str(os.getpid()), str(int(ends_with)), *program]


def hold(parent: int, ends_with: int, program: list[str]) -> int:
    """Become ``program`` where the kernel can hold the leash, otherwise run it and answer its exit code."""
    if sys.platform == "linux":
        _ask_kernel(ends_with)
        if os.getppid() != parent:
            return 1  # The parent died before the kernel was asked.
        os.execvp(program[0], program)  # noqa: S606 the program is the caller's own
    return watch(parent, ends_with, program)


def watch(parent: int, ends_with: int, program: list[str]) -> int:
    """Run ``program`` until it ends or the parent is gone, passing SIGTERM and SIGINT on to it."""
    with subprocess.Popen(program, close_fds=False) as child:  # noqa: S603 the program is the caller's own
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda received, _frame: child.send_signal(received))
        while child.poll() is None and os.getppid() == parent:
            time.sleep(WATCH_S)
        if child.poll() is None:
            child.send_signal(ends_with)
            try:
                child.wait(GRACE_S)
            except subprocess.TimeoutExpired:
                child.kill()
        code = child.wait()
    return code if code >= 0 else 128 - code


def _ask_kernel(number: int) -> None:
    import ctypes  # noqa: PLC0415 only here, and only on Linux

    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, number, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_PDEATHSIG) failed")


if __name__ == "__main__":
    sys.exit(hold(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]))
