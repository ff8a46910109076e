"""Every key in Redis, and how long each lives.

All keys of a room carry the hash tag of its partition, so that one script may touch them on a cluster.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass

SECRET = "mitsuboshi:secret"  # noqa: S105 - the key's name
"""The key that signs tokens, where no setting gives one. Lives for ever."""

SAFETY_MS = 24 * 3600 * 1000
"""How long a room's keys outlive its latest end, should no process be there to end it."""
CLOSED_MS = 3600 * 1000
"""How long a closed room can still be read."""
ANALYSIS_MS = 60 * 1000
"""How long an analysis is waited for, and its answer kept."""


@dataclass(frozen=True, slots=True)
class Keys:
    """The names of keys, with rooms spread over ``partitions``."""

    partitions: int = 1

    def all_tags(self) -> list[str]:
        """The hash tag of every partition."""
        return [f"{{p{number}}}" for number in range(self.partitions)]

    def tag(self, room_id: str) -> str:
        """The hash tag of the room's partition."""
        return f"{{p{zlib.crc32(room_id.encode()) % self.partitions}}}"

    def room(self, room_id: str) -> str:
        """String: the last event's id, a space, the room in msgpack."""
        return f"{self.tag(room_id)}:room:{room_id}"

    def receipt(self, room_id: str, key: str) -> str:
        """String: the receipt of a request with this key's digest, in msgpack."""
        return f"{self.room(room_id)}:key:{key}"

    def log(self, room_id: str) -> str:
        """Stream: the room's events, packed; an entry's id is the event's, its first part the version."""
        return f"{self.room(room_id)}:log"

    def line(self, room_id: str, game_number: int) -> str:
        """List: the opening and then the turns of one game, each in msgpack, packed (``packing``)."""
        return f"{self.room(room_id)}:line:{game_number}"

    def present(self, room_id: str) -> str:
        """Sorted set: people by the service time at which they were last in the room."""
        return f"{self.room(room_id)}:present"

    def asked(self, room_id: str) -> str:
        """String: id of the job in which an AI is asked whether it takes a draw."""
        return f"{self.room(room_id)}:asked"

    def awaited(self, room_id: str) -> str:
        """String: id of the job whose answer the room waits for."""
        return f"{self.room(room_id)}:job"


def moves(tag: str) -> str:
    """Stream: the partition's jobs for a move."""
    return f"{tag}:jobs"


def analyses(tag: str) -> str:
    """Stream: the partition's jobs for an analysis, which come behind moves."""
    return f"{tag}:analyses"


def analysis(tag: str, job_id: str) -> str:
    """String: empty while somebody waits for this analysis, then its answer in msgpack."""
    return f"{tag}:analysis:{job_id}"


def due(tag: str) -> str:
    """Sorted set: the partition's rooms by the service time at which they are to be looked at."""
    return f"{tag}:due"


def public(tag: str) -> str:
    """Sorted set: the partition's public rooms by their creation's service time."""
    return f"{tag}:public"


def rooms_of(tag: str, person: str) -> str:
    """Sorted set: the partition's rooms in which the person holds a seat, by when it sat down."""
    return f"{tag}:person:{person}"


def service_time(tag: str) -> str:
    """Hash: the service time, and the server's time when it was last moved on."""
    return f"{tag}:time"


def workers(tag: str) -> str:
    """Sorted set: the AI workers by Redis's clock when each last showed itself; it goes with the last one."""
    return f"{tag}:workers"


def counters(tag: str) -> str:
    """Hash: what has been counted, by name."""
    return f"{tag}:counters"


def work(tag: str) -> str:
    """Channel: ``work``, whenever a job is queued."""
    return f"{tag}:work"


def bell(tag: str) -> str:
    """Channel: the id of a room that changed, or of an analysis that was answered."""
    return f"{tag}:bell"
