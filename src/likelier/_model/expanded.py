"""The labeled documents behind a view, for derivations that write its counts out over them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from likelier._base.errors import error
from likelier._counts.by_column import Counts
from likelier._documents.batch import Batch
from likelier._documents.kinds import Text
from likelier._documents.labels import Label
from likelier._documents.values import Texts
from likelier._explain.expanded import Expanded, Learned
from likelier._kernel import Column
from likelier._read.cleaned import CleanedDocuments
from likelier._read.intake import labeled

if TYPE_CHECKING:
    from likelier._model.view import View


def expanded_counts(view: View, documents: Any) -> Expanded:
    """The terms of each document, once it is sure that these are the documents that were counted."""
    counts, found = Counts(view.schema), list[tuple[Label, dict[str, Learned]]]()
    batches = labeled(documents, schema=view.schema)
    for batch in CleanedDocuments(batches, view.labels) if view.schema.clean_labels else batches:
        counts.count(batch, schema=view.schema, threads=1)
        found += _learned(view, batch)
    if counts != view.counts:
        raise error("expanded-differs")
    events = {name: part.estimator.event_name for name, part in view.estimates.parts.items() if part.of_terms}
    return Expanded(found, events)


def _learned(view: View, batch: Batch) -> list[tuple[Label, dict[str, Learned]]]:
    """Each document's label, and the terms of its texts."""
    given: Any = batch.labels
    labels: list[Any] = given.to_list() if isinstance(given, Column) else list(given)
    columns = {name: _terms(view, name, values) for name, values in batch.columns.items() if isinstance(values, Texts)}
    return [(label, {name: terms[row] for name, terms in columns.items()}) for row, label in enumerate(labels)]


def _terms(view: View, name: str, values: Texts) -> list[Learned]:
    kind, missing = view.schema.columns[name], set(values.missing.tolist())
    assert isinstance(kind, Text)
    texts: Any = values.texts if isinstance(values.texts, list) else values.texts.to_list()
    return [Counter() if row in missing else Counter(kind.analyzer.terms(text)) for row, text in enumerate(texts)]
