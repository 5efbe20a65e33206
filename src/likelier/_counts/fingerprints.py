"""The fingerprint of each document of a batch, as a ledger of its own: to look it up in the ledger of a model."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from likelier._documents.batch import Batch
from likelier._documents.labels import distinct_labels, key
from likelier._documents.schema import Schema
from likelier._documents.weights import UNIT, checked_weights
from likelier._kernel import Ledger, Table, learn_one
from likelier._text.analyzer import Analyzer
from likelier._text.texts import listed_texts, surrogate_error

_NO_TERMS = Analyzer(min_length=1 << 30).analysis  # a fingerprint is that of the text, whatever is counted of it


def fingerprints(batch: Batch, schema: Schema) -> Iterator[Ledger]:
    """For each document, a ledger that holds it alone."""
    labels, which = distinct_labels(batch.labels or [])
    units, unit = checked_weights([1] * len(batch) if batch.weights is None else batch.weights)
    names, millionths = [key(label) for label in labels], UNIT // unit
    if schema.is_plain:
        for text, place, weight in zip(listed_texts(batch.texts), which.tolist(), units.tolist(), strict=True):
            yield of_text(text, names[place], weight, millionths)
        return
    for row in range(len(batch)):
        found, one = Ledger(), np.array([row], dtype=np.intp)
        columns = [batch.columns[name].keep(one).for_ledger for name in sorted(schema.columns)]
        found.add(columns, which[one].astype(np.uint32), units[one], names, millionths)
        yield found


def of_text(text: str, name: str, units: int, millionths: int = UNIT) -> Ledger:
    """A ledger that holds a plain text alone, with the key of its label and its weight in units of the millionths."""
    found = Ledger()
    try:
        learn_one(Table(), text, 0, units, _NO_TERMS, found, name, millionths)
    except UnicodeEncodeError:
        raise surrogate_error([text]) from None
    return found
