"""The library's errors in the words of the command line.

A hint of the library shows a call, `view(prior='uniform')`; here it must be something to type, `--prior uniform`. Most
are the same with the names of options; the others have a `command` in the catalog of errors.
"""

from __future__ import annotations

import re
import shlex

from likelier._base.errors import LikelierError, catalog
from likelier._settings.table import NAMES, SETTINGS

OPTIONS = {  # argument → option
    **{
        name: f"--{name.replace('_', '-')}"
        for name in (
            "binary", "bind", "categorical", "char_ngrams", "clean_labels", "column", "count_a", "count_b",
            "count_both", "delimiter", "digits", "encoding", "evidence", "ignore", "joint", "kind", "label",
            "language", "lemmatize", "like", "likelihood", "likelihood_otherwise", "max_document", "min_length",
            "most_terms", "names", "numeric", "on_error", "quote", "rejects", "replace", "rounded", "sheet", "stem",
            "text", "threads", "total",
        )
    },
    **{each.key: each.name for setting in SETTINGS.values() for each in setting.options if each.key in NAMES},
    "decide": "--threshold",
    "header": "--no-header",
    "lowercase": "--keep-case",
    "old": "--from",
    "missing_values": "likelier train --missing-value",
    "punctuation": "--keep-punctuation",
    "words": "--no-words",
}  # fmt: skip
WORDS = {
    "beta": "the number of f",
    "bins": "the number of intervals",
    "columns": "the view",
    "false_positive_rate": "false-positive-rate",
    "floor": "the least variance",
    "precision": "precision",
    "recall": "recall",
}
SWITCHES = {"header", "lowercase", "punctuation", "words", "lemmatize", "stem", "normalize", "idf"}

_LIST = re.compile(rf"\b({'|'.join(sorted(OPTIONS, key=len, reverse=True))})=\[([^\]]*)\]")
_BACKTICKS = re.compile(r"`(\w+)(?:=([^`]*))?`")
_ARGUMENT = re.compile(rf"\b({'|'.join(sorted(OPTIONS, key=len, reverse=True))})=('[^']*'|\"[^\"]*\"|[\w.]+)")


def for_the_shell(error: LikelierError) -> tuple[str, str]:
    """Message and hint."""
    message = error.message
    if error.code == "document-not-learnt":  # no option sets a weight
        message = message.replace(" and weight", "")
    return in_options(message), catalog()[error.code].get("command") or in_options(error.hint)


def in_options(text: str) -> str:
    """The text with options in place of arguments.

    >>> in_options("`most_terms` must be 1 or more"), in_options("name them: text='message', label='folder'")
    ('--most-terms must be 1 or more', 'name them: --text message --label folder')
    """
    text = _BACKTICKS.sub(lambda found: OPTIONS.get(found[1], WORDS.get(found[1], found[0])), text)
    text = _LIST.sub(_repeated, text)
    return re.sub(r"(--([\w-]+) [^\s,]+), (?=--(?!\2 ))", r"\1 ", _ARGUMENT.sub(_option, text))


def _repeated(found: re.Match[str]) -> str:
    """A list is an option for each of its entries; one that is left open is an example."""
    option, values = OPTIONS[found[1]], re.findall(r"'([^']*)'", found[2])
    example = "TEXT" if found[1] == "missing_values" else "COLUMN"
    return " ".join(f"{option} {shlex.quote(value)}" for value in values) or f"{option} {example}"


def _option(found: re.Match[str]) -> str:
    name, value = found[1], found[2]
    if name in SWITCHES:
        return OPTIONS[name]
    plain = value[1:-1] if value[0] in "'\"" else value
    return f"{OPTIONS[name]} {shlex.quote(plain)}"
