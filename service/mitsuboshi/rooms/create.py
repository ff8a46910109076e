"""How a room begins: its seats, options and first position, read from the creation's body."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UnsetType

from mitsuboshi.games.game import (
    VERIFIABLE,
    Game,
    InvalidOption,
    InvalidText,
    Options,
    Transcript,
    complete_options,
    split_throw,
)
from mitsuboshi.games.registry import GAMES
from mitsuboshi.rooms.commands import (
    METADATA_BYTES_MAX,
    METADATA_DEPTH_MAX,
    AbsenceWish,
    AiSeat,
    Create,
    CreateRoom,
    Now,
)
from mitsuboshi.rooms.refused import Refused
from mitsuboshi.rooms.state import Seat


def find_game(key: str) -> Game[Any]:
    """The game of that key; Refused when the house has none such."""
    game = GAMES.get(key)
    if game is None:
        raise Refused("game_not_found", f"there is no game {key!r}", "game")
    return game


def read_options(game: Game[Any], given: dict[str, Any]) -> Options:
    """Every option of the game, given or default; Refused when one is unknown or out of range."""
    try:
        return complete_options(game.options, given)
    except InvalidOption as fault:
        raise Refused("invalid_option", str(fault), f"options.{fault.name}") from None


def read_position(game: Game[Any], text: str, options: Options) -> Any:
    """The game's position of that text; Refused when it cannot be read."""
    try:
        return game.read(text, options)
    except InvalidText as fault:
        raise Refused("invalid_position", str(fault), "position") from None


def start_position(game: Game[Any], players: int, options: Options, text: str | None) -> Any:
    """The position in which a room's games begin: the text's, or the game's own."""
    return game.start(players, options) if text is None else read_position(game, text, options)


def read_transcript(game: Game[Any], text: str) -> Transcript:
    """The game that the text records, in whichever of the game's formats; Refused when it is in none."""
    if not game.transcripts:
        raise Refused("invalid_record", f"no record of {game.key} can be read", "record")
    faults = []
    for name, form in game.transcripts.items():
        try:
            return form.read(text)
        except InvalidText as fault:
            faults.append(f"{name}: {fault}")
    raise Refused("invalid_record", "; ".join(faults), "record")


def _is_over(game: Game[Any], played: Transcript, options: Options) -> bool:
    """Whether the moves of the record, which the rules allow, end the game on the board."""
    position = start_position(game, min(game.player_counts), options, played.start)
    for move in played.moves:
        throw, text = split_throw(move)
        if throw:
            position = game.after_chance(position, throw)
        position = game.play(position, text)[1]
    return game.outcome(position) is not None


def room_created(command: Create, now: Now) -> tuple[dict[str, Any], list[str]]:
    """The fields of the creation's event, and the seats that the creator takes.

    Refused when the body is wrong."""
    body = command.body
    game = find_game(body.game)
    options = read_options(game, body.options)
    _check_metadata(body.metadata)
    _check_undo(game, body)
    if body.record is not None and (body.position is not None or options.get(VERIFIABLE.name)):
        raise Refused("invalid_body", "a record goes with no position and no verifiable throws", "record")
    played = None if body.record is None else read_transcript(game, body.record)
    if played is not None and _is_over(game, played, options):
        raise Refused("invalid_record", "the game is over in this record", "record")
    start = body.position if played is None else played.start
    names = _seats_in_play(game, body, options, start)
    # A record's first throw is one of its own start, which may differ from those of the game's.
    if played is None and start is not None and _is_start(game, start, len(names), options):
        start = None
    wishes = {name: body.seats.get(name, "open") for name in names}
    if names[0] not in body.seats and "me" not in wishes.values():
        wishes[names[0]] = "me"
    fields = {
        "room": command.room,
        "game": game.key,
        "owner": command.person,
        "invite": command.invite,
        "visibility": body.visibility,
        "options": dict(options),
        "seats": tuple(_seat(name, wish) for name, wish in wishes.items()),
        "undo": body.undo,
        "metadata": body.metadata,
        "start": start,
        "moves": () if played is None else played.moves,
        "created_ms": now.service_ms,
        "expires_ms": now.service_ms + command.life_ms,
        **_clock(game, body),
        **_absence(game, body),
    }
    return fields, [name for name, wish in wishes.items() if wish == "me"]


def _is_start(game: Game[Any], text: str, players: int, options: Options) -> bool:
    """Whether the text is the game's own start, with all that belongs to it."""
    return game.write(game.read(text, options)) == game.write(game.start(players, options))


def _check_metadata(metadata: dict[str, Any]) -> None:
    """Refused unless it is small, and can be stored and given back as it is."""
    if _is_deeper(metadata, METADATA_DEPTH_MAX):
        raise Refused("invalid_body", f"metadata is nested at most {METADATA_DEPTH_MAX} deep", "metadata")
    text = msgspec.json.encode(metadata)
    if len(text) > METADATA_BYTES_MAX:
        raise Refused("invalid_body", f"metadata has at most {METADATA_BYTES_MAX} bytes", "metadata")
    try:
        msgspec.msgpack.encode(metadata)
    except OverflowError:
        raise Refused("invalid_body", "metadata holds no number beyond 64 bits", "metadata") from None
    if msgspec.json.decode(text) != metadata:
        raise Refused("invalid_body", "metadata holds only what JSON can express", "metadata")


def _is_deeper(value: Any, levels: int) -> bool:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return inner is not None and (levels == 0 or any(_is_deeper(one, levels - 1) for one in inner))


def _check_undo(game: Game[Any], body: CreateRoom) -> None:
    if body.undo in ("request", "free") and not game.policy.undo_with_others:
        raise Refused("invalid_body", f"in {game.key} nothing is taken back between people", "undo")


def _clock(game: Game[Any], body: CreateRoom) -> dict[str, Any]:
    """The room's own clock; or the game's, which runs between people alone."""
    default_s = game.policy.clock_default_s
    if isinstance(body.clock, UnsetType):
        return {"clock_ms": default_s and default_s * 1000, "clock_with_others": default_s is not None}
    return {"clock_ms": body.clock and body.clock.per_move_s * 1000}


def _absence(game: Game[Any], body: CreateRoom) -> dict[str, Any]:
    wish, policy = body.absence or AbsenceWish(), game.policy
    after_s = policy.absence_after_s if wish.after_s is None else wish.after_s
    return {"absence_ms": after_s * 1000, "absence_then": wish.then or policy.absence_then}


def _seat(name: str, wish: str | AiSeat) -> Seat:
    return Seat(name, "ai", level=wish.ai) if isinstance(wish, AiSeat) else Seat(name)


def _seats_in_play(game: Game[Any], body: CreateRoom, options: Options, start: str | None) -> tuple[str, ...]:
    """The game's first seats, as many as the position has, or as are needed for those that the body names."""
    for name in body.seats:
        if name not in game.seats:
            raise Refused("invalid_body", f"{game.key} has no seat {name!r}", f"seats.{name}")
    needed = max((game.seats.index(name) + 1 for name in body.seats), default=0)
    players = max(needed, min(game.player_counts))
    if start is not None:
        position = read_position(game, start, options)
        if game.outcome(position) is not None:
            raise Refused("invalid_position", "the game is over in this position", "position")
        players = game.players(position)
        if needed > players:
            raise Refused("invalid_body", f"the position is for {players} players", "seats")
    return game.seats[:players]
