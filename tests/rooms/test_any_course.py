"""Whatever people, AIs and timers do in whatever order: what holds of every room at every moment."""

from __future__ import annotations

from typing import Any

import msgspec
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from mitsuboshi.games.registry import GAMES
from mitsuboshi.rooms import commands as c
from mitsuboshi.rooms import events as e
from mitsuboshi.rooms.apply import apply
from mitsuboshi.rooms.event_views import event_view
from mitsuboshi.rooms.follow import next_due, next_job
from mitsuboshi.rooms.records import record
from mitsuboshi.rooms.refused import Refused
from mitsuboshi.rooms.state import Room
from tests.rooms import positions
from tests.rooms.table import INVITE, WAITS, Table

PEOPLE = ["person-ann", "person-bob", "person-cleo"]
VIEWERS = [*PEOPLE, "person-zoe", None]
SEATS = ["red", "yellow", "green"]
SECRETS = ["person-", INVITE, "sealed", "|"]

bodies = st.fixed_dictionaries(
    {
        "seats": st.dictionaries(
            st.sampled_from(SEATS),
            st.sampled_from(["me", "open", {"ai": "beginner"}]),
            max_size=3,
        ),
        "undo": st.sampled_from(["default", "free", "request", "request", "off"]),
        "clock": st.sampled_from([None, None, {"per_move_s": 20}]),
        "absence": st.sampled_from([{}, {"then": "ask"}, {"then": "lose"}, {"after_s": 1}, {"then": "wait"}]),
        "visibility": st.sampled_from(["public", "private"]),
        "options": st.sampled_from([{}, {"places": "all"}, {"first_seat": "green"}, {"leave_target": False}]),
    },
    optional={
        "position": st.sampled_from(
            [
                positions.MUST_PASS,
                positions.nearly_won(),
                positions.nearly_won("yellow", players=3),
                positions.nearly_won(players=3, ply=1195),
            ]
        )
    },
)
other_bodies = st.fixed_dictionaries(
    {
        "game": st.sampled_from(["checkers", "backgammon", "backgammon"]),
        "me": st.sets(st.sampled_from([0, 1]), min_size=1),
        "undo": st.sampled_from(["default", "default", "off"]),
        "absence": st.sampled_from([{}, {"then": "ask"}, {"then": "substitute"}]),
    },
    optional={"clock": st.sampled_from([None, {"per_move_s": 20}])},
)
throws = st.fixed_dictionaries({"auto_roll": st.booleans(), "verifiable": st.booleans()})
people = st.sampled_from(PEOPLE)


