"""Checks a record's throws by the published recipe, from nothing but the record.

The secret must be what the commitment binds; each turn's throw must be what HMAC-SHA256 gives for the game's
number, the turn's and the nonces. That no turn is missing shows in the plies, in whose turn it is, and in the
last position, to which the checkers' moves must lead. Whether the moves are legal is another question.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from mitsuboshi_play.boards.xgid import BAR, OFF, SEATS, START, BadXgid, Xgid, read_xgid
from mitsuboshi_play.snapshot import Json

GAME = "backgammon"
THROWS = tuple(f"{one}{other}" for one in range(1, 7) for other in range(1, 7))
SECRET = re.compile("[0-9a-f]{64}")
USUAL_START = read_xgid(START)
OPENING = tuple(throw for throw in THROWS if throw[0] != throw[1])


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong, as a sentence's key and its values."""

    key: str
    values: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Turn:
    seat: str
    ply: int
    move: str
    dice: tuple[int, ...]
    parts: tuple[tuple[int, int, bool], ...]
    """Checker by checker from and to, as the mover counts, and whether it hits."""
    throw: str | None


@dataclass(frozen=True, slots=True)
class Game:
    """A record's part in its throws."""

    number: int
    secret: bytes
    commitment: str
    nonces: Mapping[str, str]
    start: Xgid
    end: Xgid
    turns: tuple[Turn, ...]

    @property
    def has_opening(self) -> bool:
        """Whether the first throw decides who begins: at the usual start alone, with nobody's dice thrown."""
        return self.start == USUAL_START


class Unfit(Exception):
    """The record has nothing to check, or not in a shape that can be read."""

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(key)
        self.fault = Fault(key, values)


def faults(record: Json) -> list[Fault]:
    """Everything that is wrong with the throws of a record; nothing where all of them are right."""
    try:
        game = read_game(record)
    except Unfit as unfit:
        return [unfit.fault]
    found = [] if hashlib.sha256(game.secret).hexdigest() == game.commitment else [Fault("fault_secret")]
    return [*found, *_turn_faults(game), *_board_faults(game)]


