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
    "last_one": "{seat} {move}",
    "pass_move": "pass",
    "king_to_apex": "King to the apex: the target of {seats} is full, and its king is not on the tip.",
    "must_pass": "There is no legal move: type pass.",
    "waiting": "Waiting for players: {open} open.",
    "can_start": "Type start to fill the open seats with an AI.",
    "offer_undo": "{seat} asks to take moves back: accept or decline.",
    "offer_draw": "{seat} offers a draw: accept or decline.",
    "offer_made": "Asked to take moves back; waiting for {seats}.",
    "draw_offered": "You have offered a draw; waiting for {seats}. decline takes it back.",
    "offer_over": "Your offer is over: it was declined, or the game went on.",
    "offer_other": "An offer of {seat} is open.",
    "won": "Result: {winner} wins ({reason}).",
    "won_points": "Result: {winner} wins {points} points ({reason}).",
    "drawn": "Result: no winner ({reason}).",
    "places": "Places: {places}.",
    "rematch_hint": "Type rematch for another game, or quit.",
    "closed": "The room is closed.",
    "step": "step",
    "jump": "1 jump",
    "jumps": "{jumps} jumps",
    "row": "{rows} row",
    "rows": "{rows} rows",
    "capture": "takes",
    "hit": "hits",
    "man": "{count} man",
    "men": "{count} men",
    "king": "{count} king",
    "kings": "{count} kings",
    "pips": "{pips} pips",
    "letter_pips": "{letter}, {pips} pips",
    "dice": "Dice: {dice}",
    "made": "made: {steps}",
    "roll": "Type roll to throw the dice.",
    "roll_first": "The dice come first: type roll.",
    "first_step": "Type a step, or the whole move at once. Steps: {steps}",
    "next_step": "Next: {steps} (back takes the last step back)",
    "must_capture": "A capture is open and must be made: {steps}",
    "confirm": "Type done to end the turn (back takes the last step back).",
    "commitment": "Commitment: {commitment}",
    "nonces_awaited": "The dice are verifiable: waiting for everybody's nonce, 10 s at most.",
    "verify_hint": "Type verify to check the dice.",
    "not_verifiable": "The dice of this room are not verifiable.",
    "piece_on_point": "Piece {place} (point {point}) may go to:",
    "piece": "The piece on {place} may go to:",
    "checker": "The checker on {place} may go to:",
    "pick": "Type a number from 1 to {count}, or back.",
    "bad_pick": "There are {count} destinations: type a number from 1 to {count}, or back.",
    "no_move_of": "No legal move begins on {place}.",
    "not_a_point": "There is no place {place} on this board.",
    "listed": "  {line}",
    "moves_count": "Legal moves: {count}",
    "steps_count": "Legal steps: {count}",
    "hint_line": "  {move}  score {score}{margin}, depth {depth}, {nodes} nodes",
    "hint_ahead": ", ahead by about {moves} moves",
    "hint_behind": ", behind by about {moves} moves",
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
    "other_game": "This room plays {game}: this client has boards for {games}.",
    "bad_token_file": "The token file {file} cannot be used: {reason}.",
    "bad_usage": "mitsuboshi-play: {detail}",
    "prompt": "{seat}> ",
    "line": "{line}",
    "help_diamond": """Moves
  14-26, 5.5-6.4     by point id, or by row.number as the board shows them
  14 or 5.5          where that piece may go; then a number picks (back: none)
  moves              every legal move
  pass               where there is no legal move""",
    "help_checkers": """Moves
  11-15              from square to square; captures: 22x15, or whole 22x15x8
  22                 where that piece may go; then a number picks (back: none)
  moves, steps       every legal move; every jump or move that may come next
  back               in the middle of a capture: take the last jump back
  draw               offer a draw""",
    "help_backgammon": """Moves, in your own numbers: from 24 down to 1
  roll               throw the dice
  13/8               one checker by one number; bar/22 enters, 6/off bears off
  13                 where a checker there may go; then a number picks (back: none)
  back               take the last step back
  done               end the turn, when its steps are made
  8/5 6/5            the whole move at once, which ends the turn
  moves, steps       every legal move; every step that may come next
  verify             check the dice of a finished game, where they are verifiable""",
    "help": """Game
  hint [LEVEL]       the moves that an AI of that level thinks best
  undo               take the last move back
  resign [yes]       give the game up
  rematch            vote for another game
  accept, decline    answer an offer
  start [LEVEL]      begin, with AIs in the open seats
  substitute SEAT    let an AI play for one who is absent
Room
  board              draw the board again
  view SEAT | auto   look from that seat, or from the one to move
  record [FILE]      the game so far (FILE.json: as JSON; .pdn, .mat where the game has it)
  rename NAME        change your name
  wait               in a script: until it is your turn or the game is over
  leave [yes]        give your seat up
  quit               go, and keep your seat""",
    "no_file": "mitsuboshi-play verify: {file} cannot be read: {reason}.",
    "no_json": "mitsuboshi-play verify: {file} is no record: it is no JSON object.",
    "not_a_room": "mitsuboshi-play verify: {url} is no room's address: one has /rooms/ROOM in it.",
    "verified_game": "Game {game} of room {room}: {seats}",
    "verified_nonces": "Nonces: {nonces}",
    "nonce_of": "{seat} {nonce}",
    "no_nonce": "{seat} none",
    "verified_seat": "{seat} {holder}",
    "verified": "Right: every throw follows from the secret that the commitment binds ({count} turns).",
    "without_nonces": "Nobody gave a nonce: that the secret was not chosen for its throws is not shown.",
    "wrong_once": "Wrong: 1 fault.",
    "wrong": "Wrong: {count} faults.",
    "fault_field": "The record's {field} is missing or cannot be read.",
    "fault_game": "This is a record of {game}: it has no throws to check.",
    "fault_not_verifiable": "The throws of this game are not verifiable: it has no commitment.",
    "fault_no_secret": "The secret is not told yet: it comes with the end of the game.",
    "fault_secret": "The secret is not the one that the commitment binds.",
    "fault_ply": "Turn {turn}: the record has ply {ply} there: a turn is missing, or one too many.",
    "fault_seat": "Turn {turn}: it is {expected}'s, but the record has {seat} there.",
    "fault_throw": "Turn {turn}, {seat}: the record's throw is {throw}, the secret gives {expected}.",
    "fault_dice": "Turn {turn}, {seat}: the throw is {throw}, but {dice} was played.",
    "fault_parts": "Turn {turn}, {seat}: {move} cannot be made: {place} has no checker for it.",
    "fault_end": "The turns do not lead to the record's last position: one is missing or changed.",
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
