"""Lines are read one at a time when asked for; news of the room is told once."""

import queue
from collections.abc import Callable

from mitsuboshi_play.api import Refused
from mitsuboshi_play.commands import LINE_MAX
from mitsuboshi_play.inbox import Ended, Gone, Inbox, Message, Reader, Seen, Typed, Watcher
from mitsuboshi_play.snapshot import Snapshot, read_snapshot

from .conftest import snapshot_json


def reader_of(*chunks: bytes) -> Callable[[], Message]:
    inbox: Inbox = queue.Queue()
    rest = list(chunks)
    reader = Reader(inbox, lambda: rest.pop(0) if rest else b"")
    reader.start()

    def next_message() -> Message:
        reader.ask()
        reader.ask()
        message = inbox.get(timeout=5)
        assert inbox.empty(), "one line for each ask"
        reader.pending = False
        return message

    return next_message


def test_lines_come_one_by_one_however_they_are_cut() -> None:
    read = reader_of(b"mo", b"ves\n14-", b"26\r\nun", b"do")
    assert [read(), read(), read(), read()] == [Typed("moves"), Typed("14-26"), Typed("undo"), Ended()]


def test_bytes_that_are_no_text_are_replaced() -> None:
    assert reader_of(b"\xff\xfe\n")() == Typed("\ufffd\ufffd")


def test_a_line_without_end_takes_no_memory() -> None:
    message = reader_of(*[b"x" * 4096] * 100, b"\nquit\n")()
    assert isinstance(message, Typed)
    assert LINE_MAX < len(message.line) < 8192


def watched(*versions: int) -> list[Message]:
    inbox: Inbox = queue.Queue()
    rest = list(versions)

    def wait(after: int) -> Snapshot:
        if not rest:
            raise Refused(404, "room_not_found", "no such room")
        return read_snapshot(snapshot_json(version=rest.pop(0)))

    Watcher(inbox, wait, 3).start()
    messages: list[Message] = []
    while not messages or not isinstance(messages[-1], Gone):
        messages.append(inbox.get(timeout=5))
    return messages


def test_each_new_version_is_told_and_the_end_last() -> None:
    seen = [m.room.version for m in watched(3, 4, 4, 7) if isinstance(m, Seen)]
    assert seen == [4, 7]


def test_a_version_that_went_back_is_told_as_such() -> None:
    rolled_back = [(m.room.version, m.rolled_back) for m in watched(5, 4, 6) if isinstance(m, Seen)]
    assert rolled_back == [(5, False), (4, True), (6, False)]
