"""The analysis of texts step by step, as a table: how each text becomes its terms.

Each step is what the analyzer does: the last one is `Analyzer.terms` itself, and those before it follow
`terms.TermMap`. A replacement is final, so that stop words, lemmas and stems pass it by.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from likelier._base.errors import error
from likelier._kernel import words
from likelier._show.html_words import cut
from likelier._show.table import Cell, Table, own
from likelier._show.words import counted
from likelier._text.analyzer import Analyzer
from likelier._text.texts import checked_texts, listed_texts

MOST_DOCUMENTS, MOST_TOKENS, LONGEST = 20, 200, 1000


@dataclass(frozen=True, slots=True)
class _Token:
    """A token on its way; `is_final` where it was replaced."""

    text: str
    is_final: bool = False


def steps_table(analyzer: Analyzer, texts: Any) -> Table:
    """Each step of each text in a row: the text, lower case, tokens, and so on to the terms."""
    if analyzer.is_open:
        raise error("steps-open", got=analyzer.stop_words)
    given = [texts] if isinstance(texts, str) else listed_texts(checked_texts(texts))
    several = not isinstance(texts, str)
    body = []
    for place, text in enumerate(given[:MOST_DOCUMENTS]):
        for name, found in _steps(analyzer, text):
            body.append([*([f"D{place + 1}"] if several else []), own(name), _cell(found)])
    heading = [*([own("document")] if several else []), own("step"), own("result")]
    more = len(given) - MOST_DOCUMENTS
    notes = (f"… {counted(more, 'more document')}",) if more > 0 else ()
    return Table(heading, body, notes=notes, height=100)


def _cell(found: str | Sequence[str]) -> Cell:
    if isinstance(found, str):
        return Cell(cut(found, LONGEST), found)
    more = len(found) - MOST_TOKENS
    shown = [*found[:MOST_TOKENS], *([f"… {more:,} more"] if more > 0 else [])]
    return Cell(", ".join(shown), list(found))


def _steps(analyzer: Analyzer, text: str) -> Iterator[tuple[str, str | list[str]]]:
    """The name of each step that the analyzer takes, and what comes out."""
    read, _ = analyzer.locate(text)
    keep = analyzer.punctuation == "keep"
    yield "text", read
    if analyzer.lowercase:
        yield "lower case", _lowered(read, words(read, False, keep), words(read, True, keep))
    tokens = [_Token(word) for word in words(read, analyzer.lowercase, keep)]
    yield "tokens", [token.text for token in tokens]
    for name, step in _settings(analyzer):
        tokens = step(tokens)
        yield name, [token.text for token in tokens]
    yield "terms", analyzer.terms(text)


def _lowered(text: str, before: Sequence[str], after: Sequence[str]) -> str:
    """The text with its tokens in lower case."""
    parts, start = [], 0
    for one, two in zip(before, after, strict=True):
        place = text.find(one, start)
        parts += [text[start:place], two]
        start = place + len(one)
    return "".join([*parts, text[start:]])


def _settings(analyzer: Analyzer) -> Iterator[tuple[str, Callable[[list[_Token]], list[_Token]]]]:
    """What happens to tokens under this analyzer, in its order."""
    terms = analyzer.term_map
    single, phrases = terms.replacements, analyzer.phrases()
    if single or phrases:
        yield "replacements", lambda tokens: _replaced(tokens, single, phrases)
    if analyzer.min_length > 1:
        yield (
            "without short words",
            lambda tokens: [token for token in tokens if token.is_final or len(token.text) >= analyzer.min_length],
        )
    if terms.stop_words:
        yield (
            "without stop words",
            lambda tokens: [token for token in tokens if token.is_final or token.text not in terms.stop_words],
        )
    base = terms.base_form
    if base is not None:
        name = "lemmas" if analyzer.lemmatize else "stems"
        yield name, lambda tokens: [token if token.is_final else _Token(base(token.text)) for token in tokens]
        if single:
            yield (
                "replacements of these",
                lambda tokens: [
                    token if token.is_final else _Token(single.get(token.text, token.text)) for token in tokens
                ],
            )


def _replaced(tokens: list[_Token], single: dict[str, str], phrases: Sequence[tuple[list[str], str]]) -> list[_Token]:
    """Phrases first, from left to right and the longest of them; then single words."""
    found, place = [], 0
    while place < len(tokens):
        here = [token.text for token in tokens[place : place + max((len(key) for key, _ in phrases), default=0)]]
        phrase = next(((key, term) for key, term in phrases if here[: len(key)] == key), None)
        if phrase is not None:
            found.append(_Token(phrase[1], is_final=True))
            place += len(phrase[0])
            continue
        text = tokens[place].text
        found.append(_Token(single[text], is_final=True) if text in single else tokens[place])
        place += 1
    return found
