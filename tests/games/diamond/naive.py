"""A second rule book, slow and simple, written from the text of the rules and sharing no code with the first.

Points are (row, x): rows 1 to 17 as red counts them, x in half steps from the middle line.
"""

from __future__ import annotations

WIDTHS = [1, 2, 3, 4, 13, 12, 11, 10, 9, 10, 11, 12, 13, 4, 3, 2, 1]
TURNS = ["red", "yellow", "green"]
DIRECTIONS = [(0, 2), (0, -2), (1, 1), (1, -1), (-1, 1), (-1, -1)]

Point = tuple[int, int]
Board = dict[Point, str]

POINTS: list[Point] = [(row, x) for row, width in enumerate(WIDTHS, 1) for x in range(1 - width, width, 2)]

# The rules' table: the ten outer points and the five of the border line of each camp, and its apex.
CAMPS = {
    "red start": ([*range(10)], [14, 15, 16, 17, 18], 0),
    "red target": ([*range(111, 121)], [102, 103, 104, 105, 106], 120),
    "yellow start": ([65, 75, 76, 86, 87, 88, 98, 99, 100, 101], [56, 66, 77, 89, 102], 98),
    "yellow target": ([19, 20, 21, 22, 32, 33, 34, 44, 45, 55], [18, 31, 43, 54, 64], 22),
    "green start": ([74, 84, 85, 95, 96, 97, 107, 108, 109, 110], [64, 73, 83, 94, 106], 110),
    "green target": ([10, 11, 12, 13, 23, 24, 25, 35, 36, 46], [14, 26, 37, 47, 56], 10),
}
OUTER = {name: {POINTS[n] for n in outer} for name, (outer, _, _) in CAMPS.items()}
BORDER = {name: {POINTS[n] for n in border} for name, (_, border, _) in CAMPS.items()}
APEX = {name: POINTS[apex] for name, (_, _, apex) in CAMPS.items()}


class Naive:
    """One position with its rule options, asked for its legal moves."""

    def __init__(self, letters: str, seat: str, others_in_play: list[str], **options: object) -> None:
        self.board: Board = dict(zip(POINTS, letters, strict=True))
        self.seat = seat
        self.others = others_in_play
        self.options = options

    def moves(self) -> set[tuple[int, int]]:
        """Every legal move as point ids."""
        return {
            (POINTS.index(origin), POINTS.index(end))
            for origin, letter in self.board.items()
            if letter.lower() == self.seat[0]
            for end in self.reached(origin)
            if self.may_end(origin, end)
        }

    def reached(self, origin: Point) -> set[Point]:
        """Where a step or a chain of jumps leads, whether or not the piece may end there."""
        board = dict(self.board)
        letter = board[origin]
        board[origin] = "."
        ends: set[Point] = set()
        for direction in DIRECTIONS:
            beside = self.plus(origin, direction)
            if board.get(beside) == "." and not self.closed(beside):
                ends.add(beside)
        self.jump_on(board, letter, origin, ends, {origin})
        return ends - {origin}

    def jump_on(self, board: Board, letter: str, here: Point, ends: set[Point], seen: set[Point]) -> None:
        for direction in DIRECTIONS:
            landing = self.jump(board, letter, here, direction)
            if landing is not None and landing not in seen:
                seen.add(landing)
                ends.add(landing)
                self.jump_on(board, letter, landing, ends, seen)

    def jump(self, board: Board, letter: str, here: Point, direction: Point) -> Point | None:
        """Where one jump in this direction lands."""
        run = []
        point = self.plus(here, direction)
        while board.get(point, ".") != ".":
            run.append(board[point])
            point = self.plus(point, direction)
        if point not in board or self.closed(point) or any(piece.isupper() for piece in run):
            return None
        if letter.islower():
            return point if len(run) == 1 else None
        return point if len(run) >= int(str(self.options["king_min_run"])) else None

    def closed(self, point: Point) -> bool:
        return any(point in OUTER[name] for name in OUTER if not name.startswith(self.seat))

    def may_end(self, origin: Point, end: Point) -> bool:
        own = [name for name in CAMPS if name.startswith(self.seat)]
        at_home = any(end in OUTER[name] | BORDER[name] for name in own)
        on_border = any(end in BORDER[name] for name in CAMPS if name not in own)
        if not self.options["border_stop"] and on_border and not at_home:
            return False
        target = OUTER[own[1]] | BORDER[own[1]]
        if not self.options["leave_target"] and origin in target and end not in target:
            return False
        following = dict(self.board)
        following[end], following[origin] = following[origin], "."
        return not any(complete(following, other) for other in self.others)

    @staticmethod
    def plus(point: Point, direction: Point) -> Point:
        return point[0] + direction[0], point[1] + direction[1]


def complete(board: Board, seat: str) -> bool:
    """Whether all 15 points of the seat's target are occupied and its king is on the apex."""
    name = f"{seat} target"
    full = all(board[point] != "." for point in OUTER[name] | BORDER[name])
    return full and board[APEX[name]] == seat[0].upper()
