"""Whole games over REST, on two API processes and an AI worker."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from mitsuboshi.games.diamond import DIAMOND
from tests.games.diamond.literals import case
from tests.rest import Guest, Json, ask_seat, create, join, ok, refused, send

START = "R/rr/rrr/rrrr/4rrrrr4/12/11/10/y8/yy8/yyy8/yyyy8/Yyyyy8/4/3/2/1 r 2 0 0"
ALL_ME = {"red": "me", "yellow": "me", "green": "me"}


def position(name: str, **more: Any) -> str:
    """The text of a case's position."""
    return DIAMOND.write(case(name, **more))


def holders(room: Json) -> list[tuple[str, str]]:
    """Who or what holds each seat: a name, an AI's level, or the kind."""
    return [(seat["seat"], seat["name"] or seat["level"] or seat["kind"]) for seat in room["seats"]]


def best_row(room: Json, guest: Guest) -> str:
    """The legal move that gains the most rows."""
    legal = ok(guest.get("/legal-moves"))["legal_moves"]
    assert [move["move"] for move in legal] == room["legal_moves"]
    return str(max(legal, key=lambda move: move["rows"])["move"])


# --- before the start ---------------------------------------------------------------------------------------


def test_the_creator_has_the_first_seat_and_the_rest_are_open(http: httpx.Client) -> None:
    """Nothing but the game need be said."""
    red = create(http)
    room = red.see()
    assert (room["status"], room["version"], room["you"]) == ("waiting", 2, ["red"])
    assert holders(room) == [("red", "person"), ("yellow", "open")]
    assert room["may"] == ["start", "leave", "rename"]
    assert (room["position"], room["to_move"], room["legal_moves"]) == (None, None, [])


def test_seats_are_me_open_or_an_ai_as_the_body_says(http: httpx.Client) -> None:
    """As many seats are in play as are needed for the last one that is named."""
    green = create(http, seats={"red": "open", "yellow": {"ai": "beginner"}, "green": "me"}, name="Aya")
    assert holders(green.see()) == [("red", "open"), ("yellow", "beginner"), ("green", "Aya")]
    owner = create(http, seats={"red": "open", "yellow": "open"})
    room = owner.see()
    assert (room["you"], room["owner"], room["may"]) == ([], True, ["start"])


def test_a_room_starts_by_itself_when_its_last_seat_fills(http: httpx.Client, other: httpx.Client) -> None:
    """Whoever joins last finds the game begun, and each token moves its own seat."""
    red = create(http, name="Aya")
    yellow = join(red.at(other), name="Ben")
    room = yellow.see()
    assert (room["status"], room["to_move"], room["you"]) == ("playing", "red", ["yellow"])
    assert holders(room) == [("red", "Aya"), ("yellow", "Ben")]
    assert red.kinds() == ["room_created", "seat_taken", "seat_taken", "game_started"]
    assert room["legal_moves"] == []
    assert "move" not in room["may"]
    red.move("14-26")
    assert "move" in yellow.see()["may"]
    assert "move" not in red.see()["may"]


def test_a_room_without_open_seats_starts_with_its_creation(http: httpx.Client) -> None:
    """One device for everybody, or one person and AIs."""
    assert create(http, seats=ALL_ME).see()["status"] == "playing"
    alone = create(http, seats={"red": "me", "yellow": {"ai": "beginner"}}).see()
    assert (alone["status"], alone["version"], alone["position"]) == ("playing", 3, START)


def test_the_owner_starts_with_ais_in_the_open_seats(http: httpx.Client) -> None:
    """The level is the owner's choice, intermediate without one."""
    red = create(http, seats={"green": "open"})
    assert holders(red.did("start"))[1:] == [("yellow", "intermediate"), ("green", "intermediate")]
    assert holders(create(http).did("start", fill="beginner"))[1:] == [("yellow", "beginner")]
    refused(red.act("start"), 409, "already_started")


