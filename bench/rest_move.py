"""A move over REST - token, rules, atomic write, event, snapshot - beside its peers in one interleaved run.

``trip`` is an endpoint of the same service that reads one value in Redis; ``write`` one that makes a move's
write and nothing else; ``bare`` an ASGI application without a framework that makes the same write. The
servers have one core, Redis and the load the other.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import ExitStack

import redis
import uvloop

from bench import stand
from bench.figures import quantile, ratio, spread, table
from bench.load import Lane, Round, Size, Variant, measure
from bench.trip import KEY

AIMS = {"trip": "at least 0.45", "write": "none", "bare": "at least 0.20"}
VALUE_BYTES = 500
VARIANTS = {
    "move": Variant("service", Lane.move),
    "trip": Variant("service", Lane.trip),
    "write": Variant("service", Lane.write),
    "bare": Variant("bare", Lane.bare),
}
QUICK = Size(rounds=1, round_s=0.05, connections=2, rooms_each=1)


def run(quick: bool) -> str:
    """Measure, and answer the report."""
    found = compare(VARIANTS, QUICK if quick else Size())
    return "\n".join([report(found), "", *(_aim(found, name) for name in AIMS)])


def compare(variants: Mapping[str, Variant], size: Size) -> dict[str, list[Round]]:
    """Measure the variants on servers and a Redis of their own."""
    server_core, other_core = stand.cores()
    with stand.redis() as store, ExitStack() as stack:
        assert store.pid is not None
        stand.pin(store.pid, other_core)
        with redis.Redis.from_url(store.url) as client:
            client.set(KEY, os.urandom(VALUE_BYTES))
        kinds = {variant.server for variant in variants.values()}
        servers = {kind: stack.enter_context(stand.server(kind, store.url, server_core)) for kind in kinds}
        before = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {other_core})
        try:
            return uvloop.run(measure(servers, variants, size))
        finally:
            os.sched_setaffinity(0, before)


def report(found: Mapping[str, list[Round]]) -> str:
    """A row for each variant; ratios are to the first one's throughput of the same round."""
    first = next(iter(found.values()))
    rows = []
    for name, rounds in found.items():
        waits = [wait for one in rounds for wait in one.waits_ms]
        rows.append(
            (
                name,
                spread([one.per_s for one in rounds]),
                ratio([one.per_s for one in rounds], [one.per_s for one in first]),
                spread([one.cpu_us for one in rounds]),
                ratio([one.cpu_us for one in first], [one.cpu_us for one in rounds]),
                f"{quantile(waits, 0.5):.1f} / {quantile(waits, 0.99):.1f}",
            )
        )
    return table(
        ("variant", "requests/s", "ratio", "server CPU us/request", "ratio by CPU", "p50 / p99 ms"), rows
    )


def _aim(found: Mapping[str, list[Round]], name: str) -> str:
    move, peer = found["move"], found[name]
    by_rate = ratio([one.per_s for one in move], [one.per_s for one in peer])
    by_cpu = ratio([one.cpu_us for one in peer], [one.cpu_us for one in move])
    return f"move / {name}: {by_rate} by throughput, {by_cpu} by processor time; aim: {AIMS[name]}"
