"""Real processes of the service for tests: started on free ports, ended for certain, their output kept."""

from __future__ import annotations

import contextlib
import http.client
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from mitsuboshi.local import leash

START_S = 30.0
STOP_S = 15.0
POLL_S = 0.05
PORTS = (20_000, 32_000)


def free_port() -> int:
    """A port of this machine that nobody listens on now, outside the range that the system hands out itself.

    A port of that range could be given to anybody's connection before the program under test opens it.
    """
    while True:
        port = random.randint(*PORTS)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def wait_until(true: Callable[[], bool], what: str, within_s: float = START_S) -> None:
    """Return as soon as ``true()`` is; fail the test, saying ``what`` did not happen, after ``within_s``."""
    deadline = time.monotonic() + within_s
    while not true():
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {within_s:.0f} s: {what}")
        time.sleep(POLL_S)


def answers(url: str) -> bool:
    """Whether a GET of ``url`` is answered by a status below 400."""
    host, _, path = url.removeprefix("http://").partition("/")
    connection = http.client.HTTPConnection(host, timeout=2)
    try:
        connection.request("GET", f"/{path}")
        return connection.getresponse().status < http.HTTPStatus.BAD_REQUEST
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def is_alive(pid: int) -> bool:
    """Whether the process exists and is not a zombie that only waits to be reaped."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def processes_with(text: str) -> set[int]:
    """The living processes whose environment, command line or folder holds ``text``, this one left out."""
    found = set()
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit() or int(folder.name) == os.getpid():
            continue
        try:
            about = (folder / "environ").read_bytes() + (folder / "cmdline").read_bytes()
            # Redis writes its title over its own environment, but its working folder stays.
            about += os.readlink(folder / "cwd").encode()
        except OSError:
            continue
        if text.encode() in about and is_alive(int(folder.name)):
            found.add(int(folder.name))
    return found


@dataclass
class Program:
    """One running ``python -m mitsuboshi …``, with all that it and its children said in ``log``."""

    arguments: list[str]
    process: subprocess.Popen[bytes]
    log: Path

    @classmethod
    def start(
        cls, arguments: list[str], environ: Mapping[str, str], log: Path, module: str = "mitsuboshi"
    ) -> Program:
        """Start the program, or another module.

        ``environ`` is laid over this process's environment, less our own settings.

        It is on a leash: a test run that is killed leaves nothing behind.
        """
        clean = {name: value for name, value in os.environ.items() if not name.startswith("MITSUBOSHI_")}
        with log.open("ab") as output:
            process = subprocess.Popen(
                leash.command([sys.executable, "-m", module, *arguments]),
                env={**clean, "PYTHONFAULTHANDLER": "1", **environ},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
            )
        return cls(arguments, process, log)

    def said(self) -> str:
        """Everything written so far."""
        return self.log.read_text(errors="replace")

    def wait_for(self, url: str) -> None:
        """Return when the URL answers; fail with the program's own words when it ends or takes too long."""
        wait_until(lambda: self.process.poll() is not None or answers(url), f"{url}\n{self.said()}")
        assert self.process.poll() is None, f"{self.arguments} ended early:\n{self.said()}"

    def wait_for_word(self, word: str) -> None:
        """Return when the program has written ``word``; fail with what it wrote when it ends before."""
        wait_until(lambda: self.process.poll() is not None or word in self.said(), f"{word!r}\n{self.said()}")
        assert word in self.said(), f"{self.arguments} ended early:\n{self.said()}"

    def kill(self) -> None:
        """End the program at once, if it has not ended yet."""
        self.process.kill()
        self.process.wait()

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Send the signal, wait for the end (killing what does not end in time) and answer the exit code."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        try:
            return self.process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            # With the fault handler on, it writes down where each of its threads stands.
            self.process.send_signal(signal.SIGABRT)
            self.process.wait()
            raise AssertionError(f"{self.arguments} did not end in {STOP_S:.0f} s:\n{self.said()}") from None


@dataclass
class Service:
    """API and worker processes on one Redis."""

    redis_url: str
    folder: Path
    urls: list[str] = field(default_factory=list)
    apis: list[Program] = field(default_factory=list)
    workers: list[Program] = field(default_factory=list)

    def add_api(self, **settings: str) -> str:
        """Start one more API process and answer its base URL once it is ready."""
        port = free_port()
        url = f"http://127.0.0.1:{port}"
        program = self._start("serve", len(self.apis), {"MITSUBOSHI_PORT": str(port), **settings})
        self.apis.append(program)
        program.wait_for(f"{url}/health/ready")
        self.urls.append(url)
        return url

    def add_worker(self, **settings: str) -> Program:
        """Start one more AI worker process."""
        program = self._start("worker", len(self.workers), settings)
        self.workers.append(program)
        return program

    def ask_to_end(self) -> None:
        """Ask the APIs to end, without waiting for it."""
        for program in self.apis:
            if program.process.poll() is None:
                program.process.terminate()

    def stop(self) -> None:
        """End everything, the APIs first; the first process that refuses to end is told at the end."""
        self.ask_to_end()
        stubborn = []
        for program in [*self.apis, *self.workers]:
            try:
                program.stop()
            except AssertionError as error:
                stubborn.append(error)
        if stubborn:
            raise stubborn[0]

    def logs(self) -> str:
        """What all processes have said, for a failing test's report."""
        return "\n".join(f"--- {path.name}\n{path.read_text()}" for path in sorted(self.folder.glob("*.log")))

    def _start(self, command: str, number: int, settings: Mapping[str, str]) -> Program:
        environ = {"MITSUBOSHI_REDIS_URL": self.redis_url, **settings}
        return Program.start([command], environ, self.folder / f"{command}-{number}.log")
