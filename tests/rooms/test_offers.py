"""Undo by consent: one offer at a time, for the very board that it names, void once the game goes on."""

from __future__ import annotations

from typing import Any

import pytest

from mitsuboshi.rooms import events as e
from mitsuboshi.rooms.event_views import event_view
from mitsuboshi.rooms.views import OfferView
from tests.rooms import positions
from tests.rooms.table import Table, refused, seats, types

THREE = {"red": "me", "yellow": "open", "green": "open"}
AI = {"ai": "beginner"}


def two(**body: Any) -> Table:
    """Ann has red and bob yellow; undo is by request."""
    table = Table(undo="request", **body)
    table.join("bob")
    return table


def three(**body: Any) -> Table:
    """The same, with cleo as green."""
    table = Table(undo="request", **{"seats": THREE} | body)
    table.join("bob")
    table.join("cleo")
    return table


def yes(table: Table, person: str, **fields: Any) -> list[str]:
    """What happens as the person agrees to the undo."""
    return types(table.act(person, "answer", to="undo", accept=True, **fields))


def no(table: Table, person: str, **fields: Any) -> list[str]:
    """What happens as the person refuses, or takes the request back."""
    return types(table.act(person, "answer", to="undo", accept=False, **fields))


def test_an_undo_is_asked_for() -> None:
    """Nothing on the board changes; everybody sees which board is asked for, and who has yet to answer."""
    table = two()
    table.turns(3)
    board = table.room.position
    wanted = table.events[-1]
    table.turn()
    changed = table.room.changed_version
    (event,) = table.act("bob", "undo")
    assert isinstance(event, e.OfferMade)
    offer = OfferView("undo", "yellow", event.version, wanted.version, ("red",))
    assert table.seen_by(None).offer == table.seen_by("ann").offer == offer
    shown = event_view(event)["offer"]
    assert shown == {
        "kind": "undo",
        "by": "yellow",
        "version": event.version,
        "to_version": wanted.version,
        "waiting_for": ("red",),
    }
    assert table.room.changed_version == changed
    assert table.room.ply == 4
    assert board != table.room.position
    yes(table, "ann")
    assert (table.room.position, table.room.to_move) == (board, "yellow")


@pytest.mark.parametrize(("turns", "by", "ply"), [(1, "ann", 0), (2, "ann", 0), (2, "bob", 1), (7, "bob", 5)])
def test_consent_brings_back_the_board_that_was_named(turns: int, by: str, ply: int) -> None:
    """That before the asker's last move, whoever has moved since; in the history it is one step more."""
    table = two()
    boards = [table.room.position]
    versions = [table.room.version]
    for number in range(turns):
        table.turn(table.any_move(number))
        boards.append(table.room.position)
        versions.append(table.room.version)
    table.act(by, "undo")
    offer = table.seen_by(by).offer
    assert offer is not None
    assert offer.to_version == versions[ply]
    assert yes(table, "bob" if by == "ann" else "ann") == ["offer_answered", "undone"]
    assert (table.room.position, table.room.ply, table.room.offer) == (boards[ply], ply, None)
    assert table.line is not None
    assert table.line.position_after(ply) == table.room.position


def test_the_board_of_an_undo_after_an_undo_is_found_by_its_first_version() -> None:
    """``to_version`` names the event that first brought the board."""
    table = two()
    first = table.room.version
    for _ in range(2):
        table.turn()
        table.act("ann", "undo")
        offer = table.seen_by("bob").offer
        assert offer is not None
        assert offer.to_version == first
        yes(table, "bob")


def test_a_refusal_ends_the_request_and_nothing_else() -> None:
    """The asker may ask again."""
    table = two()
    table.turn()
    board = table.room.position
    table.act("ann", "undo")
    assert no(table, "bob") == ["offer_answered"]
    assert (table.room.offer, table.room.position) == (None, board)
    with refused("nothing_to_answer"):
        yes(table, "bob")
    assert types(table.act("ann", "undo")) == ["offer_made"]


def test_the_asker_may_take_it_back_but_not_agree() -> None:
    """Nobody answers itself."""
    table = two()
    table.turn()
    table.act("ann", "undo")
    with refused("nothing_to_answer"):
        yes(table, "ann")
    assert no(table, "ann") == ["offer_expired"]
    assert table.seen_by("bob").offer is None
    for answer in (yes, no):
        with refused("nothing_to_answer"):
            answer(table, "bob")


