"""What other ways of making a move give or cost, beside the service as it is, in one interleaved run."""

from __future__ import annotations

from bench.load import Lane, Size, Variant
from bench.rest_move import QUICK, compare, report

VARIANTS = {
    "move": Variant("service", Lane.move),
    "room loaded every time": Variant("forgetful", Lane.move),
    "batched": Variant("batched", Lane.move),
    "mounted": Variant("changed", Lane.mounted_move),
    "batched, mounted": Variant("batched", Lane.mounted_move),
    "trip": Variant("service", Lane.trip),
}


def run(quick: bool) -> str:
    """Measure, and answer the report."""
    return report(compare(VARIANTS, QUICK if quick else Size(rounds=9)))
