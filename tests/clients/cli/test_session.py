"""A whole session against a server that answers from a script: what a player sees, sends and is left with."""

import io
import queue
import threading
from pathlib import Path
from typing import Any

import httpx
import pytest

from mitsuboshi_play.options import read_settings
from mitsuboshi_play.play import Session

from .conftest import snapshot_json
from .fake_server import FakeServer, problem


class Play:
    """Runs the client on lines of input; ``text`` is what it printed, ``code`` how it ended."""

    def __init__(
        self, server: FakeServer, folder: Path, *lines: str, arguments: tuple[str, ...] = ()
    ) -> None:
        self.out = io.StringIO()
        self.environ = {"XDG_STATE_HOME": str(folder)}
        given = ["--server", "http://test", "--patience", "2", "--ascii", *arguments]
        rest = [f"{line}\n".encode() for line in lines]
        session = Session(
            read_settings(given, self.environ, self.out),
            self.environ,
            self.out,
            read=lambda: rest.pop(0) if rest else b"",
            interactive=False,
            transport=server.transport,
        )
        self.code = session.run()
        self.text = self.out.getvalue()


@pytest.fixture
def server() -> FakeServer:
    return FakeServer()


def test_a_move_is_sent_by_id_by_row_and_number_or_by_choice(server: FakeServer, tmp_path: Path) -> None:
    play = Play(server, tmp_path, "14-26", "5.5-6.4", "14", "2", "quit")
    moves = [body["move"] for body in server.sent("/actions")]
    assert moves == ["14-26", "14-26", "14-27"]
    assert all(body["version"] == 3 for body in server.sent("/actions"))
    assert "Piece 5.5 (point 14) may go to:\n  1  6.4    step     +1 row" in play.text
    assert play.code == 0


def test_ending_tells_how_to_come_back_and_the_token_is_kept(server: FakeServer, tmp_path: Path) -> None:
    play = Play(server, tmp_path)
    file = tmp_path / "mitsuboshi" / "k7Qm2wXzP4sD.token"
    assert file.read_text() == "t0ken\n"
    assert f"--join=k7Qm2wXzP4sD --token-file {file}" in play.text
    assert "t0ken\n" not in play.text
    assert play.code == 0


def test_one_comes_back_with_the_token(server: FakeServer, tmp_path: Path) -> None:
    Play(server, tmp_path)
    Play(server, tmp_path, arguments=("--join", "k7Qm2wXzP4sD"))
    assert server.sent("/seats") == []
    assert server.requests[-1].headers["Authorization"] == "Bearer t0ken"


def test_one_joins_with_seat_name_and_invite(server: FakeServer, tmp_path: Path) -> None:
    arguments = ("--join", "k7Qm2wXzP4sD", "--seat", "red", "--name", "Ken", "--invite", "abc")
    Play(server, tmp_path, arguments=arguments)
    assert server.sent("/seats") == [{"seat": "red", "name": "Ken", "invite": "abc"}]


def test_a_stale_action_shows_the_room_as_it_is_now(server: FakeServer, tmp_path: Path) -> None:
    moves = [{"seat": "red", "ply": 0, "move": "6-26", "path": [6, 26], "jumps": 1}]
    server.on["actions"] = [
        problem(
            409, "stale_version", "the board has changed", room=snapshot_json(version=9, last_moves=moves)
        )
    ]
    play = Play(server, tmp_path, "14-26", "14-27")
    assert "Refused: the board has changed" in play.text
    assert "Last: red 4.1-6.4" in play.text
    assert [body["version"] for body in server.sent("/actions")] == [3, 9]
    assert play.code == 1


def test_a_draw_that_was_declined_before_the_answer_came_is_told(server: FakeServer, tmp_path: Path) -> None:
    """As an AI may do: no state with the offer in it is ever seen."""
    offer = {"kind": "draw", "by": "red", "version": 4, "to_version": None, "waiting_for": ["yellow"]}
    agreed = {"winner": None, "reason": "agreement", "points": 0}
    for room, told in (
        (snapshot_json(version=5), True),
        (snapshot_json(version=4, offer=offer), False),
        (snapshot_json(version=5, status="finished", result=agreed), False),
    ):
        server.on["actions"] = [httpx.Response(200, json=room)]
        play = Play(server, tmp_path, "draw")
        assert server.sent("/actions")[-1]["type"] == "offer_draw"
        assert ("Your offer is over" in play.text) is told


def test_resigning_asks_and_a_repeat_shows_the_final_result(server: FakeServer, tmp_path: Path) -> None:
    result = {"winner": "yellow", "reason": "resignation", "points": 1}
    over = snapshot_json(version=5, status="finished", result=result)
    server.on["actions"] = [problem(409, "game_over", "the game is over", room=over)]
    play = Play(server, tmp_path, "resign", "no", "resign", "yes")
    assert "Not done." in play.text
    assert len(server.sent("/actions")) == 1
    assert "Refused: the game is over" in play.text
    assert "Result: yellow wins (resignation)." in play.text


def test_a_busy_server_is_told_and_the_action_sent_again(server: FakeServer, tmp_path: Path) -> None:
    server.on["actions"] = [problem(503, "store_unavailable", "The store is away.")]
    play = Play(server, tmp_path, "undo")
    assert "The server asks to wait: The store is away." in play.text
    assert "The server answers again." in play.text
    assert len(set(server.keys("/actions"))) == 1
    assert play.code == 0


