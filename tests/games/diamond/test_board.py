"""The geometry, derived from coordinates, against the numbers of the rules."""

from __future__ import annotations

import pytest

from mitsuboshi.games.diamond import DIAMOND
from mitsuboshi.games.diamond.board import (
    CLOSED,
    DISTANCE,
    NEIGHBOURS,
    NO_STOP,
    NUMBER,
    POINTS,
    RAYS,
    ROW,
    ROWS,
    SEATS,
    START,
    TARGET,
    Camp,
    X,
    Y,
)

# The table of the rules: point ids, `*` on the border line.
TABLE = [
    ("red", "start", "0-9 14* 15* 16* 17* 18*", 0),
    ("red", "target", "102* 103* 104* 105* 106* 111-120", 120),
    ("yellow", "start", "56* 65 66* 75 76 77* 86 87 88 89* 98 99 100 101 102*", 98),
    ("yellow", "target", "18* 19 20 21 22 31* 32 33 34 43* 44 45 54* 55 64*", 22),
    ("green", "start", "64* 73* 74 83* 84 85 94* 95 96 97 106* 107 108 109 110", 110),
    ("green", "target", "10 11 12 13 14* 23 24 25 26* 35 36 37* 46 47* 56*", 10),
]


def _camp(seat: str, role: str) -> Camp:
    return (START if role == "start" else TARGET)[seat]


@pytest.mark.parametrize(("seat", "role", "points", "apex"), TABLE)
def test_a_camp_has_the_points_of_the_table(seat: str, role: str, points: str, apex: int) -> None:
    """Points, border line and apex of each camp."""
    expected = [point for part in points.split() for point in _span(part.rstrip("*"))]
    border = frozenset(int(part.rstrip("*")) for part in points.split() if part.endswith("*"))
    camp = _camp(seat, role)
    assert (list(camp.points), camp.border, camp.apex) == (expected, border, apex)
    assert len(camp.points) == 15
    assert len(camp.outer) == 10


def _span(part: str) -> list[int]:
    first, _, last = part.partition("-")
    return list(range(int(first), int(last or first) + 1))


def test_rows_hold_the_numbers_of_points_of_the_rules() -> None:
    """17 rows as each of the seats sees them, numbered from its left without a gap."""
    widths = [1, 2, 3, 4, 13, 12, 11, 10, 9, 10, 11, 12, 13, 4, 3, 2, 1]
    assert sum(widths) == POINTS
    for seat in SEATS:
        places = sorted(zip(ROW[seat], NUMBER[seat], strict=True))
        assert places == [(row, n) for row in range(1, ROWS + 1) for n in range(1, widths[row - 1] + 1)]
    assert list(zip(ROW["red"], NUMBER["red"], strict=True)) == places


def test_each_seat_sees_its_own_camps_first_and_last() -> None:
    """A seat's start camp is its rows 1 to 5, its target its rows 13 to 17."""
    for seat in SEATS:
        assert {ROW[seat][point] for point in START[seat].points} == {1, 2, 3, 4, 5}
        assert {ROW[seat][point] for point in TARGET[seat].points} == {13, 14, 15, 16, 17}


def test_neighbours_are_one_step_away_in_both_directions() -> None:
    """A step is two half steps along a row, or one to the next row; whoever has a neighbour is one."""
    for point in range(POINTS):
        for neighbour in NEIGHBOURS[point]:
            offset = (abs(X[point] - X[neighbour]), abs(Y[point] - Y[neighbour]))
            assert offset in ((2, 0), (1, 1))
            assert point in NEIGHBOURS[neighbour]
        near = [n for n in range(POINTS) if (abs(X[point] - X[n]), abs(Y[point] - Y[n])) in ((2, 0), (1, 1))]
        assert sorted(NEIGHBOURS[point]) == near


def test_a_ray_is_a_straight_line_to_the_edge() -> None:
    """From the centre they end on the hexagon's corners, from red's start apex on two other apexes."""
    assert sorted(ray[-1] for ray in RAYS[60]) == [14, 18, 56, 64, 102, 106]
    assert [50, 39, 27, 14] in [list(ray) for ray in RAYS[60]]
    assert sorted(ray[-1] for ray in RAYS[0]) == [98, 110]


def test_what_is_closed_is_the_other_colours_outer_points() -> None:
    """40 points are closed to each seat, and no border line is."""
    for seat in SEATS:
        others = [camp for other in SEATS if other != seat for camp in (START[other], TARGET[other])]
        assert CLOSED[seat] == {point for camp in others for point in camp.points if point not in camp.border}
        assert len(CLOSED[seat]) == 40
        assert not CLOSED[seat] & {point for camp in others for point in camp.border}


def test_where_only_the_owner_may_stop_leaves_out_ones_own_camps() -> None:
    """The hexagon's edge has 24 points; 10 of them are in the seat's own camps."""
    assert NO_STOP["red"] == {26, 37, 47, 56, 66, 77, 89, 31, 43, 54, 64, 73, 83, 94}
    assert all(len(NO_STOP[seat]) == 14 for seat in SEATS)


@pytest.mark.parametrize("seat", SEATS)
def test_distances_need_no_closed_point(seat: str) -> None:
    """The fewest steps on the empty board are as few without the points that are closed to the seat."""
    apex = TARGET[seat].apex
    steps, queue = {apex: 0}, [apex]
    for here in queue:
        for neighbour in set(NEIGHBOURS[here]) - CLOSED[seat] - steps.keys():
            steps[neighbour] = steps[here] + 1
            queue.append(neighbour)
    assert steps == {point: DISTANCE[seat][point] for point in range(POINTS) if point not in CLOSED[seat]}
    assert DISTANCE[seat][START[seat].apex] == 16


def test_the_geometry_tells_enough_to_draw_the_board_and_name_its_points() -> None:
    """One point whole, and what each seat has."""
    geometry = DIAMOND.geometry()
    assert [point["id"] for point in geometry["points"]] == list(range(POINTS))
    assert geometry["points"][102] == {
        "id": 102,
        "x": -4,
        "y": 4,
        "neighbours": [89, 90, 101, 103, 111],
        "camps": [
            {"seat": "red", "camp": "target", "border": True},
            {"seat": "yellow", "camp": "start", "border": True},
        ],
        "seen_by": {
            "red": {"row": 13, "number": 5},
            "yellow": {"row": 5, "number": 5},
            "green": {"row": 9, "number": 9},
        },
    }
    assert geometry["seats"]["yellow"] == {
        "colour": "yellow",
        "man": "y",
        "king": "Y",
        "start": {"points": list(START["yellow"].points), "apex": 98},
        "target": {"points": list(TARGET["yellow"].points), "apex": 22},
    }
    assert list(geometry["seats"]) == ["red", "yellow", "green"]
