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
    """The processes themselves."""
    return service(apis=2, workers=1)


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
