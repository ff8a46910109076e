"""The command line: reads the settings, opens what a program needs, and hands over to it."""

from __future__ import annotations

import argparse
import importlib
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import NoReturn

from mitsuboshi.local.failure import CannotStart
from mitsuboshi.settings import BadSetting, Settings, unknown

FAILED, MISUSED = 1, 2
DESCRIPTION = "A headless server for board games: the Diamond Game, American checkers, backgammon."
EPILOG = """\
Settings are environment variables, MITSUBOSHI_PORT for one; docs/LIMITS.md lists them all.

  mitsuboshi up                       everything on this machine, at http://127.0.0.1:8000
  mitsuboshi serve                    one API process; several share one Redis or one data folder
  mitsuboshi worker                   one AI worker process; likewise
  mitsuboshi perft diamond --depth 4  count the positions of a game
"""
PROGRAMS = {
    "up": "start everything on this machine: Redis, AI workers and the API",
    "serve": "run one API process",
    "worker": "run one AI worker process",
}
# Loaded only when called for, so that help is quick and the API never loads the engine. Each module has
# add_arguments(parser) and run(arguments) -> exit code.
TOOLS = {
    "perft": ("mitsuboshi.ai.perft", "count the positions that a game can reach"),
    "engine": ("mitsuboshi.ai.protocol", "speak the engine protocol on standard input and output"),
    "arena": ("mitsuboshi.ai.arena", "let two players meet, and tell the score with its error bar"),
    "openapi": ("mitsuboshi.api.describe", "write the descriptions of the API and of its messages"),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and answer its exit code: 0 done, 1 failed or cannot start, 2 misused."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        parsed = _parser(arguments[0] if arguments else None).parse_args(arguments)
        run: Callable[[argparse.Namespace], int] = parsed.run
        return run(parsed)
    except BadSetting as error:
        return _complain(error, MISUSED)
    except CannotStart as error:
        return _complain(error, FAILED)
    except BrokenPipeError:
        # Whoever read our output has gone; a second complaint at exit would only be noise.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except KeyboardInterrupt:
        return 128 + signal.SIGINT


def _parser(chosen: str | None) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="mitsuboshi",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"mitsuboshi {version('mitsuboshi')}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name, text in PROGRAMS.items():
        one = commands.add_parser(name, help=text, description=_sentence(text))
        one.set_defaults(run={"up": _up, "serve": _serve, "worker": _worker}[name])
    for name, (module, text) in TOOLS.items():
        one = commands.add_parser(name, help=text, description=_sentence(text))
        if name == chosen:
            tool = importlib.import_module(module)
            tool.add_arguments(one)
            one.set_defaults(run=tool.run)
    # All words behind it are the other program's. Else argparse would take an option that comes first for
    # one of this parser's; with NUL as the prefix of options nothing is one.
    bench = commands.add_parser(
        "bench",
        help="measure what the docs quote; needs the source tree",
        add_help=False,
        prefix_chars="\0",
    )
    bench.set_defaults(run=_bench)
    bench.add_argument("arguments", nargs="*")
    return parser


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _up(_: argparse.Namespace) -> int:
    settings = _settings()
    from mitsuboshi.local.up import check_port, up  # noqa: PLC0415 loaded when called for

    check_port(settings)
    with _ending_on_signals(), _redis_url(settings) as url:
        return up(settings, url)


def _serve(_: argparse.Namespace) -> int:
    settings = _settings()
    from mitsuboshi.local.listener import listen  # noqa: PLC0415 loaded when called for
    from mitsuboshi.serve import serve  # noqa: PLC0415 loaded when called for

    with _ending_on_signals(), listen(settings.host, settings.port) as listener, _redis_url(settings) as url:
        return serve(settings, url, listener)


def _worker(_: argparse.Namespace) -> int:
    settings = _settings()
    worker = importlib.import_module("mitsuboshi.worker")
    with _ending_on_signals(), _redis_url(settings) as url:
        code: int = worker.run(settings, url)
        return code


def _bench(parsed: argparse.Namespace) -> int:
    root = Path(__file__).resolve().parents[2]
    if not (root / "bench" / "__main__.py").is_file():
        raise CannotStart(
            "The benchmarks are part of the source tree: run this from an editable installation."
        )
    command = [sys.executable, "-m", "bench", *parsed.arguments]
    return subprocess.run(command, cwd=root, check=False).returncode  # noqa: S603 our own program


def _settings() -> Settings:
    for name in unknown(os.environ):
        print(f"mitsuboshi: {name} is no setting of this program; it is ignored.", file=sys.stderr)
    return Settings.from_environ(os.environ)


@contextmanager
def _redis_url(settings: Settings) -> Iterator[str]:
    """The URL of the Redis that the settings name, or of the embedded one while the block runs."""
    if settings.redis_url:
        yield settings.redis_url
        return
    from mitsuboshi.local.redis_server import EmbeddedRedis  # noqa: PLC0415 only where there is no URL

    with EmbeddedRedis(settings.data_dir) as embedded:
        yield embedded.url


@contextmanager
def _ending_on_signals() -> Iterator[None]:
    """SIGTERM and SIGHUP end the block like any exception, with exit code 0: what it opened is closed."""

    def end(_number: int, _frame: object) -> NoReturn:
        raise SystemExit(0)

    for number in (signal.SIGTERM, signal.SIGHUP):
        # Under nohup the terminal's end is to be ignored.
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, end)
    yield


def _complain(error: Exception, code: int) -> int:
    print(f"mitsuboshi: {error}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
