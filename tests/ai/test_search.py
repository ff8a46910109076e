"""A search and its budget: it is stopped when it must, and if it goes on then, its process ends itself."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from mitsuboshi.ai.levels import LEVELS, MOVETIME_LEAST_MS, RACE_WIDTH, budget
from mitsuboshi.ai.search import ANALYSIS_MS_MAX, HUNG, KEEP_S, OVERTIME_S, Abandoned, Thinker, limits_of
from mitsuboshi.games.diamond import DIAMOND
from mitsuboshi.games.game import complete_options
from mitsuboshi.host.ports import AnalysisJob, Delivery, StoreUnavailable
from mitsuboshi.rooms.follow import MoveJob
from tests.ai.stand_ins import StandIn, first_legal, raises, until_stopped
from tests.rooms import positions

OPTIONS = dict(complete_options(DIAMOND.options, {}))


def delivery(level: str = "beginner") -> Delivery:
    """A job for a move of that level, in a worker's hands."""
    job = MoveJob("job", "room", "diamond", OPTIONS, positions.ONE_MOVE, level)
    return Delivery(job, (b"stream", b"1-0"), 1, 0)


class Queue:
    """As much of the port ``JobQueue`` as a search needs: whether its answer is wanted."""

    def __init__(self, *answers: bool | Exception) -> None:
        self._answers = list(answers) or [True]
        self.kept = 0

    async def keep(self, delivery: Delivery) -> bool:
        """The next of the answers, the last one for ever."""
        self.kept += 1
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer


class GivenUp(Exception):
    """Stands for the end of the process."""


@pytest.fixture
def released() -> Iterator[threading.Event]:
    """Set at the end of the test, for searchers that hang until then."""
    event = threading.Event()
    yield event
    event.set()


def thinker(answer: Any, queue: Queue) -> tuple[Thinker, list[int]]:
    """A thinker and the exit codes with which it would have ended its process."""
    codes: list[int] = []

    def give_up(code: int) -> None:
        codes.append(code)
        raise GivenUp

    return Thinker(StandIn(answer), queue, give_up), codes  # type: ignore[arg-type]


async def test_a_search_within_its_budget_is_left_alone() -> None:
    """And its lease is renewed all the while."""

    def half_a_second(position: str, options: Any, stop: Any) -> Any:
        until = time.monotonic() + 3 * KEEP_S
        while time.monotonic() < until:
            assert not stop.is_set()
            threading.Event().wait(0.01)
        return first_legal(position, options, stop)

    queue = Queue()
    one, codes = thinker(half_a_second, queue)
    lines = await one.think(delivery("master"), 0)
    assert lines[0].move == "14-26"
    assert queue.kept >= 1
    assert codes == []


async def test_a_search_over_its_budget_is_told_to_stop() -> None:
    """When it is looked at for the second time at the latest. Its answer counts all the same."""
    queue = Queue()
    one, codes = thinker(until_stopped, queue)
    begun = time.monotonic()
    lines = await one.think(delivery(), 0)
    assert time.monotonic() - begun >= 0.1 + OVERTIME_S
    assert lines[0].move == "14-26"
    assert queue.kept <= 3  # Once more while its answer is on its way.
    assert codes == []


async def test_a_search_that_nobody_waits_for_is_stopped() -> None:
    """As soon as that is known, with seconds of its budget left."""
    queue = Queue(True, False)
    one, codes = thinker(until_stopped, queue)
    begun = time.monotonic()
    with pytest.raises(Abandoned):
        await one.think(delivery("master"), 0)
    assert queue.kept == 2
    assert time.monotonic() - begun < LEVELS["master"].movetime_ms / 1000
    assert codes == []


async def test_a_search_that_does_not_stop_ends_its_process(released: threading.Event) -> None:
    """Soon after it was told to, whether over its budget or, with seconds of it left, no longer wanted."""
    for queue, level, looks in ((Queue(), "beginner", 3), (Queue(False), "master", 1)):
        one, codes = thinker(lambda *_: released.wait(), queue)
        begun = time.monotonic()
        with pytest.raises(GivenUp):
            await one.think(delivery(level), 0)
        assert codes == [HUNG]
        assert queue.kept <= looks
        assert time.monotonic() - begun < LEVELS["master"].movetime_ms / 1000


async def test_a_process_that_was_suspended_first_tells_its_search_to_stop(released: threading.Event) -> None:
    """However long the suspension: a search that would stop at once is no hung one."""
    one, codes = thinker(until_stopped, Queue())
    thinking = asyncio.create_task(one.think(delivery(), 0))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    released.wait(0.1 + 4 * OVERTIME_S)  # Nothing of this process's loop runs meanwhile.
    assert (await thinking)[0].move == "14-26"
    assert codes == []


async def test_a_store_that_is_away_does_not_end_the_search() -> None:
    """Its answer may still be wanted."""
    one, _ = thinker(until_stopped, Queue(StoreUnavailable("away")))
    assert (await one.think(delivery(), 0))[0].move == "14-26"


async def test_a_searchers_fault_is_the_callers() -> None:
    """Who called decides about another try."""
    one, _ = thinker(raises, Queue())
    with pytest.raises(RuntimeError, match="defect"):
        await one.think(delivery(), 0)


@pytest.mark.parametrize("level", list(LEVELS))
def test_budgets_shrink_with_the_queue(level: str) -> None:
    """Shared with those that wait, never below the least, and what keeps a level weak stays."""
    whole = LEVELS[level].limits
    times = [budget(LEVELS[level], waiting).movetime_ms for waiting in (0, 1, 3, 9, 1000)]
    assert times[0] == whole.movetime_ms
    assert times == sorted(times, reverse=True)
    assert times[-1] == MOVETIME_LEAST_MS
    assert times[1] == max(whole.movetime_ms // 2, MOVETIME_LEAST_MS)
    shared = budget(LEVELS[level], 1000)
    assert (shared.plies, shared.noise, shared.race_width) == (whole.plies, whole.noise, whole.race_width)


def test_an_analysis_has_the_budget_that_was_asked_for() -> None:
    """By time or nodes as asked; by level as a move of that level, without its noise."""
    by_time = AnalysisJob("id", "diamond", {}, "", "", 70, 0, 1)
    by_nodes = AnalysisJob("id", "diamond", {}, "", "", 0, 900, 1)
    by_level = AnalysisJob("id", "diamond", {}, "", "master", 0, 0, 1)
    assert (limits_of(by_time, 9).movetime_ms, limits_of(by_time, 9).nodes) == (70, 0)
    assert (limits_of(by_nodes, 9).movetime_ms, limits_of(by_nodes, 9).nodes) == (ANALYSIS_MS_MAX, 900)
    assert limits_of(by_time, 9).race_width == RACE_WIDTH
    assert limits_of(by_level, 0) == LEVELS["master"].limits
    weak = limits_of(AnalysisJob("id", "diamond", {}, "", "beginner", 0, 0, 1), 0)
    assert (weak.plies, weak.noise) == (LEVELS["beginner"].limits.plies, 0)