class AnyCourse(RuleBasedStateMachine):
    """A room in which anything is tried; what is refused changes nothing."""

    table: Table

    @initialize(body=bodies, joins=st.sampled_from([0, 1, 2, 2]), start=st.booleans())
    def create(self, body: dict[str, Any], joins: int, start: bool) -> None:
        """The room, in most courses with its game begun. Its position may be for too few players."""
        try:
            self.table = Table.of("person-ann", **body)
        except Refused:
            self.table = Table.of("person-ann", **(body | {"seats": {}}))
        self.boards: dict[int, Any] = {}
        for person in PEOPLE[1 : joins + 1]:
            self.attempt(c.Join(person, c.JoinRoom(invite=INVITE)))
        if start:
            self.attempt(c.Act("person-ann", c.Start(fill="beginner")))
        self.keep_board()

    @rule(number=st.integers(0, 60), taken_back=st.booleans())
    def step(self, number: int, taken_back: bool) -> None:
        """Whoever is to move makes a step, and perhaps takes it back; or ends a turn that is complete."""
        room = self.table.room
        person = self.table.holder() if room.status == "playing" else None
        if person is None:
            return
        steps = self.table.seen_by(person).legal_steps
        if steps:
            self.table.act(person, "step", step=steps[number % len(steps)])
        elif "confirm" in self.table.seen_by(person).may:
            self.table.act(person, "confirm")
        if taken_back and self.table.room.steps:
            self.table.act(person, "unstep")
        self.keep_board()

    @rule(number=st.integers(0, 60))
    def turn(self, number: int) -> None:
        """Whoever is to move plays some legal move."""
        if self.table.room.status == "playing":
            self.table.turn(None if self.table.awaits_throw() else self.table.any_move(number))
            self.keep_board()

    @rule()
    def finish(self) -> None:
        """Red wins where it can."""
        if self.table.room.status == "playing" and positions.WINNING_MOVE in self.table.legal():
            self.table.turn(positions.WINNING_MOVE)
            self.keep_board()

    @rule()
    def everybody_takes_back_and_votes(self) -> None:
        """What few would do at the right moment by chance."""
        for person in PEOPLE:
            self.attempt(c.Act(person, c.Undo()))
            self.attempt(c.Act(person, c.Rematch()))

    @rule(numbers=st.lists(st.integers(0, 60), min_size=3, max_size=8))
    def turns(self, numbers: list[int]) -> None:
        """A stretch of play."""
        for number in numbers:
            self.turn(number)

    @rule(
        person=people, seat=st.none() | st.sampled_from(SEATS), invite=st.sampled_from([INVITE, INVITE, "x"])
    )
    def join(self, person: str, seat: str | None, invite: str) -> None:
        """Somebody asks for a seat."""
        self.attempt(c.Join(person, c.JoinRoom(seat, invite=invite)))

    @rule(
        person=people,
        kind=st.sampled_from(
            [
                *("start", "undo", "undo", "pass", "resign", "leave", "rematch", "rematch"),
                *("roll", "unstep", "confirm", "offer_draw", "offer_draw"),
            ]
        ),
        seat=st.none() | st.none() | st.sampled_from(SEATS),
    )
    def act(self, person: str, kind: str, seat: str | None) -> None:
        """Somebody acts, out of turn as often as not."""
        fields = {"type": kind} if seat is None else {"type": kind, "seat": seat}
        self.attempt(c.Act(person, msgspec.convert(fields, c.AnyAction)))

    @rule(person=people, accept=st.booleans(), name=st.sampled_from(["A", "B", "\u200b"]))
    def talk(self, person: str, accept: bool, name: str) -> None:
        """Answers and names."""
        self.attempt(c.Act(person, c.Answer(to="rematch", accept=accept)))
        self.attempt(c.Act(person, c.Answer(to="undo", accept=accept)))
        self.attempt(c.Act(person, c.Answer(to="draw", accept=accept)))
        self.attempt(c.Act(person, c.Nonce(nonce="nonce-of-somebody")))
        for seat in self.table.room.absent:
            self.attempt(c.Act(person, c.Substitute(seat=seat)))
        self.attempt(c.Act(person, c.Rename(name=name)))

    @rule(move=st.sampled_from(["0-26", "pass", "rubbish", "98-77"]), back=st.integers(0, 5))
    def late_answer(self, move: str, back: int) -> None:
        """A worker answers, to this turn or an earlier one, right or wrong."""
        room = self.table.room
        job = self.table.events[max(0, len(self.table.events) - 1 - back)].id
        waited_for = next_job(room)
        done = self.attempt(c.AiMove(job, move))
        assert not done or (waited_for is not None and waited_for.job_id == job) or room.turn_id == job

    @rule(
        ms=st.sampled_from([5, 1000, 10_000, 70_000, 70_000, WAITS.idle_ms]),
        here=st.sets(people) | st.just(set(PEOPLE)),
    )
    def time_passes(self, ms: int, here: set[str]) -> None:
        """A timer looks at the room, where some people are and others were."""
        self.table.later(ms)
        room, now = self.table.room, self.table.now
        seen = {person: now.service_ms - (0 if person in here else ms) for person in room.people()}
        due_ms = next_due(room, seen, WAITS, now)
        happened = self.table.look(seen)
        returned = [event for event in happened if isinstance(event, e.SeatReturned)]
        due = due_ms is not None and due_ms <= now.service_ms
        assert not due or happened, "what is due happens"
        assert due or len(happened) == len(returned), "what is not due does not"
        due_ms = next_due(self.table.room, seen, WAITS, now)
        assert due_ms is None or due_ms > now.service_ms, "nothing is due twice"

    @rule(person=people)
    def come_back(self, person: str) -> None:
        """Somebody shows itself."""
        self.attempt(c.Return(person))

    @rule(person=people)
    def close(self, person: str) -> None:
        """Rarely: somebody wants the room closed."""
        if self.table.sent % 13 == 0:
            self.attempt(c.Close(person))

    def attempt(self, command: c.Command) -> bool:
        """Whether it was done."""
        before, count = self.table.room, len(self.table.events)
        try:
            events = self.table.do(command)
        except Refused:
            assert (self.table.room, len(self.table.events)) == (before, count)
            return False
        if any(isinstance(event, e.Undone) for event in events):
            assert board(self.table.room) == self.boards[len(self.table.room.movers)]
        self.keep_board()
        return True

    def keep_board(self) -> None:
        """Remember the board after so many turns of this game."""
        self.boards[len(self.table.room.movers)] = board(self.table.room)

    @invariant()
    def versions_are_contiguous_and_the_fold_is_the_room(self) -> None:
        """The events are the room's whole truth."""
        room: Room | None = None
        for number, event in enumerate(self.table.events, 1):
            assert event.version == number
            room = apply(room, event)
        assert room == self.table.room

    @invariant()
    def the_room_survives_storage(self) -> None:
        """And so does every event."""
        stored = msgspec.msgpack.encode(self.table.room)
        assert msgspec.msgpack.decode(stored, type=Room) == self.table.room
        last = self.table.events[-1]
        assert msgspec.msgpack.decode(msgspec.msgpack.encode(last), type=e.AnyEvent) == last

    @invariant()
    def somebody_is_to_move_exactly_while_it_is_played(self) -> None:
        """And a job waits exactly while that is an AI."""
        room = self.table.room
        assert (room.to_move is not None) is (room.status == "playing")
        seat = room.seat(room.to_move or "")
        by_ai = seat is not None and (seat.kind == "ai" or seat.seat in room.substituted or room.out_of_time)
        assert (next_job(room) is not None) is by_ai
        assert room.turn_due_ms is None or (seat is not None and not by_ai)
        assert set(room.substituted) <= set(room.absent)
        assert (room.result is not None) or room.status != "finished"

    @invariant()
    def the_line_is_what_was_moved(self) -> None:
        """Turn by turn, from the opening to the position, with the throw of the turn in hand."""
        room, line = self.table.room, self.table.line
        if line is None:
            assert room.movers == ""
            return
        names = {str(index): seat.seat for index, seat in enumerate(room.seats)}
        played = [None if turn.move == "pass" else turn.seat for turn in line.turns]
        assert played == [names.get(mover) for mover in room.movers]
        game = GAMES[room.game]
        position = game.load(line.position_after(len(line.turns)), room.options)
        if room.position != game.save(position):
            position = game.after_chance(position, room.throws[len(line.turns)])
        assert room.position == game.save(position)

    @invariant()
    def nobody_sees_a_secret(self) -> None:
        """In snapshot, event and record, whoever looks."""
        chance = self.table.room.chance
        secrets = [
            *SECRETS,
            *([] if chance is None or self.table.room.status == "closed" else [chance.secret]),
        ]
        shown: list[Any] = [self.table.seen_by(viewer) for viewer in VIEWERS]
        shown += [event_view(event) for event in self.table.events[-3:]]
        if self.table.line is not None:
            shown.append(record(self.table.room, self.table.room.game_number, self.table.line))
        text = msgspec.json.encode(shown).decode()
        assert [secret for secret in secrets if secret in text] == []

    @invariant()
    def a_viewer_is_shown_its_own_moves_and_no_others(self) -> None:
        """Legal moves are for who is to move; and that one has moves or must pass."""
        for viewer in VIEWERS:
            view = self.table.seen_by(viewer)
            on_turn = (
                view.to_move is not None and view.to_move in view.you and not self.table.room.out_of_time
            )
            throws = on_turn and self.table.awaits_throw()
            plays = on_turn and not throws and not view.must_pass
            assert plays or not (view.legal_moves or view.legal_steps)
            assert not plays or view.legal_moves or view.legal_steps or "confirm" in view.may
            assert {"move", "pass", "roll"} & set(view.may) == {
                *["move"] * plays,
                *["roll"] * throws,
                *["pass"] * (on_turn and view.must_pass),
            }


