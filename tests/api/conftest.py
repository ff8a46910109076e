"""One service of two API processes and an AI worker for all tests of the API."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from tests.conftest import ServiceFactory
from tests.processes import Service
from tests.rest import connect


@pytest.fixture(scope="session")
def running(service: ServiceFactory) -> Service:
    """The processes themselves, without limits that hasty tests could run into, and quick to miss people."""
    unlimited = {"MITSUBOSHI_REQUESTS_PER_TOKEN_S": "0", "MITSUBOSHI_REQUESTS_PER_ADDRESS_S": "0"}
    return service(apis=2, workers=1, MITSUBOSHI_PRESENCE_S="5", **unlimited)


@pytest.fixture(scope="session")
def http(running: Service) -> Iterator[httpx.Client]:
    """A client of the first API process."""
    with connect(running.urls[0]) as client:
        yield client


@pytest.fixture(scope="session")
def other(running: Service) -> Iterator[httpx.Client]:
    """A client of the second API process."""
    with connect(running.urls[1]) as client:
        yield client
