"""Labels: text, integers or booleans; one kind in one model."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likelier._base.checks import has_entries
from likelier._base.errors import LikelierError, error
from likelier._kernel import Column, distinct_str
from likelier._show.words import listed

Label = str | int | bool
_SHOWN = 10  # groups of labels in one message
ALIKE = 0.8  # of 1, for misspellings; delivry and delivery have 0.93, ham and spam 0.57


def checked_label(label: object, where: str = "") -> Label:
    """The label as plain Python, or an error that says where it stands.

    >>> checked_label("spam"), checked_label(np.int64(3)), checked_label(np.True_)
    ('spam', 3, True)
    """
    if isinstance(label, np.generic):
        label = label.item()
    if isinstance(label, str):
        _check_encodable(label, where)
        return label
    if isinstance(label, int):
        return label
    if is_missing(label):
        raise error("label-missing", got=label, where=where)
    raise error("label-kind", got=label, where=where)


def is_missing(value: object) -> bool:
    """Whether a value stands for none: None, NaN, and what pandas has for it.

    >>> is_missing(None), is_missing(float("nan")), is_missing(""), is_missing(0)
    (True, True, False, False)
    """
    if value is None:
        return True
    try:
        return bool(value != value)  # only NaN differs from itself
    except (TypeError, ValueError, ArithmeticError):  # pandas.NA is neither equal nor different; arrays are many values
        return type(value).__name__ == "NAType"


def checked_labels(labels: Iterable[object], known: Sequence[Label] = ()) -> list[Label]:
    """All labels as plain Python; they must be of one kind, together with those already known."""
    if isinstance(labels, str | bytes) or not has_entries(labels):
        raise error("labels-not-a-list", labels=labels)
    checked, distinct = _plain(labels if type(labels) is list else list(labels))
    kinds = set(map(type, distinct)) | {type(label) for label in known}
    if len(kinds) > 1:
        names = listed(sorted(kind.__name__ for kind in kinds))
        raise error("label-kinds-mixed", got=names)
    return checked


def distinct_labels(labels: Iterable[object] | Column) -> tuple[list[Any], NDArray[np.intp]]:
    """The distinct labels in order of first sight, and for each document which of them.

    >>> distinct_labels(["ham", "spam", "ham"])
    (['ham', 'spam'], array([0, 1, 0]))
    """
    if isinstance(labels, Column):
        _check_none_missing(labels)
        values, places = labels.distinct()
        if labels.kind == "float" and values:
            checked_label(values[0], " in a column")
        return values, places.astype(np.intp)
    if type(labels) is list and (found := distinct_str(labels)):
        return checked_labels(found[0]), found[1].astype(np.intp)
    checked = checked_labels(labels)
    numbers: dict[Label, int] = {}
    which = [numbers.setdefault(label, len(numbers)) for label in checked]
    return list(numbers), np.array(which, dtype=np.intp)


def _check_none_missing(labels: Column) -> None:
    if len(missing := labels.missing()):
        checked_label(None, f" for document {missing[0]}")


def _plain(labels: list[Any]) -> tuple[list[Label], Sequence[Label]]:
    """The labels, each checked, and at least one of each kind."""
    if found := distinct_str(labels):  # most are text, and of many only a few differ
        for label in found[0]:
            checked_label(label)
        return labels, found[0]
    checked = [checked_label(label, f" for document {row}") for row, label in enumerate(labels)]
    return checked, checked


def unknown_label(label: object, labels: Sequence[Label]) -> LikelierError:
    """The error for a label that is not there."""
    return error("label-unknown", labels=", ".join(map(repr, labels)), got=label)


def misspelling_of(label: Label, others: Sequence[Label]) -> Label | None:
    """The label of which this one may be a misspelling. Labels with different numbers in them are meant to differ.

    >>> [misspelling_of(new, ["delivery", "topic10", "spam"]) for new in ("delivry", "topic11", "Spam ")]
    ['delivery', None, 'spam']
    """

    def folded(one: Label) -> str:
        return str(one).strip().casefold()

    def numbers(one: Label) -> list[str]:
        return re.findall(r"\d+", str(one))

    written = {folded(other): other for other in others if numbers(other) == numbers(label)}
    found = get_close_matches(folded(label), written, n=1, cutoff=ALIKE)
    return written[found[0]] if found else None


def _tidy(label: str) -> str:
    return " ".join(label.split())


def alike(labels: Iterable[Label]) -> list[list[str]]:
    """Groups of labels that differ only in case or blanks, which is hardly ever meant.

    >>> alike(["Login", "login ", "refund", "LOGIN"])
    [['LOGIN', 'Login', 'login ']]
    """
    groups: dict[str, list[str]] = {}
    for label in labels:
        if isinstance(label, str):
            groups.setdefault(_tidy(label).casefold(), []).append(label)
    return [sorted(group) for _, group in sorted(groups.items()) if len(group) > 1]


def alike_in_words(groups: Sequence[Sequence[str]]) -> str:
    """What is wrong with these groups of labels.

    >>> alike_in_words(alike(["Login", "login ", "refund"]))
    "2 labels differ only in case or blanks: 'Login' and 'login '"
    """
    shown = "; ".join(listed(map(repr, group)) for group in groups[:_SHOWN])
    more = f"; and {len(groups) - _SHOWN} more groups" if len(groups) > _SHOWN else ""
    return f"{sum(map(len, groups))} labels differ only in case or blanks: {shown}{more}"


def spellings(times: Mapping[Label, int]) -> dict[str, str]:
    """Of labels that differ only in case or blanks, the most frequent spelling, with blanks trimmed and collapsed.

    times: how often each label occurs.

    >>> spellings({"Login": 3, "login ": 1, "login": 1, " Re  fund": 2})
    {'login': 'Login', 're fund': 'Re fund'}
    """
    often: Counter[str] = Counter()
    for label, number in times.items():
        if isinstance(label, str):
            often[_tidy(label)] += number
    found: dict[str, str] = {}
    for spelling in sorted(often, key=lambda each: (-often[each], each)):
        found.setdefault(spelling.casefold(), spelling)
    return found


def respelled(label: Any, known: dict[str, str]) -> Any:
    """The label as `spellings` has it; a new one is cleaned and becomes known.

    >>> respelled("LOGIN ", {"login": "Login"}), respelled(5, {})
    ('Login', 5)
    """
    if not isinstance(label, str):
        return label
    tidy = _tidy(label)
    return known.setdefault(tidy.casefold(), tidy)


def key(label: Label) -> str:
    """A text that stands for the label, different for labels that differ.

    >>> key("1"), key(1), key(True)
    ('str:1', 'int:1', 'bool:True')
    """
    return f"{type(label).__name__}:{label}"


def _check_encodable(label: str, where: str) -> None:
    try:
        label.encode()
    except UnicodeEncodeError:
        raise error("label-surrogate", got=label, where=where) from None
