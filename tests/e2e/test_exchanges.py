"""What the pages show of the service is what it does: exchanges by curl, a socket's and the engine's talk."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.conftest import ServiceFactory
from tests.rest import connect as http_client
from tests.rest import ok, send
from tests.tidy.tree import ROOT, text

SERVER = "http://127.0.0.1:8000"
SOCKETS = "ws://127.0.0.1:8000"
MARK = "=== the next block ==="
BLOCK = re.compile(r"^```sh\n(.*?)^```\n+^```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SOCKET = re.compile(r"^```socket\n(\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CONVERSATION = re.compile(r"^```engine\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BOT = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LEFT_OUT = "…"
ANSWER_S = 10


@pytest.mark.parametrize(("page", "least"), [("README.md", 6), ("docs/PROTOCOL.md", 18)])
def test_every_command_answers_as_the_page_says(
    page: str, least: int, service: ServiceFactory, tmp_path: Path
) -> None:
    """Each block of commands gives what stands below it, in that order, where the answer is not cut out."""
    blocks = BLOCK.findall(text(Path(page)) or "")
    assert len(blocks) >= least
    script = f"\necho\necho '{MARK}'\n".join(commands for commands, _ in blocks)
    assert SERVER in script
    # Absence is shown, and begins once presence has lapsed.
    url = service(MITSUBOSHI_PRESENCE_S="6").urls[0]
    said = run(script.replace(SERVER, url), tmp_path).split(f"{MARK}\n")
    assert len(said) == len(blocks)
    for (commands, answer), output in zip(blocks, said, strict=True):
        missing = first_missing(answer, output)
        assert missing is None, f"{commands}\nanswers\n{output}\nwhich lacks: {missing}"


def test_the_socket_converses_as_the_page_says(service: ServiceFactory) -> None:
    """Each message is followed by those that the page shows, in any order, or by the end that it shows."""
    url = service(workers=0).urls[0]
    with http_client(url) as http:
        seats = {"red": "me", "yellow": "open"}
        made = ok(send(http, "POST", "/v1/rooms", json={"game": "diamond", "seats": seats}), 201)
        ok(send(http, "POST", f"/v1/rooms/{made['room']['id']}/seats", json={}), 201)
        event_id = ok(send(http, "GET", f"/v1/rooms/{made['room']['id']}/events"))["events"][-1]["id"]
    conversations = SOCKET.findall(text(Path("docs/PROTOCOL.md")) or "")
    assert len(conversations) >= 2
    for address, conversation in conversations:
        assert address.startswith(SOCKETS)
        target = address.replace(SOCKETS, url.replace("http", "ws")).replace("ROOM", made["room"]["id"])
        with connect(target, open_timeout=ANSWER_S) as socket:
            converse(socket, conversation.replace("TOKEN", made["token"]).replace("EVENT", event_id))


def converse(socket: ClientConnection, conversation: str) -> None:
    """Say the client's lines, and hear what follows each."""
    for part in re.split(r"^> ", conversation, flags=re.MULTILINE)[1:]:
        message, *answers = part.splitlines()
        socket.send(message)
        if answers[-1].startswith("< close "):
            with pytest.raises(ConnectionClosed) as closed:
                socket.recv(ANSWER_S)
            assert closed.value.rcvd
            assert closed.value.rcvd.code == int(answers[-1].removeprefix("< close "))
            continue
        heard = [str(socket.recv(ANSWER_S)) for _ in answers]
        for answer in (line.removeprefix("< ") for line in answers):
            fitting = [told for told in heard if first_missing(answer, told) is None]
            assert fitting, f"{message}\nis answered by\n{heard}\nwhich lacks: {answer}"
            heard.remove(fitting[0])


def test_the_bot_of_the_page_plays_a_game_to_its_end(service: ServiceFactory, tmp_path: Path) -> None:
    """Against another of its kind, in a room that somebody else has made."""
    (bot,) = BOT.findall(text(Path("docs/PROTOCOL.md")) or "")
    (tmp_path / "bot.py").write_text(bot)
    url = service(workers=0, **{"MITSUBOSHI_REQUESTS_PER_TOKEN_S": "0"}).urls[0]
    with http_client(url) as http:
        wish = {"game": "diamond", "seats": {"red": "open", "yellow": "open"}}
        wish["options"] = {"draw_plies_per_seat": 50}
        room = ok(send(http, "POST", "/v1/rooms", json=wish), 201)["room"]["id"]
        bots = [
            subprocess.Popen(
                [sys.executable, "bot.py", url, room], cwd=tmp_path, stdout=subprocess.PIPE, text=True
            )
            for _ in range(2)
        ]
        results = [bot.communicate(timeout=60)[0] for bot in bots]
        result = ok(send(http, "GET", f"/v1/rooms/{room}"))["result"]
    assert [bot.returncode for bot in bots] == [0, 0]
    assert results == [f"{result}\n"] * 2


CONVERSATIONS = CONVERSATION.findall(text(Path("docs/PROTOCOL.md")) or "")


def test_the_engine_talks_of_games_with_and_without_throws() -> None:
    """The page shows both."""
    assert [conversation.split()[2] for conversation in CONVERSATIONS] == ["diamond", "backgammon"]


@pytest.mark.parametrize("conversation", CONVERSATIONS, ids=lambda talk: talk.split()[2])
def test_the_engine_converses_as_the_page_says(conversation: str) -> None:
    """Each line to the engine is followed by the lines that the page shows, and by no others."""
    command = [sys.executable, "-m", "mitsuboshi", "engine"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as engine:
        assert engine.stdin
        assert engine.stdout
        for line in conversation.splitlines():
            if line.startswith("> "):
                engine.stdin.write(f"{line[2:]}\n")
                engine.stdin.flush()
            else:
                said = engine.stdout.readline()
                assert first_missing(line[2:], said) is None, f"{said} instead of {line}"
        engine.stdin.close()
        assert engine.stdout.read() == ""
        assert engine.wait(10) == 0


def test_an_answer_that_differs_is_found() -> None:
    """A comparison that forgives everything would let the pages rot."""
    assert first_missing('{"a":1,…"c":3}\n', '{"a":1,"b":2,"c":3}') is None
    assert first_missing('{…"c":3…"a":1\n', '{"a":1,"b":2,"c":3}') == '"a":1'


def test_the_pages_name_no_other_port() -> None:
    """Who copies a command from any page reaches the server that `make run` starts."""
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    ports = {port for page in pages for port in re.findall(r"127\.0\.0\.1:(\d+)", page.read_text())}
    assert ports == {"8000"}


def run(script: str, folder: Path) -> str:
    """What the commands print when one shell runs them in that folder."""
    command = ["bash", "-euo", "pipefail", "-c", script]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def first_missing(answer: str, output: str) -> str | None:
    """The first part of the shortened answer that does not follow in the output, or None."""
    at = 0
    for part in (part for line in answer.splitlines() for part in line.split(LEFT_OUT)):
        at = output.find(part, at)
        if at < 0:
            return part
        at += len(part)
    return None
