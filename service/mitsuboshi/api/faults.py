"""What is wrong with a body of another shape than it should have: a refusal by field."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import inspect

from mitsuboshi.rooms.refused import Refused

KEYS_TRIED_MAX = 16
"""Keys of a map that are tried one by one, to find the one at fault."""
# Where msgspec says a fault is: "… - at `$.seats[...].ai`".
_PLACE = re.compile(r"^(?P<fault>.*?)(?: - at `(?P<key>key in )?\$(?P<path>[^`]*)`)?$", re.DOTALL)
_TAG = re.compile(r"^Invalid value '(?P<tag>.*)'$", re.DOTALL)
_ANY_KEY = "[...]"
_decode_object = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode


def refusal(text: str, decoder: msgspec.json.Decoder[Any], data: bytes) -> Refused:
    """The refusal of ``data``, of which the decoder said ``text``."""
    found = _PLACE.match(text)
    fault, path = (found["fault"], found["path"] or "") if found else (text, "")
    field = path.removeprefix(".") or _missing_field(fault)
    tag = _TAG.match(fault)
    if field == "type" and tag:
        return Refused("unknown_action", f"there is no action {tag['tag'][:40]!r}", "type")
    if fault.startswith("Invalid enum value"):
        # What was sent may be long; the choices are not.
        fault = f"{fault[:80]}: it must be one of {', '.join(_choices(_type(decoder), _parts(path)))}"
    if field is not None and _ANY_KEY in field:
        field = _with_key(field, text, decoder, data)
    return Refused("invalid_body", fault, field)


def _missing_field(fault: str) -> str | None:
    named = re.search(r"(?:required|unknown) field `([^`]{1,80})`", fault)
    return named[1] if named else None


def _with_key(field: str, text: str, decoder: msgspec.json.Decoder[Any], data: bytes) -> str:
    """The path with the key of the map's entry at fault, which msgspec does not tell."""
    name, _, rest = field.partition(_ANY_KEY)
    try:
        body = _decode_object(data)
        entries = _decode_object(body[name])
    except (msgspec.DecodeError, KeyError):
        return field  # Behind the fault the text may be no JSON at all.
    for key, value in list(entries.items())[:KEYS_TRIED_MAX]:
        try:
            decoder.decode(msgspec.json.encode({**body, name: {key: value}}))
        except msgspec.ValidationError as fault:
            if str(fault) == text:
                return f"{name}.{key}{rest}"
    return field


def _parts(path: str) -> list[str]:
    return re.findall(r"[^.\[]+|\[\.\.\.\]", path)


@lru_cache(maxsize=64)
def _type(decoder: msgspec.json.Decoder[Any]) -> inspect.Type:
    return inspect.type_info(decoder.type)


def _choices(kind: inspect.Type, path: list[str]) -> Iterator[str]:
    """The texts that are taken at that place of a type."""
    match kind:
        case inspect.Metadata(type=inner):
            yield from _choices(inner, path)
        case inspect.UnionType(types=types):
            for each in types:
                yield from _choices(each, path)
        case inspect.StructType(fields=fields) if path:
            for field in fields:
                if field.encode_name == path[0]:
                    yield from _choices(field.type, path[1:])
        case inspect.DictType(value_type=inner) if path:
            yield from _choices(inner, path[1:])
        case inspect.LiteralType(values=values) if not path:
            yield from map(str, values)
