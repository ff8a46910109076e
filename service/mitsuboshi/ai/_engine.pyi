"""The engine in C. Games, positions, options and moves are the same texts as everywhere else.

A position is the text that a game's ``save`` gives. Every function raises ValueError for text that it cannot
read, for an option or limit out of range and for an illegal move, with a message that names the fault.
Options that are not given have their defaults.
"""

from collections.abc import Mapping
from typing import Final, final

_Options = Mapping[str, str | int | bool]

PERFT_PLIES_MAX: Final[int]
"""The greatest depth that ``perft`` takes."""

@final
class Line(tuple[str, int, int, int, int, list[str], float | None]):
    """One answer of a search."""

    @property
    def move(self) -> str:
        """The move; ``pass`` where only that is left."""
    @property
    def score(self) -> int:
        """Expected result for the side to move in thousandths of a point, 1000 for a win that was found.

        A loss counts -1000, to whomever: an even game of three is -333, for each of the seats.
        Where a game counts its ends differently they all enter: -3000 to 3000 in backgammon."""
    @property
    def depth(self) -> int:
        """Plies looked ahead."""
    @property
    def nodes(self) -> int:
        """Positions looked at by the whole search, all its lines together."""
    @property
    def time_ms(self) -> int:
        """Time that the whole search took."""
    @property
    def pv(self) -> list[str]:
        """The play that the search expects, ``move`` first.

        With three it goes up to where it skips a seat, with chance it is ``move`` alone."""
    @property
    def margin(self) -> float | None:
        """What the loser is expected to lack at the end, in moves, to a tenth; below 0 for a loser to move.

        None in a game that is no race, and where a win or a loss was found."""

@final
class Stop:
    """Ends a search from another thread.

    Make a new one for each search and give it to ``Engine.search``: set before the search begins it is not
    lost (the search then answers at once), and set too late it cannot end the next one.
    """

    def set(self) -> None:
        """End the search, now or as soon as it begins. Any thread may call it, any number of times."""
    def is_set(self) -> bool:
        """Whether it was set."""

@final
class Engine:
    """A search context: memory taken once, for one search at a time. Threads that search have one each."""

    def __new__(cls, table_mb: int = 64) -> Engine:
        """A context that remembers positions in at most ``table_mb`` (1 to 4096) megabytes."""
    def search(
        self,
        game: str,
        position: str,
        options: _Options,
        *,
        movetime_ms: int = 0,
        nodes: int = 0,
        plies: int = 0,
        lines: int = 1,
        seed: int = 0,
        noise: int = 0,
        race_width: int = 0,
        stop: Stop | None = None,
    ) -> list[Line]:
        """The best moves, best first: at most ``lines`` (1 to 500), none when the game is over.

        The search ends with the first of its limits, or by ``stop``; 0 stands for no limit. It remembers
        nothing of earlier ones, so limited by ``nodes`` or ``plies`` alone it always gives the same answer.
        ``noise`` changes the value of every move at random, by ``seed`` and up to that many hundredths of a
        step or of a man (with chance, thousandths of a point), before the best are taken.

        ``race_width`` (0 to 4096) is for games that become a race, the Diamond Game alone: once the pieces
        are past one another, and one line is asked for, a beam of that width looks for the shortest way to
        the goal in place of a search to a depth. With 0 the ordinary search goes on.

        Three players without ``plies`` are searched by a Monte-Carlo tree, which uses what it is given, up to
        four million visits; with ``plies`` the others answer with one move together.

        Where only one move, or only a pass, is left it is told without search, in checkers after a short
        one. A position that waits for a throw is a ValueError. Other threads run meanwhile. RuntimeError when
        this context is searching already; MemoryError where there is no room for the answer.
        """
    def stop(self) -> None:
        """End the search that runs now; without one, nothing. For a search about to begin use a ``Stop``."""

def start(game: str, players: int, options: _Options) -> str:
    """The position before the first move."""

def legal_moves(game: str, position: str, options: _Options) -> list[str]:
    """The legal moves of the side to move, none twice, never ``pass``; none when the game is over."""

def play(game: str, position: str, options: _Options, move: str) -> str:
    """The position after a legal move, or after ``pass`` where nothing else is left."""

def throw(game: str, position: str, options: _Options, result: str) -> str:
    """The position with the result of chance put up, as ``31``; ValueError where none is waited for."""

def perft(game: str, position: str, options: _Options, depth: int) -> int:
    """The number of lines of ``depth`` (0 to ``PERFT_PLIES_MAX``) plies; a forced pass is a ply.

    An ended game has none. Chance is no ply: all its different results are counted, each once.

    Other threads run meanwhile; a signal whose handler raises, as that of Ctrl-C does, ends it.
    """
