"""One of the programs that `mitsuboshi up` starts: kept running, and ended when it is time."""

from __future__ import annotations

import asyncio
import contextlib
import sys
import time
from collections.abc import Mapping

from mitsuboshi.local import leash
from mitsuboshi.local.failure import CannotStart

RESTART_FIRST_S = 0.2
RESTART_LONGEST_S = 10.0
STEADY_S = 10.0
STDERR = 2


class Child:
    """A process of our own program, started anew whenever it ends before its time.

    One that ends by itself with an error before ``settled`` is set will not do better a second time: then
    ``keep`` raises CannotStart. One that is killed, or crashes, is always started again.
    """

    def __init__(self, name: str, command: str, environ: Mapping[str, str], settled: asyncio.Event) -> None:
        self.name = name
        self._program = [sys.executable, "-m", "mitsuboshi", command]
        self._environ = environ
        self._settled = settled
        self._ending = asyncio.Event()
        self._process: asyncio.subprocess.Process | None = None
        self.keeper = asyncio.create_task(self._keep())

    async def end(self, grace_s: float) -> None:
        """Ask the process to end, and kill it after ``grace_s``; return when it is gone."""
        self._ending.set()
        self._signal_end()
        done, _ = await asyncio.wait([self.keeper], timeout=grace_s)
        if not done:
            _say(f"{self.name} does not end; it is killed.")
            self.kill()
            await asyncio.wait([self.keeper])

    def kill(self) -> None:
        """End the process at once."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()

    async def _keep(self) -> None:
        delay_s = RESTART_FIRST_S
        while not self._ending.is_set():
            started_s = time.monotonic()
            code = await self._run()
            if self._ending.is_set():
                return
            if code > 0 and not self._settled.is_set():
                raise CannotStart(f"{self.name} could not start (exit code {code}); what it said is above.")
            if time.monotonic() - started_s > STEADY_S:
                delay_s = RESTART_FIRST_S
            _say(f"{self.name} ended (exit code {code}); it is started again in {delay_s:.1f} s.")
            await self._pause(delay_s)
            delay_s = min(delay_s * 2, RESTART_LONGEST_S)

    async def _run(self) -> int:
        """One life of the process; what it writes goes to our standard error."""
        self._process = await asyncio.create_subprocess_exec(
            *leash.command(self._program),
            env=self._environ,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=STDERR,
            # Its own session: Ctrl-C in the terminal reaches only us, and we end all in order.
            start_new_session=True,
        )
        if self._ending.is_set():
            self._signal_end()
        return await self._process.wait()

    async def _pause(self, delay_s: float) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._ending.wait(), delay_s)

    def _signal_end(self) -> None:
        if self._process is not None and self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.terminate()


def _say(sentence: str) -> None:
    print(f"mitsuboshi: {sentence}", file=sys.stderr, flush=True)
