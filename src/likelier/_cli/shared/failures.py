"""Errors on the command line, and exit statuses.

    error: what is wrong, the rule, the value given, where
    hint: what to type instead

0  success    2  error    130  interrupted (Ctrl-C)    141  broken pipe
`classify --exit-code` adds 1 and 10 to 209. The library's hints show Python; `hints.py` has them for the shell.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NoReturn

import click

from likelier._base.errors import LikelierError
from likelier._show.cells import clean

ESCAPED = "backslashreplace"  # a lone surrogate is written as in JSON: \ud800

ERROR, STOPPED, NO_READER = 2, 130, 141


class Misuse(click.UsageError):
    """Invalid options or arguments."""

    def __init__(self, message: str, *, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


class Stopped(Exception):
    """Ctrl-C while a file was being written."""


class NoReader(Exception):
    """Broken pipe: nobody reads our output."""


@contextmanager
def keeps(path: Path | None) -> Iterator[None]:
    """While a file is being written: Ctrl-C leaves it unchanged, and the message says so. None and `-` are no file."""
    try:
        yield
    except KeyboardInterrupt:
        if path is None or str(path) == "-":
            raise
        state = "is unchanged" if path.exists() else "was not written"
        raise Stopped(f"interrupted; {path} {state}") from None


def guarded(run: Callable[[], object]) -> NoReturn:
    """Run the program and exit; an error is reported in one or two lines."""
    _prepare_streams()
    try:
        status = run()
        sys.stdout.flush()
    except (NoReader, BrokenPipeError):
        status = _leave_pipe()
    except (click.Abort, KeyboardInterrupt):
        status = _report(STOPPED, "interrupted")
    except Stopped as stopped:
        status = _report(STOPPED, str(stopped))
    except click.ClickException as error:
        status = _report(ERROR, *_usage_lines(error))
    except LikelierError as error:
        from likelier._cli.shared.hints import for_the_shell

        message, hint = for_the_shell(error)
        status = _report(ERROR, f"error: {message}", f"hint: {hint}")
    except OSError as error:
        status = _report(ERROR, *_system_lines(error))
    except MemoryError:
        status = _report(ERROR, "error: out of memory", "hint: use fewer threads: --threads 1")
    _leave(status if isinstance(status, int) else 0)


def _leave(status: int) -> NoReturn:
    if any(thread.name.startswith("likelier ") for thread in threading.enumerate()):  # it may wait for input forever
        with suppress(OSError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(status)
    sys.exit(status)


def _prepare_streams() -> None:
    """Output is UTF-8; a terminal shows a question mark for what it cannot encode, and data cannot control it."""
    from likelier._cli.shared.output import guarded as escaped

    nowhere = Path(os.devnull)
    sys.stdout = sys.stdout or nowhere.open("w", encoding="utf-8")  # closed: `>&-`
    sys.stderr = sys.stderr or nowhere.open("w", encoding="utf-8")
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            if stream.isatty():
                stream.reconfigure(errors="replace")
            else:
                stream.reconfigure(encoding="utf-8", errors="replace" if stream is sys.stderr else ESCAPED)
    sys.stdout, sys.stderr = escaped(sys.stdout), escaped(sys.stderr)


def _leave_pipe() -> int:
    with suppress(OSError, ValueError):  # no error at exit for what is still buffered
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return NO_READER


def _usage_lines(error: click.ClickException) -> list[str]:
    message = error.message.strip().removesuffix(".") if error.message else error.format_message().rstrip(".")
    if isinstance(error, click.BadParameter):
        message = error.format_message().strip().removesuffix(".")
    if not isinstance(error, Misuse):  # click writes sentences; ours may begin with a name
        message = message[:1].lower() + message[1:]
    return [f"error: {message}", f"hint: {_usage_hint(error)}"]


def _usage_hint(error: click.ClickException) -> str:
    if isinstance(error, Misuse):
        return error.hint
    context = error.ctx if isinstance(error, click.UsageError) else None
    path = context.command_path if context else "likelier"
    possible = getattr(error, "possibilities", None)
    if isinstance(error, click.exceptions.NoSuchCommand | click.NoSuchOption) and possible:
        return f"did you mean {' or '.join(possible)}?"
    if isinstance(error, click.MissingParameter) and context:
        return f"{path} {getattr(context.command, 'usage', '')}".strip()
    if "unexpected extra argument" in error.message:
        return f"put quotes around arguments with spaces; see {path} --help"
    return f"see {path} --help"


def _system_lines(error: OSError) -> list[str]:
    where = "" if error.filename is None else f"{error.filename}: "
    reason = error.strerror or str(error)
    return [f"error: {where}{reason[:1].lower()}{reason[1:]}", f"hint: {_SYSTEM_HINTS.get(type(error), _CHECK)}"]


_CHECK = "check the path, the permissions and the free disk space"
_SYSTEM_HINTS: dict[type[OSError], str] = {
    FileNotFoundError: "check the path: the file or its folder does not exist",
    PermissionError: "choose a writable location, or change the permissions",
    IsADirectoryError: "give a file, not a folder",
}


def _report(status: int, *lines: str) -> int:
    from likelier._cli.shared.output import painted, styled_prefix, wants_color

    color = wants_color(sys.stderr)
    with suppress(OSError):
        for line in lines:
            shown = "\n".join(map(clean, line.splitlines()))
            print(styled_prefix(shown) if color else shown, file=painted(sys.stderr))
    return status
