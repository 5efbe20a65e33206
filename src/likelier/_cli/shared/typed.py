"""Documents as typed: texts, COLUMN=VALUE arguments, one email or lines of text or JSON on standard input."""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, BinaryIO

from likelier._base.errors import LikelierError
from likelier._cli.shared.failures import Misuse
from likelier._cli.shared.options import listed, unknown
from likelier._cli.shared.output import Screen
from likelier._documents.batch import Batch
from likelier._documents.schema import Schema
from likelier._read.choice import ignored_note
from likelier._read.formats import kind_by_name
from likelier._read.intake import asked
from likelier._read.lines import whole_text
from likelier._read.reader import read
from likelier._read.text_tables import json_object
from likelier._text.texts import listed_texts

Document = str | dict[str, Any]

# ---- arguments ---------------------------------------------------------------------------------------------------


def typed(arguments: Sequence[str], schema: Schema, command: str) -> list[Document]:
    """The documents in arguments: a text each, or COLUMN=VALUE pairs that form one document."""
    if schema.is_plain or not arguments:
        return list(arguments)
    pairs = [_pair(argument, schema) for argument in arguments]
    document = dict(pair for pair in pairs if pair is not None)
    if not document:
        check_text_column(schema, arguments[0], command)
        return list(arguments)
    if None in pairs:
        text = arguments[pairs.index(None)]
        raise Misuse(
            f"a document is either one text or COLUMN=VALUE arguments, got {text!r} as well",
            hint=f"name its column: {shlex.quote(f'{_first_text(schema)}={text}')}",
        )
    if len(document) < len(pairs):
        twice = next(name for name in document if sum(pair is not None and pair[0] == name for pair in pairs) > 1)
        raise Misuse(
            f"got two values for the column {twice!r}",
            hint=f"give one document at a time, or use a file: {command} --input FILE",
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
        raise unknown("column", name, list(schema.read))
    return None


def check_text_column(schema: Schema, got: str, command: str) -> None:
    """Refuse a text without a column name, unless there is exactly one text column."""
    if not schema.is_plain and len(schema.texts) != 1:
        there = f"has the text columns {listed(schema.texts)}" if schema.texts else "has no text column"
        raise Misuse(
            f"a text without a column name requires a model with one text column, and this model {there};"
            f" got {got[:60]!r}",
            hint=f"{command} {shlex.quote(f'{_first_text(schema)}=VALUE')} ...",
        )


def _first_text(schema: Schema) -> str:
    return next(iter(schema.texts), next(iter(schema.read)))


def check_not_files(texts: Sequence[str], hint: str) -> None:
    """Refuse the name of a file in place of a text."""
    for text in texts:
        if len(text) < 1000 and "\0" not in text and os.path.exists(text):
            raise Misuse(f"expected a text, but {text!r} is a file", hint=hint.format(shlex.quote(text)))


def missing_files(texts: Sequence[str]) -> list[str]:
    """Texts that look like file names; `check_not_files` found no such files."""
    return [text for text in texts if len(text.split()) == 1 and "://" not in text and kind_by_name(text)]


def warn_of_names(texts: Sequence[str], screen: Screen) -> None:
    """Warn of texts that look like file names; classifying them does no harm."""
    for text in missing_files(texts):
        screen.warning(f"no such file: {text!r}; treating it as a text")


# ---- standard input ----------------------------------------------------------------------------------------------


def standard_input(screen: Screen, what: str = "a text") -> BinaryIO:
    """Standard input, with instructions if it is a keyboard."""
    if sys.stdin is None:  # closed: `<&-`
        raise Misuse("standard input is closed", hint="give the text as an argument")
    if sys.stdin.isatty():
        screen.note(f"type {what} and press Enter; finish with Ctrl-D")
    return sys.stdin.buffer


@dataclass(frozen=True)
class TypedInput:
    """One document: an argument, COLUMN=VALUE arguments, one email, or all of standard input."""

    schema: Schema
    screen: Screen
    command: str
    mail: bool
    encoding: str | None
    max_document: str

    def document(self, arguments: Sequence[str]) -> Document:
        """The document; without arguments, standard input may be a JSON object."""
        if self.mail:
            if arguments:
                raise Misuse("--mail reads standard input and takes no TEXT", hint=f"{self.command} --mail < FILE")
            check_text_column(self.schema, "--mail", self.command)
            return mail_text(self.encoding, self.max_document)
        (document,) = typed(arguments, self.schema, self.command) or ["-"]
        if document != "-":
            return document
        text = whole_text(standard_input(self.screen), self.encoding, self.max_document)
        return text if arguments else of_line(text, self.schema, "standard input", self.command)


def mail_text(encoding: str | None, max_document: str) -> str:
    """The email on standard input as text: headers decoded, HTML converted to text, attachments skipped."""
    documents = read("-", kind="mail", labeled=False, encoding=encoding, max_document=max_document)
    return "\n".join(text for batch in documents for text in listed_texts(batch.texts))


def of_line(line: str, schema: Schema, where: str, command: str) -> Document:
    """A line of standard input: a text or, for a model with columns, a JSON object."""
    if schema.is_plain or not line.lstrip().startswith("{"):
        try:
            check_text_column(schema, line, command)
        except Misuse as error:
            raise Misuse(
                f"{where} must be a JSON object with the columns {listed(schema.read)}; got {line[:60]!r}",
                hint=f"{json.dumps(dict.fromkeys(list(schema.read)[:2], '...'), ensure_ascii=False)}, one per line",
            ) from error
        return line
    try:
        return json_object(line)
    except json.JSONDecodeError as error:
        at = f" at character {error.pos + 1}" if error.doc == line else ""
        raise Misuse(
            f"{where} is not a valid JSON object: {error.msg[:1].lower()}{error.msg[1:]}{at}",
            hint='names are in double quotes: {"Age": 30}',
        ) from None


# ---- batches -----------------------------------------------------------------------------------------------------


class Asking:
    """Makes batches of typed documents; columns unknown to the model are reported once."""

    def __init__(self, schema: Schema, screen: Screen) -> None:
        self.schema, self.screen = schema, screen
        self._known = set(schema.read)

    def about(self, documents: Sequence[Document], where: Callable[[int], str]) -> Batch:
        """The documents as a batch; `where` names the place of one."""
        self.note_ignored(documents)
        with placed(where):
            return replace(asked(self.schema, documents), where=where, notes=())

    def note_ignored(self, documents: Sequence[Document]) -> None:
        """Report columns that the model does not have."""
        named = [name for each in documents if isinstance(each, dict) for name in each]
        beyond = list(dict.fromkeys(name for name in named if name not in self._known))
        self._known.update(beyond)
        for note in ignored_note(beyond):
            self.screen.note(note)


def argument(count: int) -> Callable[[int], str]:
    """The place of a typed document among `count`."""
    return lambda row: "this document" if count == 1 else f"argument {row + 1}"


@contextmanager
def placed(where: Callable[[int], str]) -> Iterator[None]:
    """Errors inside name the place of a document instead of its number."""
    try:
        yield
    except LikelierError as error:
        message = re.sub(r"\bdocument (\d+)", lambda found: where(int(found[1])), error.message)
        raise type(error)(code=error.code, message=message, hint=error.hint) from None
