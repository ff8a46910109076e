"""The dice of a finished game are right, or it is told which throw is wrong, from the record alone."""

from __future__ import annotations

import copy
import hashlib
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mitsuboshi.games.registry import GAMES
from mitsuboshi.rooms.records import record
from mitsuboshi_play.texts import Texts
from mitsuboshi_play.verify import report, verify
from tests.rooms.table import Table

Record = dict[str, Any]
Tamper = Callable[[Record], object]


def played(turns: int, share: str = "ann-s-share", **body: Any) -> Record:
    """The record of a verifiable game that ann gives up as white after so many turns, black being bob's."""
    options = {"verifiable": True, "auto_roll": True}
    table = Table(game="backgammon", options=options, name="Ann", **body)
    table.act("ann", "nonce", nonce=share)
    table.join("bob", nonce="bob-s-share")
    game = GAMES["backgammon"]
    people = {"white": "ann", "black": "bob"}
    while table.room.status == "playing" and len(table.room.movers) < turns:
        position = game.load(table.room.position, table.room.options)
        table.act(people[str(table.room.to_move)], "move", move=game.plain_move(position))
    if table.room.status == "playing":
        table.act("ann", "resign")
    assert table.line is not None
    written: Record = json.loads(msgspec.json.encode(record(table.room, 1, table.line)))
    return written


@pytest.fixture(scope="module")
def whole() -> Record:
    """A game that went on until all checkers were off."""
    written = played(1000)
    assert written["result"]["reason"] == "borne_off"
    return written


@pytest.fixture(scope="module")
def short() -> Record:
    return played(8)


def faults(written: Record) -> list[str]:
    right, lines = report(written, Texts())
    assert right == lines[-1].startswith("Right: ")
    return [] if right else lines


def test_a_whole_game_is_right(whole: Record) -> None:
    assert faults(whole) == []
    lines = report(whole, Texts())[1]
    assert lines[0] == "Game 1 of room room-id: white Ann, black (no name)"
    assert lines[1] == f"Commitment: {whole['commitment']}"
    assert lines[2] == "Nonces: white ann-s-share, black bob-s-share"
    assert f"({len(whole['moves'])} turns)" in lines[-1]


def test_a_game_given_up_and_one_from_a_position_are_right() -> None:
    for turns in (0, 1, 7):
        assert faults(played(turns)) == []
    middle = "XGID=-b----E-C---eE---c-e----B-:0:0:-1:00:0:0:0:0:10"
    thrown = middle.replace(":-1:00:", ":-1:66:")
    late = "XGID=-BBB------------------bb--:0:0:-1:00:0:0:0:0:10"
    for position in (thrown, late):
        written = played(3, position=position)
        assert written["moves"][0]["seat"] == "black"
        assert faults(written) == []


def test_black_to_throw_at_the_usual_board_throws_two_dice_of_its_own() -> None:
    """All 36 throws may come, doubles too; with white to throw it is the usual start, and its opening."""
    usual = "XGID=-b----E-C---eE---c-e----B-:0:0:{}:00:0:0:0:0:10"
    games = [played(2, f"share-of-{number}", position=usual.format("-1")) for number in range(40)]
    assert all(faults(written) == [] for written in games)
    assert {written["moves"][0]["seat"] for written in games} == {"black"}
    throws = {written["moves"][0]["throw"] for written in games}
    assert {(throw[0] > throw[1]) - (throw[0] < throw[1]) for throw in throws} == {-1, 0, 1}
    for number in range(10):
        written = played(2, f"share-of-{number}", position=usual.format("1"))
        low, high = sorted(written["moves"][0]["throw"])
        assert low != high
        assert faults(written) == []


def test_what_passed_by_itself_counts_as_a_turn() -> None:
    shut_out = "XGID=aBBBBBB-----------------b-:0:0:-1:00:0:0:0:0:10"
    written = played(4, position=shut_out)
    assert "pass" in [move["move"] for move in written["moves"]]
    assert faults(written) == []


