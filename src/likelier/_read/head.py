"""What is known of a table before it is read: the names of its columns, and its first rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from likelier._documents.kinds import Kind
from likelier._documents.spelling import is_single

LONGEST_NAME = 60  # characters; what is longer at the head of a column is a text and no name
MOST_NAMES = 20  # that are listed

Sample = Callable[[], dict[str, list[str | None]]]  # column → its values in the first rows


@dataclass(frozen=True)
class Head:
    """What is known of a table before it is read.

    source      how it is called in messages
    unreadable  column → what it holds, where that is not one value
    known       column → kind, where the table says it
    grows       whether rows further on may have more columns
    loose       whether a row need not have every column: what it lacks is missing, and nothing is said
    """

    source: str
    names: Sequence[str]
    sample: Sample
    unreadable: Mapping[str, str] = field(default_factory=dict)
    known: Mapping[str, Kind] = field(default_factory=dict)
    grows: bool = False
    loose: bool = False


def holding_lists(columns: Mapping[str, Sequence[object]]) -> dict[str, str]:
    """The columns in which most values are lists or mappings, and not single ones.

    >>> holding_lists({"age": [39], "tags": [["a", "b"]]})
    {'tags': 'holds lists'}
    """
    nested = {name: sum(not is_single(value) for value in values) for name, values in columns.items()}
    return {name: "holds lists" for name, values in columns.items() if 2 * nested[name] > len(values)}


def listed(names: Iterable[str]) -> str:
    """Names of columns in a message.

    >>> listed(["age", "size"])
    "'age', 'size'"
    """
    every = list(names)
    shown = ", ".join(
        repr(name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…") for name in every[:MOST_NAMES]
    )
    return shown + (f" and {len(every) - MOST_NAMES} more" if len(every) > MOST_NAMES else "")
