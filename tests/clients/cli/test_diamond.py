"""The board is drawn from the server's geometry alone."""

import pytest

from mitsuboshi_play.boards.board import ASCII, DISCS, DOTS, Board, Glyphs, NoPlace, Origin, Turn
from mitsuboshi_play.boards.diamond_picture import Marks, Picture
from mitsuboshi_play.boards.diamond_points import Geometry, Place, read_geometry, read_pieces
from mitsuboshi_play.paint import ansi, cut, plain
from mitsuboshi_play.snapshot import BadAnswer

from .conftest import PAGE, START

TWO, THREE = frozenset({"red", "yellow"}), frozenset({"red", "yellow", "green"})

START_FOR_RED = """\
17                          @1
16                        :1  :2
15                      :1  :2  :3
14                    :1  :2  :3  :4
13  Y1  y2  y3  y4  y5  .6  .7  .8  .9  :10 :11 :12 @13
12    y1  y2  y3  y4  .5  .6  .7  .8  .9  :10 :11 :12
11      y1  y2  y3  .4  .5  .6  .7  .8  .9  :10 :11
10        y1  y2  .3  .4  .5  .6  .7  .8  .9  :10
 9          y1  .2  .3  .4  .5  .6  .7  .8  .9
 8        :1  .2  .3  .4  .5  .6  .7  .8  .9  :10
 7      :1  :2  .3  .4  .5  .6  .7  .8  .9  :10 :11
 6    :1  :2  :3  .4  .5  .6  .7  .8  .9  :10 :11 :12
 5  @1  :2  :3  :4  r5  r6  r7  r8  r9  :10 :11 :12 @13
 4                    r1  r2  r3  r4
 3                      r1  r2  r3
 2                        r1  r2
 1                          R1"""


def picture(geometry: Geometry, view: str, marks: Marks | None = None, glyphs: Glyphs = ASCII) -> Picture:
    return Picture(geometry, read_pieces(geometry, START), view, TWO, marks or Marks(), glyphs)


def text(board: Picture) -> str:
    return "\n".join(plain(line) for line in board.lines())


def test_the_start_is_drawn_from_reds_side(geometry: Geometry) -> None:
    assert text(picture(geometry, "red")) == START_FOR_RED


def test_each_seat_sees_its_own_start_camp_below(geometry: Geometry) -> None:
    lines = text(picture(geometry, "yellow")).split("\n")
    assert lines[-1].split() == ["1", "Y1"]
    assert lines[4].split()[-1] == "R13", "red's start is the next camp to yellow's right"


@pytest.mark.parametrize("glyphs", [ASCII, DOTS, DISCS])
def test_every_board_is_17_lines_within_80_columns(geometry: Geometry, glyphs: Glyphs) -> None:
    for seat in geometry.seats:
        lines = picture(geometry, seat, glyphs=glyphs).lines()
        assert len(lines) == 17
        assert max(len(plain(line)) for line in lines) <= 56


def test_ascii_uses_ascii_alone(geometry: Geometry) -> None:
    marks = Marks(frozenset({26}), frozenset({40}), frozenset({14}), picks={50: 1})
    assert text(picture(geometry, "red", marks)).isascii()


def test_the_last_moves_show_origin_path_and_end(geometry: Geometry) -> None:
    marks = Marks(origins=frozenset({26}), through=frozenset({27}), ends=frozenset({14}))
    drawn = text(picture(geometry, "red", marks))
    assert " o4  +5" in drawn.split("\n")[11]
    assert ">r5" in drawn.split("\n")[12]


def test_destinations_are_numbered_on_the_board(geometry: Geometry) -> None:
    drawn = text(picture(geometry, "red", Marks(selected=14, picks={26: 1, 27: 12}))).split("\n")
    assert "[1] [12]" in drawn[11]
    assert "*r5" in drawn[12]


def test_kings_stand_out_in_every_style(geometry: Geometry) -> None:
    last = picture(geometry, "red", glyphs=DISCS).lines()[-1]
    assert any(span.paper == "red king" for span in last)
    assert "★" in plain(last)
    assert "R" in plain(picture(geometry, "red").lines()[-1])


def test_camps_of_seats_that_do_not_play_are_grey(geometry: Geometry) -> None:
    papers = {span.paper for line in picture(geometry, "red").lines() for span in line}
    assert "closed" in papers
    assert "green" not in papers
    three = Picture(geometry, {}, "red", THREE, Marks(), ASCII)
    assert "green" in {span.paper for line in three.lines() for span in line}


def test_colours_end_with_each_span(geometry: Geometry) -> None:
    for line in picture(geometry, "red", glyphs=DISCS).lines():
        painted = ansi(line)
        assert painted.count("\x1b[") == 2 * painted.count("\x1b[0m")


def test_a_place_is_found_from_each_side(geometry: Geometry) -> None:
    assert geometry.point_at("red", Place(5, 5)) == 14
    assert geometry.point_at("yellow", Place(9, 9)) == 14
    assert geometry.point_at("red", Place(1, 2)) is None
    for seat in geometry.seats:
        for point in geometry.points:
            assert geometry.point_at(seat, geometry.place(seat, point)) == point


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("14-26", Turn("14-26")),
        ("14 - 26", Turn("14-26")),
        ("14 26", Turn("14-26")),
        ("5.5-6.4", Turn("14-26")),
        ("5.5 6.4", Turn("14-26")),
        ("14-6.4", Turn("14-26")),
        ("14", Origin("14", "14")),
        ("5.5", Origin("14", "5.5")),
        ("1-2-3", None),
        ("14-", None),
        ("5.1.2", None),
        ("-14", None),
        ("\uff11\uff14-26", None),
        ("1234", None),
        ("jump!", None),
    ],
)
def test_moves_are_read_by_id_or_by_row_and_number(
    board: Board, text: str, meant: Turn | Origin | None
) -> None:
    assert board.read(text, "red") == meant


@pytest.mark.parametrize("text", ["121", "9.99", "14-121", "9.99-1.1"])
def test_a_place_that_the_board_has_not_is_told(board: Board, text: str) -> None:
    with pytest.raises(NoPlace):
        board.read(text, "red")


@pytest.mark.parametrize("fault", [{}, {"points": [{"id": 0}], "seats": {}}, {"points": 3, "seats": []}])
def test_a_geometry_of_another_shape_is_a_bad_answer(fault: dict[str, object]) -> None:
    with pytest.raises(BadAnswer):
        read_geometry(fault)


def test_a_point_off_the_board_is_a_bad_answer(geometry: Geometry) -> None:
    with pytest.raises(BadAnswer):
        geometry.place("red", 121)
    with pytest.raises(BadAnswer):
        read_pieces(geometry, "R/xx r 2 0 0")


def test_the_page_has_what_the_client_reads() -> None:
    assert PAGE["geometry"].keys() >= {"points", "seats"}


def test_text_is_cut_by_columns_not_by_characters() -> None:
    assert cut("abc", 3) == "abc"
    assert cut("abcd", 3) == "ab…"
    assert cut("王王王", 5) == "王王…"
    assert cut("", 1) == ""
