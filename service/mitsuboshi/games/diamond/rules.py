"""The course of a Diamond Game: the start, a turn, and the ways in which a game ends."""

from __future__ import annotations

from mitsuboshi.games.diamond.board import DISTANCE, POINTS, START, TARGET
from mitsuboshi.games.diamond.moves import (
    can_move,
    is_complete,
    king_is_home,
    pieces,
    target_is_full,
    why_not,
)
from mitsuboshi.games.diamond.position import EMPTY, KING, MAN, Position, Rules, seats_after
from mitsuboshi.games.game import IllegalMove, Outcome


def start(players: int, rules: Rules) -> Position:
    """The position before the first move; ValueError unless two or three play."""
    if players not in (2, 3):
        raise ValueError(f"two or three play the Diamond Game, not {players}")
    first = rules.first_seat if players == 3 else "red"
    position = Position(EMPTY * POINTS, first, players, rules=rules)
    board = list(position.board)
    for seat in position.seats:
        for point in START[seat].points:
            board[point] = KING[seat] if point == START[seat].apex else MAN[seat]
    return Position("".join(board), first, players, rules=rules)


def draw_limit(position: Position) -> int:
    """The ply at which the game is drawn."""
    return position.players * position.rules.draw_plies_per_seat


def play(position: Position, origin: int, destination: int) -> Position:
    """The position after a move; IllegalMove says which rule forbids it."""
    if outcome(position) is not None:
        raise IllegalMove("the game is over")
    if reason := why_not(position, origin, destination):
        raise IllegalMove(reason)
    return _moved(position, origin, destination)


def _moved(position: Position, origin: int, destination: int) -> Position:
    seat, finished = position.to_move, position.finished
    cells = list(position.board)
    cells[destination], cells[origin] = cells[origin], EMPTY
    board = "".join(cells)
    if position.rules.places == "all" and is_complete(board, seat):
        finished = (*finished, seat)
    following = _next_seat(position, finished)
    return Position(board, following, position.players, position.ply + 1, 0, finished, position.rules)


def _next_seat(position: Position, finished: tuple[str, ...]) -> str:
    return next(seat for seat in seats_after(position, position.to_move) if seat not in finished)


def must_pass(position: Position) -> bool:
    """Whether the game goes on and the side to move has no legal move."""
    return outcome(position) is None and not can_move(position)


def play_pass(position: Position) -> Position:
    """The position after a pass; IllegalMove where the side to move has a legal move, or the game is over."""
    if outcome(position) is not None:
        raise IllegalMove("the game is over")
    if can_move(position):
        raise IllegalMove("a pass is only for a seat that has no legal move")
    following = _next_seat(position, position.finished)
    return Position(
        position.board,
        following,
        position.players,
        position.ply + 1,
        position.passes + 1,
        position.finished,
        position.rules,
    )


def outcome(position: Position) -> Outcome | None:
    """The end of the game, or None while it goes on; a win comes before a draw on the same ply."""
    if position.rules.places == "all":
        if len(position.finished) >= position.players - 1:
            places = position.finished + position.in_play
            return Outcome(places[0], "goal", places=places)
    else:
        for seat in position.seats:
            if is_complete(position.board, seat):
                return Outcome(seat, "goal")
    if position.passes >= len(position.in_play):
        return _undecided(position, "all_passed")
    if position.ply >= draw_limit(position):
        return _undecided(position, "draw_limit")
    return None


def _undecided(position: Position, reason: str) -> Outcome:
    """A draw; but once a seat has finished it stays the winner, and the others are ranked as they stand."""
    if not position.finished:
        return Outcome(None, reason, points=0)
    from_mover = (position.to_move, *seats_after(position, position.to_move))
    places = position.finished + _nearest_first(position, from_mover)
    return Outcome(places[0], reason, places=places)


def resigned(position: Position, seat: str) -> Outcome:
    """The end when a seat gives up: it takes the last free place, the others stand by distance sum.

    A seat that has finished keeps its place; its resignation only ends the game. ValueError for other seats.
    """
    if seat not in position.seats:
        raise ValueError(f"{seat} does not play in a game for {position.players}")
    places = position.finished + _nearest_first(position, seats_after(position, seat))
    if seat not in position.finished:
        places += (seat,)
    if position.rules.places == "first":
        return Outcome(places[0], "resignation")
    return Outcome(places[0], "resignation", places=places)


def _nearest_first(position: Position, seats: tuple[str, ...]) -> tuple[str, ...]:
    """Those of the seats that are in play, by their distance sums; equal ones in the order given."""
    playing = [seat for seat in seats if seat not in position.finished]
    return tuple(sorted(playing, key=lambda seat: distance_sum(position.board, seat)))


def distance_sum(board: str, seat: str) -> int:
    """The steps that a seat's 15 pieces are away from its target apex, on an empty board, all together."""
    distance = DISTANCE[seat]
    return sum([distance[point] for point in pieces(board, seat)])


def in_target(board: str, seat: str) -> int:
    """How many of a seat's own pieces stand in its target, the border line included."""
    return sum([board[point] in (MAN[seat], KING[seat]) for point in TARGET[seat].points])


def king_to_apex(position: Position) -> list[str]:
    """The seats whose target is full while their king is not on its apex."""
    board = position.board
    return [seat for seat in position.seats if target_is_full(board, seat) and not king_is_home(board, seat)]
