"""What happens on the board: a game begins, moves, passes, undo, the end."""

from __future__ import annotations

from mitsuboshi.games.game import PASS, AmbiguousMove, IllegalMove, InvalidText, Outcome
from mitsuboshi.rooms import commands as c
from mitsuboshi.rooms import events as e
from mitsuboshi.rooms.apply import SHOWN_MOVES
from mitsuboshi.rooms.create import start_position
from mitsuboshi.rooms.history import History
from mitsuboshi.rooms.refused import Refused
from mitsuboshi.rooms.state import LastMove, Line, Result, Room, Seat


def begin(history: History, seats: tuple[Seat, ...]) -> None:
    """A game begins with these holders of the seats."""
    room = history.room
    position = start_position(history.game, len(seats), room.options, room.start)
    board = history.board(position)
    # The clock is that of the new holder.
    first = next(seat for seat in seats if seat.seat == board["to_move"])
    board["turn_due_ms"] = None
    if first.kind == "person" and room.clock_ms is not None:
        board["turn_due_ms"] = history.now.service_ms + room.clock_ms
    history.add(e.GameStarted, game_number=room.game_number + 1, seats=seats, **board)


def move(history: History, person: str, action: c.Move) -> None:
    """The side to move plays."""
    play(history, _seat_on_turn(history.room, person, action), action.move)


def pass_turn(history: History, person: str, action: c.Pass) -> None:
    """The side to move passes, where it must."""
    play(history, _seat_on_turn(history.room, person, action), PASS)


def _seat_on_turn(room: Room, person: str, action: c.AnyAction) -> str:
    seat = action.seat or room.to_move
    if seat is None or seat != room.to_move or seat not in room.held_by(person):
        raise Refused("not_your_turn", f"it is {room.to_move}'s turn")
    if room.out_of_time:
        raise Refused("not_your_turn", "the time for this move is over: an AI makes it")
    return seat


def play(history: History, seat: str, text: str, fallback: bool = False) -> None:
    """The seat makes the move, or passes; Refused when the text or the rules are against it."""
    game = history.game
    before = game.read(history.room.position, history.room.options)
    try:
        played, after = game.play(before, text)
    except InvalidText as fault:
        raise Refused("invalid_move", str(fault), "move") from None
    except AmbiguousMove as fault:
        raise Refused("ambiguous_move", str(fault), "move") from None
    except IllegalMove as fault:
        raise Refused("illegal_move", str(fault), "move") from None
    expire_offer(history)
    outcome = game.outcome(after)
    board = history.board(after)
    if outcome is not None:
        board |= {"to_move": None, "turn_due_ms": None}
    if played == PASS:
        history.add(e.Passed, seat=seat, **board)
    else:
        details = game.details(before, played)
        history.add(e.MovePlayed, seat=seat, move=played, details=details, fallback=fallback, **board)
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
    history.add(e.GameEnded, result=result)


def resign(history: History, person: str, action: c.Resign) -> None:
    """The seat named, or the one to move, or the person's first, gives up."""
    room, game = history.room, history.game
    if game.policy.resign_alone[len(room.seats)] and len(room.people()) > 1:
        raise Refused("leave_instead", "the others want to play on: leave, and an AI takes your seat")
    held = room.held_by(person)
    seat = action.seat or (room.to_move if room.to_move in held else held[0])
    end(history, game.resigned(game.read(room.position, room.options), seat))


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
    history.add(
        e.Undone,
        seat=room.seats[int(room.movers[plies])].seat,
        plies=plies,
        last_moves=tuple(moves[-SHOWN_MOVES.get(len(room.seats), 1) :]),
        **history.board(history.game.read(line.position_after(plies), room.options)),
    )
