"""Plain words: phrases that must not come back. CONTRIBUTING.md has the rules under "Words".

`python tests/test_words.py` lists all places; `python tests/test_words.py PATH ...` lists those in some
files or folders.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
# Files and folders in which no phrase may occur.
COVERED = (
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "PACKAGE.md",
    "README.md",
    "SECURITY.md",
    "benchmarks",
    "docs",
    "rust/src",
    "src",
)
SUFFIXES = {".md", ".py", ".pyi", ".rs", ".toml"}


class Phrase(NamedTuple):
    """A regular expression of words to avoid (a space also matches a line break), and what to write instead."""

    pattern: str
    instead: str


SPELLING = (
    Phrase(r"learnt", "learned"),
    Phrase(r"labell(?:ed|ing)", "labeled, labeling"),
    Phrase(r"cancelled|travelled|modelling", "one l: canceled, modeling"),
    Phrase(r"colour", "color"),
    Phrase(r"neighbour", "neighbor"),
    Phrase(r"favour", "favor"),
    Phrase(r"behaviour", "behavior"),
    Phrase(r"(?:normal|token|optim|minim|maxim|recogn|summar|initial|serial|organ|regular)is(?:e|ing|ation)", "-ize"),
    Phrase(r"analys(?:e[dr]?\b|ing)", "analyze, analyzer"),
    Phrase(r"\b[Jj]udgement", "judgment"),
    Phrase(r"\b[Gg]r[e]y\b", "gray"),
    Phrase(r"\bcentre", "center"),
    Phrase(r"\b[Ll]icence", "license"),
    Phrase(r"\bper cent\b", "percent, or %"),
    Phrase(r"\b[Ww]hilst\b", "while"),
)
TERMS = (
    Phrase(r"\b[Hh]onest(?:y|ly)?\b", "calibrated; calibrate"),
    Phrase(r"\btruth values?\b", "boolean"),
    Phrase(r"\bwhole numbers?\b", "integer"),
    Phrase(r"\bmail box(?:es)?\b", "mailbox, mailboxes"),
    Phrase(r"\btoo unsure\b", "underconfident"),
    Phrase(r"\btoo sure\b", "overconfident"),
    Phrase(r"\btaken along\b", "false positive rate"),
    Phrase(r"\bDeals? out\b|\bdealt (?:out|into)\b", "split into folds; random seed for the folds"),
    Phrase(r"\bmean over (?:the )?labels\b", "macro average"),
    Phrase(r"\bknown by heart\b|\blearns? .{1,20} by heart\b|\blearning .{1,20} by heart\b", "overfit; memorize"),
    Phrase(r"\bmade(?:-| )up (?:tokens?|observations?)\b", "pseudo-counts"),
)
DIALECT = (
    Phrase(r"\b(?:is|are|was|were) said\b", "printed; reported"),
    Phrase(r"\b(?:is|are|was|were) told\b", "printed; reported; see ..."),
    Phrase(r"\bso many\b", "the number, or: that many"),
    Phrase(r"\bmust stand here\b", "expected X"),
    Phrase(r"\bstands? (?:in|under|behind|beside|there|here|twice|once)\b", "occurs; is in"),
    Phrase(r"\bhow often .{1,40}? stands?\b", "how often X occurs"),
    Phrase(r"\b[Ww]hat few need\b", "say what it is"),
    Phrase(r"\bfrom `?[\d,.]+`?(?: \w+)? on\b", "with at least N; N or more"),
    Phrase(r"(?:\d|`) without it\b", "Default: N."),
    Phrase(r"\basked about\b", "the new document; to classify"),
    Phrase(r"\bis too few\b|\bare too few\b", "at least N ... are needed, got M"),
    Phrase(r"\bas it comes\b|\bas they come\b", "with default settings; unchanged"),
    Phrase(r"\bwrites? .{1,30} anew\b|\bmade anew\b", "again"),
    Phrase(r"(?<=\.)\s+What\b[^.?]*\.(?=\s)", "begin with the subject, not with a clause 'what ...'"),
    Phrase(r"help=[\"']What\b", "begin with a noun phrase, not with 'what ...'"),
)
PHRASES = (*SPELLING, *TERMS, *DIALECT)
# Path and words that may stay there, and the reason.
ALLOWED = {
    ("benchmarks/accuracy/run.py", "honest"): "a key in stored results",
    ("benchmarks/pages.py", "honest"): "a key in stored results",
    ("docs/design.md", "so many"): "so many ... that",
}
# Names that cannot change: error codes, which programs may compare, an attribute of HTML, a field of Label Studio.
STABLE = re.compile(
    r"\b(?:document-not-learnt|left-out-not-learnt|bind-not-neighbours|aria-labelledby|was_cancelled)\b"
)
FENCE = re.compile(r"^```.*?^```$|^    .*?$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]+`")
WORDS_TABLE = re.compile(r"^\| not \| better \|\n.*?(?=^$)", re.MULTILINE | re.DOTALL)


class Found(NamedTuple):
    """A phrase at its place."""

    path: str
    line: int
    words: str
    instead: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {' '.join(self.words.split())!r}; write: {self.instead}"


def files(names: tuple[str, ...]) -> list[Path]:
    """These files, and all with words in these folders."""
    found = [
        path for name in names for path in ([ROOT / name] if (ROOT / name).is_file() else (ROOT / name).rglob("*"))
    ]
    return sorted(path for path in found if path.suffix in SUFFIXES)


def prose(path: Path) -> str:
    """The file without stable names; of Markdown only what is not code, with every line in its place.

    Examples show what the source prints, and the source is looked at itself.
    """
    text = path.read_text("utf-8")
    for pattern in (STABLE, FENCE, CODE, WORDS_TABLE) if path.suffix == ".md" else (STABLE,):
        text = pattern.sub(lambda match: re.sub(r"[^\n]", "·", match[0]), text)
    return text


def search(text: str, path: str) -> Iterator[Found]:
    """All phrases in a text."""
    for phrase in PHRASES:
        for match in re.finditer(phrase.pattern.replace(" ", r"\s+"), text):
            if (path, match[0]) not in ALLOWED:
                yield Found(path, text.count("\n", 0, match.start()) + 1, match[0], phrase.instead)


def found_in(path: Path) -> list[Found]:
    """All phrases in a file, line by line."""
    return sorted(search(prose(path), path.relative_to(ROOT).as_posix()), key=lambda found: found.line)


@pytest.mark.parametrize("path", files(COVERED), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_words_are_plain(path: Path) -> None:
    found = found_in(path)
    assert not found, "\n".join(["", *map(str, found)])


@pytest.mark.parametrize("name", COVERED)
def test_every_covered_path_is_there(name: str) -> None:
    assert (ROOT / name).exists()


def test_a_phrase_is_found_over_two_lines_with_its_line_and_what_to_write() -> None:
    assert [str(found) for found in search("One.\nA truth\n   value.", "page.md")] == [
        "page.md:2: 'truth value'; write: boolean"
    ]


@pytest.mark.parametrize(
    "text",
    [
        "learnt",
        "is said",
        "are told",
        "honest probabilities",
        "A whole number.",
        "so many",
        "made-up tokens",
        "mail boxes",
        "Yes. What is lost is lost.\n",
    ],
)
def test_phrases_are_found(text: str) -> None:
    assert list(search(text, "page.md"))


@pytest.mark.parametrize(
    "text", ["learned", "analysis", "analyses", "labels", "Analyzer", "organism", "Yes. What is lost? All.\n"]
)
def test_plain_words_are_not(text: str) -> None:
    assert not list(search(text, "page.md"))


def main(names: tuple[str, ...]) -> None:
    """Prints every place, and how often each phrase occurs."""
    found = [each for path in files(names) for each in found_in(path)]
    for each in found:
        print(each)
    for words, times in Counter(" ".join(each.words.lower().split())[:40] for each in found).most_common():
        print(f"{times:5} {words}")


if __name__ == "__main__":
    main(tuple(sys.argv[1:]) or COVERED)
