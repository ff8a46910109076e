"""Allowances: so much a second, and a burst; for a token, for an address, for a socket."""

from __future__ import annotations

import math
import time
from collections import OrderedDict

from mitsuboshi.rooms.refused import Refused

BURST_S = 3
"""A burst is what so many seconds allow."""
KNOWN_MAX = 10_000
"""Tokens, and addresses, of which an allowance is kept; the longest unused one is forgotten first."""


class Allowance:
    """A bucket that fills with ``per_s`` tokens a second, up to ``burst``."""

    def __init__(self, per_s: float, burst: float) -> None:
        self._per_s = per_s
        self._burst = burst
        self._left = burst
        self._at = time.monotonic()

    def take(self) -> bool:
        """Whether one more is allowed now; then it counts."""
        now = time.monotonic()
        self._left = min(self._burst, self._left + (now - self._at) * self._per_s)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True

    def wait_s(self) -> float:
        """How long until the next one is allowed."""
        return max(0.0, (1 - self._left) / self._per_s)


class TooMany(Refused):
    """More requests than allowed; ``wait_s`` is whole seconds, 1 or more."""

    def __init__(self, limit: str, per_s: int, wait_s: float) -> None:
        super().__init__("too_many_requests", f"at most {per_s} requests a second", limit)
        self.wait_s = max(1, math.ceil(wait_s))


class RateLimit:
    """An allowance for each key, of ``per_s`` requests a second; 0 stands for no limit."""

    def __init__(self, name: str, per_s: int) -> None:
        self._name = name
        self._per_s = per_s
        self._known: OrderedDict[str, Allowance] = OrderedDict()

    def take(self, key: str) -> None:
        """Count one request; TooMany when it is one too many."""
        if not self._per_s:
            return
        allowance = self._known.get(key)
        if allowance is None:
            allowance = self._known[key] = Allowance(self._per_s, self._per_s * BURST_S)
            if len(self._known) > KNOWN_MAX:
                self._known.popitem(last=False)
        self._known.move_to_end(key)
        if not allowance.take():
            raise TooMany(self._name, self._per_s, allowance.wait_s())
