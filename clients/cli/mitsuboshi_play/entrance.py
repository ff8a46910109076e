"""How a room is entered: made, joined, come back to, or watched; and how its token is kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from mitsuboshi_play.api import Api
from mitsuboshi_play.options import Settings, read_seats
from mitsuboshi_play.snapshot import Json, Snapshot
from mitsuboshi_play.tokens import default_file, read_token, write_token


@dataclass(frozen=True, slots=True)
class Entered:
    """The room on entering, what invites others into a private one, and where the token of a seat is kept."""

    room: Snapshot
    invite: str
    token_file: Path | None


def enter(api: Api, settings: Settings, seats: Sequence[str], environ: Mapping[str, str]) -> Entered:
    """The room that the settings ask for, a new one with these seats in turn order.

    Refused, BadUsage or BadTokenFile when there is no way in."""
    return _create(api, settings, seats, environ) if settings.join is None else _join(api, settings, environ)


def _create(api: Api, settings: Settings, seats: Sequence[str], environ: Mapping[str, str]) -> Entered:
    body: Json = {
        "game": settings.game,
        "seats": read_seats(settings.seats, settings.players, seats),
        "options": dict(settings.options),
        **_given(
            name=settings.name, position=settings.position, visibility=settings.visibility, undo=settings.undo
        ),
    }
    if settings.clock is not None:
        body["clock"] = {"per_move_s": settings.clock} if settings.clock else None
    if settings.token_file is not None:
        api.token = read_token(settings.token_file)
    answer, room = api.create(body)
    return _kept(api, settings, answer, room, environ)


def _join(api: Api, settings: Settings, environ: Mapping[str, str]) -> Entered:
    name = settings.join or ""
    file = settings.token_file or default_file(environ, name)
    api.token = read_token(file)
    if settings.watch or api.token:
        room = api.room(name)
        if settings.watch or (room.you and settings.seat in (None, *room.you)):
            return Entered(room, "", file if api.token and room.you else None)
    answer, room = api.join(name, _given(seat=settings.seat, name=settings.name, invite=settings.invite))
    return _kept(api, settings, answer, room, environ)


def _kept(api: Api, settings: Settings, answer: Json, room: Snapshot, environ: Mapping[str, str]) -> Entered:
    file = settings.token_file or default_file(environ, room.id)
    token = str(answer.get("token") or "")
    if token:
        api.token = token
        write_token(file, token)
    return Entered(room, str(answer.get("invite") or ""), file)


def _given(**members: str | None) -> Json:
    return {name: value for name, value in members.items() if value is not None}