def expected_throw(game: Game, turn: int) -> str:
    """The throw that the secret gives to the turn of this number, from 0."""
    results = OPENING if turn == 0 and game.has_opening else THROWS
    width = 256 // len(results)
    nonces = ":".join(game.nonces.get(seat, "") for seat in SEATS)
    numbers = (byte // width for byte in _bytes(game.secret, f"{game.number}:{turn}:{nonces}"))
    return next(results[number] for number in numbers if number < len(results))


def _bytes(key: bytes, message: str) -> Iterator[int]:
    block = 0
    while True:
        yield from hmac.digest(key, f"{message}:{block}".encode(), "sha256")
        block += 1


def _turn_faults(game: Game) -> Iterator[Fault]:
    """What is wrong with each turn's number, seat, throw and dice, as people count turns: from 1."""
    for number, turn in enumerate(game.turns):
        where = {"turn": number + 1, "seat": turn.seat}
        if turn.ply != number + 1:
            yield Fault("fault_ply", where | {"ply": turn.ply})
        seat = _mover(game, number)
        if turn.seat != seat:
            yield Fault("fault_seat", where | {"expected": seat})
        if number == 0 and game.start.dice != "00":
            expected = game.start.dice  # The position that the game began from had its throw in it.
            thrown = turn.throw or "".join(map(str, turn.dice)) or expected
        else:
            expected, thrown = expected_throw(game, number), turn.throw or "-"
        if thrown != expected:
            yield Fault("fault_throw", where | {"throw": thrown, "expected": expected})
        if turn.dice and sorted(map(str, turn.dice)) != sorted(thrown):
            yield Fault("fault_dice", where | {"throw": thrown, "dice": "".join(map(str, turn.dice))})


def _mover(game: Game, number: int) -> str:
    """Whose the turn of this number is: the higher die begins, unless the position says who."""
    first = game.start.turn
    if game.has_opening:
        throw = expected_throw(game, 0)
        first = SEATS[throw[0] < throw[1]]
    return SEATS[(SEATS.index(first) + number) % 2]


def _board_faults(game: Game) -> Iterator[Fault]:
    """Whether the turns lead from the first position to the last."""
    checkers = {seat: list(places) for seat, places in game.start.checkers.items()}
    for number, turn in enumerate(game.turns):
        place = _moved(checkers, turn)
        if place is not None:
            yield Fault(
                "fault_parts",
                {"turn": number + 1, "seat": turn.seat, "move": turn.move, "place": place},
            )
            return
    next_turn = _mover(game, len(game.turns)) if game.turns else game.end.turn
    if checkers != game.end.checkers or game.end.turn != next_turn:
        yield Fault("fault_end")


def _moved(checkers: dict[str, list[int]], turn: Turn) -> int | None:
    """Move the turn's checkers; the place where one is missing, or None."""
    mine = checkers[turn.seat]
    theirs = checkers[SEATS[1 - SEATS.index(turn.seat)]]
    for origin, target, hits in turn.parts:
        if not mine[origin]:
            return origin
        mine[origin] -= 1
        mine[target] += 1
        if hits:
            if not theirs[BAR - target]:
                return target
            theirs[BAR - target] -= 1
            theirs[BAR] += 1
    return None


def read_game(record: Json) -> Game:
    """What the check needs of a record; Unfit where it is not there."""
    game = _text(record, "game")
    if game != GAME:
        raise Unfit("fault_game", game=game)
    if record.get("commitment") is None:
        raise Unfit("fault_not_verifiable")
    if record.get("dice_secret") is None:
        raise Unfit("fault_no_secret")
    secret = _text(record, "dice_secret")
    if not SECRET.fullmatch(secret):
        raise Unfit("fault_field", field="dice_secret")
    return Game(
        number=_number(record, "game_number"),
        secret=bytes.fromhex(secret),
        commitment=_text(record, "commitment"),
        nonces=_nonces(record),
        start=_position(record, "start"),
        end=_position(record, "position"),
        turns=_turns(record),
    )


def _text(record: Json, name: str) -> str:
    value = record.get(name)
    if not isinstance(value, str):
        raise Unfit("fault_field", field=name)
    return value


def _number(record: Json, name: str) -> int:
    value = record.get(name)
    if type(value) is not int:
        raise Unfit("fault_field", field=name)
    return value


def _nonces(record: Json) -> Mapping[str, str]:
    nonces = record.get("nonces")
    if not isinstance(nonces, dict) or not all(isinstance(nonce, str) for nonce in nonces.values()):
        raise Unfit("fault_field", field="nonces")
    return {str(seat): nonce for seat, nonce in nonces.items()}


def _position(record: Json, name: str) -> Xgid:
    try:
        return read_xgid(_text(record, name))
    except BadXgid:
        raise Unfit("fault_field", field=name) from None


def _turns(record: Json) -> tuple[Turn, ...]:
    moves = record.get("moves")
    if not isinstance(moves, list):
        raise Unfit("fault_field", field="moves")
    turns = []
    for number, move in enumerate(moves, 1):
        try:
            turns.append(_turn(move))
        except (KeyError, TypeError, ValueError, AttributeError):
            raise Unfit("fault_field", field=f"moves, turn {number},") from None
    return tuple(turns)


def _turn(move: Json) -> Turn:
    parts = tuple((int(p["from"]), int(p["to"]), p["hit"] is True) for p in move.get("parts") or ())
    if move["seat"] not in SEATS or any(not OFF <= place <= BAR for p in parts for place in p[:2]):
        raise ValueError("no seat, or no place of the board")
    throw = move.get("throw")
    return Turn(
        seat=str(move["seat"]),
        ply=int(move["ply"]),
        move=str(move["move"]),
        dice=tuple(map(int, move.get("dice") or ())),
        parts=parts,
        throw=None if throw is None else str(throw),
    )
