"""One hub a process: a room's log is read once, however many sockets and streams hang on it.

The bell only says that there is news; what it is, is read from the log behind the last event that was
passed on. So nothing is lost with a ring, and a history that has changed behind our back is seen: its last
event is another.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import msgspec
import structlog
from msgspec import Struct

from mitsuboshi.host.ports import Bells, Log, StoreUnavailable, Unreadable
from mitsuboshi.rooms import events as e
from mitsuboshi.rooms.event_views import event_view

QUEUE_EVENTS_MAX = 256
"""Events that wait for one slow reader; with one more it is cut off."""
CUT_OFF_S = 1.0
BATCH_EVENTS = 100
RETRY_S = 0.5
BEGIN_S = 5.0
"""How long a reader waits for the first reading of a log."""
POLL_S = 30.0
"""How often the log is read without a ring, should the bell be broken."""

_encode = msgspec.json.Encoder().encode
_log = structlog.get_logger()


class Told(Struct, frozen=True):
    """A message in JSON: an event, or a ``snapshot`` of the room; ``last`` marks the last event of its room.

    ``version`` and ``id`` are those of the event, or of the last one in the snapshot."""

    version: int
    id: str
    text: bytes
    last: bool = False
    snapshot: bool = False


def told(event: e.AnyEvent) -> Told:
    """The event as it is sent."""
    closed = isinstance(event, e.RoomClosed)
    return Told(event.version, event.id, _encode(event_view(event)), closed)


class Subscriber:
    """One reader of a room, served by ``task``: the events that wait for it, in order.

    ``lost`` tells that events are missing, so that a snapshot must take their place; ``too_slow`` that
    the reader did not keep up. Its task is then given ``CUT_OFF_S`` to say so, and cancelled."""

    def __init__(self, task: asyncio.Task[object] | None) -> None:
        self._task = task
        self.news = asyncio.Event()
        self.lost = False
        self.failed = False
        self.too_slow = False
        self._waiting: list[Told] = []

    def put(self, event: Told) -> None:
        """The event waits for the reader."""
        if len(self._waiting) < QUEUE_EVENTS_MAX:
            self._waiting.append(event)
        elif not self.too_slow:
            self.too_slow = True
            if self._task is not None:
                # A task that waits for the reader's full buffer never sees the flag.
                asyncio.get_running_loop().call_later(CUT_OFF_S, self._task.cancel)
        self.news.set()

    def lose(self) -> None:
        """What waits is void: the history is another, or has a gap."""
        self._waiting.clear()
        self.lost = True
        self.news.set()

    def fail(self) -> None:
        """Nothing can be told any more."""
        self.failed = True
        self.news.set()

    def take(self) -> list[Told]:
        """All that waits."""
        self.news.clear()
        taken, self._waiting = self._waiting, []
        return taken


class _Feed:
    """A room's events as they happen, for its subscribers in this process."""

    def __init__(self, room_id: str, log: Log, bells: Bells) -> None:
        self.subscribers: set[Subscriber] = set()
        self._room_id = room_id
        self._log = log
        self._bells = bells
        self._version = -1
        self._id = ""
        self.started = asyncio.Event()
        self.failed = False
        self.task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        while True:
            try:
                await self._follow()
            except Unreadable as fault:
                _log.error("feed_ended", room=self._room_id, reason=str(fault))
                self._end()
                return
            except StoreUnavailable as fault:
                _log.warning("feed_interrupted", room=self._room_id, reason=str(fault))
                await asyncio.sleep(RETRY_S)
            except Exception:
                _log.exception("feed_failed", room=self._room_id)
                self._end()
                return

    def _end(self) -> None:
        """Nothing more can be told here: readers are sent away, and may come back to another process."""
        self.failed = True
        self.started.set()
        for subscriber in self.subscribers:
            subscriber.fail()

    async def _follow(self) -> None:
        async with self._bells.listening(self._room_id) as rung:
            if self._version < 0:
                await self._begin()
            while True:
                rung.clear()
                while await self._pass_on():
                    pass
                try:
                    async with asyncio.timeout(POLL_S):
                        await rung.wait()
                except TimeoutError:
                    continue

    async def _begin(self) -> None:
        last = await self._log.last_event(self._room_id)
        self._version, self._id = (last.version, last.id) if last is not None else (0, "")
        self.started.set()

    async def _pass_on(self) -> bool:
        """Read what follows the last known event and hand it out; whether there may be more."""
        events = await self._log.events(self._room_id, max(0, self._version - 1), BATCH_EVENTS)
        known = self._version == 0 or (events and events[0].id == self._id)
        if not known:
            await self._begin()
            for subscriber in self.subscribers:
                subscriber.lose()
            return False
        news = [told(event) for event in events if event.version > self._version]
        for event in news:
            self._version, self._id = event.version, event.id
            for subscriber in self.subscribers:
                subscriber.put(event)
        return len(events) == BATCH_EVENTS


class Hub:
    """Hands each room's events to everybody who listens in this process."""

    def __init__(self, log: Log, bells: Bells) -> None:
        self._log = log
        self._bells = bells
        self._feeds: dict[str, _Feed] = {}

    def wake_all(self) -> None:
        """Every reader looks up, though there is no news for it."""
        for feed in self._feeds.values():
            for subscriber in feed.subscribers:
                subscriber.news.set()

    @asynccontextmanager
    async def subscribed(self, room_id: str) -> AsyncIterator[Subscriber]:
        """Inside, no event that happens from now on passes the subscriber by."""
        subscriber = Subscriber(asyncio.current_task())
        feed = self._feeds.get(room_id)
        if feed is None:
            feed = self._feeds[room_id] = _Feed(room_id, self._log, self._bells)
        feed.subscribers.add(subscriber)
        try:
            await _begun(feed)
            yield subscriber
        finally:
            feed.subscribers.discard(subscriber)
            if not feed.subscribers:
                feed.task.cancel()
                self._feeds.pop(room_id, None)


async def _begun(feed: _Feed) -> None:
    """Return once the feed follows its room; StoreUnavailable when it cannot."""
    with suppress(TimeoutError):
        async with asyncio.timeout(BEGIN_S):
            await feed.started.wait()
    if feed.failed or not feed.started.is_set():
        raise StoreUnavailable("the room's log cannot be read now")
