"""Which columns are read, and as what: as named, as a model's schema says, or guessed.

The label goes by the usual names first; where those say nothing it is the only column with few different short values.
The other columns are guessed one by one (`guessing`). If only one with text is left, documents are plain texts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches

from likelier._base.errors import LikelierError, error
from likelier._documents.kinds import Kind
from likelier._documents.schema import Schema
from likelier._read.decimals import has_decimal_commas, is_unclear
from likelier._read.guessing import (
    EMPTY,
    TEXT_NAMES,
    Guess,
    all_numbers,
    guess_kind,
    guess_note,
    looks_like_text,
    readable,
    reasons,
)
from likelier._read.tabular import LONGEST_NAME, Tabular, listed
from likelier._read.wanted import Wanted

LABEL_NAMES = ("label", "class", "category", "target", "folder", "topic", "sentiment", "tag", "labels")
FEW_VALUES = 0.2  # of the rows, up to which a column looks like labels
FEWER_ROWS = 100  # where no column has so few, one whose values come twice on average looks like labels


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
    commas: tuple[str, ...] = ()  # numeric columns with decimal commas
    is_named: bool = True  # whether the columns have names, and not only numbers

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


def choose(table: Tabular, asked: Wanted, *, label: str | None, labeled: bool) -> Choice:
    """The columns of a table; the notes say which were guessed."""
    if not table.is_named:
        asked = replace(asked, learned=None)
    known = [
        *asked.named,
        *filter(None, [asked.learned]),
        *(asked.schema.read if asked.schema is not None and not asked.schema.is_plain else ()),
    ]
    _check_names(table, asked, known, label)
    _check_learned(table, asked.learned, label)
    notes = []
    if label is None and asked.schema is not None and asked.schema.label in table.names:
        label = asked.schema.label  # where the model had it
    if labeled and label is None:
        label = _guess_label(table, known)
        notes.append(f"label column: {label!r} (guessed)")
    choice = _choice(table, asked, label)
    schema = choice.schema
    if schema is not None and labeled and schema.label is None:
        schema = replace(schema, label=label)
    commas = () if schema is None else _with_commas(table, schema)
    notes += [f"decimal commas: {_columns(commas)} (guessed)"] if commas and not table.loose else []
    notes = [*choice.notes, *notes]
    found = replace(choice, label=label if labeled else None, notes=tuple(notes), schema=schema)
    return replace(found, commas=commas, is_named=table.is_named)


def _with_commas(table: Tabular, schema: Schema) -> tuple[str, ...]:
    """The numeric columns with decimal commas."""
    there = set(table.names)
    numeric = [name for name, kind in schema.read.items() if kind.holds == "number" and name in there]
    sample = table.sample() if numeric else {}
    return tuple(name for name in numeric if has_decimal_commas(sample[name]))


def _check_names(table: Tabular, asked: Wanted, known: Sequence[str], label: str | None) -> None:
    """Raise where the columns of the table, or those that were named, make no sense."""
    twice = [name for name, times in Counter(table.names).items() if times > 1 and name.strip()]
    if twice:
        raise error("column-twice", got=twice[0], source=table.source)
    if not table.names:
        raise _nothing_usable(table.source, {})
    there = {*table.names, None}
    unknown = [name for name in (*asked.named, label) if name not in there]
    if unknown:
        near = get_close_matches(str(unknown[0]), table.names, n=1)
        case = "column-unknown.near" if near else "column-unknown.source"
        raise error(case, source=table.source, names=listed(table.names), got=unknown[0], near=near)
    if label in known:
        what = "text" if label == asked.text else "a column of the documents"
        raise error("columns-same", what=what, got=label, source=table.source)


def _check_learned(table: Tabular, learned: str | None, label: str | None) -> None:
    """Refuses to guess where a model knows the name of its text column: another column would be classified silently."""
    if learned is None or learned in table.names:
        return
    others = [name for name in table.names if name not in (label, *named_like_labels(table.names))]
    first = (get_close_matches(learned, others, n=1) or _by_look(table, others) or table.names)[0]
    raise error("text-column-absent", got=learned, source=table.source, names=listed(table.names), first=first)


def _by_look(table: Tabular, names: Sequence[str]) -> list[str]:
    """The names, first those of columns that look like text."""
    sample = table.sample()
    return sorted(names, key=lambda name: not looks_like_text(sample[name]))


def _choice(table: Tabular, asked: Wanted, label: str | None) -> Choice:
    if asked.is_open:
        return _guessed(table, asked, label)
    if asked.is_plain:
        named = asked.text or asked.learned
        return _text(_guess_text(table, label)) if named is None else Choice(named)
    return _named(table, asked, label) if asked.schema is None else _of_schema(table, asked.schema, label)


def _text(name: str) -> Choice:
    return Choice(name, notes=(f"text column: {name!r} (guessed)",))


def _named(table: Tabular, asked: Wanted, label: str | None) -> Choice:
    """The columns that were named; the others are left out, or guessed if that is wanted."""
    taken = {*asked.kinds, *asked.ignore, label}
    left = [name for name in table.names if name not in taken]
    guesses = _guesses(table, left, table.sample(), asked.missing) if left and asked.others == "guess" else {}
    kinds = {**asked.kinds, **_usable(guesses)}
    columns = {name: kinds[name] for name in table.names if name in kinds}
    note = guess_note(guesses) if guesses else f"left out: {listed(left)}" if left else None
    return Choice(None, notes=(note,) if note else (), schema=Schema(columns, asked.missing))


def _of_schema(table: Tabular, schema: Schema, label: str | None) -> Choice:
    """The columns of a model, by their names."""
    known, there = schema.read, set(table.names)
    absent = [name for name in known if name not in there]
    beyond = [name for name in table.names if name not in known and name != label]
    if len(absent) == len(known) and beyond and not table.grows:
        raise error("columns-none", source=table.source, known=listed(known), names=listed(table.names))
    notes = ignored_note(beyond)
    if absent and not table.loose:
        verb, first = "is" if len(absent) == 1 else "are", "the first rows of " if table.grows else ""
        where_so = " where it is so" if table.grows else ""
        notes = (f"{_columns(absent)} {verb} not in {first}{table.source}: taken as missing{where_so}", *notes)
    return Choice(None, notes=notes, schema=schema, absent=() if table.grows else tuple(absent))


def ignored_note(beyond: Sequence[str]) -> tuple[str, ...]:
    """A note on the columns that a model does not have; nobody expects that one for labels counts."""
    usual = named_like_labels(beyond)
    ignored = [name for name in beyond if name not in usual]
    return (f"ignored: {_columns(ignored)}",) if ignored else ()


def _columns(names: Sequence[str]) -> str:
    return f"column{'s' * (len(names) > 1)} {listed(names)}"


def _guessed(table: Tabular, asked: Wanted, label: str | None) -> Choice:
    """All columns; where only one with text is left, documents are plain texts."""
    left_out = {*asked.ignore, label}
    others = [name for name in table.names if name not in left_out]
    sample = table.sample()
    if not any(sample.values()) and not table.loose:
        return _text(_guess_text(table, label))  # there are no rows to look at
    guesses = _guesses(table, others, sample, asked.missing)
    columns = _usable(guesses)
    if not table.loose:
        if [kind.name for kind in columns.values()] == ["text"]:
            return _text(next(iter(columns)))
        # The only column beside the label: single words, all different or not, are texts then.
        if len(others) == 1 and others[0] not in table.unreadable:
            is_binary = [kind.name for kind in columns.values()] == ["binary"]
            there = [text for text in sample[others[0]] if text]
            if not is_binary and not all_numbers(readable(there)) and not is_unclear(there):
                return _text(others[0])
    if not columns:
        raise _nothing_usable(table.source, guesses)
    return Choice(None, notes=(guess_note(guesses),), schema=Schema(columns, asked.missing))


def _guesses(
    table: Tabular, names: Sequence[str], sample: Mapping[str, list[str | None]], missing: Sequence[str]
) -> dict[str, Guess]:
    """What each column holds: what the table knows, or else what its first rows look like."""
    guesses: dict[str, Guess] = {name: guess_kind(name, sample[name], missing) for name in names}
    known = {name: table.known[name] for name in names if name in table.known and guesses[name] != EMPTY}
    return {**guesses, **known, **{name: table.unreadable[name] for name in names if name in table.unreadable}}


def _usable(guesses: Mapping[str, Guess]) -> dict[str, Kind]:
    return {name: guess for name, guess in guesses.items() if not isinstance(guess, str)}


def named_like_labels(names: Sequence[str]) -> tuple[str, ...]:
    """The columns with a usual name for labels."""
    return tuple(name for name in names if name.strip().lower() in LABEL_NAMES)


def _guess_label(table: Tabular, known: Sequence[str]) -> str:
    taken = set(known)
    others = [name for name in table.names if name not in taken]
    named = _by_name(others, LABEL_NAMES)
    if named is not None:
        return named
    sample = table.sample()
    _check_header(sample, table.source)
    found = [name for name in others if _looks_like_labels(sample[name])]
    if not found and len(next(iter(sample.values()), ())) < FEWER_ROWS:
        found = [name for name in others if _looks_like_labels(sample[name], 1 / 2) and not all_numbers(sample[name])]
    return _only("label", found, table)


def _guess_text(table: Tabular, label: str | None) -> str:
    others = [name for name in table.names if name != label]
    named = _by_name(others, TEXT_NAMES)
    if named is not None:
        return named
    if len(others) == 1:
        return others[0]
    sample = table.sample()
    _check_header(sample, table.source)
    return _only("text", [name for name in others if looks_like_text(sample[name])], table)


def _by_name(names: Sequence[str], usual: Sequence[str]) -> str | None:
    found = [name for name in names if name.strip().lower() in usual]
    return found[0] if len(found) == 1 else None


def _looks_like_labels(values: list[str | None], share: float = FEW_VALUES) -> bool:
    there = [value for value in values if value]
    few = len(set(there)) <= max(2, share * len(values))
    return bool(there) and len(there) * 2 > len(values) and few and not looks_like_text(values)


def _only(what: str, found: list[str], table: Tabular) -> str:
    if len(found) == 1:
        return found[0]
    could_be = f"{listed(found)} could be" if found else "none looks like"
    names, first = listed(table.names), (found or list(table.names))[0]
    raise error("column-unclear", what=what, source=table.source, names=names, could_be=could_be, first=first)


def _check_header(sample: dict[str, list[str | None]], source: str) -> None:
    """Refuses to take a first line for names that looks like a row: one document would be lost silently."""
    for name, values in sample.items():
        measured = "." in name and all_numbers([name])
        if measured or len(name) > LONGEST_NAME or (name.strip() and values.count(name) > 1):
            raise error("header-missing", source=source, name=name)


def _nothing_usable(source: str, guesses: dict[str, Guess]) -> LikelierError:
    return error("columns-unusable", source=source, reasons=reasons(guesses) or "there is no other")
