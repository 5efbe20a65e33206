"""Which column holds the text and which the label: as named, or guessed where only one choice makes sense.

A guess goes by the usual names first. Where those say nothing it goes by what the first rows hold: the text is the
only column with several words in most rows, the label is the only one with few different short values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from likelier.errors import InputError

TEXT_NAMES = ("text", "message", "body", "content", "document", "review", "sentence", "comment", "tweet", "sms", "mail")
LABEL_NAMES = ("label", "class", "category", "target", "folder", "topic", "sentiment", "tag", "labels")
SEVERAL_WORDS = 3  # on average, from which on a column looks like text
FEW_VALUES = 0.2  # of the rows, up to which a column looks like labels
LONGEST_NAME = 60  # characters; what is longer at the head of a column is a text and no name

Sample = Callable[[], dict[str, list[str | None]]]  # column → its values in the first rows


@dataclass(frozen=True)
class Choice:
    """The names of the columns; no label where the documents get theirs elsewhere, or need none."""

    text: str
    label: str | None
    notes: tuple[str, ...] = ()


def choose(
    names: Sequence[str], sample: Sample, *, text: str | None, label: str | None, labelled: bool, source: str
) -> Choice:
    """The columns for text and label; what was guessed is said in the notes."""
    _check_names(names, source)
    for given in (text, label):
        if given is not None and given not in names:
            raise _no_such_column(given, names, source)
    notes = []
    if labelled and label is None:
        label = _guess_label(names, sample, text, source)
        notes.append(f"label column: {label!r} (guessed)")
    if text is None:
        text = _guess_text(names, sample, label, source)
        notes.insert(0, f"text column: {text!r} (guessed)")
    if text == label:
        raise InputError(
            code="columns-same",
            message=f"text and label must be two columns, got {text!r} for both in {source}",
            hint="name them: text='message', label='folder'",
        )
    return Choice(text, label if labelled else None, tuple(notes))


def _guess_label(names: Sequence[str], sample: Sample, text: str | None, source: str) -> str:
    others = [name for name in names if name != text]
    named = _by_name(others, LABEL_NAMES)
    if named is not None:
        return named
    _check_header(sample(), source)
    return _only("label", [name for name in others if _looks_like_labels(sample()[name])], names, source)


def _guess_text(names: Sequence[str], sample: Sample, label: str | None, source: str) -> str:
    others = [name for name in names if name != label]
    named = _by_name(others, TEXT_NAMES)
    if named is not None:
        return named
    if len(others) == 1:
        return others[0]
    _check_header(sample(), source)
    return _only("text", [name for name in others if _looks_like_text(sample()[name])], names, source)


def _by_name(names: Sequence[str], usual: Sequence[str]) -> str | None:
    found = [name for name in names if name.strip().lower() in usual]
    return found[0] if len(found) == 1 else None


def _looks_like_text(values: list[str | None]) -> bool:
    there = [value for value in values if value]
    return bool(there) and sum(len(value.split()) for value in there) >= SEVERAL_WORDS * len(there)


def _looks_like_labels(values: list[str | None]) -> bool:
    there = [value for value in values if value]
    few = len(set(there)) <= max(2, FEW_VALUES * len(values))
    return bool(there) and len(there) * 2 > len(values) and few and not _looks_like_text(values)


def _only(what: str, found: list[str], names: Sequence[str], source: str) -> str:
    if len(found) == 1:
        return found[0]
    could_be = f"{', '.join(map(repr, found))} could be" if found else "none looks like"
    raise InputError(
        code="column-unclear",
        message=f"which column is the {what}? {source} has {_listed(names)}; {could_be} the {what}",
        hint=f"name it: {what}={(found or list(names))[0]!r}",
    )


def _check_names(names: Sequence[str], source: str) -> None:
    twice = [name for name in dict.fromkeys(names) if names.count(name) > 1 and name.strip()]
    if twice:
        raise InputError(
            code="column-twice",
            message=f"every column needs a name of its own, got {twice[0]!r} twice in {source}",
            hint="rename one of them in the file's first line",
        )


def _check_header(sample: dict[str, list[str | None]], source: str) -> None:
    """Refuses to take a first line for names that looks like a row: one document would be lost silently."""
    for name, values in sample.items():
        if len(name) > LONGEST_NAME or (name.strip() and values.count(name) > 1):
            raise InputError(
                code="header-missing",
                message=f"the first line must hold the names of the columns, but that of {source} looks like a row:"
                f" {name!r:.70}",
                hint="header=False for a file without names; its columns are then called '1', '2', ...",
            )


def _no_such_column(given: str, names: Sequence[str], source: str) -> InputError:
    close = get_close_matches(given, names, n=1)
    return InputError(
        code="column-unknown",
        message=f"{source} has the columns {_listed(names)}, got {given!r}",
        hint=f"did you mean {close[0]!r}?" if close else "names are compared as they are: 'Text' is not 'text'",
    )


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(
        repr(name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…") for name in names[:20]
    )
    return shown + (f" and {len(names) - 20} more" if len(names) > 20 else "")
