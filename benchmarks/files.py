"""Large files of labeled texts, made from smaller ones.

A row is the first half of one document, then a line feed, then the second half of another one with the same label.
Half of the rows have a new word between them, so that the vocabulary grows with the file, as it does in nature, unless
it is asked not to. Hardly two rows are the same.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from readers import opened
from zipf import SYLLABLES

SEED = 20240301


@dataclass(frozen=True)
class Form:
    """How a row is written: the encoding of a line feed and of a piece of text, and the rest."""

    line_feed: str
    escaped: Callable[[str], str]
    row: str
    head: str = ""


PLAIN = Form("\n", str, "")
FORMS = {
    "csv": Form("\n", lambda text: text.replace('"', '""'), '{},{},"{}"\n', "id,label,text\n"),
    "jsonl": Form(
        "\\n", lambda text: json.dumps(text, ensure_ascii=False)[1:-1], '{{"id": {}, "label": "{}", "text": "{}"}}\n'
    ),
}
FORMATS = ("csv", "jsonl", "csv.gz", "jsonl.gz")

Halves = dict[str, list[tuple[str, str]]]  # label → both halves of each document


def halves(texts: Sequence[str], labels: Sequence[str]) -> Halves:
    """Documents cut at the space before their middle."""
    cut: Halves = {}
    for text, label in zip(texts, labels, strict=True):
        text = text.replace("\r", " ")
        place = max(text.rfind(" ", 0, len(text) // 2), 0)
        cut.setdefault(label, []).append((text[:place], text[place:].strip()))
    return cut


def rows(documents: Halves, form: Form, growing: bool = True) -> Iterator[tuple[str, str, int]]:
    """Label, text as encoded in the file, and bytes of the text; an endless iterator, the same for all forms."""
    random = np.random.default_rng(SEED)
    names = sorted(documents)
    written = {
        name: [[(form.escaped(half), len(half.encode())) for half in both] for both in documents[name]]
        for name in names
    }
    while True:
        picks = random.integers(1 << 40, size=(10_000, 4)).tolist()
        for first, second, which, new in picks:
            there = written[name := names[which % len(names)]]
            head, tail = there[first % len(there)][0], there[second % len(there)][1]
            word = " " + _new_word(new) if growing and new % 2 else ""
            yield name, f"{head[0]}{word}{form.line_feed}{tail[0]}", head[1] + len(word) + 1 + tail[1]


def _new_word(number: int) -> str:
    base = len(SYLLABLES)
    return "".join(SYLLABLES[number // base**place % base] for place in range(4))


def write(file: Path, documents: Halves, megabytes: float, growing: bool = True) -> dict[str, Any]:
    """Writes rows until the file is that large before packing, and says what it holds."""
    form = FORMS[file.suffixes[0][1:]]
    size, number, text_bytes = 0, 0, 0
    with opened(file, "wb") as stream:
        size += stream.write(form.head.encode())
        for label, text, length in rows(documents, form, growing):
            if size >= megabytes * 1e6:
                break
            number, text_bytes = number + 1, text_bytes + length
            size += stream.write(form.row.format(number, label, text).encode())
    return {"rows": number, "text_bytes": text_bytes, "megabytes": size / 1e6, "on_disk": file.stat().st_size / 1e6}
