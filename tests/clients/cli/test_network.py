"""What the client survives: lost answers, moves by others, restarts, an outage of the store, interrupts."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from mitsuboshi.local.redis_server import EmbeddedRedis
from tests.conftest import ServiceFactory
from tests.processes import Service

from .conftest import Play
from .program import Client
from .proxy import Proxy

MINE = r"^Turn: \w+ \(you\)"


@pytest.fixture
def proxy(server_url: str) -> Iterator[Proxy]:
    one = Proxy(server_url)
    yield one
    one.close()


def token_of(client: Client, state: Path) -> dict[str, str]:
    """The headers of the client's own token."""
    return {"Authorization": f"Bearer {(state / 'mitsuboshi' / f'{client.room}.token').read_text().strip()}"}


def events_of(server: str, room: str) -> list[str]:
    """The types of the room's events."""
    page = httpx.get(f"{server}/v1/rooms/{room}/events", headers={"Accept": "application/json"}).json()
    return [event["type"] for event in page["events"]]


def test_a_move_whose_answer_is_lost_is_played_once(
    proxy: Proxy, server_url: str, tmp_path: Path, play: Play
) -> None:
    """M1: the same key goes out again."""
    client = play("--seats", "me,me", server=proxy.url)
    client.until(MINE)
    proxy.drops.append(b"/actions")
    client.type("14-26")
    assert ", ply 1," in client.until("^Turn: yellow")
    assert "does not answer" in client.said
    assert "The server answers again." in client.said
    assert client.end() == 0
    assert events_of(server_url, client.room).count("move_played") == 1


def test_a_creation_whose_answer_is_lost_makes_one_room(proxy: Proxy, tmp_path: Path, play: Play) -> None:
    proxy.drops.append(b"POST /v1/rooms ")
    client = play("--seats", "me,me", server=proxy.url)
    client.until(MINE)
    assert client.end() == 0
    assert client.room.encode() in b"".join(proxy.dropped), "the room of the answer that was lost"


def test_a_move_for_an_old_board_is_refused_and_the_new_board_shown(
    proxy: Proxy, server_url: str, tmp_path: Path, play: Play
) -> None:
    """M4: the client has not heard of a move made elsewhere by its own token."""
    proxy.holds.append(b"after=")
    client = play("--seats", "me,me", server=proxy.url)
    client.until(MINE)
    url, headers = f"{server_url}/v1/rooms/{client.room}/actions", token_of(client, tmp_path)
    for move in ("6-26", "98-64"):
        answer = httpx.post(url, json={"type": "move", "move": move}, headers=headers)
        if answer.status_code == 422:  # any move of yellow's will do
            legal = httpx.get(f"{server_url}/v1/rooms/{client.room}/legal-moves").json()["legal_moves"]
            httpx.post(url, json={"type": "move", "move": legal[0]["move"]}, headers=headers)
    client.type("14-27")
    shown = client.until("^Refused") + client.until("^Turn: red")
    assert ", ply 2," in shown
    assert events_of(server_url, client.room).count("move_played") == 2
    client.type("14-27")
    assert ", ply 3," in client.until("^Turn: yellow"), "the next move is for the board as it was shown"
    assert client.end() == 1


def test_a_restart_of_the_server_while_waiting_is_survived(
    service: ServiceFactory, tmp_path: Path, play: Play
) -> None:
    """M17: the end of a poll is no end of the game."""
    one = service(workers=0)
    proxy = Proxy(one.urls[0])
    client = play("--seats", "open,me", server=proxy.url)
    client.until("^Waiting for players")
    client.type("wait")
    joined = httpx.post(f"{one.urls[0]}/v1/rooms/{client.room}/seats", json={}).json()
    client.until("^Turn: red")
    one.apis[0].stop()
    client.until("does not answer")
    proxy.target = one.add_api()
    client.until("answers again")
    headers = {"Authorization": f"Bearer {joined['token']}"}
    move = {"type": "move", "move": "14-26"}
    answer = httpx.post(f"{proxy.target}/v1/rooms/{client.room}/actions", json=move, headers=headers)
    assert answer.status_code == 200
    assert ", ply 1," in client.until(MINE)
    client.type("moves")
    client.until("^Legal moves")
    assert client.end() == 0
    proxy.close()


def test_an_outage_of_the_store_is_told_and_the_move_played_once(
    short_dir: Path, tmp_path: Path, play: Play
) -> None:
    """Q3: 503, then the same key again."""
    folder = short_dir / "q3"
    folder.mkdir()
    store = EmbeddedRedis(folder)
    store.__enter__()
    one = Service(store.url, folder)
    try:
        client = play("--seats", "me,me", server=one.add_api())
        client.until(MINE)
        store.close()
        client.type("14-26")
        client.until("^The server asks to wait: ")
        store = EmbeddedRedis(folder)
        store.__enter__()
        assert ", ply 1," in client.until("^Turn: yellow")
        assert client.end() == 0
        assert events_of(one.urls[0], client.room).count("move_played") == 1
    finally:
        one.stop()
        store.close()


