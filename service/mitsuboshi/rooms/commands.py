"""What can be asked of a room: clients' actions, and the commands that the service makes."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

Level = Literal["beginner", "intermediate", "advanced", "master"]
Visibility = Literal["public", "unlisted", "private"]
Name = Annotated[str, Meta(min_length=1, max_length=200)]
SeatName = Annotated[str, Meta(min_length=1, max_length=16)]
MoveText = Annotated[str, Meta(min_length=1, max_length=200)]
StepText = Annotated[str, Meta(min_length=1, max_length=16)]
RECORD_CHARS_MAX = 50_000
"""Size of a game's record that a room starts from."""
NONCE_CHARS_MIN, NONCE_CHARS_MAX = 8, 64
PositionText = Annotated[str, Meta(min_length=1, max_length=400)]
RecordText = Annotated[str, Meta(min_length=1, max_length=RECORD_CHARS_MAX)]
NonceText = Annotated[str, Meta(pattern=rf"^[A-Za-z0-9_-]{{{NONCE_CHARS_MIN},{NONCE_CHARS_MAX}}}$(?!\n)")]

CLOCK_S_MIN, CLOCK_S_MAX = 1, 86_400
ABSENCE_S_MIN, ABSENCE_S_MAX = 1, 86_400
METADATA_BYTES_MAX = 1024
"""Size of an integrator's ``metadata``, as JSON."""
METADATA_DEPTH_MAX = 16
"""How deep lists and objects may stand in one another there, the outermost included."""


class AiSeat(Struct, frozen=True, forbid_unknown_fields=True):
    """A seat that an AI of this level holds."""

    ai: Level


class ClockWish(Struct, frozen=True, forbid_unknown_fields=True):
    """The time for each move."""

    per_move_s: Annotated[int, Meta(ge=CLOCK_S_MIN, le=CLOCK_S_MAX)]


class AbsenceWish(Struct, frozen=True, forbid_unknown_fields=True):
    """What happens ``after_s`` seconds without a sign of a person; None stands for the game's own."""

    after_s: Annotated[int, Meta(ge=ABSENCE_S_MIN, le=ABSENCE_S_MAX)] | None = None
    then: Literal["substitute", "ask", "lose", "wait"] | None = None


class CreateRoom(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The body of a room's creation. Seats not named are open, but the first is the creator's.

    A ``clock`` that is not given is the game's own; null switches it off."""

    game: Annotated[str, Meta(min_length=1, max_length=32)]
    seats: dict[str, Literal["me", "open"] | AiSeat] = {}
    options: dict[str, str | int | bool] = {}
    visibility: Visibility = "unlisted"
    name: Name | None = None
    undo: Literal["default", "off", "request", "free"] = "default"
    clock: ClockWish | UnsetType | None = UNSET
    absence: AbsenceWish | None = None
    position: PositionText | None = None
    record: RecordText | None = None
    metadata: dict[str, Any] = {}


class JoinRoom(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of a join: any open seat, or the one named."""

    seat: SeatName | None = None
    name: Name | None = None
    nonce: NonceText | None = None
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


class Step(Action, frozen=True, tag="step"):
    """The side to move makes one step of its turn: one checker by one number, one jump."""

    step: StepText


class Unstep(Action, frozen=True, tag="unstep"):
    """The side to move takes back the last step of its turn."""


class Confirm(Action, frozen=True, tag="confirm"):
    """The side to move ends its turn with the steps made."""


class Roll(Action, frozen=True, tag="roll"):
    """The side to move throws the dice."""


class Nonce(Action, frozen=True, tag="nonce", kw_only=True):
    """The caller's share in the chance of the next game."""

    nonce: NonceText


class OfferDraw(Action, frozen=True, tag="offer_draw"):
    """The seat offers a draw."""


class Pass(Action, frozen=True, tag="pass"):
    """The side to move passes, where it has no legal move."""


class Undo(Action, frozen=True, tag="undo"):
    """Back to before the last move of any of the caller's seats; an offer where others must agree."""


class Resign(Action, frozen=True, tag="resign"):
    """The seat gives up the game."""


class Leave(Action, frozen=True, tag="leave"):
    """The caller gives up its seats."""


class Rematch(Action, frozen=True, tag="rematch"):
    """The caller votes for another game."""


class Answer(Action, frozen=True, tag="answer"):
    """Yes or no to what waits for an answer; ``accept: false`` takes back one's own rematch vote or offer."""

    to: Literal["draw", "rematch", "undo"]
    accept: bool


class Rename(Action, frozen=True, tag="rename"):
    """The caller's seats take this name."""

    name: Name


class Substitute(Action, frozen=True, tag="substitute", kw_only=True):
    """An AI shall play for the absent ``seat`` until its person is back."""

    seat: SeatName


AnyAction = (
    Start
    | Move
    | Step
    | Unstep
    | Confirm
    | Roll
    | Pass
    | Undo
    | OfferDraw
    | Answer
    | Resign
    | Leave
    | Rematch
    | Rename
    | Substitute
    | Nonce
)


class Now(Struct, frozen=True):
    """The time of a command.

    ``wall_ms`` is Unix time, for people to read; ``service_ms`` counts only while the service
    runs, for deadlines."""

    wall_ms: int
    service_ms: int


class Waits(Struct, frozen=True):
    """How long a room waits for anybody at all, and how long a request makes its sender present."""

    idle_ms: int
    presence_ms: int


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


class AiAnswer(Struct, frozen=True):
    """An AI's answer to the draw offer that asked by the job ``job_id``."""

    job_id: str
    accept: bool


class Return(Struct, frozen=True):
    """A person shows itself, and takes its seats back from their substitutes."""

    person: str


class Look(Struct, frozen=True):
    """Something may be due. ``seen`` holds the service time at which each person was last there."""

    seen: dict[str, int]
    waits: Waits


Command = Create | Join | Act | Close | AiMove | AiAnswer | Return | Look
