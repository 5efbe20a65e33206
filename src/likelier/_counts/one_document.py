"""One text more, or one less, without a table of its own for it; for labels that are known and whole weights."""

from __future__ import annotations

from typing import Any

from likelier._base.errors import error
from likelier._base.threads import whole
from likelier._counts.term_counts import TermCounts
from likelier._counts.vocabulary import has_possible_documents
from likelier._documents.labels import Label, key
from likelier._documents.weights import LARGEST_WEIGHT, UNIT
from likelier._kernel import Analysis, Ledger, forget_one, learn_one
from likelier._text.texts import surrogate_error


def known(counts: TermCounts, label: Label, weight: float) -> tuple[int, int] | None:
    """The id of a label that is known, and a whole weight; None where label or weight must be checked."""
    label_id = counts.known_id(label)
    if label_id is None or type(weight) is not int or not 0 <= weight <= LARGEST_WEIGHT:
        return None
    return label_id, weight


def learn(
    counts: TermCounts, text: str, label: Label, weight: float, analysis: Analysis, ledger: Ledger | None
) -> bool | None:
    """Whether the ledger had the text before; None, and nothing is done, where label or weight must be checked."""
    if (found := known(counts, label, weight)) is None:
        return None
    label_id, units = found
    try:
        was_known = learn_one(
            counts.table, text, label_id, units * counts.unit, analysis, ledger, key(label), UNIT // counts.unit
        )
        counts.changed()
    except OverflowError:
        raise error("counts-too-large") from None
    except UnicodeEncodeError:
        raise surrogate_error([text]) from None
    except BaseException:  # Ctrl-C, after which it may be learned already
        counts.changed()
        raise
    return was_known


def forget(
    counts: TermCounts, text: str, label: Label, weight: float, analysis: Analysis, ledger: Ledger | None
) -> bool:
    """Whether the text was taken out. Nothing is done if it was not learned or cannot be, or must be checked first."""
    if counts.pruned or (found := known(counts, label, weight)) is None:
        return False
    label_id, units = found
    one = (text, label_id, units * counts.unit, analysis, ledger, key(label), UNIT // counts.unit)
    if ledger is not None:
        return _forget(counts, *one)
    with whole():
        done = _forget(counts, *one)
        if done and not has_possible_documents(counts.snapshot):
            learn_one(counts.table, *one)  # exact, so it is as it was
            counts.changed()
            return False
        return done


def _forget(counts: TermCounts, text: str, *one: Any) -> bool:
    try:
        if forget_one(counts.table, text, *one) is not None:
            return False
        counts.changed()
    except UnicodeEncodeError:
        raise surrogate_error([text]) from None
    except BaseException:  # Ctrl-C, after which it may be forgotten already
        counts.changed()
        raise
    return True
