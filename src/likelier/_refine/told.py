"""An explanation with what refinement adds, item by item.

    score(c) = a log P(c|d) + sum over items of refined(c)

A term that naive Bayes and the layer both have is one item with both. The weight of a piece or a pair of words that
only the layer has goes in equal shares to the terms of naive Bayes in the same place; where these are unknown, to the
unknown terms. One more item has the rest, above all the biases.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from likelier._answer.verdict import Verdict
from likelier._base.numbers import Floats
from likelier._documents.values import Texts, Values
from likelier._explain.build import item
from likelier._explain.explanation import Explanation, Item
from likelier._refine.layer import Layer
from likelier._refine.weights import Machines, of_labels
from likelier._text.texts import text_at

Place = tuple[str | None, str | None]  # column and term of an item; None for the unknown terms
Span = tuple[str, int, int]
REST = "beyond these terms"


def with_layer(naive: Explanation, layer: Layer, values: Mapping[str, Values], verdict: Verdict) -> Explanation:
    """The explanation of naive Bayes and of the verdict with the layer in one."""
    labels = layer.labels
    added: dict[Place | None, Floats] = defaultdict(lambda: np.zeros(len(labels)))  # None: the rest
    for machines in layer.machines:
        name = machines.column
        texts = values[name]
        assert isinstance(texts, Texts)
        if len(texts.missing):
            continue
        added[None] += machines.factor * of_labels(machines.biases)
        own, known = None if naive.is_plain else name, sorted(naive.texts[name][1], key=_start)
        for place, share in _shared(naive, own, known, machines, text_at(texts.texts, 0)):
            added[place] += machines.factor * share
    items = [_refined(each, added.pop(_place(each), None), layer) for each in naive.items]
    rest = item("refined", REST, labels, np.zeros(len(labels)), None, terms=0, times=0)
    items.append(_refined(rest, sum(added.values(), start=np.zeros(len(labels))), layer))
    return replace(naive, verdict=verdict, items=items, naive=naive, naive_factor=layer.factor)


def _refined(each: Item, added: Floats | None, layer: Layer) -> Item:
    return each if added is None else replace(each, refined=dict(zip(layer.labels, added.tolist(), strict=True)))


def _place(each: Item) -> Place:
    return (each.column, each.name) if each.kind == "term" else (each.column, None if each.kind == "unknown" else "")


def _shared(
    naive: Explanation, own: str | None, known: Sequence[Span], machines: Machines, text: str
) -> Iterator[tuple[Place | None, Floats]]:
    """What each distinct term of the layer adds, by the items that it goes to. `known`: the terms of naive Bayes."""
    items = {each.name for each in naive.items if each.kind == "term" and each.column == own}
    has_unknown = any(each.kind == "unknown" and each.column == own for each in naive.items)
    places: dict[str, dict[Place | None, None]] = defaultdict(dict)
    located = machines.analyzer.locate(text)[1]
    times = Counter(term for term, _, _ in located)
    for term, start, end in located:
        names = [term] if term in items else _within(known, start, end)
        found: list[Place | None] = [(own, name if name in items else None) for name in names]
        found = [place for place in found if place and (place[1] or has_unknown)]
        places[term] |= dict.fromkeys(found or [None])
    shares = machines.shares(list(places), [times[term] for term in places])
    for wanted, share in zip(places.values(), shares, strict=True):
        for place in wanted:
            yield place, share / len(wanted)


def _within(known: Sequence[Span], start: int, end: int) -> list[str]:
    """The terms in this part of the text; longer ones that only begin there are left out."""
    first, last = bisect_left(known, start, key=_start), bisect_left(known, end, key=_start)
    return [name for name, _, ends in known[first:last] if ends <= end]


def _start(span: Span) -> int:
    return span[1]
