"""`serve` and `worker` by themselves, on the embedded Redis of one data folder."""

from __future__ import annotations

import signal
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.e2e.family import Start, members, wait_for_the_end
from tests.processes import answers, free_port, wait_until


def servers(folder: Path) -> set[int]:
    """The Redis processes of the folder."""
    return members(folder, "redis.sock")


def test_programs_share_their_redis_and_outlive_each_other(data_dir: Path, start_program: Start) -> None:
    """A second `serve` and a `worker` join; when the first is killed, and Redis with it, a new one starts."""
    ports = [free_port(), free_port()]
    urls = [f"http://127.0.0.1:{port}/health/ready" for port in ports]
    first = start_program("serve", ports[0])
    first.wait_for(urls[0])
    before = servers(data_dir)
    second, worker = start_program("serve", ports[1]), start_program("worker", 8000)
    second.wait_for(urls[1])
    assert servers(data_dir) == before
    first.stop(signal.SIGKILL)
    wait_until(lambda: len(servers(data_dir)) == 1 and servers(data_dir) != before, "a new Redis")
    wait_until(lambda: answers(urls[1]), "the second API is ready again")
    assert worker.process.poll() is None
    assert worker.stop() == 0
    assert second.stop() == 0
    wait_for_the_end(data_dir)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("command", ["serve", "worker"])
def test_a_program_by_itself_ends_its_redis_too(
    data_dir: Path, start_program: Start, command: str, number: signal.Signals
) -> None:
    """Whoever started the server ends it, its data flushed."""
    program = start_program(command, free_port())
    wait_until(lambda: len(servers(data_dir)) == 1 or program.process.poll() is not None, "its Redis runs")
    assert program.stop(number) in {0, 128 + number, -number}
    wait_for_the_end(data_dir)
    assert "Traceback" not in program.said()


def test_a_port_in_use_is_told_by_serve(data_dir: Path, start_program: Start) -> None:
    """One sentence and exit code 1; no Redis is started for it."""
    port = free_port()
    first = start_program("serve", port)
    first.wait_for(f"http://127.0.0.1:{port}/health/ready")
    second = start_program("serve", port)
    assert second.process.wait(10) == 1
    assert second.said().startswith(f"mitsuboshi: Port {port} on 127.0.0.1 is in use by another program")
    assert len(second.said().splitlines()) == 1
    assert first.stop() == 0


def test_help_names_every_command_and_loads_neither_engine_nor_api() -> None:
    """It is quick, and works before anything is built."""
    program = (
        "import sys, contextlib; from mitsuboshi.__main__ import main\n"
        "with contextlib.suppress(SystemExit): main(['--help'])\n"
        "print({'mitsuboshi.ai', 'mitsuboshi.api', 'litestar'} & set(sys.modules))"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    for command in ("up", "serve", "worker", "perft", "engine", "arena", "bench", "openapi"):
        assert f"\n    {command} " in said
    assert said.splitlines()[-1] == "set()"


@pytest.mark.parametrize("module", ["mitsuboshi", "mitsuboshi_play"])
def test_a_program_tells_its_version(module: str) -> None:
    """The package's own, in one line."""
    name = module.replace("_", "-")
    done = subprocess.run(
        [sys.executable, "-m", module, "--version"], check=True, capture_output=True, text=True
    )
    assert done.stdout == f"{name} {version(name)}\n"
