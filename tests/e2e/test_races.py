"""The same instant at two API processes: one of the requests wins, and no state is half of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial

import httpx

from tests.rest import Guest, Json, ask_seat, create, join, ok, refused, send, together

ROUNDS = 15
Codes = Counter[int]


def codes(answers: list[httpx.Response]) -> Codes:
    """How often each status was answered."""
    return Counter(answer.status_code for answer in answers)


def test_the_last_seat_goes_to_one_of_three(http: httpx.Client, other: httpx.Client) -> None:
    """The others find it taken, and whatever tokens they have hold nothing."""
    for _ in range(ROUNDS):
        red = create(http)
        tokens = [create(http).token for _ in range(3)]
        ways = zip((http, other, other), tokens, strict=True)
        answers = together(*(partial(ask_seat, red.at(c), token, seat="yellow") for c, token in ways))
        assert codes(answers) == {201: 1, 409: 2}
        for token, answer in zip(tokens, answers, strict=True):
            guest = Guest(other, red.room, token)
            if answer.status_code == 201:
                assert guest.see()["you"] == ["yellow"]
            else:
                assert refused(answer, 409, "seat_taken")["room"]["you"] == []
                refused(guest.act("move", move="14-26"), 403, "not_seated")
        assert red.kinds() == ["room_created", "seat_taken", "seat_taken", "game_started"]


def test_losers_of_a_seat_are_given_no_token(http: httpx.Client, other: httpx.Client) -> None:
    """A refusal has nothing to hold on to."""
    for _ in range(ROUNDS):
        red = create(http)
        answers = together(*(partial(ask_seat, red.at(c)) for c in (http, other, http)))
        assert codes(answers) == {201: 1, 409: 2}
        assert all("token" not in answer.json() for answer in answers if answer.status_code == 409)


def test_any_seat_asked_for_twice_is_two_seats(http: httpx.Client, other: httpx.Client) -> None:
    """Two people, two tokens, and each moves its own seat alone."""
    for _ in range(ROUNDS):
        red = create(http, seats={"green": "open"})
        answers = [ok(a, 201) for a in together(*(partial(ask_seat, red.at(c)) for c in (http, other)))]
        assert sorted(answer["seats"] for answer in answers) == [["green"], ["yellow"]]
        assert len({answer["token"] for answer in answers}) == 2
        red.move("14-26")
        for answer in answers:
            guest = Guest(other, red.room, answer["token"])
            room = guest.see()
            assert room["you"] == answer["seats"]
            assert bool(room["legal_moves"]) == (room["you"] == ["yellow"])
        assert red.see()["status"] == "playing"


def test_a_join_while_the_owner_starts_is_before_or_after_it(http: httpx.Client, other: httpx.Client) -> None:
    """In the seat from the first move on, or refused: never half of each."""
    for number in range(2 * ROUNDS):
        red = create(http, seats={"green": "open"})
        calls: list[Callable[[], httpx.Response]] = [
            partial(ask_seat, red.at(other)),
            partial(red.act, "start", fill="beginner"),
        ]
        answers = together(*(calls if number % 2 else calls[::-1]))
        joined, started = answers if number % 2 else answers[::-1]
        room = ok(started)
        kinds = red.kinds()
        assert kinds.count("game_started") == 1
        if joined.status_code == 201:
            body = joined.json()
            assert body["seats"] == ["yellow"]
            assert kinds[:4] == ["room_created", "seat_taken", "seat_taken", "game_started"]
            assert Guest(other, red.room, body["token"]).see()["seats"][1]["kind"] == "person"
        else:
            refused(joined, 409, "already_started")
            assert [seat["kind"] for seat in room["seats"]] == ["person", "ai", "ai"]


def test_two_owners_requests_to_start_are_one_start(http: httpx.Client, other: httpx.Client) -> None:
    """The game begins once."""
    for _ in range(ROUNDS):
        red = create(http)
        answers = together(*(partial(red.at(c).act, "start") for c in (http, other)))
        assert codes(answers) == {200: 1, 409: 1}
        assert red.kinds().count("game_started") == 1


def test_one_of_many_moves_of_a_turn_is_played(http: httpx.Client, other: httpx.Client) -> None:
    """With the version they were made for: the others are stale, whatever they say."""
    red = create(http)
    yellow = join(red)
    for _ in range(ROUNDS):
        room = red.see()
        mover = red if room["to_move"] == "red" else yellow
        moves = mover.see()["legal_moves"][:4]
        ways = zip((http, other, http, other), moves, strict=True)
        calls = [partial(mover.at(c).act, "move", move=move, version=room["version"]) for c, move in ways]
        answers = together(*calls)
        assert codes(answers) == {200: 1, 409: 3}
        after = red.see()
        assert (after["version"], after["ply"]) == (room["version"] + 1, room["ply"] + 1)
        for answer in answers:
            if answer.status_code == 409:
                assert refused(answer, 409, "stale_version", "version")["version"] == after["version"]


def test_one_of_many_moves_without_a_version_is_played(http: httpx.Client, other: httpx.Client) -> None:
    """The others find that it is no longer their turn."""
    red = create(http)
    yellow = join(red)
    for _ in range(ROUNDS):
        room = red.see()
        mover = red if room["to_move"] == "red" else yellow
        ways = zip((http, other), mover.see()["legal_moves"][:2], strict=True)
        answers = together(*(partial(mover.at(c).act, "move", move=move) for c, move in ways))
        assert codes(answers) == {200: 1, 409: 1}
        assert red.see()["version"] == room["version"] + 1


def test_a_move_of_an_old_list_is_stale(http: httpx.Client, other: httpx.Client) -> None:
    """Where it is still legal, too: the game has changed since it was chosen."""
    device = create(http, seats={"red": "me", "yellow": "me"})
    old = device.see()
    device.move(old["legal_moves"][0])
    device.move(device.see()["legal_moves"][0])
    still_legal = [move for move in old["legal_moves"] if move in device.see()["legal_moves"]]
    told = refused(
        device.at(other).act("move", move=still_legal[-1], version=old["version"]),
        409,
        "stale_version",
        "version",
    )
    assert told["version"] == told["room"]["version"] == old["version"] + 2
    assert device.see()["ply"] == 2
    headers = {"If-Match": f'"{old["version"]}"'}
    refused(device.act("move", move=still_legal[-1], headers=headers), 409, "stale_version", "version")


def test_a_move_sent_three_times_under_one_key_is_played_once(
    http: httpx.Client, other: httpx.Client
) -> None:
    """Also where it would be legal again: the same device moves back and forth."""
    device = create(http, seats={"red": "me", "yellow": "me"})
    for number in range(ROUNDS):
        room = device.see()
        key = f"back-and-forth-{number:06}"
        calls = [
            partial(device.at(c).act, "move", move=room["legal_moves"][0], key=key)
            for c in (http, other, http)
        ]
        answers = [ok(answer) for answer in together(*calls)]
        assert {answer["applied_version"] for answer in answers} == {room["version"] + 1}
        assert device.see()["version"] == room["version"] + 1


def test_two_undos_at_once_with_a_version_are_one(http: httpx.Client, other: httpx.Client) -> None:
    """One device, two taps: the second one is stale and nothing is pending."""
    device = create(http, seats={"red": "me", "yellow": "me"})
    for _ in range(ROUNDS):
        start = device.see()
        device.move(start["legal_moves"][0])
        room = device.move(device.see()["legal_moves"][0])
        answers = together(
            *(partial(device.at(c).act, "undo", version=room["version"]) for c in (http, other))
        )
        assert codes(answers) == {200: 1, 409: 1}
        after = device.see()
        assert (after["ply"], after["version"], after["offer"]) == (
            room["ply"] - 1,
            room["version"] + 1,
            None,
        )
        device.did("undo")
        assert device.see()["position"] == start["position"]


def test_two_undos_at_once_without_a_version_are_two_or_one(http: httpx.Client, other: httpx.Client) -> None:
    """Each takes back one move; where there is none left the second is refused."""
    for _ in range(ROUNDS):
        device = create(http, seats={"red": "me", "yellow": "me"})
        start = device.see()["position"]
        device.move("14-26")
        answers = together(*(partial(device.at(c).act, "undo") for c in (http, other)))
        assert codes(answers) == {200: 1, 409: 1}
        for answer in answers:
            if answer.status_code == 409:
                refused(answer, 409, "nothing_to_undo")
        assert device.see()["position"] == start


def test_an_undo_drops_what_the_ai_is_about_to_play(http: httpx.Client, other: httpx.Client) -> None:
    """Whichever comes first, the line has no gap, and the AI answers what is on the board."""
    red = create(http, seats={"red": "me", "yellow": {"ai": "beginner"}})
    for number in range(ROUNDS):
        start = red.see()
        red.move(start["legal_moves"][number % len(start["legal_moves"])])
        room = red.at(other if number % 2 else http).did("undo")
        assert (room["position"], room["to_move"]) == (start["position"], "red")
    move = red.see()["legal_moves"][0]
    red.move(move)
    room = red.wait_for(lambda r: r["ply"] == 2, "the AI answers the last move")
    moves = ok(red.get("/record"))["moves"]
    assert [(m["ply"], m["seat"]) for m in moves] == [(1, "red"), (2, "yellow")]
    assert moves[0]["move"] == move
    versions = [event["version"] for event in red.events()]
    assert versions == list(range(1, room["version"] + 1))


def test_a_move_and_a_resignation_are_one_after_the_other(http: httpx.Client, other: httpx.Client) -> None:
    """No move is played after the end."""
    for _ in range(ROUNDS):
        red = create(http)
        yellow = join(red)
        moved, resigned = together(
            partial(red.act, "move", move="14-26"), partial(yellow.at(other).act, "resign")
        )
        assert resigned.status_code == 200
        kinds = red.kinds()
        assert kinds[-1] == "game_ended"
        assert ("move_played" in kinds) == (moved.status_code == 200)
        if moved.status_code != 200:
            refused(moved, 409, "game_over")


def test_the_last_two_votes_at_once_begin_one_game(http: httpx.Client, other: httpx.Client) -> None:
    """Both are counted, neither twice."""
    for _ in range(ROUNDS):
        red = create(http)
        yellow = join(red)
        red.did("resign")
        answers = together(partial(red.act, "rematch"), partial(yellow.at(other).act, "rematch"))
        assert codes(answers) == {200: 2}
        room = red.see()
        assert (room["status"], room["game_number"], room["you"]) == ("playing", 2, ["yellow"])
        assert red.kinds()[-3:] == ["rematch_voted", "rematch_voted", "game_started"]


def test_two_people_never_get_one_name(http: httpx.Client, other: httpx.Client) -> None:
    """Not even in the same instant."""
    for _ in range(ROUNDS):
        red = create(http, seats={"green": "open"})
        answers = together(
            *(partial(ask_seat, red.at(c), name=n) for c, n in ((http, "Aya"), (other, "AYA")))
        )
        assert codes(answers) == {201: 1, 409: 1}
        names = [seat["name"] for seat in red.see()["seats"] if seat["name"]]
        assert len(names) == 1


def test_many_commands_at_once_leave_a_history_without_a_gap(http: httpx.Client, other: httpx.Client) -> None:
    """Renames by the dozen: each applied once, or refused as too many; none lost, none half there."""
    red = create(http, name="Aya")
    before = red.see()["version"]
    clients = (http, other) * 8
    answers = together(*(partial(red.at(c).act, "rename", name=f"Aya {n}") for n, c in enumerate(clients)))
    applied = sorted(answer.json()["applied_version"] for answer in answers if answer.status_code == 200)
    assert applied == list(range(before + 1, red.see()["version"] + 1))
    assert set(codes(answers)) <= {200, 503}
    assert len(applied) >= 8
    last: Json = red.events(before)[-1]
    assert red.see()["seats"][0]["name"] == last["name"]


def test_closing_twice_at_once_closes_once(http: httpx.Client, other: httpx.Client) -> None:
    """The second finds the room closed."""
    for _ in range(ROUNDS):
        red = create(http)
        answers = together(*(partial(send, c, "DELETE", red.path, red.token) for c in (http, other)))
        assert codes(answers) == {200: 1, 410: 1}
        assert red.kinds().count("room_closed") == 1