def test_seats_are_joined_by_name_and_added_to_a_token(http: httpx.Client) -> None:
    """A caller that sends a token gets no new one."""
    red = create(http, seats={"green": "open"})
    green = join(red, seat="green")
    assert green.see()["you"] == ["green"]
    answer = ok(ask_seat(green, green.token), 201)
    assert (answer["token"], answer["seats"]) == (green.token, ["yellow", "green"])
    assert answer["room"]["status"] == "playing"


def test_a_token_holds_seats_in_many_rooms(http: httpx.Client) -> None:
    """A bot needs one token for all its games."""
    first = create(http)
    second = create(http, token=first.token)
    assert second.token == first.token
    assert first.room != second.room
    third = join(create(http), first.token)
    assert third.token == first.token
    assert [guest.see()["you"] for guest in (first, second, third)] == [["red"], ["red"], ["yellow"]]


def test_a_private_room_is_joined_by_its_invite(http: httpx.Client) -> None:
    """The creation's answer alone has it."""
    body = {"game": "diamond", "visibility": "private"}
    made = ok(send(http, "POST", "/v1/rooms", json=body), 201)
    red = Guest(http, made["room"]["id"], made["token"])
    refused(ask_seat(red), 403, "wrong_invite", "invite")
    yellow = join(red, invite=made["invite"])
    assert yellow.see()["status"] == "playing"
    refused(yellow.stranger().get(), 403, "private_room")
    assert made["invite"] not in yellow.get().text


# --- play ---------------------------------------------------------------------------------------------------


def test_two_people_play_a_whole_game_to_its_draw_limit(http: httpx.Client, other: httpx.Client) -> None:
    """Each at a process of their own; every move is one version, and the record replays to the end."""
    red = create(http, options={"draw_plies_per_seat": 50})
    yellow = join(red.at(other))
    guests = {"red": red, "yellow": yellow}
    room = yellow.see()
    while room["status"] == "playing":
        guest = guests[room["to_move"]]
        mine = guest.see()
        assert mine["draw_limit"] == {"plies": 100, "left": 100 - mine["ply"]}
        room = guest.move(best_row(mine, guest), version=mine["version"])
        assert room["applied_version"] == room["version"] == mine["version"] + 1 + (room["to_move"] is None)
    assert room["result"]["reason"] in {"draw_limit", "goal"}
    record = ok(red.get("/record"))
    assert replayed(record) == record["position"] == room["position"]
    assert record["result"] == room["result"]


def test_a_person_plays_a_whole_game_against_an_ai(http: httpx.Client) -> None:
    """The AI answers every move without being asked."""
    red = create(http, seats={"yellow": {"ai": "beginner"}, "red": "me"}, options={"draw_plies_per_seat": 50})
    room = red.see()
    while room["status"] == "playing":
        red.move(best_row(room, red))
        room = red.wait_for(lambda r: r["to_move"] != "yellow", "the AI's answer")
    assert room["result"]["reason"] in {"draw_limit", "goal"}
    kinds = red.kinds()
    assert kinds.count("move_played") == room["ply"]
    assert kinds[-1] == "game_ended"


def replayed(record: Json) -> str:
    """The position that the record's moves lead to by the rules."""
    board = DIAMOND.read(record["start"], record["options"])
    for move in record["moves"]:
        assert move["seat"] == DIAMOND.to_move(board)
        board = DIAMOND.play(board, move["move"])[1]
    return DIAMOND.write(board)


def test_one_device_plays_three_seats(http: httpx.Client) -> None:
    """One token moves whoever is to move; naming another of its seats is a mistake."""
    device = create(http, seats=ALL_ME)
    assert device.see()["you"] == ["red", "yellow", "green"]
    assert device.move("14-26")["to_move"] == "yellow"
    refused(device.act("move", move="14-27", seat="red"), 409, "not_your_turn")
    for seat, after in (("yellow", "green"), ("green", "red")):
        room = device.see()
        assert device.move(room["legal_moves"][0], seat=seat)["to_move"] == after
    assert [move["seat"] for move in device.see()["last_moves"]] == ["yellow", "green"]


