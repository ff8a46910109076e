"""Runs the benchmarks: all of them, or those that are named."""

from __future__ import annotations

import argparse
import importlib
import sys

NAMES = ("rest_move", "stages", "leaner", "ai_queue", "live", "rules", "games", "redis_size")
"""Each a module with ``run(quick) -> str``, its report."""


def main() -> int:
    """Print the report of each benchmark."""
    parser = argparse.ArgumentParser(prog="bench", description="Measure what the docs quote.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(NAMES)}; without any, all")
    parser.add_argument(
        "--quick", action="store_true", help="only prove that they run; the figures mean nothing"
    )
    parser.add_argument(
        "--soak", type=float, metavar="MINUTES", help="of live: half its load for so long, and nothing else"
    )
    arguments = parser.parse_args()
    if arguments.soak is not None and (arguments.names != ["live"] or arguments.soak <= 0):
        parser.error("--soak is for live alone, and takes a number of minutes")
    unknown = sorted(set(arguments.names) - set(NAMES))
    if unknown:
        parser.error(f"there is no benchmark {unknown[0]!r}")
    for name in arguments.names or NAMES:
        module = importlib.import_module(f"bench.{name}")
        more = [] if arguments.soak is None else [arguments.soak]
        print(f"\n## {name}\n\n{module.run(arguments.quick, *more)}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
