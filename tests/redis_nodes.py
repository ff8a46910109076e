"""Redis servers that work together, for tests: a cluster, and a master that sentinels watch over."""

from __future__ import annotations

import contextlib
import random
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from redis import Redis
from redis.exceptions import RedisError

from mitsuboshi.local import leash
from tests.processes import wait_until

BUS_OFFSET = 10_000
PORTS = range(20_000, 22_000)
"""A cluster's nodes talk on ports 10,000 above these: below what the system hands out itself."""
NODE_TIMEOUT_MS = 1500
START_S = 30.0
MASTER = "mymaster"


def program(name: str) -> str:
    """The program's path; a skip, which under CI=true is a failure, where it is missing."""
    path = shutil.which(name)
    if path is None:
        pytest.skip(f"{name} is missing (Debian: apt-get install redis-server)")
    return path


def _is_free(port: int) -> bool:
    with socket.socket() as probe, contextlib.suppress(OSError):
        probe.bind(("127.0.0.1", port))
        return True
    return False


def free_ports(count: int) -> list[int]:
    """Ports that nobody listens on now, nor on those of their bus."""
    found: list[int] = []
    start = random.randrange(len(PORTS))
    for offset in range(len(PORTS)):
        port = PORTS[(start + offset) % len(PORTS)]
        if _is_free(port) and _is_free(port + BUS_OFFSET):
            found.append(port)
            if len(found) == count:
                return found
    raise AssertionError("no free ports")


@dataclass
class Node:
    """One Redis server on a port of this machine."""

    port: int
    folder: Path
    options: tuple[str, ...] = ()
    process: subprocess.Popen[bytes] = field(init=False)

    def __post_init__(self) -> None:
        self.folder.mkdir(exist_ok=True)
        self.start()

    def start(self) -> None:
        """Start the server, on the data that it left."""
        command = [program("redis-server"), *self.options, "--port", str(self.port)]
        command += ["--bind", "127.0.0.1", "--dir", str(self.folder), "--save", ""]
        with (self.folder / "redis.log").open("ab") as log:
            self.process = subprocess.Popen(leash.command(command), cwd=self.folder, stdout=log, stderr=log)

    def kill(self) -> None:
        """End it at once."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def client(self) -> Redis:
        """A client of this server alone."""
        return Redis(port=self.port, protocol=2, decode_responses=True, socket_timeout=2)

    def answers(self) -> bool:
        """Whether it serves."""
        with self.client() as client, contextlib.suppress(RedisError):
            return bool(client.ping())
        return False

    def has_written(self) -> bool:
        """Whether its append-only file holds all that it has answered."""
        with self.client() as client:
            about: Any = client.info("persistence")
        return not about["aof_buffer_length"] and not about["aof_pending_bio_fsync"]


@dataclass
class Nodes:
    """Servers behind one URL."""

    url: str
    nodes: list[Node]

    def kill_master(self, key: str) -> None:
        """End the server that ``key`` is written on at once, as soon as its replica has all that it has."""
        node = next(node for node in self.nodes if node.process.poll() is None and _takes(node, key))
        with node.client() as client:
            client.set(f"{key}:last", 1)
            wait_until(lambda: client.wait(1, 1000) == 1, "the replica has it all")
        node.kill()


def _takes(node: Node, key: str) -> bool:
    with node.client() as client, contextlib.suppress(RedisError):
        return bool(client.set(f"{key}:last", 0))
    return False


@contextmanager
def started(folder: Path, count: int, *options: str) -> Iterator[list[Node]]:
    """So many servers that answer, ended with the block."""
    nodes: list[Node] = []
    with ExitStack() as stack:
        for port in free_ports(count):
            nodes.append(Node(port, folder / str(port), options))
            stack.callback(nodes[-1].kill)
        for node in nodes:
            wait_until(node.answers, "Redis answers", START_S)
        yield nodes


@contextmanager
def cluster(folder: Path) -> Iterator[Nodes]:
    """Three masters with a replica each."""
    options = ("--cluster-enabled", "yes", "--cluster-node-timeout", str(NODE_TIMEOUT_MS))
    with started(folder, 6, *options, "--appendonly", "yes") as nodes:
        places = [f"127.0.0.1:{node.port}" for node in nodes]
        command = [program("redis-cli"), "--cluster", "create", *places]
        made = subprocess.run(
            [*command, "--cluster-replicas", "1", "--cluster-yes"],
            capture_output=True,
            text=True,
            check=False,
        )
        assert made.returncode == 0, made.stdout + made.stderr
        for node in nodes:
            wait_until(lambda node=node: _is_whole(node), "the cluster is whole", START_S)  # type: ignore[misc]
        yield Nodes(f"redis+cluster://{places[0]},{places[1]}", nodes)


def _is_whole(node: Node) -> bool:
    with node.client() as client:
        state = client.execute_command("CLUSTER INFO")
        return str(state["cluster_state"]) == "ok" and _has_its_pair(client)


def _has_its_pair(client: Redis) -> bool:
    about: Any = client.info("replication")
    return "up" in str(about.get("master_link_status")) or int(about["connected_slaves"]) == 1


@contextmanager
def sentinels(folder: Path) -> Iterator[Nodes]:
    """A master, a replica, and three sentinels."""
    with (
        started(folder, 2, "--appendonly", "yes", "--repl-diskless-sync-delay", "0") as nodes,
        ExitStack() as stack,
    ):
        with nodes[1].client() as client:
            client.replicaof("127.0.0.1", nodes[0].port)
            wait_until(lambda: _has_its_pair(client), "it follows", START_S)
        watchers = []
        for port in free_ports(3):
            home = folder / f"sentinel-{port}"
            home.mkdir()
            (home / "sentinel.conf").write_text(
                f"sentinel monitor {MASTER} 127.0.0.1 {nodes[0].port} 2\n"
                f"sentinel down-after-milliseconds {MASTER} {NODE_TIMEOUT_MS}\n"
                f"sentinel failover-timeout {MASTER} 10000\n"
            )
            watchers.append(Node(port, home, ("sentinel.conf", "--sentinel")))
            stack.callback(watchers[-1].kill)
        for watcher in watchers:
            wait_until(lambda w=watcher: _sees_all(w), "the sentinels know each other", START_S)  # type: ignore[misc]
        yield Nodes(
            "redis+sentinel://" + ",".join(f"127.0.0.1:{w.port}" for w in watchers) + f"/{MASTER}", nodes
        )


def _sees_all(watcher: Node) -> bool:
    with watcher.client() as client, contextlib.suppress(RedisError):
        master: Any = client.sentinel_master(MASTER)
        return bool(master["num-other-sentinels"] == 2 and master["num-slaves"] == 1)
    return False
