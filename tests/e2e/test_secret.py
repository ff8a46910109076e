"""The key that signs tokens is one for all processes, whatever becomes of Redis."""

from __future__ import annotations

from typing import Any

import redis

from tests.conftest import ServiceFactory
from tests.processes import wait_until
from tests.rest import connect, create, send

KEPT_KEY = "mitsuboshi:secret"


def is_known(url: str, token: str | None) -> bool:
    """Whether the process takes the token for one of this service's."""
    with connect(url) as http:
        return send(http, "GET", "/v1/me/rooms", token).status_code == 200


def test_tokens_outlive_a_redis_that_has_lost_everything(service: ServiceFactory) -> None:
    """The process that runs gives it its key again, and one that starts then has the same."""
    running = service(workers=0)
    with connect(running.urls[0]) as http:
        token = create(http).token
    with redis.Redis.from_url(running.redis_url) as store:
        kept: Any = store.get(KEPT_KEY)
        store.flushall()
        wait_until(lambda: store.get(KEPT_KEY) == kept, "the key is there again")
    assert is_known(running.add_api(), token)
    assert is_known(running.urls[0], token)


def test_processes_agree_on_a_key_that_another_was_quicker_to_keep(service: ServiceFactory) -> None:
    """Where a new process was first after the loss, its key is that of all."""
    running = service(workers=0)
    with connect(running.urls[0]) as http:
        old = create(http).token
    with redis.Redis.from_url(running.redis_url) as store:
        store.set(KEPT_KEY, "a key that another process has made")
    new_url = running.add_api()
    with connect(new_url) as http:
        token = create(http).token
    wait_until(lambda: is_known(running.urls[0], token), "the new key is known to the old process")
    assert not is_known(running.urls[0], old)
    assert not is_known(new_url, old)


def test_a_key_that_is_a_setting_is_never_kept(service: ServiceFactory) -> None:
    """It belongs to the host's settings alone."""
    running = service(workers=0, **{"MITSUBOSHI_SECRET": "a secret of the host's own"})
    with connect(running.urls[0]) as http:
        assert is_known(running.urls[0], create(http).token)
    with redis.Redis.from_url(running.redis_url) as store:
        assert store.get(KEPT_KEY) is None
