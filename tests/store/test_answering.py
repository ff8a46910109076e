"""Which failures count as an absent store."""

from __future__ import annotations

from typing import Any

import pytest
from redis.exceptions import ConnectionError as NoConnection

from mitsuboshi.host.ports import StoreUnavailable
from mitsuboshi.store.scripts import answering


def fails() -> None:
    """What a closed transport says."""
    raise RuntimeError("the handler is closed")


async def test_a_client_that_trips_over_itself_is_an_absent_store() -> None:
    """As a cluster's does while a master goes; the same error of our own is told as what it is."""
    library: dict[str, Any] = {"__name__": "redis.asyncio.cluster"}
    exec("def trips(below): below()", library)  # noqa: S102 - a stand-in for a fault in that library
    with pytest.raises(StoreUnavailable):
        async with answering():
            library["trips"](fails)
    with pytest.raises(RuntimeError):
        async with answering():
            fails()
    with pytest.raises(StoreUnavailable):
        async with answering():
            raise NoConnection("gone")
