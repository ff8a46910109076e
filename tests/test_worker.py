"""What a worker does before its first job, in a process of its own."""

from __future__ import annotations

import subprocess
import sys

TABLES = """
import time
from mitsuboshi.ai import _engine
from mitsuboshi.games.registry import GAMES
from mitsuboshi.worker import make_tables

def spent(work):
    begun = time.process_time()
    work()
    return time.process_time() - begun

def first_use():
    for key in GAMES:
        _engine.start(key, 2, {})

made, used = spent(make_tables), spent(first_use)
assert used < made / 10, f"{made:.3f} s before, {used:.3f} s at first use"
"""


def test_no_table_is_left_for_the_first_job() -> None:
    """Its game would stand still meanwhile, and with it the loop that renews the lease."""
    subprocess.run([sys.executable, "-c", TABLES], check=True, timeout=60)
