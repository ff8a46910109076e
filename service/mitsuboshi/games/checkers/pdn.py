"""Whole games as PDN, Portable Draughts Notation, game type 21; ``docs/games/checkers.md`` says more."""

from __future__ import annotations

import re
from typing import Final

from mitsuboshi.games.checkers import fen, notation, rules
from mitsuboshi.games.checkers.pdn_text import Reader, Token
from mitsuboshi.games.checkers.position import Position
from mitsuboshi.games.game import AmbiguousMove, IllegalMove, InvalidText, Outcome, Transcript

MOVES_MAX: Final = 1000
TEXT_CHARS_MAX: Final = 100_000

_LINE: Final = 79  # columns of the movetext, as PGN has them
_UNFINISHED: Final = "*"
_RESULT: Final[dict[str | None, str]] = {"white": "1-0", "red": "0-1", None: "1/2-1/2"}
_WINNER: Final = {text: winner for winner, text in _RESULT.items()}
_TAG: Final = {"red": "Black", "white": "White"}
_TERMINATION: Final = {"timeout": "time forfeit", "left": "abandoned"}
_REASON: Final = {text: reason for reason, text in _TERMINATION.items()}
_DATE: Final = re.compile(r"([0-9]{4})\.([0-9]{2})\.([0-9]{2})")
_GAME_TYPE: Final = re.compile(r"21(?:,.*)?")


class Pdn:
    """Portable Draughts Notation; see ``TranscriptFormat`` for what each method promises."""

    media_type: str = "application/x-pdn"

    def read(self, text: str) -> Transcript:
        """The one game in ``text``; InvalidText names line, column and fault."""
        if len(text) > TEXT_CHARS_MAX:
            raise InvalidText(f"a game has at most {TEXT_CHARS_MAX:,} characters, this one {len(text):,}")
        reader = Reader(text)
        tags = _tags(reader)
        position = _start(tags)
        start = fen.write(position) if "FEN" in tags else None
        texts: list[str] = []
        ending = None
        for token in reader.moves():
            if ending:
                raise token.fault("there is more after the end of the game: exactly one game is read")
            if token.kind == "result":
                ending = token
            else:
                move, position = _played(position, token, len(texts))
                texts.append(move)
        if not tags and not texts and not ending:
            raise InvalidText("line 1, column 1: there is no game")
        outcome = _outcome(position, tags, ending)
        names = {seat: name for seat, tag in _TAG.items() if (name := _value(tags, tag)) not in {"", "?"}}
        return Transcript(tuple(texts), start, names, outcome, _date(_value(tags, "Date")))

    def write(self, transcript: Transcript) -> str:
        """The game with the Seven Tag Roster, its type, and a start of its own where it has one."""
        outcome = transcript.outcome
        result = _RESULT[outcome.winner] if outcome else _UNFINISHED
        tags = {
            "Event": "?",
            "Site": "?",
            "Date": transcript.date.replace("-", ".") or "????.??.??",
            "Round": "?",
            "White": transcript.names.get("white", "?"),
            "Black": transcript.names.get("red", "?"),
            "Result": result,
            "GameType": "21",
        }
        if outcome and outcome.reason in _TERMINATION:
            tags["Termination"] = _TERMINATION[outcome.reason]
        if transcript.start is not None:
            tags |= {"SetUp": "1", "FEN": transcript.start}
        head = "".join(f'[{name} "{_quoted(value)}"]\n' for name, value in tags.items())
        return f"{head}\n{_movetext(transcript, result)}\n"


def _quoted(value: str) -> str:
    # A tag is one line.
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")


def _movetext(transcript: Transcript, result: str) -> str:
    white_begins = transcript.start is not None and transcript.start.startswith(fen.LETTER["white"])
    words = []
    for ply, move in enumerate(transcript.moves, int(white_begins)):
        if ply % 2 == 0:
            words.append(f"{ply // 2 + 1}.")
        elif not words:
            words.append("1...")
        words.append(move)
    lines = [""]
    for word in (*words, result):
        if len(lines[-1]) + 1 + len(word) > _LINE:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".lstrip()
    return "\n".join(lines)


def _tags(reader: Reader) -> dict[str, Token]:
    """The tags by name, their values checked; of a tag that comes twice the first counts."""
    tags: dict[str, Token] = {}
    for token in reader.tags():
        tags.setdefault(token.name, token)
    game_type, result = tags.get("GameType"), tags.get("Result")
    if game_type and not _GAME_TYPE.fullmatch(game_type.value):
        raise game_type.fault(f"GameType {game_type.value!r} is not 21, American checkers")
    if result and result.value not in {*_WINNER, _UNFINISHED, "?"}:
        raise result.fault(f"Result {result.value!r} is not one of {', '.join(_WINNER)}, {_UNFINISHED}")
    setup = tags.get("SetUp")
    if setup and setup.value == "0":
        tags.pop("FEN", None)
    if setup and setup.value == "1" and "FEN" not in tags:
        raise setup.fault("SetUp is 1, but there is no FEN")
    return tags


def _value(tags: dict[str, Token], name: str) -> str:
    return tags[name].value if name in tags else ""


def _start(tags: dict[str, Token]) -> Position:
    if "FEN" not in tags:
        return rules.start(2)
    try:
        return fen.read(tags["FEN"].value)
    except InvalidText as fault:
        raise tags["FEN"].fault(f"FEN: {fault}") from None


def _played(position: Position, token: Token, made: int) -> tuple[str, Position]:
    if made == MOVES_MAX:
        raise token.fault(f"a game has at most {MOVES_MAX:,} moves here")
    try:
        move = notation.find(position, token.value)
    except (InvalidText, IllegalMove, AmbiguousMove) as fault:
        raise token.fault(f"{token.value}: {fault}") from None
    return notation.write_move(move), rules.played(position, move)


def _outcome(position: Position, tags: dict[str, Token], ending: Token | None) -> Outcome | None:
    """The end that the board has, else what the text says; the tag counts where the moves end with ``*``."""
    said = [token for token in (ending, tags.get("Result")) if token and token.value in _WINNER]
    seen = rules.outcome(position)
    for token in said:
        if seen and _WINNER[token.value] != seen.winner:
            raise token.fault(f"the result {token.value} is not that of the last position, {_end(seen)}")
        if token.value != said[0].value:
            raise said[0].fault(f"the result {said[0].value} is not that of the tag, {token.value}")
    if seen or not said:
        return seen
    winner = _WINNER[said[0].value]
    if winner is None:
        return Outcome(None, "agreement", points=0)
    return Outcome(winner, _REASON.get(_value(tags, "Termination"), "resignation"))


def _end(outcome: Outcome) -> str:
    return f"{_RESULT[outcome.winner]} ({outcome.reason})"


def _date(text: str) -> str:
    """A tag's date as ``YYYY-MM-DD``; empty where it is not wholly known."""
    found = _DATE.fullmatch(text)
    return "-".join(found.groups()) if found else ""


PDN: Final = Pdn()
