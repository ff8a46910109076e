"""An AI's answer becomes a command, like anybody's."""

from __future__ import annotations

from mitsuboshi.host.host import Host
from mitsuboshi.rooms.commands import AiAnswer, AiMove, Command
from mitsuboshi.rooms.follow import DrawJob, MoveJob
from mitsuboshi.rooms.refused import Refused


async def answer_draw(host: Host, job: DrawJob, accept: bool) -> None:
    """Give the AI's answer to a draw offer. A late one is dropped."""
    await _hand_in(host, job.room, AiAnswer(job.job_id, accept))


async def answer(host: Host, job: MoveJob, move: str, fallback: bool = False) -> None:
    """Play the AI's move. A late one is dropped; Refused when the rules forbid it."""
    await _hand_in(host, job.room, AiMove(job.job_id, move, fallback))


async def _hand_in(host: Host, room: str, command: Command) -> None:
    try:
        await host.handle(room, command)
    except Refused as refused:
        if refused.code not in ("stale_job", "room_not_found"):
            raise