def test_a_winning_move_ends_the_game_at_once(http: httpx.Client) -> None:
    """The move and the end are two events of one write."""
    red = create(
        http,
        seats={"red": "me", "yellow": {"ai": "beginner"}},
        position=position("win_by_king_jumping_to_apex_along_edge"),
    )
    before = red.see()["version"]
    room = red.move("89-120")
    assert room["version"] == room["applied_version"] == before + 2
    assert red.kinds(before) == ["move_played", "game_ended"]
    assert room["result"] == {"winner": "red", "reason": "goal", "points": 1}
    assert (room["status"], room["to_move"], room["legal_moves"]) == ("finished", None, [])
    assert room["may"] == ["rematch", "leave", "rename"]
    refused(red.act("move", move="60-50"), 409, "game_over")


def test_a_shut_in_seat_passes(http: httpx.Client) -> None:
    """The snapshot says so; when all have passed the game is drawn."""
    red = create(http, seats={"red": "me", "yellow": "me"}, position=position("pass_all_seats_draw_2p"))
    room = red.see()
    assert (room["must_pass"], room["legal_moves"]) == (True, [])
    assert "pass" in room["may"]
    assert "move" not in room["may"]
    refused(red.act("move", move="0-1"), 422, "illegal_move", "move")
    assert red.stranger().see()["must_pass"] is True
    room = red.did("pass")
    assert room["result"] == {"winner": None, "reason": "all_passed", "points": 0}
    assert red.kinds()[-2:] == ["passed", "game_ended"]


def test_an_ai_passes_by_itself(http: httpx.Client) -> None:
    """A room whose AI has no move goes on."""
    text = position("pass_because_only_moves_complete_another_target")
    room = create(http, seats={"red": {"ai": "beginner"}, "yellow": "me", "green": "me"}, position=text)
    assert room.wait_for(lambda r: r["to_move"] == "yellow", "the AI's pass")["ply"] == 301
    assert room.kinds()[-1] == "passed"


@pytest.mark.parametrize(("ply", "status"), [(798, "playing"), (799, "finished")])
def test_the_draw_limit_ends_the_game_on_its_ply(http: httpx.Client, ply: int, status: str) -> None:
    """Neither before nor after."""
    red = create(http, seats={"red": "me", "yellow": "me"}, position=START.replace("2 0 0", f"2 {ply} 0"))
    assert red.see()["draw_limit"]["left"] == 800 - ply
    room = red.move("14-26")
    assert (room["status"], room["ply"], room["draw_limit"]["left"]) == (status, ply + 1, 799 - ply)


# --- taking back, giving up ---------------------------------------------------------------------------------


def test_a_single_person_takes_back_at_once(http: httpx.Client) -> None:
    """To before its own last move, past the AI's answer; the AI then moves again whenever it is to."""
    yellow = create(http, seats={"red": {"ai": "beginner"}, "yellow": "me"})
    start = yellow.wait_for(lambda r: r["to_move"] == "yellow", "the AI's first move")
    refused(yellow.act("undo"), 409, "nothing_to_undo")
    assert "undo" not in start["may"]
    yellow.move(start["legal_moves"][0])
    answered = yellow.wait_for(lambda r: r["to_move"] == "yellow", "the AI's second move")
    assert "undo" in answered["may"]
    room = yellow.did("undo")
    assert (room["position"], room["ply"], room["to_move"]) == (start["position"], 1, "yellow")
    assert room["last_moves"] == start["last_moves"]
    assert room["version"] == answered["version"] + 1
    yellow.move(start["legal_moves"][-1])
    yellow.wait_for(lambda r: r["ply"] == 3 and r["to_move"] == "yellow", "the AI moves again")
    assert [move["ply"] for move in ok(yellow.get("/record"))["moves"]] == [1, 2, 3]


