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


def learn(
    counts: TermCounts, text: str, label: Label, weight: float, analysis: Analysis, ledger: Ledger | None
) -> bool | None:
    """Whether the ledger had the text before; None, and nothing is done, where label or weight must be checked."""
    label_id = counts.known_id(label)
    if label_id is None or type(weight) is not int or not 0 <= weight <= LARGEST_WEIGHT:
        return None
    try:
        known = learn_one(
            counts.table, text, label_id, weight * counts.unit, analysis, ledger, key(label), UNIT // counts.unit
        )
        counts.changed()
    except OverflowError:
        raise error("counts-too-large") from None
    except UnicodeEncodeError:
        raise surrogate_error([text]) from None
    except BaseException:  # Ctrl-C, after which it may be learned already
        counts.changed()
        raise
    return known


def forget(
    counts: TermCounts, text: str, label: Label, weight: float, analysis: Analysis, ledger: Ledger | None
) -> bool:
    """Whether the text was taken out. Nothing is done if it was not learned or cannot be, or must be checked first."""
    label_id = counts.known_id(label)
    if counts.pruned or label_id is None or type(weight) is not int or not 0 <= weight <= LARGEST_WEIGHT:
        return False
    one = (text, label_id, weight * counts.unit, analysis, ledger, key(label), UNIT // counts.unit)
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
