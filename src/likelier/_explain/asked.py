"""The document of a derivation as it was analyzed, and what becomes of its unknown terms."""

from __future__ import annotations

from likelier._documents.kinds import PLAIN
from likelier._explain.explanation import Explanation, Item
from likelier._explain.multiplied import Weight, equation, named
from likelier._show.blocks import Block, Given, Sentence
from likelier._show.expressions import (
    Chain,
    Equations,
    Joined,
    Log,
    Minus,
    Not,
    Number,
    Probability,
    Quotient,
    Relation,
    Symbol,
)
from likelier._show.words import listed

MOST_SHOWN = 30  # terms of a text
MOST_NAMED = 12  # unknown terms
LABEL = Symbol("c", "c")
DOCUMENT = Symbol("d", "d")


def document(explanation: Explanation) -> list[Block]:
    """`d = (sieben, zwerg, ...)`, and a sentence for what is unknown, missing or always the same."""
    shown = _terms(explanation, PLAIN) if explanation.is_plain else _columns(explanation)
    asked = Sentence([DOCUMENT, Given(f" = ({', '.join(shown)})")])  # words, so that the line breaks between them
    return [asked, *_unknown(explanation), *_silent(explanation), *_weights(explanation)]


def _weights(explanation: Explanation) -> list[Block]:
    """What stands for a logarithm under the complement model with normalized weights."""
    if not explanation.normalized:
        return []
    term, every, size = (
        Symbol("t", "t"),
        Symbol("v", "v"),
        Symbol("Σ", r"\sum_{v}", "<munder><mo>∑</mo><mi>v</mi></munder>"),
    )
    own, each = (Log(Probability(name, Not(LABEL))) for name in (term, every))
    absolute = Symbol(f"|{each}|", rf"\lvert {each.latex()} \rvert", f"<mo>|</mo>{each.mathml()}<mo>|</mo>")
    return [Equations([(Weight(term, LABEL), [("=", Quotient(Minus(own), Joined([size, absolute], " ")))])])]


def _terms(explanation: Explanation, column: str) -> list[str]:
    """The terms in the order of the text."""
    return _some([named(term).words for term, _, _ in explanation.texts.get(column, ("", []))[1]])


def _columns(explanation: Explanation) -> list[str]:
    values = {item.column: equation(explanation, item) for item in explanation.items if _has_value(explanation, item)}
    texts = {column: f"{column}=({', '.join(_terms(explanation, column))})" for column in explanation.texts}
    shown = {column: value.text() for column, value in values.items()} | texts
    return _some([shown[column] for column in explanation.document if column in shown])


def _some(names: list[str]) -> list[str]:
    more = len(names) - MOST_SHOWN
    return [*names[:MOST_SHOWN], f"… {more:,} more"] if more > 0 else names


def _has_value(explanation: Explanation, item: Item) -> bool:
    is_column = item.column is not None and item.column not in explanation.texts
    return is_column and item.kind in ("value", "unknown")


# ---- what is unknown ---------------------------------------------------------------------------------------------


def _unknown(explanation: Explanation) -> list[Block]:
    return [_of_unknown(explanation, item) for item in explanation.items if item.kind == "unknown"]


def _of_unknown(explanation: Explanation, item: Item) -> Sentence:
    """What becomes of unknown terms, by the setting of the view."""
    column = PLAIN if explanation.is_plain else item.column or ""
    policy = explanation.unknown.get(column, "ignore")
    is_text = column in explanation.events
    names, event = _names(explanation, item, column), named(item.name) if is_text else equation(explanation, item)
    be = "is" if item.terms == 1 else "are"
    which, start = Given(names), f" {be} not {'in the vocabulary' if is_text else 'a known value'}"
    if policy == "ignore":
        return Sentence([which, f"{start} and {be} ignored."])
    of_one = Probability(event if item.terms == 1 else Symbol("t", "t"), LABEL)
    if not item.factors:
        return Sentence([which, f"{start}: ", Chain([("", of_one), ("=", Number("0"))]), " for every label."])
    if policy == "unk":
        return Sentence([which, f"{start}: ", Relation(of_one, Probability("UNK", LABEL), "→"), "."])
    if policy == "grow":
        grown = Symbol("|V|", r"\lvert V \rvert", "<mo>|</mo><mi>V</mi><mo>|</mo>")
        return Sentence([which, f"{start}: ", grown, " grows by ", Number(str(item.terms)), "."])
    return Sentence([which, f"{start}: smoothing gives {'it' if item.terms == 1 else 'each'} a probability."])


def _names(explanation: Explanation, item: Item, column: str) -> str:
    if item.terms == 1 or column not in explanation.events:
        return item.name
    known = {each.name for each in explanation.items if each.kind == "term" and each.column == item.column}
    names = list(dict.fromkeys(term for term, _, _ in explanation.texts[column][1] if term not in known))
    more = [f"{len(names) - MOST_NAMED:,} more"] if len(names) > MOST_NAMED else []
    return listed([*names[:MOST_NAMED], *more])


def _silent(explanation: Explanation) -> list[Block]:
    """Columns that add nothing."""
    why = {"value": "Always the same", "missing": "Missing"}
    without = [item for item in explanation.items if item.kind in why and not item.factors]
    names = {kind: [item.name for item in without if item.kind == kind] for kind in why}
    return [
        Sentence([f"{why[kind]} and left out: ", Given(", ".join(found)), "."])
        for kind, found in names.items()
        if found
    ]
