"""All errors of likelier: one tree, each with a stable code, a message and a hint.

    LikelierError
    ├── InputError      a document, label, weight or term that cannot be used
    ├── SettingError    an option of an analyzer, a view or a decision that makes no sense
    ├── LearningError   a change of the counts that was refused; nothing was changed
    ├── FileError       a file that cannot be read or written: missing, foreign, damaged, newer
    ├── ServerError     a request that a server refuses, or a log that it cannot read or write
    └── KernelError     a failure inside the kernel: a defect of likelier, or a fork at the wrong moment

The message says what is wrong, the rule, and the value that was given; the hint says what works.
The code never changes, so that programs can rely on it. All are written in `errors.toml`, once; `docs/errors.md` is
made from it, and so are the hints of the command line.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any


class LikelierError(Exception):
    """Any error of likelier; catch it to catch them all. It has a `code`, a `message` and a `hint`.

    >>> from likelier import Additive
    >>> try:
    ...     Additive(-1)
    ... except LikelierError as error:
    ...     print(error.code)
    ...     print(error)
    alpha-negative
    `alpha` must be a number of 0 or more, got -1
    hint: 1 is Laplace smoothing; 0 switches smoothing off
    """

    retry_after = 1  # seconds after which a server may be asked again, where that can help

    def __init__(self, *, code: str, message: str, hint: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}\nhint: {self.hint}"

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.code, self.message, self.hint)


def _rebuild(kind: type[LikelierError], code: str, message: str, hint: str) -> LikelierError:
    return kind(code=code, message=message, hint=hint)  # keyword-only arguments need help to be pickled


class InputError(LikelierError, ValueError):
    """A document, label, weight or term cannot be used.

    >>> from likelier import train
    >>> train([("cheap watches", None)])
    Traceback (most recent call last):
        ...
    likelier.InputError: every document needs a label, got None for document 0
    hint: ...
    """


class SettingError(LikelierError, ValueError):
    """A setting of an analyzer, a view or a decision is invalid.

    >>> from likelier import Analyzer
    >>> Analyzer(min_length=0)
    Traceback (most recent call last):
        ...
    likelier.SettingError: `min_length` must be an integer of 1 or more, got 0
    hint: ...
    """


class LearningError(LikelierError, ValueError):
    """A change of the counts was refused; nothing was changed.

    >>> from likelier import train
    >>> train([("cheap watches", "spam")]).forget("lunch at noon", "ham")
    Traceback (most recent call last):
        ...
    likelier.LearningError: only a document that was learned can be forgotten, ...
    """


class FileError(LikelierError, OSError):
    """A file cannot be read or written: missing, foreign, damaged, newer.

    >>> from likelier import load
    >>> load("missing.likelier")
    Traceback (most recent call last):
        ...
    likelier.FileError: there is no file missing.likelier
    hint: ...
    """


class ServerError(LikelierError):
    """A server refuses a request, or cannot start or write its log.

    >>> issubclass(ServerError, LikelierError)
    True
    """


class KernelError(LikelierError, RuntimeError):
    """A failure inside the kernel: a defect of likelier, or a fork at the wrong moment.

    >>> issubclass(KernelError, LikelierError)
    True
    """


# ---- the catalog -------------------------------------------------------------------------------------------------


@cache
def catalog() -> dict[str, dict[str, Any]]:
    """Every code with its class, message, hint and cases; read when the first error is made."""
    import tomllib

    return tomllib.loads(Path(__file__).with_name("errors.toml").read_text("utf-8"))


def status_of(failure: LikelierError) -> int:
    """The HTTP status of an error: its own, or that of its class.

    >>> status_of(error("not-ready")), status_of(error("model-empty"))
    (503, 422)
    """
    found: int = catalog()[failure.code].get("status") or _STATUS[type(failure).__name__]
    return found


_STATUS = {
    "InputError": 422,
    "SettingError": 422,
    "LearningError": 409,
    "FileError": 500,
    "KernelError": 500,
    "ServerError": 500,
}


def error(name: str, /, **values: object) -> LikelierError:
    """The error with this code, or with this code in one of its cases: "column-unknown.near"."""
    code, _, case = name.partition(".")
    entry = catalog()[code]
    if case:
        entry = entry | entry[case]
    kind: type[LikelierError] = globals()[entry["class"]]
    return kind(code=code, message=entry["message"].format(**values), hint=entry["hint"].format(**values))


# ---- what the kernel raises --------------------------------------------------------------------------------------


def kernel_failed(cause: str) -> LikelierError:
    """The error in place of a panic."""
    return error("kernel-failed", cause=cause)


def half_changed() -> LikelierError:
    """The error for counts in which a change failed midway."""
    return error("counts-half-changed")


def changed_while_read() -> LikelierError:
    """The error for a thread that would wait for itself."""
    return error("changed-while-read")


def lost_in_fork() -> LikelierError:
    """The error for a model that another thread was using for too long when the process was forked."""
    return error("lost-in-fork")