def test_what_is_wrong_is_told_in_one_sentence_and_the_code_says_so(
    server: FakeServer, tmp_path: Path
) -> None:
    server.on["actions"] = [problem(422, "illegal_move", "14-99: too far\x1b[2J")]
    wrong = ("fly", "121", "9.99-1.1", "16", "14-99", "14", "7", "view blue", "accept", "hint", "moves x")
    server.on["analysis"] = [problem(503, "pool_unavailable", "no worker") for _ in range(9)]
    play = Play(server, tmp_path, *wrong)
    for sentence in (
        "fly is not understood: type help.",
        "There is no place 121 on this board.",
        "There is no place 9.99 on this board.",
        "No legal move begins on 16.",
        "Refused: 14-99: too far\\u{1b}[2J",
        "There are 2 destinations",
        "There is no seat blue here.",
        "There is no offer to answer.",
        "Refused: no worker",
    ):
        assert sentence in play.text
    assert "Traceback" not in play.text
    assert play.code == 1


def test_a_scripts_lines_wait_for_its_turn(server: FakeServer, tmp_path: Path) -> None:
    moved = snapshot_json(version=4, to_move="yellow", ply=1)
    server.on["actions"] = [httpx.Response(200, json=moved)]
    server.after_action = [moved, moved, snapshot_json(version=5, ply=2)]
    Play(server, tmp_path, "14-26", "14-27")
    assert [body["version"] for body in server.sent("/actions")] == [3, 5]


def test_wait_holds_a_script_until_the_game_begins(server: FakeServer, tmp_path: Path) -> None:
    seats = [{"seat": "red", "kind": "person"}, {"seat": "yellow", "kind": "open"}]
    waiting: dict[str, Any] = {"status": "waiting", "position": None, "to_move": None, "seats": seats}
    begun = httpx.Response(200, json=snapshot_json(version=4))
    server.room = snapshot_json(version=2, **waiting)
    server.on["poll"] = [httpx.Response(200, json=server.room), begun]
    play = Play(server, tmp_path, "wait", "14-26", arguments=("--seats", "me,open"))
    assert "Waiting for players: yellow open." in play.text
    assert "--join=k7Qm2wXzP4sD --invite=inv1te" in play.text
    assert [body["version"] for body in server.sent("/actions")] == [4]


def test_a_record_is_escaped_on_the_screen_and_whole_in_a_file(server: FakeServer, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    play = Play(server, tmp_path, "record", f"record {file}", f"record {tmp_path}")
    assert "1. 14-26 \\u{1b}[31m\n2. 98-87\n" in play.text
    assert "cannot be written" in play.text
    assert "\x1b[31m" in file.read_text()


def test_a_room_that_is_gone_ends_the_session(server: FakeServer, tmp_path: Path) -> None:
    server.room = snapshot_json(to_move="yellow")
    server.on["poll"] = [problem(410, "room_closed", "the room is closed")]
    play = Play(server, tmp_path, "14-26")
    assert "Refused: the room is closed" in play.text
    assert "Come back" not in play.text
    assert play.code == 5


def test_leaving_asks_and_ends(server: FakeServer, tmp_path: Path) -> None:
    server.on["actions"] = [httpx.Response(200, json=snapshot_json(version=5, you=[], may=[]))]
    play = Play(server, tmp_path, "leave", "yes", "14-26")
    assert [body["type"] for body in server.sent("/actions")] == ["leave"]
    assert "Watch again with" in play.text


@pytest.mark.parametrize(
    ("answer", "code", "told"),
    [
        (httpx.Response(200, text="<html>"), 3, "does not answer as a Mitsuboshi server"),
        (problem(404, "room_not_found", "there is no such room"), 4, "Refused: there is no such room"),
        (httpx.Response(200, json=snapshot_json(game="go")), 4, "This room plays go"),
    ],
)
def test_a_room_that_cannot_be_entered_is_told(
    server: FakeServer, tmp_path: Path, answer: httpx.Response, code: int, told: str
) -> None:
    server.on["k7Qm2wXzP4sD"] = [answer]
    play = Play(server, tmp_path, arguments=("--join", "k7Qm2wXzP4sD", "--watch"))
    assert (play.code, told in play.text) == (code, True), play.text


def test_bad_seats_view_and_token_file_are_wrong_usage(server: FakeServer, tmp_path: Path) -> None:
    for arguments in (("--seats", "me,you"), ("--view", "blue"), ("--token-file", str(tmp_path))):
        assert Play(server, tmp_path, arguments=arguments).code == 2


def test_a_server_that_is_down_is_told_and_given_up_in_the_end(server: FakeServer, tmp_path: Path) -> None:
    server.on["diamond"] = [httpx.ConnectError("refused") for _ in range(9)]
    play = Play(server, tmp_path)
    assert "does not answer (refused); trying again." in play.text
    assert "has not answered for 2 s." in play.text
    assert play.code == 3


def test_an_interrupt_ends_with_the_way_back(
    server: FakeServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    if threading.current_thread() is threading.main_thread():
        monkeypatch.setattr(queue.Queue, "get", interrupted)
    play = Play(server, tmp_path)
    assert "Come back with" in play.text
    assert play.code == 130
