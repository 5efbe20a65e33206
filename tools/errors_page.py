"""The page of all errors, made of their catalog: `python tools/errors_page.py > docs/errors.md`."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from textwrap import wrap
from typing import Any

from likelier._base import errors

INTRODUCTION = """\
# Errors

Every error has a code that never changes, a message and a hint. The message says what is wrong, the rule, and
the value that was given; the hint says what works. How to catch them is in
[bad input](guides/bad-input.md). This page is made by `python tools/errors_page.py > docs/errors.md` from
`errors.toml`, where every error is written, and the tests compare it.

```text
{tree}
```

Below are the message and the hint of each code; `...` is what the error at hand fills in.
"""
PLACEHOLDER = re.compile(r"\{\w[^{}]*\}")
CODE = re.compile(r"(`[^`]*`)")


def page() -> str:
    """The page, in Markdown."""
    tree = str(errors.__doc__).partition("\n\n")[2].partition("\n\n")[0]
    lines = [INTRODUCTION.format(tree="\n".join(line.removeprefix("    ") for line in tree.splitlines()))]
    kind = group = None
    for code, entry in errors.catalog().items():
        if entry["class"] != kind:
            kind, group = entry["class"], None
            lines += [f"## {kind}", ""]
        if entry.get("group") != group:
            group = entry["group"]
            lines += [*([""] if lines[-1] else []), f"### {group}", ""]
        lines += _item(code, entry)
    return "\n".join([*lines, ""]).replace("\n## ", "\n\n## ").replace("\n\n\n", "\n\n")


def _item(code: str, entry: dict[str, Any]) -> Iterator[str]:
    """The message and the hint, and below them those of other cases."""
    yield from _wrapped(f"- `{code}`: {_shown(entry['message'])}")
    yield from _wrapped(f"  Hint: {_shown(entry['hint'])}")
    for case in entry.values():
        if isinstance(case, dict) and "message" in case:
            yield from _wrapped(f"  - Or: {_shown(case['message'])}", indent=4)
            if "hint" in case:
                yield from _wrapped(f"    Hint: {_shown(case['hint'])}", indent=4)
        elif isinstance(case, dict):
            yield from _wrapped(f"  - Or with the hint: {_shown(case['hint'])}", indent=4)


def _shown(template: str) -> str:
    text = re.sub(r"\.\.\.( ?\.\.\.)+", "...", PLACEHOLDER.sub("...", template.replace("{{", "\0").replace("}}", "\1")))
    parts = CODE.split(text.replace("\0", "{").replace("\1", "}"))
    return "".join(part if part.startswith("`") else re.sub(r"([*<\\])", r"\\\1", part) for part in parts)


def _wrapped(text: str, indent: int = 2) -> list[str]:
    return wrap(text, 106, subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False)


if __name__ == "__main__":
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8")
    sys.stdout.write(page())
