"""The page of all settings, made of their table: `python -m likelier._settings.reference > docs/settings.md`."""

from __future__ import annotations

import sys
from textwrap import wrap

from likelier._settings.table import SETTINGS, Setting

INTRODUCTION = """\
# Settings

A view reads the counts of a model under these settings; none of them is trained. This page is made by
`python -m likelier._settings.reference > docs/settings.md`, and the tests compare it.
[Choosing settings](guides/choosing-settings.md) shows them at work.

- **Python**: `model.view(**changes)` is the stored view with changes, `model.textbook(**changes)` the
  textbook's; `model.set_view(**changes)` stores them; `train(documents, view={...})` begins with them.
- **Command line**: `likelier view MODEL` stores them; `classify`, `explain`, `inspect` and `evaluate` take
  them for one question. In `likelier train`, `--ngrams` and `--stop-words` say what is counted.
- **scikit-learn**: parameters of `NaiveBayesClassifier`; None changes nothing.

The defaults are the textbook's. A setting that was changed holds for all columns, unless `columns` gives a
column its own. Settings that do not go with a new event model go back to the textbook's, and a calibration
stays only where scores do.
"""


def page() -> str:
    """The page, in Markdown."""
    return "\n".join([INTRODUCTION, *map(_section, SETTINGS.values())])


def _section(setting: Setting) -> str:
    names = [name for name in (setting.name, setting.short) if name]
    options = [f"`{each.name}{' ' + each.metavar if each.metavar else ''}`" for each in setting.options]
    facts = {
        "Values": setting.values
        if isinstance(setting.values, str)
        else ", ".join(f"`{each!r}`" for each in setting.values),
        "Default": f"`{setting.default!r}`",
        "Per column": ", ".join(setting.kinds),
        "Command line": ", ".join(options) or f"`{setting.command}`",
        "scikit-learn": f"`{setting.parameter}`" if setting.parameter else "",
    }
    lines = [f"## {', '.join(f'`{name}`' for name in names)}", "", *_wrapped(setting.help), ""]
    return "\n".join([*lines, *(line for name, fact in facts.items() if fact for line in _item(name, fact)), ""])


def _item(name: str, fact: str) -> list[str]:
    first, *others = _wrapped(f"- **{name}**: {fact}.")
    return [first, *(f"  {line}" for line in others)]


def _wrapped(text: str) -> list[str]:
    return wrap(text, 106, break_long_words=False, break_on_hyphens=False)


if __name__ == "__main__":
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8")
    sys.stdout.write(page())
