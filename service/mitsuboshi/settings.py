"""Every setting of the programs, with its default, its range and its one-line meaning, in this one place.

The fields of ``Settings`` are the table: the docs' list is written from them (``table``), and so is every
complaint about a bad value. A new setting is one more line here.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import Field, dataclass, field, fields
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

PREFIX = "MITSUBOSHI_"
# Variables of the clients, which may stand in the same environment.
CLIENTS = frozenset({"MITSUBOSHI_SERVER"})
REDIS_SCHEMES = ("redis://", "rediss://", "unix://", "redis+cluster://", "redis+sentinel://")
LOG_LEVELS = ("debug", "info", "warning", "error")


class BadSetting(ValueError):
    """A setting that cannot be used; the message is one sentence: the variable, the value and the range."""


@dataclass(frozen=True, slots=True)
class Rule:
    """How one variable is read: ``read`` raises ValueError for a text outside ``range``."""

    doc: str
    range: str
    read: Callable[[str], object]
    secret: bool = False
    shown_default: str | None = None


def _whole(
    default: int | Callable[[], int], least: int, most: int, doc: str, shown: str | None = None
) -> Any:
    def read(text: str) -> int:
        # int() also takes "1_000", " 7 " and digits of other scripts: too lenient for a setting.
        if not (text.isascii() and text.isdigit()):
            raise ValueError
        value = int(text[:20])
        if not least <= value <= most:
            raise ValueError
        return value

    rule = Rule(doc, f"a whole number from {least} to {most}", read, shown_default=shown)
    if callable(default):
        return field(default_factory=default, metadata={"rule": rule})
    return field(default=default, metadata={"rule": rule})


def _text(
    default: object,
    allowed: str,
    accept: Callable[[str], bool],
    doc: str,
    *,
    secret: bool = False,
    convert: Callable[[str], object] = str,
    shown: str | None = None,
) -> Any:
    def read(text: str) -> object:
        if not accept(text) or "\0" in text:
            raise ValueError
        return convert(text)

    rule = Rule(doc, allowed, read, secret=secret, shown_default=shown)
    return field(default=default, repr=not secret, metadata={"rule": rule})


def _is_redis_url(text: str) -> bool:
    """Whether the URL has a scheme that we know, and readable hosts and ports."""
    if not text.startswith(REDIS_SCHEMES):
        return False
    try:
        hosts = urlsplit(text).netloc.rpartition("@")[2].split(",")
        return all(urlsplit(f"//{host}").port != 0 for host in hosts)
    except ValueError:
        return False


def cores() -> int:
    """The processor cores that this process may use, at least 1 and at most 64."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(allowed, 64))


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the environment says, read once at the start; a field is the variable of its name, prefixed."""

    host: str = _text(
        "127.0.0.1",
        "a host name or an IP address",
        lambda text: bool(text) and not any(c.isspace() or c == "/" for c in text),
        "Address that the API listens on; `0.0.0.0` for every interface, as the container image sets it.",
    )
    port: int = _whole(8000, 1, 65535, "Port of the API.")
    redis_url: str = _text(
        "",
        "empty, or a URL that begins with " + ", ".join(REDIS_SCHEMES),
        lambda text: not text or _is_redis_url(text),
        "The Redis to use; empty for an embedded one in the data folder.",
        secret=True,
        shown="empty",
    )
    data_dir: Path = _text(  # noqa: RUF009 a path is as immutable as a text
        Path("data"),
        "a folder's path",
        bool,
        "Folder of the embedded Redis: its socket `redis.sock`, its append-only file and its log.",
        convert=Path,
    )
    workers: int = _whole(
        cores, 1, 64, "AI worker processes that `mitsuboshi up` starts.", "the number of cores"
    )
    secret: str = _text(
        "",
        "empty, or 16 to 256 characters",
        lambda text: not text or 16 <= len(text) <= 256,
        "Key that signs the tokens; empty: made once and kept in Redis.",
        secret=True,
        shown="empty",
    )
    partitions: int = _whole(
        1, 1, 1024, "Parts that the rooms are spread over, for Redis Cluster; the same for every process."
    )
    room_idle_s: int = _whole(1800, 1, 604_800, "Seconds after the last presence until a room goes.")
    room_life_s: int = _whole(86_400, 1, 2_592_000, "Seconds after its creation until a room goes.")
    presence_s: int = _whole(15, 5, 3600, "Seconds for which one request makes a seat present.")
    ping_s: int = _whole(
        20, 1, 3600, "Seconds between a socket's pings, and until one without an answer ends the socket."
    )
    lease_ms: int = _whole(
        3000, 100, 600_000, "Milliseconds without a sign from a worker until another one takes its job."
    )
    table_mb: int = _whole(64, 1, 4096, "Megabytes in which each AI worker remembers positions.")
    max_body_bytes: int = _whole(65_536, 1024, 16_777_216, "Largest body of a request, in bytes.")
    requests_per_token_s: int = _whole(
        100, 0, 1_000_000, "Requests a second of one token, in each process; 0: no limit."
    )
    requests_per_address_s: int = _whole(
        500, 0, 1_000_000, "Requests a second from one address, in each process; 0: no limit."
    )
    trusted_proxies: str = _text(
        "",
        "empty, `*`, or IP addresses with commas between",
        lambda text: not any(c.isspace() for c in text),
        "Proxies whose `X-Forwarded-For` is believed.",
        shown="empty",
    )
    api_key: str = _text(
        "",
        "empty, or 16 to 256 characters",
        lambda text: not text or 16 <= len(text) <= 256,
        "Key that the creation of a room needs, as `X-API-Key`; empty: anybody may create rooms.",
        secret=True,
        shown="empty",
    )
    cors_origins: str = _text(
        "",
        "empty, `*`, or origins with commas between",
        lambda text: not any(c.isspace() for c in text),
        "Web pages of other origins that may use the API.",
        shown="empty",
    )
    log_level: str = _text(
        "info", "one of " + ", ".join(LOG_LEVELS), LOG_LEVELS.__contains__, "The least level that is logged."
    )

    @classmethod
    def from_environ(cls, environ: Mapping[str, str]) -> Settings:
        """The settings that ``environ`` gives, defaults for the rest; BadSetting names the first bad one."""
        given: dict[str, Any] = {}
        for entry, rule in _rules():
            text = environ.get(variable(entry.name))
            if text is not None:
                given[entry.name] = _read(entry.name, rule, text)
        return cls(**given)


def variable(name: str) -> str:
    """The environment variable of the field ``name``."""
    return PREFIX + name.upper()


def unknown(environ: Mapping[str, str]) -> list[str]:
    """Variables with the prefix that mean nothing to this program: most often a slip of the pen."""
    known = {variable(entry.name) for entry in fields(Settings)} | CLIENTS
    return sorted(name for name in environ if name.startswith(PREFIX) and name not in known)


def table() -> str:
    """The settings as a Markdown table, as ``docs/LIMITS.md`` holds it."""
    rows = ["| variable | default | range | meaning |", "|---|---|---|---|"]
    for entry, rule in _rules():
        default = rule.shown_default or f"`{entry.default}`"
        rows.append(f"| `{variable(entry.name)}` | {default} | {rule.range} | {rule.doc} |")
    return "\n".join(rows) + "\n"


def _rules() -> Iterator[tuple[Field[Any], Rule]]:
    for entry in fields(Settings):
        yield entry, entry.metadata["rule"]


def _read(name: str, rule: Rule, text: str) -> object:
    try:
        return rule.read(text)
    except ValueError:
        # A secret's value belongs in no log; of any other, the beginning is enough to find it.
        shown = "the value given" if rule.secret else repr(text[:60])
        raise BadSetting(f"{variable(name)} is {shown}; it must be {rule.range}.") from None