def test_one_comes_back_to_a_game_with_the_words_printed_at_its_end(
    server_url: str, tmp_path: Path, play: Play
) -> None:
    client = play("--seats", "me,me")
    client.type("14-26", "quit")
    assert client.wait() == 0
    found = re.search(r"mitsuboshi-play --server \S+ (--join=\S+ --token-file \S+)", client.said)
    assert found, client.said
    again = play(*found[1].split(), folder="elsewhere")
    assert ", ply 1," in again.until(r"^Turn: yellow \(you\)")
    assert again.end() == 0


def test_another_comes_into_a_private_room_with_the_words_printed(tmp_path: Path, play: Play) -> None:
    client = play("--seats", "me,open", "--visibility", "private", "--name", "Ayumi")
    client.until("^Waiting for players: yellow open")
    client.type("wait")
    stranger = play(f"--join={client.room}", "--watch", folder="stranger")
    assert stranger.wait() == 4
    found = re.search(r"^Invite others with: mitsuboshi-play --server \S+ (.*)$", client.said, re.MULTILINE)
    assert found, client.said
    guest = play(*found[1].split(), "--name", "Ken", folder="guest")
    guest.until("^Turn: red")
    client.until(MINE)
    client.type("14-26")
    assert "Last: red 9.9-8.9" in guest.until(r"^Turn: yellow \(you\)")
    guest.type("leave yes")
    assert guest.wait() == 0
    assert "Result: red wins (left)." in client.until("^Result")
    assert client.end() == 0


def test_others_watch_without_a_seat_and_cannot_move(server_url: str, tmp_path: Path, play: Play) -> None:
    client = play("--seats", "me,me")
    client.until(MINE)
    watcher = play(f"--join={client.room}", "--watch", folder="other")
    watcher.until("^Turn: red$|^Turn: red -")
    watcher.type("14-26")
    watcher.until("^Refused: ")
    client.type("14-26")
    assert "Last: red 5.5-6.4" in watcher.until("^Turn: yellow")
    assert watcher.end() == 1
    assert "Watch again with" in watcher.said


def test_a_room_that_does_not_exist_is_told(server_url: str, tmp_path: Path, play: Play) -> None:
    client = play("--join", "AAAAAAAAAAAAAAAA")
    assert client.wait() == 4
    assert client.said.startswith("Refused: ")


def test_a_server_that_is_not_there_is_told(tmp_path: Path, play: Play) -> None:
    client = play("--patience", "1", server="http://127.0.0.1:9")
    assert client.wait() == 3
    assert "does not answer" in client.said
    assert "Traceback" not in client.said


@pytest.mark.parametrize(("environ", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_on_a_terminal_an_interrupt_leaves_cleanly(
    server_url: str, tmp_path: Path, environ: dict[str, str], coloured: bool
) -> None:
    ours, theirs = pty.openpty()
    base = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    process = subprocess.Popen(
        [sys.executable, "-m", "mitsuboshi_play", "--server", server_url],
        env={**base, "TERM": "xterm-256color", "XDG_STATE_HOME": str(tmp_path), **environ},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    said = b""
    while b"red> " not in said:
        said += os.read(ours, 4096)
    process.send_signal(signal.SIGINT)
    assert process.wait(10) == 130
    said += os.read(ours, 4096)
    os.close(ours)
    assert (b"\x1b[" in said) is coloured
    assert b"Come back with: mitsuboshi-play --server" in said
    assert b"Traceback" not in said


def test_a_room_closed_by_its_owner_ends_the_session(server_url: str, tmp_path: Path, play: Play) -> None:
    client = play("--seats", "me,ai:beginner")
    client.until(MINE)
    url = f"{server_url}/v1/rooms/{client.room}"
    assert httpx.delete(url, headers=token_of(client, tmp_path)).status_code == 200
    client.until("^The room is closed")
    assert client.wait() == 5
    assert "Come back" not in client.said


def test_no_input_and_no_reader_end_quietly(server_url: str, tmp_path: Path) -> None:
    program = f"{sys.executable} -m mitsuboshi_play --server {server_url} --name $'\\xff王'"
    environ = {**os.environ, "XDG_STATE_HOME": str(tmp_path), "PYTHONIOENCODING": "ascii"}
    for line in (f"{program} <&-", f"yes moves | {program} | head -1"):
        run = subprocess.run(["bash", "-c", line], env=environ, capture_output=True, timeout=60, check=False)
        assert (run.returncode, run.stderr) == (0, b""), run.stderr.decode()
        assert run.stdout.decode("ascii").startswith("\n17 ") or run.stdout == b"\n"
