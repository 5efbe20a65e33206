"""Changes that depend on what a model has learned: learning a document only once, and giving it another label."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from likelier._base.errors import LikelierError, error
from likelier._base.threads import changing
from likelier._counts.by_column import settle
from likelier._counts.fingerprints import fingerprints
from likelier._counts.pruning import check_whole
from likelier._documents.batch import Batch
from likelier._documents.labels import Label, checked_label
from likelier._kernel import Ledger
from likelier._show.words import listed
from likelier._storage.provenance import check_name

if TYPE_CHECKING:
    from likelier._model.models import Model


# ---- once --------------------------------------------------------------------------------------------------------


def learn_once(model: Model, batches: Iterable[Batch], threads: int | None, by: str | None) -> int:
    """Learns what the ledger does not hold; how many documents it held, or came before among these."""
    if model._ledger is None:
        raise error("ledger-missing")
    known = 0

    def fresh() -> Iterator[Batch]:
        nonlocal known
        seen, known = Ledger(), 0
        for batch in batches:
            new = _new(model, batch, seen)
            known += len(batch) - len(new)
            yield new

    while not _add_new(model, model._part(fresh(), threads), batches, by):
        pass  # another thread has learned some of them meanwhile
    return known


def _new(model: Model, batch: Batch, seen: Ledger) -> Batch:
    """The documents that neither ledger holds, each of them once; `seen` then holds them."""
    rows = []
    with model.gate.reading:
        ledger = _ledger(model)
        for row, one in enumerate(fingerprints(batch, model.schema)):
            if not ledger.common(one) and not seen.common(one):
                seen.merge(one)
                rows.append(row)
    return batch if len(rows) == len(batch) else batch.keep(np.array(rows, dtype=np.intp))


def _add_new(model: Model, part: Model, source: object, by: str | None) -> bool:
    """Adds the part, unless the ledger holds some of it."""
    settle(part.counts)
    with changing(model.gate, part.gate):
        if _ledger(model).common(_ledger(part)):
            return False
        if len(_ledger(part)):
            model._add(part, "learn", part.documents, source, by)
        return True


def _ledger(model: Model) -> Ledger:
    assert model.ledger is not None
    return model.ledger


# ---- another label -----------------------------------------------------------------------------------------------


def relabel(
    model: Model,
    batches: Sequence[Batch],
    new: Label,
    old: Label | None,
    *,
    threads: int | None,
    by: str | None,
    sources: Iterable[str] = (),
) -> list[Label]:
    """Moves documents to another label; the labels that they had."""
    check_name(by)
    check_whole(model.pruned, "relabeling")
    new = checked_label(new)
    labels = [_labels_before(model, batch, new, old) for batch in batches]
    taken, put = [], []
    for batch, before in zip(batches, labels, strict=True):
        rows = [row for row, label in enumerate(before) if label != new]
        moved = batch.keep(np.array(rows, dtype=np.intp))
        taken.append(replace(moved, labels=[before[row] for row in rows]))
        put.append(replace(moved, labels=[new] * len(rows)))
    if any(map(len, put)):
        held = _move(model, model._part(taken, threads), model._part(put, threads), sources, by)
        if held is not None:
            raise error("document-not-learnt.relabel", document=model._first_not_in(held, taken))
    return [label for before in labels for label in before]


def label_before(model: Model, batch: Batch, new: Label, old: Label | None, weight: float) -> Label:
    """The label of the only document of a batch, as given or as the ledger has it."""
    one = replace(batch, weights=[weight], where=lambda _: "this one")
    return _labels_before(model, one, checked_label(new), old)[0]


def _labels_before(model: Model, batch: Batch, new: Label, old: Label | None) -> list[Label]:
    """The label of each document, as given or as the ledger has it."""
    if model._ledger is None:
        if old is None:
            raise error("relabel-ledger")
        return [checked_label(old)] * len(batch)
    known: list[list[Label]] = [[] for _ in range(len(batch))]
    with model.gate.reading:
        for label in model.labels if old is None else [checked_label(old)]:
            same = replace(batch, labels=[label] * len(batch))
            for row, one in enumerate(fingerprints(same, model.schema)):
                if _ledger(model).common(one):
                    known[row].append(label)
    return [_only(labels, new, batch.where(row)) for row, labels in enumerate(known)]


def _only(known: Sequence[Label], new: Label, document: str) -> Label:
    """The label that is to be replaced; the new one itself if the document has it already."""
    others = [label for label in known if label != new]
    if len(others) > 1:
        raise error("relabel-unclear", document=document, labels=listed(map(repr, others)), first=others[0])
    if not known:
        raise error("document-not-learnt.relabel", document=document)
    return others[0] if others else new


def _move(model: Model, out: Model, into: Model, sources: Iterable[str], by: str | None) -> Ledger | None:
    """Takes one part out and puts the other in; both, or neither, and then this is what the ledger holds."""
    settle(into.counts)
    with changing(model.gate, out.gate):
        held = exchanged(model, out, into)
        if held is None:
            model.note("relabel", documents=into.documents, sources=sources, by=by)
    return held


def exchanged(model: Model, out: Model, into: Model) -> Ledger | None:
    """Takes one part out and puts the other in, for a caller alone in the gate; the result is that of `_move`."""
    held = model._take_out(out)
    if held is not None:
        return held
    try:
        model._put_in(into)
    except LikelierError:
        model._put_in(out)  # exact, so it is as it was
        raise
    return None