def change(path: str, value: object) -> Tamper:
    """Puts a value in the place of another, such as ``moves.3.throw``."""

    def tamper(written: Record) -> None:
        *way, last = [int(part) if part.isdigit() else part for part in path.split(".")]
        place: Any = written
        for part in way:
            place = place[part]
        assert place[last] != value
        place[last] = value

    return tamper


@pytest.mark.parametrize(
    ("tamper", "told"),
    [
        (change("dice_secret", "00" * 32), "The secret is not the one that the commitment binds."),
        (change("commitment", "00" * 32), "The secret is not the one that the commitment binds."),
        (change("nonces.white", "another-share"), "the secret gives"),
        (lambda w: w["nonces"].pop("black"), "the secret gives"),
        (change("game_number", 2), "the secret gives"),
        (lambda w: w["moves"].pop(3), "Turn 4: the record has ply 5 there"),
        (lambda w: w["moves"].pop(0), "Turn 1: the record has ply 2 there"),
        (lambda w: w["moves"].pop(), "do not lead to the record's last position"),
        (lambda w: w["moves"].__delitem__(slice(-2, None)), "do not lead to the record's last position"),
        (lambda w: w["moves"].insert(4, copy.deepcopy(w["moves"][2])), "Turn 5: the record has ply 3 there"),
        (lambda w: w["moves"][2].pop("throw"), "the record's throw is -, the secret gives"),
        (lambda w: w["moves"][2].update(seat=w["moves"][1]["seat"]), "Turn 3: it is"),
        (lambda w: w["moves"][2].update(dice=[7, 7]), "but 77 was played"),
        (change("moves.2.parts", []), "Wrong: 1 fault."),
        (change("moves.2.parts", [{"from": 1, "to": 0, "hit": False}] * 9), "has no checker for it"),
        (change("dice_secret", None), "The secret is not told yet: it comes with the end of the game."),
        (lambda w: w.pop("dice_secret"), "The secret is not told yet"),
        (change("dice_secret", "secret"), "The record's dice_secret is missing or cannot be read."),
        (change("commitment", None), "The throws of this game are not verifiable"),
        (change("game", "diamond"), "This is a record of diamond: it has no throws to check."),
        (change("moves", None), "The record's moves is missing or cannot be read."),
        (change("moves.2", "8/5 6/5"), "The record's moves, turn 3, is missing or cannot be read."),
        (change("moves.2.parts", [{"from": 99, "to": 0, "hit": False}]), "moves, turn 3,"),
        (change("nonces", []), "The record's nonces is missing"),
        (change("game_number", "1"), "The record's game_number is missing"),
        (change("start", "the start"), "The record's start is missing"),
        (change("position", "XGID=" + "O" * 26 + ":0:0:1:00"), "The record's position is missing"),
    ],
)
def test_a_record_that_was_tampered_with_is_wrong(short: Record, tamper: Tamper, told: str) -> None:
    tampered = copy.deepcopy(short)
    tamper(tampered)
    lines = faults(tampered)
    assert told in "\n".join(lines), lines
    assert lines[-1].startswith("Wrong: ")


@pytest.mark.parametrize("turn", range(8))
def test_a_changed_throw_is_told_by_its_turn(short: Record, turn: int) -> None:
    tampered = copy.deepcopy(short)
    move = tampered["moves"][turn]
    right = move["throw"]
    move["throw"] = "12" if right != "12" else "65"
    told = (
        f"Turn {turn + 1}, {move['seat']}: the record's throw is {move['throw']}, the secret gives {right}."
    )
    assert told in faults(tampered)


def test_a_secret_made_up_afterwards_fits_no_throw(short: Record) -> None:
    """Not even with the commitment that belongs to it."""
    made_up = bytes(range(32))
    tampered = short | {
        "dice_secret": made_up.hex(),
        "commitment": hashlib.sha256(made_up).hexdigest(),
    }
    assert any("the secret gives" in line for line in faults(tampered))


