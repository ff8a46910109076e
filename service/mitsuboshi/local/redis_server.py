"""The embedded Redis of a data folder: joined where one runs, started where none does, restarted if it dies.

One lock file decides who may start a server: the server itself inherits the lock and holds it as long as it
lives, so that two of them never write one append-only file. Every process that uses the folder has a keeper
thread; when the process that started the server is gone, and the server with it, another one starts it anew.
"""

from __future__ import annotations

import fcntl
import os
import signal
import socket
import subprocess
import threading
import time
from pathlib import Path
from typing import Literal

from mitsuboshi.local import leash
from mitsuboshi.local.failure import CannotStart
from mitsuboshi.local.redis_binary import find_redis

SOCKET = "redis.sock"
LOCK = "redis.lock"
LOG = "redis.log"
SOCKET_PATH_BYTES_MAX = 100  # The kernel's limit is 108 on Linux and 104 on macOS, with the closing zero.
LOG_BYTES_MAX = 1_000_000
START_S = 60.0
STOP_S = 10.0
PING_S = 1.0
POLL_S = 0.02
KEEP_S = 0.3
OPTIONS = (
    *("--port", "0", "--unixsocket", SOCKET, "--unixsocketperm", "700", "--daemonize", "no"),
    *("--appendonly", "yes", "--appendfsync", "everysec", "--save", "", "--maxmemory-policy", "noeviction"),
    # What has expired leaves the file when that is rewritten: from a small size on, and whenever it doubles.
    *("--auto-aof-rewrite-min-size", "1mb", "--auto-aof-rewrite-percentage", "100"),
)

State = Literal["ready", "busy", "gone"]


class EmbeddedRedis:
    """The Redis of one data folder, ready from the entering of the context to its end."""

    def __init__(self, data_dir: Path) -> None:
        self.folder = data_dir.absolute()
        self.socket = self.folder / SOCKET
        self._server: subprocess.Popen[bytes] | None = None
        self._ready = threading.Event()
        self._ending = threading.Event()
        self._failure: Exception | None = None
        # The leash is tied to the thread that forks: this one does all the starting and lives to the end.
        self._keeper = threading.Thread(target=self._keep, name="redis-keeper", daemon=True)

    @property
    def url(self) -> str:
        """The URL that a client connects to."""
        return f"unix://{self.socket}"

    @property
    def pid(self) -> int | None:
        """The server's process id when this process has started it, None when it joined another's."""
        return self._server.pid if self._server else None

    def __enter__(self) -> EmbeddedRedis:
        _prepare(self.folder, self.socket)
        self._keeper.start()
        self._ready.wait()
        if self._failure is not None:
            self.close()
            raise self._failure
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the server, its append-only file flushed, if this process started it; a joined one goes on."""
        self._ending.set()
        self._keeper.join()

    def _keep(self) -> None:
        """The keeper: starts or joins the server, then again whenever it is gone, until the end."""
        try:
            self._open()
        except Exception as failure:  # Handed to the thread that waits for it.
            self._failure = failure
        finally:
            self._ready.set()
        while not self._ending.wait(KEEP_S):
            if self._failure is None and self._gone():
                self._server = None
                _say("The embedded Redis has ended; it is started again.")
                try:
                    self._open()
                except (CannotStart, OSError) as failure:
                    _say(f"The embedded Redis is away: {failure}")
        self._stop()

    def _gone(self) -> bool:
        if self._server is not None:
            return self._server.poll() is not None
        return ping(self.socket) == "gone"

    def _open(self) -> None:
        deadline = time.monotonic() + START_S
        while not self._ending.is_set():
            state = ping(self.socket)
            if state == "ready":
                return
            if self._server is not None and self._server.poll() is not None:
                self._server = None
                raise CannotStart(f"Redis ended while starting: {_last_line(self.folder / LOG)}")
            if state == "gone" and self._server is None:
                self._start_if_free()
            if time.monotonic() > deadline:
                raise CannotStart(f"Redis in {self.folder} did not answer in {START_S:.0f} s.")
            time.sleep(POLL_S)

    def _start_if_free(self) -> None:
        lock = os.open(self.folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._server = _start(self.folder, lock)
        except BlockingIOError:
            return  # Another process is starting one, or its server is about to end: look again.
        finally:
            os.close(lock)

    def _stop(self) -> None:
        server = self._server
        if server is None:
            return
        server.terminate()
        try:
            server.wait(STOP_S)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def ping(path: Path) -> State:
    """Whether a server at the socket answers, answers but cannot serve yet, or is not there."""
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
            client.settimeout(PING_S)
            client.connect(str(path))
            client.sendall(b"PING\r\n")
            return "ready" if client.recv(64).startswith(b"+PONG") else "busy"
    except (FileNotFoundError, ConnectionRefusedError, ConnectionResetError, BrokenPipeError):
        return "gone"
    except (TimeoutError, BlockingIOError):
        return "busy"


def _prepare(folder: Path, path: Path) -> None:
    if len(os.fsencode(path)) > SOCKET_PATH_BYTES_MAX:
        raise CannotStart(
            f"MITSUBOSHI_DATA_DIR is too long: the socket {path} has {len(os.fsencode(path))} bytes of "
            f"{SOCKET_PATH_BYTES_MAX} at most; name a folder with a shorter path."
        )
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise CannotStart(f"MITSUBOSHI_DATA_DIR {folder} cannot be made: {error.strerror}.") from error
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        raise CannotStart(f"MITSUBOSHI_DATA_DIR {folder} cannot be written to.")


def _start(folder: Path, lock: int) -> subprocess.Popen[bytes]:
    log = folder / LOG
    mode = "wb" if log.exists() and log.stat().st_size > LOG_BYTES_MAX else "ab"
    log.touch(mode=0o600)
    # SIGTERM, so that a server whose parent was killed still flushes its file.
    command = leash.command([str(_program_for(folder)), *OPTIONS], ends_with=signal.SIGTERM)
    with log.open(mode) as output:
        return subprocess.Popen(  # noqa: S603 the server program found on this machine
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            pass_fds=(lock,),
            umask=0o077,
            # Its own session: Ctrl-C in the terminal must not reach it before those that use it have ended.
            start_new_session=True,
        )


def _program_for(folder: Path) -> Path:
    # Redis 7 keeps its append-only file in a folder, which an older one would pass over without a word.
    return find_redis(oldest=(7, 0)) if (folder / "appendonlydir").is_dir() else find_redis()


def _last_line(log: Path) -> str:
    lines = log.read_text(errors="replace").strip().splitlines()
    return lines[-1].strip() if lines else "it said nothing."


def _say(sentence: str) -> None:
    os.write(2, f"{sentence}\n".encode())
