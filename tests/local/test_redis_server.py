"""The embedded Redis: one a folder, joined by whoever comes second, gone with its users, its data kept."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from redis import Redis

import mitsuboshi
from mitsuboshi.local.failure import CannotStart
from mitsuboshi.local.redis_server import EmbeddedRedis, ping
from tests.processes import is_alive, processes_with, wait_until

# Opens the folder's Redis, says the server's process id (None when it joined), stays until its input ends.
USER = """
import sys
from pathlib import Path
from mitsuboshi.local.redis_server import EmbeddedRedis
with EmbeddedRedis(Path(sys.argv[1])) as server:
    print(server.pid, flush=True)
    sys.stdin.read()
"""


def start_user(folder: Path) -> subprocess.Popen[str]:
    """Another process that uses the folder's Redis."""
    command = [sys.executable, "-c", USER, str(folder)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def first_line(user: subprocess.Popen[str]) -> str:
    """The process id that the user says once its Redis is ready."""
    assert user.stdout is not None
    return user.stdout.readline().strip()


def end(*users: subprocess.Popen[str]) -> None:
    """Let the users end by themselves."""
    for user in users:
        user.communicate(timeout=15)


def test_the_server_keeps_its_data_over_an_orderly_end(data_dir: Path) -> None:
    """The append-only file is flushed before the end."""
    for expected in (1, 2):
        with EmbeddedRedis(data_dir) as server, Redis.from_url(server.url) as client:
            assert client.incr("n") == expected
        assert ping(data_dir / "redis.sock") == "gone"


def test_only_its_owner_may_open_the_folder_and_the_socket(data_dir: Path) -> None:
    """Redis has no password there: the file system guards it."""
    folder = data_dir / "new"
    with EmbeddedRedis(folder):
        assert folder.stat().st_mode & 0o077 == 0
        assert [path.name for path in folder.iterdir() if path.stat().st_mode & 0o077] == []


def test_a_second_user_joins_the_living_server(data_dir: Path) -> None:
    """One folder, one server; it goes with the process that started it, not with one that joined."""
    with EmbeddedRedis(data_dir) as first:
        with EmbeddedRedis(data_dir) as second:
            assert first.pid is not None
            assert second.pid is None
            assert second.url == first.url
        assert ping(first.socket) == "ready"


def test_users_that_come_at_the_same_instant_share_one_server(data_dir: Path) -> None:
    """The lock decides who starts it."""
    users = [start_user(data_dir) for _ in range(6)]
    pids = [first_line(user) for user in users]
    assert len([pid for pid in pids if pid != "None"]) == 1
    end(*users)
    wait_until(lambda: not processes_with(f"{data_dir}"), "every process ends")


def test_a_stale_socket_file_is_replaced(data_dir: Path) -> None:
    """A machine that lost its power leaves one behind."""
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(data_dir / "redis.sock"))
    assert ping(data_dir / "redis.sock") == "gone"
    with EmbeddedRedis(data_dir) as server:
        assert server.pid is not None


def test_a_killed_server_is_started_again_with_its_data(data_dir: Path) -> None:
    """What was answered is in the file."""
    with EmbeddedRedis(data_dir) as server, Redis.from_url(server.url) as client:
        client.set("kept", "yes")
        before = server.pid
        assert before is not None
        os.kill(before, signal.SIGKILL)
        wait_until(
            lambda: server.pid not in {None, before} and ping(server.socket) == "ready", "a new server"
        )
        assert client.get("kept") == b"yes"


def test_the_server_ends_with_a_killed_parent_and_the_next_user_takes_over(data_dir: Path) -> None:
    """No server is left behind, and whoever joined it goes on with one of its own."""
    parent = start_user(data_dir)
    server = int(first_line(parent))
    with EmbeddedRedis(data_dir) as joined, Redis.from_url(joined.url) as client:
        client.set("kept", "yes")
        parent.kill()
        parent.communicate()
        wait_until(lambda: not is_alive(server), "the orphaned server ends")
        wait_until(lambda: joined.pid is not None and ping(joined.socket) == "ready", "a new server")
        assert client.get("kept") == b"yes"


def test_too_long_a_folder_is_named(data_dir: Path) -> None:
    """The kernel's own message would be `AF_UNIX path too long`."""
    with pytest.raises(CannotStart, match=r"MITSUBOSHI_DATA_DIR is too long: .* bytes of 100 at most"):
        EmbeddedRedis(data_dir / ("long" * 30)).__enter__()


def test_a_folder_that_cannot_be_made_is_named(data_dir: Path) -> None:
    """A file stands where the folder should be."""
    (data_dir / "file").write_text("")
    with pytest.raises(CannotStart, match=r"MITSUBOSHI_DATA_DIR .*/file/data cannot be made"):
        EmbeddedRedis(data_dir / "file" / "data").__enter__()


def test_a_server_that_cannot_start_says_why(data_dir: Path) -> None:
    """The last line of its log is part of the sentence."""
    (data_dir / "appendonlydir").write_text("not a folder")
    (data_dir / "appendonly.aof").mkdir()
    with pytest.raises(CannotStart, match=r"Redis ended while starting: .+"):
        EmbeddedRedis(data_dir).__enter__()


def test_a_machine_without_any_redis_is_told_what_to_install(data_dir: Path) -> None:
    """One sentence, with the packages' names."""
    said = failure_without_packages(data_dir)
    assert said.startswith("No Redis server was found: install redis-server (Debian: apt-get install")
    assert len(said.splitlines()) == 1


def test_data_of_a_newer_redis_is_not_passed_over(data_dir: Path) -> None:
    """An older server would not see the newer one's file, and start without any room."""
    (data_dir / "appendonlydir").mkdir()
    put_server(data_dir, "6.2.14")
    assert "is no working Redis of version 7.0 or later" in failure_without_packages(data_dir)


def failure_without_packages(folder: Path) -> str:
    """What is said where the folder is the PATH, and Python has no packages either."""
    program = (
        "import sys\n"
        "from pathlib import Path\n"
        "from mitsuboshi.local.redis_server import EmbeddedRedis\n"
        "from mitsuboshi.local.failure import CannotStart\n"
        "try: EmbeddedRedis(Path(sys.argv[1])).__enter__()\n"
        "except CannotStart as error: print(error)\n"
    )
    service = str(Path(mitsuboshi.__file__).parents[1])
    command = [sys.executable, "-S", "-c", program, str(folder)]
    environ = {"PATH": str(folder), "PYTHONPATH": service}
    return subprocess.run(command, env=environ, capture_output=True, text=True, check=True).stdout


def put_server(folder: Path, version: str) -> None:
    """Put a program there that says to be a Redis of that version."""
    server = folder / "redis-server"
    server.write_text(f"#!/bin/sh\necho 'Redis server v={version} sha=00000000:0'\n")
    server.chmod(0o755)


def test_too_old_a_redis_on_the_path_is_passed_over(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that lacks what the scripts need would fail in the middle of a game."""
    put_server(data_dir, "6.0.16")
    monkeypatch.setenv("PATH", str(data_dir), prepend=os.pathsep)
    with EmbeddedRedis(data_dir / "data") as server, Redis.from_url(server.url) as client:
        version = client.info("server")["redis_version"]
        assert tuple(int(part) for part in version.split(".")[:2]) >= (6, 2)
