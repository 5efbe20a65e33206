"""Documents that a model learns and forgets in one step: all of them, or none. It can be taken back, exactly.

A server rehearses a change before it writes it down: it makes the change, takes it back, and no reader sees either.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from likelier._base.errors import error
from likelier._base.threads import changing
from likelier._counts import one_document
from likelier._counts.by_column import settle
from likelier._counts.fingerprints import fingerprints, of_text
from likelier._counts.pruning import check_whole
from likelier._documents.batch import Batch
from likelier._documents.labels import Label, checked_labels, key
from likelier._kernel import Ledger
from likelier._model.by_ledger import exchanged
from likelier._model.models import Model
from likelier._model.view import Document


class Labeled(NamedTuple):
    """A document as it is learned or forgotten."""

    document: Document
    label: Label
    weight: float = 1


class Exchange:
    """What a model learns and forgets in one step.

    >>> model = Model()
    >>> first = Exchange(model, learned=[Labeled("cheap watches", "spam"), Labeled("lunch at noon", "ham")])
    >>> first.make()
    >>> Exchange(model, learned=[Labeled("cheap watches", "ham")], forgotten=[Labeled("cheap watches", "spam")]).make()
    >>> model.counts.documents_per_label
    {'ham': 2}
    """

    def __init__(self, model: Model, learned: Sequence[Labeled] = (), forgotten: Sequence[Labeled] = ()) -> None:
        """Raises what is wrong with the documents; whether the model holds what it is to forget shows later."""
        self.model, self.learned, self.forgotten = model, learned, forgotten
        if forgotten:
            check_whole(model.pruned, "forgetting")
        if not self._is_one_text:
            _ = self._parts  # counted here, where nobody waits for it

    def make(self) -> None:
        """Changes the model, or raises why not and changes nothing."""
        if not self._made_at_once(self.learned, self.forgotten):
            self._make(*self._parts)

    def take_back(self) -> None:
        """The model is as it was before `make`."""
        if not self._made_at_once(self.forgotten, self.learned):
            into, out = self._parts
            self._make(out, into)

    def check(self) -> None:
        """What can be said about learning without doing it: for models that cannot forget it again."""
        into, _ = self._parts
        with self.model.gate.reading:
            checked_labels([each.label for each in self.learned], self.model.labels)
            self.model.counts.check_room(into.counts)

    @property
    def notes(self) -> list[str]:
        """What is to be said of documents to learn, such as columns that the model does not know."""
        return [] if self._is_one_text else list(dict.fromkeys(note for each in self._into for note in each.notes))

    def fingerprints(self) -> tuple[dict[bytes, int], dict[bytes, int]] | None:
        """How many times each fingerprint comes in, and goes out; None in a model without a ledger."""
        into, out = self._parts
        return None if into.ledger is None or out.ledger is None else (_times(into.ledger), _times(out.ledger))

    @property
    def _is_one_text(self) -> bool:
        one = [*self.learned, *self.forgotten]
        return len(one) == 1 and self.model.schema.is_plain and type(one[0].document) is str

    def _made_at_once(self, learned: Sequence[Labeled], forgotten: Sequence[Labeled]) -> bool:
        """One plain text, if its label is known: some microseconds in place of tenths of a millisecond."""
        if not self._is_one_text:
            return False
        model, work = self.model, one_document.learn if learned else one_document.forget
        ((text, label, weight),) = (*learned, *forgotten)
        assert isinstance(text, str)
        with model.gate.writing:
            done = work(model.counts.sizes, text, label, weight, model._counting, model.ledger)
        return done is not None if learned else bool(done)

    @cached_property
    def _parts(self) -> tuple[Model, Model]:
        """What comes in, and what goes out."""
        into, out = (self.model._part(each, None) for each in (self._into, self._batches(self.forgotten)))
        settle(into.counts)
        settle(out.counts)
        return into, out

    @cached_property
    def _into(self) -> list[Batch]:
        return self._batches(self.learned)

    def _batches(self, documents: Sequence[Labeled]) -> list[Batch]:
        return list(batches(self.model, documents))

    def _make(self, into: Model, out: Model) -> None:
        with changing(self.model.gate, out.gate):
            held = exchanged(self.model, out, into)
        if held is not None:
            place = self.model._first_not_in(held, self._batches(self.forgotten))
            raise error("document-not-learnt", document=place)


def batches(model: Model, documents: Sequence[Labeled]) -> Iterator[Batch]:
    """The documents as the model reads them."""
    if not documents:
        return
    found, labels = [each.document for each in documents], [each.label for each in documents]
    weights = [each.weight for each in documents]
    weighed = None if set(weights) == {1} else weights
    texts = found if set(map(type, found)) == {str} else None
    pairs = None if texts is not None else list(zip(found, labels, strict=True))
    given = None if texts is None else labels
    yield from model._labeled(pairs, weights=weighed, texts=texts, labels=given, text=None, label=None)


def _times(ledger: Ledger) -> dict[bytes, int]:
    halves, times = ledger.sorted()
    marks = halves.astype("<u8").tobytes()
    return {marks[16 * place : 16 * place + 16]: number for place, number in enumerate(times.tolist())}


def prints(model: Model, documents: Sequence[Labeled]) -> list[bytes]:
    """The fingerprint of each document with its label and weight, as the ledger of the model would hold it.

    >>> [each.hex() for each in prints(Model(), [Labeled("cheap watches", "spam")])]
    ['...']
    """
    one = _ledger_of_one(model, *documents) if len(documents) == 1 else None
    found = (each for batch in batches(model, documents) for each in fingerprints(batch, model.schema))
    return [each.sorted()[0].astype("<u8").tobytes() for each in (found if one is None else [one])]


def _ledger_of_one(model: Model, one: Labeled) -> Ledger | None:
    """A ledger that holds one plain text alone; None where something of it must be checked first."""
    text, label, weight = one
    if not model.schema.is_plain or type(text) is not str:
        return None
    found = one_document.known(model.counts.sizes, label, weight)
    return None if found is None else of_text(text, key(label), found[1])
