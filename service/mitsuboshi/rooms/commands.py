"""What can be asked of a room: clients' actions, and the commands that the service makes."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

Level = Literal["beginner", "intermediate", "advanced", "master"]
Visibility = Literal["public", "unlisted", "private"]
Name = Annotated[str, Meta(min_length=1, max_length=200)]
SeatName = Annotated[str, Meta(min_length=1, max_length=16)]
MoveText = Annotated[str, Meta(min_length=1, max_length=200)]
PositionText = Annotated[str, Meta(min_length=1, max_length=400)]

METADATA_BYTES_MAX = 1024
"""Size of an integrator's ``metadata``, as JSON."""
METADATA_DEPTH_MAX = 16
"""How deep lists and objects may stand in one another there, the outermost included."""


class AiSeat(Struct, frozen=True, forbid_unknown_fields=True):
    """A seat that an AI of this level holds."""

    ai: Level


class CreateRoom(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The body of a room's creation. Seats not named are open, but the first is the creator's."""

    game: Annotated[str, Meta(min_length=1, max_length=32)]
    seats: dict[str, Literal["me", "open"] | AiSeat] = {}
    options: dict[str, str | int | bool] = {}
    visibility: Visibility = "unlisted"
    name: Name | None = None
    undo: Literal["default", "off", "free"] = "default"
    position: PositionText | None = None
    metadata: dict[str, Any] = {}


class JoinRoom(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of a join: any open seat, or the one named."""

    seat: SeatName | None = None
    name: Name | None = None
    invite: Annotated[str, Meta(max_length=64)] | None = None


class Action(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type"):
    """What every action may carry: the version it was made for; the seat, of several."""

    version: Annotated[int, Meta(ge=0)] | None = None
    seat: SeatName | None = None


class Start(Action, frozen=True, tag="start"):
    """The owner begins; an AI of level ``fill`` takes each open seat."""

    fill: Level = "intermediate"


class Move(Action, frozen=True, tag="move"):
    """The side to move plays ``move``."""

    move: MoveText


class Pass(Action, frozen=True, tag="pass"):
    """The side to move passes, where it has no legal move."""


class Undo(Action, frozen=True, tag="undo"):
    """Back to before the last move of any seat that the caller holds."""


class Resign(Action, frozen=True, tag="resign"):
    """The seat gives up the game."""


class Leave(Action, frozen=True, tag="leave"):
    """The caller gives up its seats."""


class Rematch(Action, frozen=True, tag="rematch"):
    """The caller votes for another game."""


class Answer(Action, frozen=True, tag="answer"):
    """Yes or no to what waits for an answer; ``accept: false`` takes a rematch vote back."""

    to: Literal["rematch"]
    accept: bool


class Rename(Action, frozen=True, tag="rename"):
    """The caller's seats take this name."""

    name: Name


AnyAction = Start | Move | Pass | Undo | Resign | Leave | Rematch | Answer | Rename


class Now(Struct, frozen=True):
    """The time of a command.

    ``wall_ms`` is Unix time, for people to read; ``service_ms`` counts only while the service
    runs, for deadlines."""

    wall_ms: int
    service_ms: int


class Create(Struct, frozen=True):
    """A person makes the room ``room``; all ids are drawn by the caller."""

    room: str
    person: str
    invite: str
    body: CreateRoom
    life_ms: int


class Join(Struct, frozen=True):
    """A person asks for a seat."""

    person: str
    body: JoinRoom


class Act(Struct, frozen=True):
    """A person's action."""

    person: str
    action: AnyAction


class Close(Struct, frozen=True):
    """A person asks to end the room."""

    person: str


class AiMove(Struct, frozen=True):
    """An AI's answer to the job ``job_id``; ``fallback`` tells that no search made it."""

    job_id: str
    move: str
    fallback: bool = False


class Expire(Struct, frozen=True):
    """The room's time has come, if it has: ``seen_ms`` is the service time of its last presence."""

    seen_ms: int
    idle_ms: int


Command = Create | Join | Act | Close | AiMove | Expire
