"""Options that several commands share. A group turns its options into one object of the library, or what makes one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click

from likelier._cli.failures import Misuse
from likelier._cli.output import Screen
from likelier._cli.program import Function, option
from likelier._cli.setting_options import setting_options
from likelier._cli.targets import NewFile
from likelier._cli.values import Range, as_number
from likelier._cli.viewing import view_given

Made = TypeVar("Made")
Decorator = Callable[[Function], Function]
COUNTED_BY_ANALYZER = ("ngrams", "stop_words")  # by options of the same name
KINDS = ("csv", "tsv", "jsonl", "parquet", "mbox", "maildir", "mail", "txt", "html", "labels")


def model_argument(function: Function) -> Function:
    """MODEL, the file."""
    return click.argument("model", metavar="MODEL", type=click.Path(path_type=Path))(function)


def option_group(parameter: str, make: Callable[..., Made], *options: Decorator[Any]) -> Decorator[Any]:
    """Several options as one argument of the command."""

    def decorate(function: Any) -> Any:
        names: list[str] = []

        @wraps(function)
        def call(**given: Any) -> Any:
            mine = {name: given.pop(name) for name in names}
            return function(**given, **{parameter: make(**mine)})

        before = len(getattr(call, "__click_params__", []))
        for each in reversed(options):
            each(call)
        names += [made.name for made in getattr(call, "__click_params__", [])[before:]]
        return call

    return decorate


# ---- output ------------------------------------------------------------------------------------------------------

screen_options = option_group(
    "screen",
    Screen,
    option("--quiet", "-q", is_flag=True, group="Output", help="Only errors and warnings on stderr."),
    option(
        "--color/--no-color",
        default=None,
        group="Output",
        help="Write colours or not; without it, where a terminal shows them and NO_COLOR is not set.",
    ),
)

json_option = option("--json", "as_json", is_flag=True, group="Output", help="Print JSON.")
threads_option = option(
    "--threads",
    type=click.IntRange(min=1),
    metavar="N",
    group="Output",
    help="Threads to use; without it, one for each core.",
)


# ---- reading -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ReadingOptions:
    """How files are read; `documents` opens them."""

    given: dict[str, Any] = field(default_factory=dict)
    rejects: Path | None = None

    def documents(self, sources: list[str], *, labelled: bool, **more: Any) -> Any:
        """The documents of files."""
        from likelier._read.reader import read

        return read(sources, labelled=labelled, rejects=self.rejects, **self.given, **more)

    @property
    def for_tables(self) -> list[str]:
        """The options that were given and say something about files with rows alone."""
        usual = {"kind": None, "delimiter": None, "quote": None, "header": True, "text": None, "on_error": "stop"}
        names = {"header": "--no-header", "on_error": "--on-error"}
        return [names.get(name, f"--{name}") for name, value in usual.items() if self.given.get(name, value) != value]

    def with_columns(self, **columns: Any) -> ReadingOptions:
        """The same for certain columns: their names and kinds, or a model's schema."""
        return replace(self, given={**self.given, **columns})


def _reading(
    kind: str | None, delimiter: str | None, quote: str | None, on_error: str, rejects: Path | None, **more: Any
) -> ReadingOptions:
    if rejects is not None and on_error != "skip":
        raise Misuse("--rejects is for rows that are skipped", hint=f"--on-error skip --rejects {rejects}")
    delimiter = {"\\t": "\t", "tab": "\t"}.get(delimiter or "", delimiter)
    given = {"kind": kind, "delimiter": delimiter, "quote": quote, "on_error": on_error}
    return ReadingOptions({**given, **more}, rejects)


def max_document_option(group: str) -> Decorator[Any]:
    """The longest document."""
    return option(
        "--max-document",
        default="64MB",
        metavar="SIZE",
        group=group,
        help="The longest document or row, such as 256MB; without it, 64MB.",
    )


reading_options = option_group(
    "reading",
    _reading,
    option(
        "--kind",
        metavar="KIND",
        group="Reading",
        help=f"What the files are, where their names do not say it: {', '.join(KINDS)}.",
    ),
    option("--encoding", default="utf-8", metavar="NAME", group="Reading", help="Such as cp1252; without it, UTF-8."),
    option("--delimiter", metavar="CHARACTER", group="Reading", help="Between fields; 'tab' for a tab."),
    option("--quote", metavar="CHARACTER", group="Reading", help="Around fields that contain the delimiter."),
    option(
        "--no-header",
        "header",
        flag_value=False,
        default=True,
        group="Reading",
        help="The first line is a row; columns are called 1, 2, ...",
    ),
    max_document_option("Reading"),
    option(
        "--on-error",
        type=click.Choice(["stop", "skip"]),
        default="stop",
        group="Reading",
        help="At a broken row: stop, or skip it and count it.",
    ),
    option(
        "--rejects",
        type=NewFile("rejects.csv"),
        metavar="FILE",
        group="Reading",
        help="Where to write the skipped rows.",
    ),
)


# ---- analyzer ----------------------------------------------------------------------------------------------------


def _analyzer(
    stop_words: str | None, replacements: tuple[str, ...], keep_case: bool, keep_punctuation: bool, **settings: Any
) -> Any:
    from likelier._text.analyzer import Analyzer

    dropped: Any = as_number(stop_words) if stop_words and stop_words.isdecimal() else stop_words
    return Analyzer(
        stop_words=dropped,
        replace=_replacements(replacements),
        lowercase=not keep_case,
        punctuation="keep" if keep_punctuation else "drop",
        **settings,
    )


def _replacements(given: tuple[str, ...]) -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    for entry in given:
        lines = [entry]
        if entry.startswith("file:"):
            text = Path(entry.removeprefix("file:")).read_text(encoding="utf-8-sig")
            lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
        for line in lines:
            word, equals, term = line.partition("=")
            if not equals:
                raise Misuse(f"--replace takes WORD=TERM, got {line!r}", hint='--replace "New York=new_york"')
            pairs.append((word, term))
    return pairs


analyzer_options = option_group(
    "analyzer",
    _analyzer,
    option("--language", metavar="CODE", group="Words", help="For lemmas and stems, such as de."),
    option(
        "--stop-words",
        metavar="WHICH",
        group="Words",
        help="Words to drop: a list such as en, file:words.txt, or a number: the most frequent ones.",
    ),
    option("--lemmatize", is_flag=True, group="Words", help="Count dictionary forms: wolf for Wölfe."),
    option("--stem", is_flag=True, group="Words", help="Count stems, cut by rules: hous for houses."),
    option(
        "--ngrams",
        type=Range(),
        default=1,
        metavar="N",
        group="Words",
        help="Also runs of up to N words; 2-3: only those.",
    ),
    option("--char-ngrams", type=Range(), metavar="N", group="Words", help="Also pieces of words, such as 3 or 2-4."),
    option(
        "--no-words", "words", flag_value=False, default=True, group="Words", help="Only the pieces of --char-ngrams."
    ),
    option("--keep-case", is_flag=True, group="Words", help="Der and der are two words."),
    option("--keep-punctuation", is_flag=True, group="Words", help="Marks are words too."),
    option("--min-length", type=int, default=1, metavar="N", group="Words", help="Drop words of fewer characters."),
    option(
        "--replace",
        "replacements",
        multiple=True,
        metavar="WORD=TERM",
        group="Words",
        help="Count TERM for WORD, which may be several words; file:FILE for many. Repeatable.",
    ),
)


# ---- view --------------------------------------------------------------------------------------------------------

view_options = option_group("view", view_given, *setting_options())
train_view_options = option_group("view", view_given, *setting_options(without=COUNTED_BY_ANALYZER))
