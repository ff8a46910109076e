"""How many sockets and streams one token may have open in this process."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from mitsuboshi.rooms.refused import Refused

PER_TOKEN_MAX = 8


class Connections:
    """Counts open connections, and bounds those of each token."""

    def __init__(self) -> None:
        self._open: Counter[str | None] = Counter()

    def count(self) -> int:
        """All that are open in this process."""
        return self._open.total()

    @contextmanager
    def held(self, person: str | None) -> Iterator[None]:
        """Inside, the person has one connection more; Refused where that is one too many."""
        if person is not None and self._open[person] >= PER_TOKEN_MAX:
            detail = f"a token has at most {PER_TOKEN_MAX} live connections"
            raise Refused("too_many_connections", detail, "connections_per_token")
        self._open[person] += 1
        try:
            yield
        finally:
            self._open[person] -= 1
            if not self._open[person]:
                del self._open[person]
