"""The service that tests of whole games and of races share, apart from the one of the API's tests."""

from __future__ import annotations

from tests.api.conftest import http, other, running

__all__ = ["http", "other", "running"]