@pytest.mark.parametrize("mover", ["asked", "asker"])
def test_any_move_makes_the_request_void(mover: str) -> None:
    """Whoever makes it: then an answer comes too late, and changes nothing."""
    table = two()
    table.turns(1 if mover == "asked" else 2)
    table.act("ann", "undo")
    assert types(table.turn()) == ["offer_expired", "move_played"]
    board = table.room.position
    assert table.seen_by("ann").offer is None
    with refused("nothing_to_answer"):
        yes(table, "bob")
    assert table.room.position == board


def test_an_ais_move_and_a_pass_are_moves_too() -> None:
    """The AI does not wait for the answer."""
    table = Table(undo="request", seats={"red": "me", "yellow": AI, "green": "open"})
    table.join("bob")
    table.turn()
    job = table.job()
    table.act("ann", "undo")
    assert table.job() == job
    assert types(table.ai()) == ["offer_expired", "move_played"]
    table = two(position=positions.MUST_PASS.replace(" r 2 ", " y 2 "))
    table.turn(next(move for move in table.legal() if move.startswith("99-")))
    table.act("bob", "undo")
    assert types(table.turn("pass")) == ["offer_expired", "passed"]


def test_a_win_makes_the_request_void() -> None:
    """Nothing is pending in a game that is over."""
    table = two(position=positions.nearly_won("yellow"))
    table.turn()
    table.act("bob", "undo")
    assert types(table.turn(positions.WINNING_MOVE)) == ["offer_expired", "move_played", "game_ended"]
    with refused("game_over"):
        yes(table, "ann")


def test_an_answer_may_name_the_version_that_it_was_made_for() -> None:
    """An older one than the request's was made for something else."""
    table = two()
    table.turn()
    before = table.room.version
    table.act("ann", "undo")
    with refused("stale_version", "version"):
        yes(table, "bob", version=before)
    no(table, "bob", version=before + 1)
    table.act("ann", "undo")
    with refused("stale_version", "version"):
        yes(table, "bob", version=before + 2)
    table.act("bob", "rename", name="Bob")
    assert yes(table, "bob", version=before + 3) == ["offer_answered", "undone"]


def test_a_request_may_name_the_version_that_it_was_made_for() -> None:
    """If a move came between, it is stale."""
    table = two()
    table.turn()
    before = table.room.version
    table.turn()
    with refused("stale_version", "version"):
        table.act("ann", "undo", version=before)
    assert table.room.offer is None


def test_there_is_one_request_at_a_time() -> None:
    """Of the same person or of another; the first stays as it is."""
    table = three()
    table.turns(2)
    table.act("ann", "undo")
    offer = table.room.offer
    for person in ("ann", "bob"):
        with refused("offer_pending"):
            table.act(person, "undo")
        assert "undo" not in table.seen_by(person).may
    assert table.room.offer == offer
    with refused("nothing_to_undo"):
        table.act("cleo", "undo")


def test_everybody_else_must_agree() -> None:
    """The last yes counts, in any order; who has answered has no second answer."""
    for first, second in (("bob", "cleo"), ("cleo", "bob")):
        table = three()
        table.turns(3)
        table.act("ann", "undo")
        assert yes(table, first) == ["offer_answered"]
        offer = table.seen_by(None).offer
        assert offer is not None
        assert offer.waiting_for == table.room.held_by(second)
        assert "answer" not in table.seen_by(first).may
        for answer in (yes, no):
            with refused("nothing_to_answer"):
                answer(table, first)
        assert yes(table, second) == ["offer_answered", "undone"]
        assert table.room.ply == 0


def test_one_refusal_is_enough() -> None:
    """Whatever the others said or would say."""
    table = three()
    table.turns(3)
    table.act("bob", "undo")
    yes(table, "ann")
    assert no(table, "cleo") == ["offer_answered"]
    assert (table.room.offer, table.room.ply) == (None, 3)


def test_a_person_answers_for_all_its_seats() -> None:
    """With two seats of three it is asked once; and as asker it needs the other alone."""
    table = Table(undo="request", seats={"red": "me", "yellow": "me", "green": "open"})
    table.join("bob")
    table.turns(3)
    table.act("bob", "undo")
    assert table.room.offer is not None
    assert table.room.offer.waiting_for == ("red", "yellow")
    (event, _) = table.act("ann", "answer", to="undo", accept=True)
    assert isinstance(event, e.OfferAnswered)
    assert event.seats == ("red", "yellow")
    table.act("ann", "undo", seat="yellow")
    assert table.room.offer is not None
    assert (table.room.offer.by, table.room.offer.waiting_for) == ("yellow", ("green",))


