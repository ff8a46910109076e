"""Every sentence of the client, by language and key; a language is added as one more table.

A template's braces take values by name. Values are escaped here, the one place where the server's words meet
ours, so that no name and no error can steer the terminal.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

UNPRINTABLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}

EN: Mapping[str, str] = {
    "room": "Room {room}, game {game}, ply {ply}, version {version}",
    "invite": "Invite others with: mitsuboshi-play --server {server} --join={room}{invite}",
    "come_back": "Come back with: mitsuboshi-play --server {server} --join={room} --token-file {file}",
    "watch_again": "Watch again with: mitsuboshi-play --server {server} --join={room} --watch",
    "person": "{name}",
    "unnamed": "(no name)",
    "ai": "AI, {level}",
    "bot": "bot {name}",
    "open": "(open)",
    "you": "(you)",
    "absent": "(away)",
    "home": "{count} home",
    "votes": "votes for a rematch",
    "turn_you": "Turn: {seat} (you)",
    "turn_other": "Turn: {seat}",
    "clock": "{seconds} s left for this move",
    "draw_left": "{left} plies to the draw limit",
    "last": "Last: {moves}",
    "last_one": "{seat} {path}",
    "pass_move": "pass",
    "king_to_apex": "King to the apex: the target of {seats} is full, and its king is not on the tip.",
    "must_pass": "There is no legal move: type pass.",
    "waiting": "Waiting for players: {open} open.",
    "can_start": "Type start to fill the open seats with an AI.",
    "offer_undo": "{seat} asks to take moves back: accept or decline.",
    "offer_draw": "{seat} offers a draw: accept or decline.",
    "offer_made": "Asked to take moves back; waiting for {seats}.",
    "offer_other": "An offer of {seat} is open.",
    "won": "Result: {winner} wins ({reason}).",
    "drawn": "Result: no winner ({reason}).",
    "places": "Places: {places}.",
    "rematch_hint": "Type rematch for another game, or quit.",
    "closed": "The room is closed.",
    "step": "step",
    "jump": "1 jump",
    "jumps": "{jumps} jumps",
    "row": "{rows} row",
    "rows": "{rows} rows",
    "piece": "Piece {place} (point {point}) may go to:",
    "pick": "Type a number from 1 to {count}, or back.",
    "bad_pick": "There are {count} destinations: type a number from 1 to {count}, or back.",
    "no_move_of": "No legal move begins on {place}.",
    "not_a_point": "There is no point {place}.",
    "moves_count": "Legal moves: {count}",
    "hint_line": "{place}  ({move})  score {score}, depth {depth}, {nodes} nodes",
    "hint_none": "The analysis has no line to show.",
    "not_playing": "No game is being played.",
    "ask_resign": "Resign this game? yes or no",
    "ask_leave": "Leave the room for good? yes or no (quit keeps your seat)",
    "not_done": "Not done.",
    "no_offer": "There is no offer to answer.",
    "saved": "Saved as {file}.",
    "not_saved": "{file} cannot be written: {reason}.",
    "view": "Looking from {seat}.",
    "no_seat": "There is no seat {seat} here.",
    "unknown": "{text} is not understood: type help.",
    "refused": "Refused: {detail}",
    "no_answer": "The server at {server} does not answer ({reason}); trying again.",
    "busy": "The server asks to wait: {detail} Trying again.",
    "back_again": "The server answers again.",
    "away": "The server at {server} has not answered for {seconds} s.",
    "bad_answer": "The server at {server} does not answer as a Mitsuboshi server ({reason}).",
    "other_game": "This room plays {game}: this client only draws the board of the Diamond Game.",
    "bad_token_file": "The token file {file} cannot be used: {reason}.",
    "bad_usage": "mitsuboshi-play: {detail}",
    "prompt": "{seat}> ",
    "line": "{line}",
    "help": """Moves
  14-26, 5.5-6.4     by point id, or by row.number as the board shows them
  14 or 5.5          where that piece may go; then a number picks (back: none)
  moves              every legal move
  pass               where there is no legal move
Game
  hint [LEVEL]       what an AI of that level would play
  undo               take the last move back
  resign [yes]       give the game up
  rematch            vote for another game
  accept, decline    answer an offer
  start [LEVEL]      begin, with AIs in the open seats
  substitute SEAT    let an AI play for one who is absent
Room
  board              draw the board again
  view SEAT | auto   look from that seat, or from the one to move
  record [FILE]      the game so far (FILE.json: as JSON)
  rename NAME        change your name
  wait               in a script: until it is your turn or the game is over
  leave [yes]        give your seat up
  quit               go, and keep your seat""",
}

TABLES: Mapping[str, Mapping[str, str]] = {"en": EN}


def escape(text: str) -> str:
    """``text`` with control, format and other unprintable characters written as ``\\u{...}``."""
    return "".join(f"\\u{{{ord(c):x}}}" if unicodedata.category(c) in UNPRINTABLE else c for c in text)


class Texts:
    """One language's sentences; ``texts("key", name=value)`` is the sentence with its values escaped."""

    def __init__(self, language: str = "en") -> None:
        self._table = TABLES[language]

    def __call__(self, key: str, **values: object) -> str:
        return self._table[key].format(**{name: escape(str(value)) for name, value in values.items()})

    def or_same(self, key: str) -> str:
        """The sentence of ``key``, or ``key`` itself, escaped, where a server uses a word not known here."""
        return self._table.get(key, escape(key))