def test_undo_is_off_between_people_unless_the_room_says_free(http: httpx.Client) -> None:
    """Nobody loses a move against their will."""
    red = create(http)
    yellow = join(red)
    red.move("14-26")
    refused(red.act("undo"), 409, "undo_off")
    free = create(http, undo="free")
    join(free)
    free.move("14-26")
    assert "undo" in free.see()["may"]
    assert free.did("undo")["position"] == START
    off = create(http, seats={"red": "me", "yellow": "me"}, undo="off")
    off.move("14-26")
    refused(off.act("undo"), 409, "undo_off")
    assert "undo" not in yellow.see()["may"]


def test_a_move_may_be_taken_back_all_the_way(http: httpx.Client) -> None:
    """One device undoes ply by ply to the start, and no further."""
    device = create(http, seats={"red": "me", "yellow": "me"})
    before = []
    for _ in range(6):
        room = device.see()
        before.append(room["position"])
        device.move(room["legal_moves"][0])
    for expected in reversed(before):
        assert device.did("undo")["position"] == expected
    refused(device.act("undo"), 409, "nothing_to_undo")


def test_a_resignation_gives_the_other_of_two_the_game(http: httpx.Client) -> None:
    """Also out of turn."""
    red = create(http)
    yellow = join(red)
    room = yellow.did("resign")
    assert room["result"] == {"winner": "red", "reason": "resignation", "points": 1}
    refused(red.act("undo"), 409, "game_over")


def test_a_resignation_among_three_is_scored_by_distance(http: httpx.Client) -> None:
    """Equal sums: the next seat in turn order after the one that resigned."""
    ais: Json = {"yellow": {"ai": "beginner"}, "green": {"ai": "beginner"}}
    red = create(http, seats={"red": "me", **ais})
    assert red.did("resign")["result"]["winner"] == "yellow"
    device = create(http, seats=ALL_ME)
    assert device.did("resign", seat="green")["result"]["winner"] == "red"


def test_nobody_resigns_over_the_heads_of_two_others(http: httpx.Client) -> None:
    """With other people in a room of three the way out is to leave."""
    red = create(http, seats={"green": "open"})
    yellow = join(join(red))
    assert "resign" not in yellow.see()["may"]
    refused(yellow.act("resign"), 409, "leave_instead")


def test_an_ai_takes_the_seat_of_one_who_leaves_three(http: httpx.Client) -> None:
    """At once, on its turn too; the token that left only watches."""
    red = create(http, seats={"green": "open"})
    yellow, green = join(red), join(red)
    room = red.did("leave")
    assert holders(room)[0] == ("red", "intermediate")
    assert (room["status"], room["you"], room["may"]) == ("playing", [], [])
    assert yellow.wait_for(lambda r: r["to_move"] == "yellow", "the AI plays that turn")["ply"] == 1
    refused(red.act("move", move="14-26"), 403, "not_seated")
    refused(ask_seat(red, red.token, seat="red"), 409, "already_started")
    assert red.see()["position"] == green.see()["position"]
    yellow.did("leave")
    assert (left := green.did("leave"))["result"] == {"winner": None, "reason": "left", "points": 0}
    assert left["status"] == "finished"


def test_one_who_leaves_two_loses(http: httpx.Client) -> None:
    """And has no vote in the rematch, which the other one can have against an AI."""
    red = create(http)
    yellow = join(red)
    room = yellow.did("leave")
    assert room["result"] == {"winner": "red", "reason": "left", "points": 1}
    assert holders(room)[1] == ("yellow", "intermediate")
    refused(yellow.act("rematch"), 403, "not_seated")
    again = red.did("rematch")
    assert (again["status"], again["game_number"]) == ("playing", 2)
