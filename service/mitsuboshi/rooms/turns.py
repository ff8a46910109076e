"""What happens on the board: a game begins, moves, passes, undo, the end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from mitsuboshi.games.game import PASS, AmbiguousMove, Game, IllegalMove, InvalidText, Outcome, split_throw
from mitsuboshi.rooms import chance
from mitsuboshi.rooms import commands as c
from mitsuboshi.rooms import events as e
from mitsuboshi.rooms.apply import SHOWN_MOVES
from mitsuboshi.rooms.create import start_position
from mitsuboshi.rooms.history import History
from mitsuboshi.rooms.refused import Refused
from mitsuboshi.rooms.state import LastMove, Line, Result, Room, Seat


def begin(history: History, seats: tuple[Seat, ...]) -> None:
    """A game begins with these holders of the seats, and with the room's first moves."""
    room = history.room
    moves = room.first_moves
    position = start_position(history.game, len(seats), room.options, room.start)
    fields: dict[str, Any] = {}
    if room.chance is not None:
        nonces = {seat.seat: room.given_nonces.get(seat.person or "") for seat in seats}
        fields["nonces"] = {seat: nonce for seat, nonce in nonces.items() if nonce is not None}
        fields["commitment"] = room.chance.commitment
    board = history.board(position, seats)
    history.add(e.GameStarted, game_number=room.game_number + 1, seats=seats, **fields, **board)
    for move in moves:
        _replay(history, move)
    if room.start is None and not moves and history.game.chance(history.position):
        chance.roll(history)  # Nobody's throw: it tells who begins.
    go_on(history)


def _replay(history: History, text: str) -> None:
    """A move as a transcript has it, after its throw where there is one."""
    throw, move = split_throw(text)
    if throw:
        chance.roll(history, throw)
    _take_turn(history, str(history.room.to_move), move)


def go_on(history: History) -> None:
    """What the turn brings by itself: a throw that nobody asks for, a pass where nothing can be played."""
    while history.room.status == "playing":
        position = history.position
        if history.game.chance(position) and chance.is_rolled_at_once(history.room):
            chance.roll(history)
        elif history.game.policy.passes_itself and history.game.must_pass(position):
            _take_turn(history, str(history.room.to_move), PASS)
        else:
            return


def move(history: History, person: str, action: c.Move) -> None:
    """The side to move plays."""
    play(history, require_turn(history.room, person, action), action.move)


def pass_turn(history: History, person: str, action: c.Pass) -> None:
    """The side to move passes, where it must."""
    play(history, require_turn(history.room, person, action), PASS)


def require_turn(room: Room, person: str, action: c.AnyAction) -> str:
    """The seat to move; Refused when the action is not its person's."""
    seat = action.seat or room.to_move
    if seat is None or seat != room.to_move or seat not in room.held_by(person):
        raise Refused("not_your_turn", f"it is {room.to_move}'s turn")
    if room.out_of_time:
        raise Refused("not_your_turn", "the time for this move is over: an AI makes it")
    return seat


@contextmanager
def refusing(field: str) -> Iterator[None]:
    """Inside, what a game says against a text in ``field`` becomes a refusal."""
    try:
        yield
    except InvalidText as fault:
        raise Refused("invalid_move", str(fault), field) from None
    except AmbiguousMove as fault:
        raise Refused("ambiguous_move", str(fault), field) from None
    except IllegalMove as fault:
        raise Refused("illegal_move", str(fault), field) from None


def play(history: History, seat: str, text: str, fallback: bool = False) -> None:
    """The seat makes the move, or passes, and the next turn begins; Refused by the text or the rules."""
    _take_turn(history, seat, text, fallback)
    go_on(history)