class OtherGames(AnyCourse):
    """The same in checkers and backgammon."""

    @initialize(body=other_bodies, options=throws, joins=st.sampled_from([0, 1, 1]), start=st.booleans())
    def create(  # type: ignore[override]
        self, body: dict[str, Any], options: dict[str, bool], joins: int, start: bool
    ) -> None:
        """The room, in most courses with its game begun."""
        seats = GAMES[body["game"]].seats
        own = {seats[index]: "me" for index in body["me"]}
        more = {"options": options} if body["game"] == "backgammon" else {}
        fields = {name: value for name, value in body.items() if name != "me"}
        self.table = Table.of("person-ann", seats=own, **fields, **more)
        self.boards = {}
        for person in PEOPLE[1 : joins + 1]:
            self.attempt(c.Join(person, c.JoinRoom(nonce="nonce-of-joiner" if more else None)))
        if start:
            self.attempt(c.Act("person-ann", c.Start(fill="beginner")))
        self.keep_board()


def board(room: Room) -> tuple[Any, ...]:
    """All that an undo must bring back."""
    return room.position, room.to_move, room.ply, room.movers, room.last_moves


TestAnyCourse = AnyCourse.TestCase
TestOtherGames = OtherGames.TestCase
TestAnyCourse.settings = TestOtherGames.settings = settings(
    max_examples=100,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
