"""The words beside the board: snapshot in, lines out. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from mitsuboshi_play.geometry import Geometry
from mitsuboshi_play.paint import Line, Span, cut
from mitsuboshi_play.snapshot import Legal, Played, Seat, Snapshot
from mitsuboshi_play.texts import Texts

NAME_COLUMNS = 24
PATH_POINTS = 8
"""Points of a path that a line has room for; a longer one is cut in the middle."""


def describe(room: Snapshot, geometry: Geometry, view: str, texts: Texts) -> list[Line]:
    """Room, seats, last moves, what is due and the result, in the rows and numbers of ``view``."""
    numbers = {"room": room.id, "game": room.game_number, "ply": room.ply, "version": room.version}
    return [
        [Span(texts("room", **numbers), "dim")],
        *(_seat_line(room, seat, texts) for seat in room.seats),
        *([Span(text)] for text in _last(room, geometry, view, texts)),
        *([Span(text, "note", bold=True)] for text in _due(room, texts)),
    ]


def _seat_line(room: Snapshot, seat: Seat, texts: Texts) -> Line:
    on_turn = room.status == "playing" and seat.seat == room.to_move
    words = [_holder(seat, texts)]
    if seat.seat in room.you:
        words.append(texts("you"))
    if seat.kind == "person" and not seat.present:
        words.append(texts("absent"))
    if seat.seat in room.in_target:
        words.append("- " + texts("home", count=room.in_target[seat.seat]))
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


def _last(room: Snapshot, geometry: Geometry, view: str, texts: Texts) -> list[str]:
    if not room.last_moves:
        return []
    moves = [
        texts("last_one", seat=played.seat, path=_path(played, geometry, view, texts))
        for played in room.last_moves
    ]
    return [texts("last", moves="; ".join(moves))]


def _path(played: Played, geometry: Geometry, view: str, texts: Texts) -> str:
    if not played.path:
        return texts("pass_move")
    places = [str(geometry.place(view, point)) for point in played.path]
    if len(places) > PATH_POINTS:
        places = [*places[: PATH_POINTS - 2], "…", places[-1]]
    return "-".join(places)


def _due(room: Snapshot, texts: Texts) -> list[str]:
    """What the room waits for, and how it ended."""
    match room.status:
        case "waiting":
            return _waiting(room, texts)
        case "playing":
            return _playing(room, texts)
        case "closed":
            return [*_result(room, texts), texts("closed")]
    return [*_result(room, texts), *([texts("rematch_hint")] if "rematch" in room.may else [])]


def _waiting(room: Snapshot, texts: Texts) -> list[str]:
    open_seats = ", ".join(seat.seat for seat in room.seats if seat.kind == "open")
    return [texts("waiting", open=open_seats), *([texts("can_start")] if "start" in room.may else [])]


def _playing(room: Snapshot, texts: Texts) -> list[str]:
    words = [texts("turn_you" if room.my_turn else "turn_other", seat=room.to_move)]
    if room.remaining_ms is not None:
        words.append(texts("clock", seconds=room.remaining_ms // 1000))
    if room.draw_left is not None:
        words.append(texts("draw_left", left=room.draw_left))
    lines = [" - ".join(words)]
    if room.king_to_apex:
        lines.append(texts("king_to_apex", seats=", ".join(room.king_to_apex)))
    if room.my_turn and room.must_pass:
        lines.append(texts("must_pass"))
    return [*lines, *_offer(room, texts)]


def _offer(room: Snapshot, texts: Texts) -> list[str]:
    if room.offer is None:
        return []
    if room.offer.by in room.you:
        return [texts("offer_made", seats=", ".join(room.offer.waiting_for))]
    asked = set(room.offer.waiting_for) & set(room.you)
    known = room.offer.kind in ("undo", "draw")
    return [texts(f"offer_{room.offer.kind}" if asked and known else "offer_other", seat=room.offer.by)]


def _result(room: Snapshot, texts: Texts) -> list[str]:
    if room.result is None:
        return []
    reason = room.result.reason.replace("_", " ")
    lines = [
        texts("won", winner=room.result.winner, reason=reason)
        if room.result.winner
        else texts("drawn", reason=reason)
    ]
    if room.result.places:
        lines.append(texts("places", places=", ".join(room.result.places)))
    return lines


def gain(legal: Legal, texts: Texts) -> str:
    """A move's kind and the rows it gains, such as ``2 jumps  +4 rows``."""
    kinds = {0: texts("step"), 1: texts("jump")}
    kind = kinds.get(legal.jumps) or texts("jumps", jumps=legal.jumps)
    return f"{kind:<8} {texts('row' if abs(legal.rows) == 1 else 'rows', rows=f'{legal.rows:+d}')}"


def list_moves(moves: Sequence[Legal], geometry: Geometry, view: str, texts: Texts) -> list[str]:
    """Every legal move on a line of its own: id, row and number, kind, rows; then their count."""
    lines = [f"  {m.move:<8} {_ends(m, geometry, view):<12} {gain(m, texts)}" for m in moves]
    return [*lines, texts("moves_count", count=len(moves))]


def list_picks(moves: Sequence[Legal], geometry: Geometry, view: str, texts: Texts) -> list[str]:
    """A piece's destinations, numbered from 1, two beside each other where there are many."""
    cells = [
        f"{number:>3}  {geometry.place(view, m.path[-1])!s:<6} {gain(m, texts)}"
        for number, m in enumerate(moves, 1)
    ]
    half = len(cells) if len(cells) <= 4 else (len(cells) + 1) // 2
    left, right = cells[:half], cells[half:]
    return [f"{text:<36}{right[i] if i < len(right) else ''}".rstrip() for i, text in enumerate(left)]


def _ends(legal: Legal, geometry: Geometry, view: str) -> str:
    return f"{geometry.place(view, legal.path[0])}-{geometry.place(view, legal.path[-1])}"