def test_a_game_without_nonces_is_right_with_a_warning() -> None:
    table = Table(game="backgammon", options={"verifiable": True}, seats={"white": "me", "black": "me"})
    table.later(10_000)
    table.look()
    table.act("ann", "resign")
    assert table.line is not None
    written = json.loads(msgspec.json.encode(record(table.room, 1, table.line)))
    right, lines = report(written, Texts())
    assert right, lines
    assert "Nonces: white none, black none" in lines
    assert any(line.startswith("Nobody gave a nonce") for line in lines)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.data())
def test_no_record_breaks_the_check(data: st.DataObject) -> None:
    written = copy.deepcopy(SHORT)
    place: Any = written
    for _ in range(data.draw(st.integers(0, 3))):
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        inner = [key for key in keys if isinstance(place[key], (dict, list)) and place[key]]
        if inner:
            place = place[data.draw(st.sampled_from(inner))]
    keys = list(place) if isinstance(place, dict) else list(range(len(place)))
    place[data.draw(st.sampled_from(keys))] = data.draw(JSON)
    assert report(written, Texts())[1]


def run(*arguments: str, given: str = "", transport: httpx.BaseTransport | None = None) -> tuple[int, str]:
    out = io.StringIO()
    code = verify(arguments, {"XDG_STATE_HOME": "/nowhere"}, out, lambda: given, transport)
    return code, out.getvalue()


def test_a_record_is_read_from_a_file_or_the_input(short: Record, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text(json.dumps(short))
    assert run(str(file))[0] == 0
    assert run("-", given=json.dumps(short))[0] == 0
    assert run("-", given=json.dumps(short | {"dice_secret": "00" * 32}))[0] == 1


@pytest.mark.parametrize("text", ["", "[]", "1. 14-26", "[" * 100_000])
def test_what_is_no_record_is_wrong_usage(text: str) -> None:
    code, told = run("-", given=text)
    assert (code, told) == (2, "mitsuboshi-play verify: - is no record: it is no JSON object.\n")


def test_files_and_addresses_that_lead_nowhere_are_wrong_usage(tmp_path: Path) -> None:
    (tmp_path / "bytes").write_bytes(b"\xff")
    for record_ in (str(tmp_path / "none"), str(tmp_path), str(tmp_path / "bytes"), "http://host/v1/games"):
        code, told = run(record_)
        assert (code, told[:24]) == (2, "mitsuboshi-play verify: "), told
    with pytest.raises(SystemExit) as ended:
        run()
    assert ended.value.code == 2


@pytest.mark.parametrize(
    ("address", "query"),
    [
        ("http://test/v1/rooms/abc", {"format": "json"}),
        ("http://test/v1/rooms/abc/record?game=2", {"format": "json", "game": "2"}),
        ("http://test/rooms/abc", {"format": "json"}),
    ],
)
def test_a_rooms_record_is_fetched(short: Record, address: str, query: dict[str, str]) -> None:
    asked: list[httpx.URL] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.url)
        return httpx.Response(200, json=short)

    assert run(address, transport=httpx.MockTransport(answer))[0] == 0
    assert asked[0].path == "/v1/rooms/abc/record"
    assert dict(asked[0].params) == query


def test_a_room_that_is_not_there_and_a_server_that_is_away_are_told() -> None:
    missing = httpx.Response(404, json={"code": "room_not_found", "detail": "there is no such room"})
    code, told = run("http://test/v1/rooms/a", transport=httpx.MockTransport(lambda _: missing))
    assert (code, told) == (4, "Refused: there is no such room\n")

    def away(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("refused")

    arguments = ("http://test/v1/rooms/a", "--patience", "0.1")
    assert run(*arguments, transport=httpx.MockTransport(away))[0] == 3


SHORT = played(4)
