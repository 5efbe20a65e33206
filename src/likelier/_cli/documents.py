"""Documents as they are typed: texts, COLUMN=VALUE arguments, lines of text or JSON; ready to be asked about."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from likelier._base.errors import LikelierError
from likelier._cli.failures import Misuse
from likelier._cli.output import Screen
from likelier._cli.values import listed

if TYPE_CHECKING:
    from likelier._documents.batch import Batch
    from likelier._documents.schema import Schema

Document = str | dict[str, Any]


def typed(arguments: Sequence[str], schema: Schema, command: str) -> list[Document]:
    """The documents that arguments say: a text each, or COLUMN=VALUE pairs that together are one."""
    if schema.is_plain or not arguments:
        return list(arguments)
    pairs = [_pair(argument, schema) for argument in arguments]
    document = dict(pair for pair in pairs if pair is not None)
    if not document:
        check_text_column(schema, arguments[0], command)
        return list(arguments)
    if None in pairs:
        raise Misuse(
            f"a document is a text alone, or COLUMN=VALUE for its columns; got {arguments[pairs.index(None)]!r} too",
            hint=f"name its column: {shlex.quote(f'{_first_text(schema)}={arguments[pairs.index(None)]}')}",
        )
    if len(document) < len(pairs):
        twice = next(name for name in document if sum(pair is not None and pair[0] == name for pair in pairs) > 1)
        raise Misuse(
            f"a column has one value in a document, got {twice!r} twice",
            hint=f"ask about one document at a time; a file has many: {command} --input FILE",
        )
    return [document]


def _pair(argument: str, schema: Schema) -> tuple[str, str] | None:
    """Column and value, or None for a text. Names may contain `=`: the longest that fits is meant."""
    fits = [name for name in schema.read if argument.startswith(f"{name}=")]
    if fits:
        name = max(fits, key=len)
        return name, argument[len(name) + 1 :]
    name, equals, _ = argument.partition("=")
    if equals and len(name.split()) == 1:
        raise no_such_column(name, list(schema.read))
    return None


def no_such_column(name: str, columns: Sequence[str]) -> Misuse:
    """The error for a column that is not there."""
    plain = {column.casefold(): column for column in columns}
    close = get_close_matches(name.casefold(), plain, n=1)
    hint = f"did you mean {plain[close[0]]!r}?" if close else "columns are compared as they are: 'Age' is not 'age'"
    return Misuse(f"the columns here are {listed(columns)}; got {name!r}", hint=hint)


def check_text_column(schema: Schema, got: str, command: str) -> None:
    """Whether a text alone is a document."""
    if not schema.is_plain and len(schema.texts) != 1:
        there = f"has the text columns {listed(schema.texts)}" if schema.texts else "has none"
        raise Misuse(
            f"a text alone is a document where there is one text column, and this model {there}; got {got[:60]!r}",
            hint=f"{command} {shlex.quote(f'{_first_text(schema)}=VALUE')} ...",
        )


def _first_text(schema: Schema) -> str:
    return next(iter(schema.texts), next(iter(schema.read)))


def of_line(line: str, schema: Schema, where: str, command: str) -> Document:
    """A line of standard input: a text; for a model with columns also a JSON object."""
    if schema.is_plain or not line.lstrip().startswith("{"):
        try:
            check_text_column(schema, line, command)
        except Misuse as error:
            raise Misuse(
                f"{where} must be a JSON object with the columns {listed(schema.read)}; got {line[:60]!r}",
                hint=f"{json.dumps(dict.fromkeys(list(schema.read)[:2], '...'), ensure_ascii=False)}, one a line",
            ) from error
        return line
    from likelier._read.text_tables import json_object

    try:
        return json_object(line)
    except json.JSONDecodeError as error:
        at = f" at character {error.pos + 1}" if error.doc == line else ""
        raise Misuse(
            f"{where} begins like a JSON object and is none: {error.msg[:1].lower()}{error.msg[1:]}{at}",
            hint='an object has names in double quotes: {"Age": 30}',
        ) from None


# ---- asking ------------------------------------------------------------------------------------------------------


class Asking:
    """Makes batches of typed documents; columns that the model does not have are said once."""

    def __init__(self, schema: Schema, screen: Screen) -> None:
        self.schema, self.screen = schema, screen
        self._known = set(schema.read)

    def about(self, documents: Sequence[Document], where: Callable[[int], str]) -> Batch:
        """The documents as a batch; `where` says where one stands."""
        from likelier._read.intake import asked

        self.say_ignored(documents)
        with placed(where):
            return replace(asked(self.schema, documents), where=where, notes=())

    def say_ignored(self, documents: Sequence[Document]) -> None:
        """Notes columns that the model does not have."""
        from likelier._read.choice import ignored_note

        named = [name for each in documents if isinstance(each, dict) for name in each]
        beyond = list(dict.fromkeys(name for name in named if name not in self._known))
        self._known.update(beyond)
        for note in ignored_note(beyond):
            self.screen.note(note)


def argument(count: int) -> Callable[[int], str]:
    """Where a typed document stands among so many."""
    return lambda row: "this document" if count == 1 else f"argument {row + 1}"


@contextmanager
def placed(where: Callable[[int], str]) -> Iterator[None]:
    """Errors within say `where` a document stands instead of its number."""
    try:
        yield
    except LikelierError as error:
        message = re.sub(r"\bdocument (\d+)", lambda found: where(int(found[1])), error.message)
        raise type(error)(code=error.code, message=message, hint=error.hint) from None


def in_words(document: Mapping[str, Any], schema: Schema) -> str:
    """The values of a document in one line.

    >>> from likelier._documents.kinds import Binary

    >>> from likelier._documents.schema import Schema
    >>> in_words({"member": "yes", "id": 7, "new": ""}, Schema({"member": Binary(), "new": Binary()}))
    'member yes'
    """
    there = ((name, document.get(name)) for name in schema.read)
    return ", ".join(f"{name} {value}" for name, value in there if value not in (None, ""))