def _take_turn(history: History, seat: str, text: str, fallback: bool = False) -> None:
    game, before = history.game, history.position
    with refusing("move"):
        played, after = game.play(before, text)
    offer = history.room.offer
    # A draw stays on offer until the other side's move.
    if offer is not None and not (offer.kind == "draw" and offer.by == seat):
        expire_offer(history)
    outcome = game.outcome(after)
    board = history.board(after)
    if outcome is not None:
        board |= {"to_move": None, "turn_due_ms": None}
    board |= {"seat": seat, "throw": chance.known_throw(history.room, len(history.room.movers))}
    if played == PASS:
        history.add(e.Passed, **board)
    else:
        details = game.details(before, played)
        history.add(e.MovePlayed, move=played, details=details, fallback=fallback, **board)
    if outcome is not None:
        end(history, outcome)


def expire_offer(history: History) -> None:
    """What was offered is void, if anything was."""
    offer = history.room.offer
    if offer is not None:
        history.add(e.OfferExpired, kind=offer.kind)


def end(history: History, outcome: Outcome) -> None:
    """The game is over."""
    expire_offer(history)
    result = Result(outcome.winner, outcome.reason, outcome.points, outcome.places)
    fields: dict[str, Any] = {}
    if history.room.chance is not None:
        fields = {"dice_secret": history.room.chance.secret, **chance.new_secret(history.chance)}
    history.add(e.GameEnded, result=result, **fields)


def resign(history: History, person: str, action: c.Resign) -> None:
    """The seat named, or the one to move, or the person's first, gives up."""
    room, game = history.room, history.game
    if game.policy.resign_alone[len(room.seats)] and len(room.people()) > 1:
        raise Refused("leave_instead", "the others want to play on: leave, and an AI takes your seat")
    held = [seat for seat in room.held_by(person) if not has_finished(game, history.position, seat)]
    seat = action.seat or (room.to_move if room.to_move in held else next(iter(held), None))
    if seat not in held:
        raise Refused("game_over", "this seat has finished, and keeps its place: the others play on")
    end(history, game.resigned(history.position, seat))


def has_finished(game: Game[Any], position: Any, seat: str) -> bool:
    """Whether the seat has its place for good while others play on: giving up, it would still win."""
    return game.resigned(position, seat).winner == seat


def outcome_when_left(history: History, held: tuple[str, ...], reason: str) -> Outcome:
    """The end when the holder of these seats leaves a game that cannot go on without.

    Where a seat has finished, the others are ranked behind it as when a seat of the leaver's gives up."""
    room, game = history.room, history.game
    seats = [seat.seat for seat in room.seats]
    if any(has_finished(game, history.position, seat) for seat in seats):
        ending = game.resigned(history.position, held[0])
        return Outcome(ending.winner, reason, ending.points, ending.places)
    others = [seat for seat in seats if seat not in held]
    has_winner = game.policy.winner_when_left[len(seats)] and len(others) == 1
    return Outcome(others[0] if has_winner else None, reason, points=int(has_winner))


def default_seat(room: Room, person: str, action: c.Action) -> str:
    """The seat that an action is for: the one named, or the one to move, or the person's first."""
    held = room.held_by(person)
    return action.seat or (room.to_move if room.to_move in held else None) or held[0]


def plies_to_undo_to(room: Room, person: str) -> int | None:
    """How many turns remain when the person takes back, or None where no seat of theirs has moved."""
    held = room.held_by(person)
    own = {str(index) for index, seat in enumerate(room.seats) if seat.seat in held}
    plies = max(map(room.movers.rfind, own), default=-1)
    return plies if plies >= 0 else None


def undo_to(history: History, plies: int, line: Line) -> None:
    """The game goes back to ``plies`` turns after its start."""
    room = history.room
    moves = [LastMove(t.seat, t.ply, t.move, t.details) for t in line.turns[:plies] if t.move != PASS]
    position = history.game.load(line.position_after(plies), room.options)
    throw = chance.known_throw(room, plies)
    if throw is not None:
        position = history.game.after_chance(position, throw)
    history.add(
        e.Undone,
        seat=room.seats[int(room.movers[plies])].seat,
        plies=plies,
        last_moves=tuple(moves[-SHOWN_MOVES.get(len(room.seats), 1) :]),
        **history.board(position),
    )
