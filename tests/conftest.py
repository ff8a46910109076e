"""Fixtures on a real Redis and real processes of the service."""

from __future__ import annotations

import os
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
from redis.asyncio import Redis

from mitsuboshi.local.redis_server import EmbeddedRedis
from tests.e2e.family import WORKERS, Start, wait_for_the_end
from tests.processes import Program, Service

LOG_CHARS_SHOWN = 20_000
ServiceFactory = Callable[..., Service]
SERVICES: pytest.StashKey[list[Service]] = pytest.StashKey()


@pytest.fixture(scope="session")
def short_dir() -> Iterator[Path]:
    """A private folder with a short path, as Unix sockets want it."""
    with tempfile.TemporaryDirectory(prefix="mb-", dir="/tmp") as folder:
        yield Path(folder)


@pytest.fixture
def data_dir(short_dir: Path) -> Iterator[Path]:
    """A data folder of this test's own, with a short path."""
    with tempfile.TemporaryDirectory(dir=short_dir) as folder:
        yield Path(folder)


@pytest.fixture
def start_program(data_dir: Path) -> Iterator[Start]:
    """Starts programs in the test's data folder; at the end, nothing that they started may be alive."""
    programs: list[Program] = []

    def run(command: str, port: int, **settings: str) -> Program:
        environ = {
            "PATH": str(data_dir / "no-programs"),
            "MITSUBOSHI_DATA_DIR": str(data_dir),
            "MITSUBOSHI_PORT": str(port),
            "MITSUBOSHI_WORKERS": str(WORKERS),
            **settings,
        }
        log = data_dir / f"{command}-{len(programs)}.log"
        programs.append(Program.start([command], environ, log))
        return programs[-1]

    yield run
    for program in programs:
        program.kill()
    wait_for_the_end(data_dir)


@pytest.fixture(scope="session")
def redis_url(short_dir: Path) -> Iterator[str]:
    """A real Redis server that lives as long as the test run; shared, so see ``redis_client``."""
    with EmbeddedRedis(short_dir / "redis") as server:
        yield server.url


@pytest.fixture
async def redis_client(redis_url: str) -> AsyncIterator[Redis]:
    """A client of the real Redis, emptied before the test."""
    client = Redis.from_url(redis_url, protocol=2)
    await client.flushdb()
    yield client
    await client.aclose()


@pytest.fixture(scope="session")
def service(short_dir: Path, request: pytest.FixtureRequest) -> Iterator[ServiceFactory]:
    """A factory of real services: ``service(apis=2, workers=1, MITSUBOSHI_ROOM_IDLE_S="5")``.

    Each call has a Redis of its own, and all its processes are ready when it returns; they end with the run.
    """
    stops: list[Callable[[], None]] = []
    services: list[Service] = []
    known = request.config.stash.setdefault(SERVICES, [])

    def start(apis: int = 1, workers: int = 1, **settings: str) -> Service:
        folder = Path(tempfile.mkdtemp(dir=short_dir))
        server = EmbeddedRedis(folder)
        server.__enter__()
        stops.append(server.close)
        one = Service(server.url, folder)
        services.append(one)
        known.append(one)
        stops.append(one.stop)
        for _ in range(workers):
            one.add_worker(**settings)
        for _ in range(apis):
            one.add_api(**settings)
        return one

    yield start
    for one in services:
        one.ask_to_end()
    failures = []
    for stop in reversed(stops):
        try:
            stop()
        except AssertionError as failure:
            failures.append(failure)
    assert not failures, failures[0]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Fail what is skipped under CI=true, and show the services' logs when a test of them fails."""
    report = yield
    _refuse_skip(report)
    used = {"service", "place"} & set(getattr(item, "fixturenames", ()))
    if used and report.failed:
        for one in item.config.stash.get(SERVICES, []):
            report.sections.append((f"logs in {one.folder}", one.logs()[-LOG_CHARS_SHOWN:]))
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Iterator[None]:
    """A module that skips itself fails under CI=true as well."""
    report = yield
    _refuse_skip(report)
    return report


def _refuse_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    """A missing program must not pass unseen: under CI=true a skip is a failure."""
    if report.skipped and not hasattr(report, "wasxfail") and os.environ.get("CI") == "true":
        report.outcome = "failed"
        report.longrepr = f"skipped under CI=true: {report.longrepr}"
