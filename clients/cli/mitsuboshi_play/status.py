"""The words beside the board: snapshot in, lines out. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from mitsuboshi_play.boards.board import Board
from mitsuboshi_play.paint import Line, Span, cut
from mitsuboshi_play.snapshot import Described, Seat, Snapshot
from mitsuboshi_play.texts import Texts

NAME_COLUMNS = 24
STEPS_NAMED = 6
"""Next steps that a line has room for; where there are more, a command lists them."""


def describe(room: Snapshot, board: Board, view: str, texts: Texts) -> list[Line]:
    """Room, seats, last moves, what is due and the result, in the rows and numbers of ``view``."""
    numbers = {"room": room.id, "game": room.game_number, "ply": room.ply, "version": room.version}
    return [
        [Span(texts("room", **numbers), "dim")],
        *(_seat_line(room, board, seat, texts) for seat in room.seats),
        *([Span(text)] for text in _last(room, board, view, texts)),
        *([Span(text)] for text in _dice(room, texts)),
        *([Span(text, "note", bold=True)] for text in _due(room, board, texts)),
    ]


def _seat_line(room: Snapshot, board: Board, seat: Seat, texts: Texts) -> Line:
    on_turn = room.status == "playing" and seat.seat == room.to_move
    words = [_holder(seat, texts)]
    if seat.seat in room.you:
        words.append(texts("you"))
    if seat.kind == "person" and not seat.present:
        words.append(texts("absent"))
    if note := board.seat_note(room, seat.seat):
        words.append("- " + note)
    if seat.seat in room.rematch:
        words.append("- " + texts("votes"))
    return [
        Span(" > " if on_turn else "   "),
        Span(f"{texts.or_same(seat.seat):<8}", seat.seat, bold=True),
        Span(" ".join(words)),
    ]


def _holder(seat: Seat, texts: Texts) -> str:
    name = cut(texts("person", name=seat.name), NAME_COLUMNS) if seat.name else texts("unnamed")
    match seat.kind:
        case "ai":
            return texts("ai", level=seat.level)
        case "bot":
            return texts("bot", name=name)
        case "open":
            return texts("open")
    return name


def _last(room: Snapshot, board: Board, view: str, texts: Texts) -> list[str]:
    """The last moves, and the passes after them, which leave nothing on the board."""
    if not room.last_moves:
        return []
    moves = [
        texts(
            "last_one",
            seat=played.seat,
            move=texts("pass_move") if played.text == "pass" else board.name(played, view),
        )
        for played in room.last_moves
    ]
    passed = [texts("last_one", seat=seat, move=texts("pass_move")) for seat in _passed(room)]
    return [texts("last", moves="; ".join([*moves, *passed]))]


def _passed(room: Snapshot) -> list[str]:
    """Who has passed since the last move, where two play, who take turns."""
    last, seats = room.last_moves[-1], [seat.seat for seat in room.seats]
    if len(seats) != 2 or last.seat not in seats:
        return []
    count = min(max(room.ply - last.ply, 0), 2)
    return [seats[(seats.index(last.seat) + turn) % 2] for turn in range(1, count + 1)]


def _dice(room: Snapshot, texts: Texts) -> list[str]:
    """The throw in hand, and the steps made of it; what binds the server to its throws before the first."""
    lines = []
    if room.commitment and (room.status == "waiting" or room.ply == 0):
        lines.append(texts("commitment", commitment=room.commitment))
    if room.status != "playing":
        return lines
    words = [texts("dice", dice=" ".join(map(str, room.dice)))] if room.dice else []
    if room.steps:
        words.append(texts("made", steps=", ".join(room.steps)))
    return [*lines, *([" - ".join(words)] if words else [])]


def _due(room: Snapshot, board: Board, texts: Texts) -> list[str]:
    """What the room waits for, and how it ended."""
    match room.status:
        case "waiting":
            return _waiting(room, texts)
        case "playing":
            return _playing(room, board, texts)
        case "closed":
            return [*_result(room, texts), texts("closed")]
    hints = [texts("verify_hint")] if room.commitment else []
    if room.nonces_awaited:
        hints.append(texts("nonces_awaited"))
    return [*_result(room, texts), *hints, *([texts("rematch_hint")] if "rematch" in room.may else [])]


def _waiting(room: Snapshot, texts: Texts) -> list[str]:
    open_seats = ", ".join(seat.seat for seat in room.seats if seat.kind == "open")
    if room.nonces_awaited or not open_seats:
        return [texts("nonces_awaited")]
    return [texts("waiting", open=open_seats), *([texts("can_start")] if "start" in room.may else [])]


def _playing(room: Snapshot, board: Board, texts: Texts) -> list[str]:
    words = [texts("turn_you" if room.my_turn else "turn_other", seat=room.to_move)]
    if room.remaining_ms is not None:
        words.append(texts("clock", seconds=room.remaining_ms // 1000))
    if room.draw_left is not None:
        words.append(texts("draw_left", left=room.draw_left))
    return [" - ".join(words), *board.notes(room), *_next(room, texts), *_offer(room, texts)]


def _next(room: Snapshot, texts: Texts) -> list[str]:
    """What one may type now, where a turn is more than a move."""
    if not room.my_turn:
        return []
    if "roll" in room.may:
        return [texts("roll")]
    if "confirm" in room.may:
        return [texts("confirm")]
    if room.must_pass:
        return [texts("must_pass")]
    if not room.legal_steps or not (room.dice or room.steps):
        return []
    steps = list(room.legal_steps)
    named = ", ".join(steps if len(steps) <= STEPS_NAMED else [*steps[:STEPS_NAMED], "…"])
    return [texts("next_step" if room.steps else "first_step", steps=named)]


def _offer(room: Snapshot, texts: Texts) -> list[str]:
    if room.offer is None:
        return []
    if room.offer.by in room.you:
        key = "draw_offered" if room.offer.kind == "draw" else "offer_made"
        return [texts(key, seats=", ".join(room.offer.waiting_for))]
    asked = set(room.offer.waiting_for) & set(room.you)
    known = room.offer.kind in ("undo", "draw")
    return [texts(f"offer_{room.offer.kind}" if asked and known else "offer_other", seat=room.offer.by)]


def _result(room: Snapshot, texts: Texts) -> list[str]:
    if room.result is None:
        return []
    result = {"winner": room.result.winner, "reason": room.result.reason.replace("_", " ")}
    key = "won" if room.result.points == 1 else "won_points"
    lines = [texts(key if room.result.winner else "drawn", points=room.result.points, **result)]
    if room.result.places:
        lines.append(texts("places", places=", ".join(room.result.places)))
    return lines


def list_moves(moves: Sequence[Described], board: Board, view: str, texts: Texts) -> list[str]:
    """Every legal move on a line of its own; then their count."""
    lines = [texts("listed", line=board.line(move, view)) for move in moves]
    return [*lines, texts("moves_count", count=len(moves))]


def list_picks(moves: Sequence[Described], board: Board, view: str) -> list[str]:
    """A piece's destinations, numbered from 1, two beside each other where there are many."""
    cells = [f"{number:>3}  {board.target(move, view)}" for number, move in enumerate(moves, 1)]
    half = len(cells) if len(cells) <= 4 else (len(cells) + 1) // 2
    left, right = cells[:half], cells[half:]
    return [f"{text:<36}{right[i] if i < len(right) else ''}".rstrip() for i, text in enumerate(left)]
