"""All errors of likelier: one tree, each with a stable code, a message and a hint.

    LikelierError
    ├── InputError      a document, label, weight or term that cannot be used
    ├── SettingError    an option of an analyzer, a view or a decision that makes no sense
    ├── LearningError   a change of the counts that was refused; nothing was changed
    └── FileError       a file that cannot be read or written: missing, foreign, damaged, newer

The message says what is wrong, the rule, and the value that was given; the hint says what works.
The code never changes, so that programs can rely on it. `docs/errors.md` lists them all.
"""

from __future__ import annotations


class LikelierError(Exception):
    """The root of the tree.

    >>> error = SettingError(code="alpha-negative", message="`alpha` must be 0 or more", hint="1 is Laplace")
    >>> error.code
    'alpha-negative'
    >>> print(error)
    `alpha` must be 0 or more
    hint: 1 is Laplace
    """

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
    """A document, label, weight or term that cannot be used."""


class SettingError(LikelierError, ValueError):
    """An option of an analyzer, a view or a decision that makes no sense."""


class LearningError(LikelierError, ValueError):
    """A change of the counts that was refused; nothing was changed."""


class FileError(LikelierError, OSError):
    """A file that cannot be read or written: missing, foreign, damaged, newer."""
