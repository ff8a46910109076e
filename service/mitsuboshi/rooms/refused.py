"""A refusal: the one way in which a room says no."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from mitsuboshi.rooms.state import Room

Code = Literal[
    # who asks, and for what
    "no_api_key",
    "no_token",
    "unknown_token",
    "not_owner",
    "not_seated",
    "not_your_seat",
    "private_room",
    "wrong_invite",
    "room_not_found",
    "game_not_found",
    # the state forbids it
    "already_started",
    "game_over",
    "leave_instead",
    "name_taken",
    "not_absent",
    "not_finished",
    "not_playing",
    "not_your_turn",
    "nonce_given",
    "not_in_this_game",
    "nothing_to_answer",
    "nothing_to_roll",
    "nothing_to_undo",
    "offer_pending",
    "seat_taken",
    "stale_job",
    "stale_version",
    "too_many_games",
    "turn_in_hand",
    "turn_incomplete",
    "undo_off",
    "room_closed",
    # the text of the request
    "ambiguous_move",
    "illegal_move",
    "invalid_body",
    "invalid_move",
    "invalid_option",
    "invalid_position",
    "invalid_query",
    "invalid_record",
    "key_reused",
    "unknown_action",
    # not now
    "too_many_connections",
    "too_many_requests",
    "busy",
    "pool_unavailable",
    "store_unavailable",
]


class Refused(Exception):
    """A command that changes nothing. ``code`` is for programs, ``detail`` for people.

    ``field`` is the path of the part of the request at fault, such as ``seats.red``. ``room`` is the
    room whose state is the reason, where one was looked at."""

    def __init__(self, code: Code, detail: str, field: str | None = None, room: Room | None = None) -> None:
        super().__init__(detail)
        self.code: Code = code
        self.detail = detail
        self.field = field
        self.room = room
