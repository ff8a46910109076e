"""The engine protocol, spoken with a real process."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from typing import NoReturn, cast

import pytest

from mitsuboshi.ai import _engine
from mitsuboshi.ai.protocol import Protocol
from tests.engine.boards import MAN_ON_APEX, NO_MOVE, START_3, STUCK_RULES


class Talk:
    """A conversation with an engine process."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "mitsuboshi", "engine"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def say(self, *lines: str | bytes) -> None:
        """Send lines."""
        assert self.process.stdin
        for line in lines:
            self.process.stdin.write((line if isinstance(line, bytes) else line.encode()) + b"\n")
        self.process.stdin.flush()

    def hear(self, verb: str) -> str:
        """The rest of the next line that begins with the word, info lines passed over."""
        assert self.process.stdout
        while line := self.process.stdout.readline().decode():
            words = line.rstrip("\n").split(" ", 1)
            if words[0] != "info":
                assert words[0] == verb, line
                return words[1] if len(words) > 1 else ""
        raise AssertionError("the engine has ended")

    def ask(self, *lines: str, verb: str = "best") -> str:
        """Send lines and hear one."""
        self.say(*lines)
        return self.hear(verb)


@pytest.fixture
def talk() -> Iterator[Talk]:
    """A fresh process with a game for two."""
    conversation = Talk()
    conversation.ask("game diamond 2", verb="ready")
    yield conversation
    conversation.process.kill()
    conversation.process.communicate()


def test_a_move_is_told_with_score_depth_nodes_and_time(talk: Talk) -> None:
    """In that order, for every kind of limit."""
    for limit in ("nodes 500", "plies 2", "movetime_ms 20", "level beginner", "plies 3 nodes 100"):
        words = talk.ask(f"go {limit}").split()
        assert words[1::2] == ["score", "depth", "nodes", "time_ms"]
        assert "-" in words[0]


def test_moves_are_played_on_the_given_position(talk: Talk) -> None:
    """On the start position where none was given; each list begins anew."""
    assert talk.ask("moves 6-26 65-67", "moves 6-26", "go nodes 50")
    talk.say("moves 65-67")
    talk.hear("error")
    assert talk.ask(f"position {MAN_ON_APEX}", "go plies 4").startswith("120-118 score 1000 ")
    assert talk.ask("moves 120-118 56-47 94-120", "go plies 4") == "none"


def test_options_change_the_rules(talk: Talk) -> None:
    """A seat that is stuck under them passes."""
    for name, value in STUCK_RULES.items():
        talk.say(f"option {name} {str(value).lower()}")
    assert talk.ask(f"position {NO_MOVE}", "go plies 4").startswith("pass ")


def test_stop_and_quit_are_heard_while_it_thinks(talk: Talk) -> None:
    """A search without an end answers when stopped; quit ends the process."""
    talk.say("go plies 60", "stop")
    assert talk.hear("best")
    talk.say("go plies 60", "go nodes 5")
    assert "thinking" in talk.hear("error")
    talk.say("quit")
    assert talk.process.wait(60) == 0


def test_three_play_and_the_end_of_input_waits_for_the_answer(talk: Talk) -> None:
    """So that a prepared file of lines gets all its answers."""
    talk.ask("game diamond 3", verb="ready")
    talk.say(f"position {START_3}", "go nodes 20000")
    assert talk.process.stdin
    talk.process.stdin.close()
    talk.process.stdin = None
    assert "nodes 20000" in talk.hear("best")
    assert talk.process.wait(10) == 0


NONSENSE = [
    b"hello",
    b"game",
    b"game ludo 2",
    b"game diamond 4",
    b"game diamond x",
    b"option",
    b"option colour red",
    b"option king_min_run 3",
    b"position",
    b"position x",
    b"position \xff\xfe \x00",
    b"moves 0-1",
    b"moves x y z",
    b"go",
    b"go level",
    b"go level champion",
    b"go nodes",
    b"go nodes 0",
    b"go nodes -5",
    b"go nodes 99999999999999999999",
    b"go fast 3",
    b"x" * 200_000,
]


def test_nonsense_is_answered_by_an_error_and_changes_nothing(talk: Talk) -> None:
    """Each line, and after all of them the engine plays as before."""
    before = talk.ask("moves 6-26", "go nodes 300").split(" time_ms")[0]
    for line in NONSENSE:
        talk.say(line)
        assert talk.hear("error"), line
    talk.say("", "   ")
    assert talk.ask("go nodes 300").split(" time_ms")[0] == before


def test_a_game_has_to_be_named_first() -> None:
    """Before that every other line is nonsense."""
    conversation = Talk()
    for line in ("go nodes 5", "moves 6-26", f"position {START_3}", "option places all"):
        assert "game" in conversation.ask(line, verb="error")
    conversation.say("stop", "quit")
    assert conversation.process.wait(10) == 0
    conversation.process.communicate()


class WithoutMemory:
    """An engine that has no room for an answer."""

    def search(self, *_subject: object, **_limits: object) -> NoReturn:
        """Raises."""
        raise MemoryError


def test_a_lack_of_memory_is_an_error_and_not_the_end_of_the_game() -> None:
    """Whoever hears ``best none`` takes the game to be over."""
    said: list[str] = []
    protocol = Protocol(said.append, cast(_engine.Engine, WithoutMemory()))
    for line in ("game diamond 2", "go nodes 5"):
        protocol.hear(line)
    protocol.end(at_once=False)
    assert said == ["ready", "error no memory"]


def test_backgammon_is_spoken_with_throws_and_commas(talk: Talk) -> None:
    """A throw before each play in ``moves``, or in the position; plays are one word."""
    talk.ask("game backgammon 2", verb="ready")
    assert talk.ask("go plies 1", verb="error")
    opening = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
    by_position = talk.ask(f"position {opening}", "go plies 2").split()[0]
    assert by_position.count(",") == 1
    assert " ".join(by_position.split(",")) in _engine.legal_moves("backgammon", opening, {})
    talk.say("position XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10")
    assert talk.ask("moves 31:", "go plies 2").split()[0] == by_position
    assert talk.ask("moves 31:8/5,6/5 64:24/14 11:", "go level advanced").split()[0]
    for words in ("31:8/5,6/4", "31:8/5,6/5 8/5", "77:8/5", "31: 32:8/5,6/4"):
        assert talk.ask(f"moves {words}", verb="error")