def test_alone_one_asks_nobody() -> None:
    """On one device, against AIs, and after everybody else has left."""
    left = three()
    left.turns(3)
    left.act("bob", "leave")
    left.act("cleo", "leave")
    for table in (
        left,
        Table(undo="request", seats={"red": "me", "yellow": "me"}),
        Table(undo="request", seats={"yellow": AI}),
    ):
        if not table.room.ply:
            table.turns(2)
        assert types(table.act("ann", "undo")) == ["undone"]


def test_an_asker_who_leaves_leaves_nothing_pending() -> None:
    """With two seats the game is over, with three it goes on."""
    table = two()
    table.turn()
    table.act("ann", "undo")
    assert types(table.act("ann", "leave")) == ["offer_expired", "seat_left", "game_ended"]
    with refused("game_over"):
        yes(table, "bob")
    table = three()
    table.turns(3)
    table.act("ann", "undo")
    yes(table, "bob")
    assert types(table.act("ann", "leave")) == ["offer_expired", "seat_left"]
    with refused("nothing_to_answer"):
        yes(table, "cleo")
    assert types(table.act("bob", "undo")) == ["offer_made"]


def test_who_was_asked_and_leaves_keeps_nobody_waiting() -> None:
    """The request is void, and may be made again to those who are left."""
    table = three()
    table.turns(3)
    table.act("ann", "undo")
    yes(table, "bob")
    assert types(table.act("cleo", "leave")) == ["offer_expired", "seat_left"]
    table.act("ann", "undo")
    assert table.room.offer is not None
    assert table.room.offer.waiting_for == ("yellow",)
    assert yes(table, "bob") == ["offer_answered", "undone"]


def test_a_request_goes_back_past_somebodys_leaving() -> None:
    """The seat stays the AI's, which moves again when it is its turn."""
    table = three()
    table.turns(3)
    table.act("cleo", "leave")
    table.act("ann", "undo")
    yes(table, "bob")
    assert (table.room.ply, seats(table)["green"]) == (0, "intermediate")
    table.turns(2)
    assert (table.room.to_move, table.holder()) == ("green", None)
    table.ai()


def test_an_ending_makes_the_request_void() -> None:
    """By resignation, by closing; in the next game nothing of it is left."""
    table = two()
    table.turn()
    table.act("ann", "undo")
    assert types(table.act("bob", "resign")) == ["offer_expired", "game_ended"]
    table.act("ann", "rematch")
    table.act("bob", "rematch")
    assert table.room.offer is None
    table.turn()
    table.act("bob", "undo")
    table.close("ann")
    assert table.room.offer is None
    with refused("room_closed"):
        yes(table, "ann")


def test_there_must_be_a_move_of_ones_own() -> None:
    """No request is made in vain."""
    table = two()
    for person in ("ann", "bob"):
        with refused("nothing_to_undo"):
            table.act(person, "undo")
    table.turn()
    with refused("nothing_to_undo"):
        table.act("bob", "undo")
    assert table.room.offer is None
    assert ("undo" in table.seen_by("ann").may, "undo" in table.seen_by("bob").may) == (True, False)


@pytest.mark.parametrize("undo", ["default", "off", "free"])
def test_only_a_room_that_says_so_has_requests(undo: str) -> None:
    """With two people undo is off, or at once."""
    table = Table(undo=undo)
    table.join("bob")
    table.turn()
    if undo == "free":
        assert types(table.act("ann", "undo")) == ["undone"]
    else:
        with refused("undo_off"):
            table.act("ann", "undo")
    with refused("nothing_to_answer"):
        yes(table, "bob")


def test_a_stranger_answers_nothing() -> None:
    """Nor does somebody who has left."""
    table = three()
    table.turns(3)
    table.act("bob", "leave")
    table.act("ann", "undo")
    for person in ("zoe", "bob"):
        with refused("not_seated"):
            yes(table, person)


def test_may_tells_who_can_answer() -> None:
    """Who is asked says yes or no, the asker takes it back; a watcher has nothing to say."""
    table = two()
    table.turn()
    assert "answer" not in table.seen_by("bob").may
    table.act("ann", "undo")
    assert ["answer" in table.seen_by(person).may for person in ("ann", "bob", "zoe")] == [True, True, False]
