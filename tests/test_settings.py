"""The settings: defaults, ranges, and what a bad one is answered."""

from __future__ import annotations

from pathlib import Path

import pytest

from mitsuboshi.settings import BadSetting, Settings, cores, table, unknown, variable


def test_an_empty_environment_gives_the_defaults() -> None:
    """Nothing needs to be set."""
    settings = Settings.from_environ({"HOME": "/", "PORT": "1"})
    assert settings == Settings()
    assert (settings.host, settings.port, settings.redis_url) == ("127.0.0.1", 8000, "")
    assert settings.data_dir == Path("data")
    assert settings.workers == cores() >= 1


def test_every_default_is_in_its_own_range() -> None:
    """What the program chooses by itself it would also accept."""
    defaults = Settings()
    environ = {variable(name): str(getattr(defaults, name)) for name in Settings.__dataclass_fields__}
    assert Settings.from_environ(environ) == defaults


def test_values_are_read_by_their_type() -> None:
    """Numbers are numbers, folders are paths."""
    environ = {"MITSUBOSHI_PORT": "8123", "MITSUBOSHI_DATA_DIR": "/srv/x", "MITSUBOSHI_LOG_LEVEL": "debug"}
    settings = Settings.from_environ(environ)
    assert (settings.port, settings.data_dir, settings.log_level) == (8123, Path("/srv/x"), "debug")


@pytest.mark.parametrize(
    "text", ["0", "65536", "-1", "", " 80", "8_0", "80.0", "٨", "tcp://10.0.0.1:80", "9" * 5000]
)
def test_a_bad_number_is_refused_in_one_sentence(text: str) -> None:
    """The sentence names the variable, the value and the range."""
    with pytest.raises(BadSetting) as refused:
        Settings.from_environ({"MITSUBOSHI_PORT": text})
    told = str(refused.value)
    assert told == f"MITSUBOSHI_PORT is {text[:60]!r}; it must be a whole number from 1 to 65535."


@pytest.mark.parametrize(
    ("name", "text", "allowed"),
    [
        ("LOG_LEVEL", "loud", "one of debug, info, warning, error"),
        ("HOST", "", "a host name or an IP address"),
        ("HOST", "http://x", "a host name or an IP address"),
        ("DATA_DIR", "", "a folder's path"),
    ],
)
def test_a_bad_text_is_refused_with_what_is_allowed(name: str, text: str, allowed: str) -> None:
    """Not only numbers have ranges."""
    with pytest.raises(BadSetting, match=f"MITSUBOSHI_{name} is {text!r}; it must be {allowed}"):
        Settings.from_environ({f"MITSUBOSHI_{name}": text})


@pytest.mark.parametrize(
    ("name", "text"), [("SECRET", "too-short"), ("REDIS_URL", "http://user:password@example.org")]
)
def test_a_secret_is_repeated_nowhere(name: str, text: str) -> None:
    """Complaints and representations end up in logs."""
    with pytest.raises(BadSetting) as refused:
        Settings.from_environ({f"MITSUBOSHI_{name}": text})
    assert text not in str(refused.value)
    good = Settings(secret="s" * 16, redis_url="redis://user:password@example.org")
    assert "s" * 16 not in repr(good)
    assert "password" not in repr(good)


def test_a_slip_of_the_pen_is_found() -> None:
    """A misspelt variable would otherwise be silently without effect; a client's is none of ours."""
    assert unknown(
        {"MITSUBOSHI_PROT": "1", "MITSUBOSHI_SERVER": "x", "MITSUBOSHI_PORT": "1", "PORT": "1"}
    ) == ["MITSUBOSHI_PROT"]


def test_the_table_has_a_row_for_every_setting() -> None:
    """The docs are written from it."""
    rows = table().splitlines()[2:]
    assert [row.split("`")[1] for row in rows] == [variable(name) for name in Settings.__dataclass_fields__]
    assert all(row.count("|") == 5 for row in rows)
