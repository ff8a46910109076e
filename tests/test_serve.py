"""What every API process does with itself, in a process of its own."""

from __future__ import annotations

import subprocess
import sys

GARBAGE = """
import gc, weakref
from mitsuboshi.serve import collect_seldom

class Ring:
    def __init__(self):
        self.me = self

collect_seldom()
assert gc.get_freeze_count() > 10_000, gc.get_freeze_count()
full = []
gc.callbacks.append(lambda phase, about: full.append(about["generation"]) if phase == "start" else None)
rings = []
for _ in range(200_000):
    ring = Ring()
    rings.append(weakref.ref(ring))
    del ring
    rings = [rings[0], *rings[-10:]]
assert full, "nothing was ever collected"
assert 2 not in full, f"{full.count(2)} full collections"
assert rings[0]() is None, "the first ring is still there"
"""


def test_collections_are_few_and_garbage_goes_all_the_same() -> None:
    """What was there at the start is looked at no more; rings that are dropped are still found."""
    subprocess.run([sys.executable, "-c", GARBAGE], check=True, timeout=60)
