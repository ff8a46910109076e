"""Checkers and backgammon by the client's pipes against a real server: turns step by step, offers, dice."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from pathlib import Path

import httpx

from .conftest import Play
from .program import Client

CHAIN = "W:W22,32:B11,18,2"
"""White may take two, one after the other."""
WHOSE = r"^Turn: \w+"
OVER_OR_MINE = r"^(Turn: \w+ \(you\)|Result: )"
DUE = r"^(Type (roll|a step|done)|Next: |Result: )"


def test_a_capture_is_made_jump_by_jump_and_taken_back(play: Play) -> None:
    client = play("checkers", "--seats", "me,me", "--position", CHAIN)
    assert "A capture is open and must be made: 22x15" in client.until("^A capture")
    client.type("32-28")
    assert "Refused: " in client.until("^Refused")
    client.type("22-15")
    assert "Dice" not in client.until("^Next: 15x8")
    client.type("undo", "22", "1", "back", "22x15", "32-28")
    assert "Refused: the capture goes on" in client.until("^Refused")
    client.type("15x8")
    assert "Last: white 22x15x8\n" in client.until(r"^Turn: red \(you\)")
    client.type("moves", "steps")
    assert "  2-6\n" in client.until("^Legal moves: 2")
    assert "  2-7\n" in client.until("^Legal steps: 2")
    client.type("undo")
    assert "Last: " not in client.until(r"^A capture")
    client.type("22x15x8")
    client.until(r"^Turn: red \(you\)")
    assert client.end() == 1, "some were refused"
    assert client.said.count("Refused: ") == 2


def test_two_people_agree_on_a_draw(play: Play) -> None:
    red = play("checkers", "--seats", "me,open", "--name", "Rosa", "--clock", "off", folder="red")
    red.until("^Waiting")
    white = play("--join", red.room, "--name", "Bianca", folder="white")
    white.until(WHOSE)
    red.until(OVER_OR_MINE)
    red.type("draw")
    assert "You have offered a draw; waiting for white." in red.until("^You have")
    white.until("^red offers a draw: accept or decline")
    white.type("decline")
    red.until("^Your offer is over")
    red.until("^Turn: red")
    red.type("11-15")
    white.until(OVER_OR_MINE)
    white.type("draw")
    red.until("^white offers a draw")
    red.type("accept")
    for client in (red, white):
        client.until(r"^Result: no winner \(agreement\)")
        assert client.end() == 0, client.said


def test_a_whole_game_of_checkers_is_played_and_saved(play: Play, tmp_path: Path) -> None:
    client, chance = play("checkers", "--seats", "me,me"), random.Random(3)
    while "\nResult: " not in client.until(OVER_OR_MINE):
        client.type("steps")
        steps = re.findall(r"^  (\d+[-x]\d+)$", client.until("^Legal steps"), re.MULTILINE)
        client.type(chance.choice(steps))
    client.type(f"record {tmp_path / 'game.pdn'}")
    client.until("^Saved")
    assert client.end() == 0, client.said
    assert '[GameType "21"]' in (tmp_path / "game.pdn").read_text()


def turn_by_steps(client: Client, chance: random.Random) -> bool:
    """Roll where that is asked for, make steps until the turn is done; whether the game goes on."""
    while True:
        due = client.until(DUE).rstrip().split("\n")[-1]
        if due.startswith("Result: "):
            return False
        if due.startswith("Type roll"):
            client.type("roll")
        elif due.startswith("Type done"):
            client.type("done")
            return True
        else:
            client.type("steps")
            steps = re.findall(r"^  (\S+/\S+)$", client.until("^Legal steps"), re.MULTILINE)
            client.type(chance.choice(steps))


def test_a_turn_of_backgammon_is_rolled_stepped_taken_back_and_confirmed(play: Play) -> None:
    client = play(
        "backgammon", "--seats", "me,me", "--position", "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
    )
    assert "Dice: 3 1\n" in client.until("^Type a step")
    client.type("done")
    assert "Refused: more steps must be made" in client.until("^Refused")
    client.type("8-5")
    assert "Dice: 3 1 - made: 8/5\n" in client.until("^Next: ")
    client.type("unstep", "8", "1", "24/20", "6 5")
    client.until("^Type a step")
    client.until("^Refused: ")
    assert "made: 8/5, 6/5" in client.until("^Type done")
    client.type("back")
    client.until("^Next: ")
    client.type("6/5", "done")
    assert "Last: white 31: 8/5 6/5\n" in client.until("^Type roll")
    client.type("moves", "roll")
    assert "The dice come first: type roll.\n" in client.until("^The dice")
    assert re.search(r"^Dice: \d \d$", client.until("^Type a step"), re.MULTILINE)
    client.type("undo")
    assert "Refused: " in client.until("^Refused")
    assert client.end() == 1


def test_two_people_play_with_verifiable_dice_and_check_them(
    play: Play, server_url: str, tmp_path: Path
) -> None:
    """Both give a nonce without being told to; the record alone shows that the throws are right."""
    one = play("backgammon", "--seats", "me,open", "--option", "verifiable=true", "--name", "A", folder="a")
    commitment = re.search(r"^Commitment: ([0-9a-f]{64})$", one.until("^Waiting"), re.MULTILINE)
    assert commitment
    other = play("--join", one.room, "--name", "B", folder="b")
    assert f"Commitment: {commitment[1]}" in other.until(WHOSE)
    white_begins = "Turn: white (you)" in one.until(WHOSE)
    mover, waiter = (one, other) if white_begins else (other, one)
    chance = random.Random(4)
    assert turn_by_steps(mover, chance)
    assert turn_by_steps(waiter, chance)
    mover.until("^Type roll")
    mover.type("resign yes", "verify", f"record {tmp_path / 'game.json'}")
    told = mover.until("^Saved")
    assert f"Commitment: {commitment[1]}\nNonces: white " in told
    assert "Right: every throw follows from the secret that the commitment binds (2 turns)." in told
    record = json.loads((tmp_path / "game.json").read_text())
    assert len(set(record["nonces"].values())) == 2
    assert verified(str(tmp_path / "game.json")) == 0
    assert verified(f"{server_url}/v1/rooms/{one.room}") == 0
    record["moves"][0]["throw"] = "12" if record["moves"][0]["throw"] != "12" else "21"
    (tmp_path / "game.json").write_text(json.dumps(record))
    assert verified(str(tmp_path / "game.json")) == 1


def test_a_whole_game_of_backgammon_on_one_device_is_right(play: Play) -> None:
    options = [part for name in ("verifiable", "auto_roll") for part in ("--option", f"{name}=true")]
    client = play("backgammon", "--seats", "me,me", *options)
    while "\nResult: " not in client.until(OVER_OR_MINE):
        client.type("moves")
        moves = re.findall(r"^  (\S+/\S.*)$", client.until("^Legal moves"), re.MULTILINE)
        client.type(f"move {moves[0]}")
    client.type("verify")
    client.until("^Right: every throw")
    assert client.end() == 0, client.said


def test_a_record_of_a_game_in_play_does_not_pass(play: Play, server_url: str) -> None:
    client = play("backgammon", "--seats", "me,me", "--option", "verifiable=true")
    client.until(OVER_OR_MINE)
    assert httpx.get(f"{server_url}/v1/rooms/{client.room}/record").json()["dice_secret"] is None
    assert verified(f"{server_url}/v1/rooms/{client.room}") == 1
    client.type("verify")
    assert "The secret is not told yet" in client.until("^Wrong: 1 fault")
    assert client.end() == 0


def test_verify_without_a_record_is_wrong_usage() -> None:
    assert verified() == 2


def verified(*arguments: str) -> int:
    """The exit code of ``mitsuboshi-play verify``."""
    program = [sys.executable, "-m", "mitsuboshi_play", "verify", *arguments]
    return subprocess.run(program, capture_output=True, timeout=60, check=False).returncode
