"""`mitsuboshi up` as a person runs it: one command starts everything, and nothing stays behind."""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path

import pytest
from redis import Redis

from tests.e2e.family import WORKERS, Start, Up, family
from tests.processes import answers, free_port, is_alive, wait_until


@pytest.fixture
def up(data_dir: Path, start_program: Start) -> Up:
    """A running `up` that has told its address."""
    return Up(data_dir, start_program)


def test_one_command_starts_everything_and_says_how_to_play(up: Up) -> None:
    """It needs no Redis on the PATH and no setting."""
    assert answers(f"{up.url}/health/ready")
    assert f"Mitsuboshi is ready: {up.url}" in up.program.said()
    assert len(up.members("mitsuboshi worker")) == WORKERS
    assert len(up.members("mitsuboshi serve")) == 1
    assert len(up.members("redis.sock")) == 1
    assert len(family(up.folder)) == WORKERS + 3


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_all_in_order(up: Up, number: signal.Signals) -> None:
    """Ctrl-C, a service manager and a closed terminal: exit code 0, no process left, the data flushed."""
    assert up.program.stop(number) == 0
    assert family(up.folder) == set()
    assert "ready to exit, bye bye" in (up.folder / "redis.log").read_text()
    assert "Traceback" not in up.program.said()


def test_killing_it_leaves_no_process(up: Up) -> None:
    """kill -9 gives no program a chance to clean up: the system does it."""
    members = family(up.folder)
    assert up.program.stop(signal.SIGKILL) == -signal.SIGKILL
    wait_until(lambda: not any(map(is_alive, members)), "every process is gone", 5)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV])
def test_a_worker_that_falls_is_started_again(up: Up, number: signal.Signals) -> None:
    """The others do not notice."""
    others = family(up.folder)
    fallen = min(up.members("mitsuboshi worker"))
    os.kill(fallen, number)
    others.remove(fallen)
    wait_until(
        lambda: not is_alive(fallen) and len(up.members("mitsuboshi worker")) == WORKERS, "a new worker"
    )
    assert others <= family(up.folder)
    assert answers(f"{up.url}/health/ready")


def test_an_api_that_falls_is_started_again(up: Up) -> None:
    """At the same address."""
    os.kill(*up.members("mitsuboshi serve"), signal.SIGKILL)
    wait_until(lambda: answers(f"{up.url}/health/ready"), "the API is back")


def test_a_redis_that_falls_is_started_again_with_its_data(up: Up) -> None:
    """The API and the workers find it again by themselves."""
    with Redis.from_url(f"unix://{up.folder}/redis.sock") as client:
        client.set("kept", "yes")
        os.kill(*up.members("redis.sock"), signal.SIGKILL)
        wait_until(lambda: len(up.members("redis.sock")) == 1, "a new Redis")
        wait_until(lambda: answers(f"{up.url}/health/ready"), "the API is ready again")
        assert client.get("kept") == b"yes"


def test_a_port_in_use_is_told_in_one_sentence(up: Up, start_program: Start) -> None:
    """Before anything is started."""
    second = start_program("up", up.port)
    assert second.process.wait(10) == 1
    assert re.fullmatch(rf"mitsuboshi: Port {up.port} on 127\.0\.0\.1 is in use by [^\n]+\n", second.said())


def test_a_second_one_joins_the_folders_redis(up: Up, start_program: Start) -> None:
    """Two APIs on two ports show the same rooms, and what the second leaves behind is nothing."""
    second = start_program("up", free_port())
    second.wait_for_word("Play: ")
    assert len(up.members("redis.sock")) == 1
    assert second.stop() == 0
    assert answers(f"{up.url}/health/ready")
    assert len(up.members("redis.sock")) == 1


@pytest.mark.parametrize("command", ["up", "serve", "worker"])
def test_a_bad_setting_is_told_in_one_sentence(data_dir: Path, start_program: Start, command: str) -> None:
    """The variable, the value and the range, and exit code 2."""
    program = start_program(command, 8000, MITSUBOSHI_WORKERS="many")
    assert program.process.wait(10) == 2
    said = "mitsuboshi: MITSUBOSHI_WORKERS is 'many'; it must be a whole number from 1 to 64.\n"
    assert program.said() == said
    assert family(data_dir) == set()
