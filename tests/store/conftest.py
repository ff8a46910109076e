"""Everything of the store on a real Redis, with one partition and with three."""

from __future__ import annotations

import pytest
from redis.asyncio import Redis

from mitsuboshi.store.keys import Keys
from mitsuboshi.store.room_store import RoomStore


@pytest.fixture(params=[1, 3], ids=["one partition", "three partitions"])
def names(request: pytest.FixtureRequest) -> Keys:
    """The names of keys."""
    return Keys(request.param)


@pytest.fixture
def store(redis_client: Redis, names: Keys) -> RoomStore:
    """A store on the emptied Redis."""
    return RoomStore(redis_client, names)
