"""An AI's answer becomes a command, like anybody's."""

from __future__ import annotations

from mitsuboshi.host.host import Host
from mitsuboshi.rooms.commands import AiMove
from mitsuboshi.rooms.follow import MoveJob
from mitsuboshi.rooms.refused import Refused


async def answer(host: Host, job: MoveJob, move: str, fallback: bool = False) -> None:
    """Play the AI's move. A late one is dropped; Refused when the rules forbid it."""
    try:
        await host.handle(job.room, AiMove(job.job_id, move, fallback))
    except Refused as refused:
        if refused.code not in ("stale_job", "room_not_found"):
            raise
