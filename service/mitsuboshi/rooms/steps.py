"""A turn made step by step: steps, taking them back, and the word that ends the turn; the throw before it."""

from __future__ import annotations

from typing import Any

from mitsuboshi.games.game import AUTO_ROLL, Stepwise
from mitsuboshi.rooms import chance, turns
from mitsuboshi.rooms import commands as c
from mitsuboshi.rooms import events as e
from mitsuboshi.rooms.history import History
from mitsuboshi.rooms.refused import Refused


def roll(history: History, person: str, action: c.Roll) -> None:
    """The side to move throws."""
    if AUTO_ROLL not in history.game.options:
        raise Refused("not_in_this_game", "this game has no dice")
    turns.require_turn(history.room, person, action)
    if not history.game.chance(history.position):
        raise Refused("nothing_to_roll", "the game does not wait for a throw")
    chance.roll(history)
    turns.go_on(history)


def step(history: History, person: str, action: c.Step) -> None:
    """The side to move makes one step; where nobody has to confirm, the last one ends the turn."""
    stepwise = _stepwise(history)
    seat = turns.require_turn(history.room, person, action)
    made = history.room.steps
    with turns.refusing("step"):
        text = stepwise.step(history.position, made, action.step)
    _steps_are(history, e.StepMade, seat, text, (*made, text))
    whole = None if stepwise.confirmed else stepwise.move(history.position, history.room.steps)
    if whole is not None:
        turns.play(history, seat, whole)


def unstep(history: History, person: str, action: c.Unstep) -> None:
    """The side to move takes its last step back."""
    _stepwise(history)
    seat = turns.require_turn(history.room, person, action)
    made = history.room.steps
    if not made:
        raise Refused("nothing_to_undo", "no step of this turn has been made")
    _steps_are(history, e.StepUndone, seat, made[-1], made[:-1])


def confirm(history: History, person: str, action: c.Confirm) -> None:
    """The side to move ends its turn with the steps made."""
    stepwise = _stepwise(history)
    if not stepwise.confirmed:
        raise Refused("not_in_this_game", "in this game a turn ends with its last step")
    seat = turns.require_turn(history.room, person, action)
    whole = stepwise.move(history.position, history.room.steps)
    if whole is None:
        missing = (
            "the dice have to be thrown"
            if history.game.chance(history.position)
            else "more steps must be made"
        )
        raise Refused("turn_incomplete", f"{missing} before the turn can end")
    turns.play(history, seat, whole)


def _stepwise(history: History) -> Stepwise[Any]:
    if history.game.stepwise is None:
        raise Refused("not_in_this_game", "in this game every move is one step")
    return history.game.stepwise


def _steps_are(
    history: History, kind: type[e.StepMade], seat: str, text: str, steps: tuple[str, ...]
) -> None:
    game, position = history.game, history.position
    after = game.save(_stepwise(history).after(position, steps))
    where = {"position": history.room.position, "position_now": after, "to_move": seat}
    history.add(kind, seat=seat, step=text, steps=steps, **where)
