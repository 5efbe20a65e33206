"""Which columns are read, and as what: as named, as a model's schema says, or guessed.

The label goes by the usual names first; where those say nothing it is the only column with few different short values.
The other columns are guessed one by one (`guessing`); if only one with text is left, documents are plain texts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches

from likelier._base.errors import InputError
from likelier._documents.kinds import Binary, Text
from likelier._documents.schema import Schema
from likelier._read.guessing import EMPTY, TEXT_NAMES, Guess, all_numbers, guess_kind, looks_like_text
from likelier._read.head import LONGEST_NAME, Head, listed
from likelier._read.noting import guessed, ignored, left_out, not_there, reasons
from likelier._read.wanted import Wanted

LABEL_NAMES = ("label", "class", "category", "target", "folder", "topic", "sentiment", "tag", "labels")
FEW_VALUES = 0.2  # of the rows, up to which a column looks like labels


@dataclass(frozen=True)
class Choice:
    """The columns that are read.

    text    the column with the texts, where documents are plain texts
    schema  the columns of documents that are more than that
    label   None where the documents get theirs elsewhere, or need none
    """

    text: str | None
    label: str | None = None
    notes: tuple[str, ...] = ()
    schema: Schema | None = None
    absent: tuple[str, ...] = ()  # columns of the schema that the table does not have

    @property
    def columns(self) -> list[str]:
        """The names of the columns that are read."""
        absent = set(self.absent)
        read = [] if self.schema is None else [name for name in self.schema.read if name not in absent]
        return [name for name in (self.text, *read, self.label) if name is not None]

    def settled(self, asked: Wanted) -> Wanted:
        """What is wanted of the next table: the same."""
        schema = asked.schema if self.schema is None else self.schema
        return replace(asked, text=self.text, schema=schema, kinds={}, ignore=())


def choose(head: Head, asked: Wanted, *, label: str | None, labelled: bool) -> Choice:
    """The columns of a table; what was guessed is said in the notes."""
    _check_names(head)
    if not head.names:
        raise _nothing_usable(head.source, {})
    there = set(head.names)
    unknown = [name for name in asked.named if name not in there]
    if label is not None and label not in head.names:
        unknown.append(label)
    if unknown:
        raise _no_such_column(unknown[0], head)
    known = [*asked.named, *(asked.schema.read if asked.schema is not None and not asked.schema.is_plain else ())]
    if label in known:
        raise _both(str(label), asked, head.source)
    notes = []
    if label is None and asked.schema is not None and asked.schema.label in head.names:
        label = asked.schema.label  # where the model had it
    if labelled and label is None:
        label = _guess_label(head, known)
        notes.append(f"label column: {label!r} (guessed)")
    choice = _choice(head, asked, label)
    schema = choice.schema
    if schema is not None and labelled and schema.label is None:
        schema = replace(schema, label=label)
    return replace(choice, label=label if labelled else None, notes=(*choice.notes, *notes), schema=schema)


def _choice(head: Head, asked: Wanted, label: str | None) -> Choice:
    if asked.is_open:
        return _guessed(head, asked, label)
    if asked.is_plain:
        return _text(_guess_text(head, label)) if asked.text is None else Choice(asked.text)
    return _named(head, asked, label) if asked.schema is None else _of_schema(head, asked.schema, label)


def _text(name: str) -> Choice:
    return Choice(name, notes=(f"text column: {name!r} (guessed)",))


def _named(head: Head, asked: Wanted, label: str | None) -> Choice:
    """The columns that were named; the others are left out, or guessed if that is wanted."""
    kept = {*asked.kinds, *asked.ignore, label}
    left = [name for name in head.names if name not in kept]
    sample = head.sample() if left and asked.others == "guess" else {}
    guesses = {name: _guess(name, head, sample[name], asked.missing) for name in left if name in sample}
    usable = {name: guess for name, guess in guesses.items() if not isinstance(guess, str)}
    kinds = {**asked.kinds, **usable}
    columns = {name: kinds[name] for name in head.names if name in kinds}
    notes = (guessed(guesses),) if guesses else left_out(left)
    return Choice(None, notes=notes, schema=Schema(columns, asked.missing))


def _of_schema(head: Head, schema: Schema, label: str | None) -> Choice:
    known, there = schema.read, set(head.names)
    absent = [name for name in known if name not in there]
    beyond = [name for name in head.names if name not in known and name != label]
    if len(absent) == len(known) and beyond and not head.grows:
        raise InputError(
            code="columns-none",
            message=f"{head.source} has none of the columns {listed(known)}; it has {listed(head.names)}",
            hint="names are compared as they are: 'Age' is not 'age'",
        )
    usual = named_like_labels(beyond)
    lacking = () if head.loose else not_there(absent, head)
    notes = (*lacking, *ignored([name for name in beyond if name not in usual]))
    return Choice(None, notes=notes, schema=schema, absent=() if head.grows else tuple(absent))


def _guessed(head: Head, asked: Wanted, label: str | None) -> Choice:
    """Of all columns; where only one with text is left, documents are plain texts."""
    ignored = {*asked.ignore, label}
    others = [name for name in head.names if name not in ignored]
    sample = head.sample()
    if not any(sample.values()) and not head.loose:
        return _text(_guess_text(head, label))  # there are no rows to look at
    guesses = {name: _guess(name, head, sample[name], asked.missing) for name in others}
    columns = {name: guess for name, guess in guesses.items() if not isinstance(guess, str)}
    if [type(kind) for kind in columns.values()] == [Text] and not head.loose:
        return _text(next(iter(columns)))
    if not head.loose and len(others) == 1 and _is_text_after_all(others[0], guesses[others[0]], sample, head):
        return _text(others[0])
    if not columns:
        raise _nothing_usable(head.source, guesses)
    return Choice(None, notes=(guessed(guesses),), schema=Schema(columns, asked.missing))


def _guess(name: str, head: Head, values: Sequence[str | None], missing: Sequence[str]) -> Guess:
    if name in head.unreadable:
        return head.unreadable[name]
    found = guess_kind(name, values, missing)
    return head.known.get(name, found) if found != EMPTY else found


def _is_text_after_all(name: str, guess: Guess, sample: Mapping[str, Sequence[str | None]], head: Head) -> bool:
    """The only column beside the label: single words, all different or not, are texts then."""
    return name not in head.unreadable and not isinstance(guess, Binary) and not all_numbers(sample[name])


def named_like_labels(names: Sequence[str]) -> tuple[str, ...]:
    """The columns with a usual name for labels."""
    return tuple(name for name in names if name.strip().lower() in LABEL_NAMES)


def _guess_label(head: Head, known: Sequence[str]) -> str:
    taken = set(known)
    others = [name for name in head.names if name not in taken]
    named = _by_name(others, LABEL_NAMES)
    if named is not None:
        return named
    sample = head.sample()
    _check_header(sample, head.source)
    return _only("label", [name for name in others if _looks_like_labels(sample[name])], head)


def _guess_text(head: Head, label: str | None) -> str:
    others = [name for name in head.names if name != label]
    named = _by_name(others, TEXT_NAMES)
    if named is not None:
        return named
    if len(others) == 1:
        return others[0]
    sample = head.sample()
    _check_header(sample, head.source)
    return _only("text", [name for name in others if looks_like_text(sample[name])], head)


def _by_name(names: Sequence[str], usual: Sequence[str]) -> str | None:
    found = [name for name in names if name.strip().lower() in usual]
    return found[0] if len(found) == 1 else None


def _looks_like_labels(values: list[str | None]) -> bool:
    there = [value for value in values if value]
    few = len(set(there)) <= max(2, FEW_VALUES * len(values))
    return bool(there) and len(there) * 2 > len(values) and few and not looks_like_text(values)


def _only(what: str, found: list[str], head: Head) -> str:
    if len(found) == 1:
        return found[0]
    could_be = f"{listed(found)} could be" if found else "none looks like"
    raise InputError(
        code="column-unclear",
        message=f"which column is the {what}? {head.source} has {listed(head.names)}; {could_be} the {what}",
        hint=f"name it: {what}={(found or list(head.names))[0]!r}",
    )


def _check_names(head: Head) -> None:
    twice = [name for name, times in Counter(head.names).items() if times > 1 and name.strip()]
    if twice:
        raise InputError(
            code="column-twice",
            message=f"every column needs a name of its own, got {twice[0]!r} twice in {head.source}",
            hint="rename one of them; in a file the first line has the names",
        )


def _check_header(sample: dict[str, list[str | None]], source: str) -> None:
    """Refuses to take a first line for names that looks like a row: one document would be lost silently."""
    for name, values in sample.items():
        measured = "." in name and all_numbers([name])
        if measured or len(name) > LONGEST_NAME or (name.strip() and values.count(name) > 1):
            raise InputError(
                code="header-missing",
                message=f"the first line must hold the names of the columns, but that of {source} looks like a row:"
                f" {name!r:.70}",
                hint="header=False for a file without names; its columns are then called '1', '2', ...",
            )


def _no_such_column(given: str, head: Head) -> InputError:
    close = get_close_matches(given, head.names, n=1)
    return InputError(
        code="column-unknown",
        message=f"{head.source} has the columns {listed(head.names)}, got {given!r}",
        hint=f"did you mean {close[0]!r}?" if close else "names are compared as they are: 'Text' is not 'text'",
    )


def _both(label: str, asked: Wanted, source: str) -> InputError:
    what = "text" if label == asked.text else "a column of the documents"
    return InputError(
        code="columns-same",
        message=f"{what} and label must be two columns, got {label!r} for both in {source}",
        hint="name them: text='message', label='folder'",
    )


def _nothing_usable(source: str, guesses: dict[str, Guess]) -> InputError:
    return InputError(
        code="columns-unusable",
        message=f"no column of {source} says anything about the label: {reasons(guesses) or 'there is no other'}",
        hint="name the columns and what they hold: text=[...], categorical=[...], numeric=[...]",
    )
