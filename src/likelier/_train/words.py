"""A candidate in a few words, for the list of what was tried."""

from __future__ import annotations

from likelier._estimate.numeric import rule_name
from likelier._estimate.smoothing import Additive, Smoothing, short
from likelier._train.candidates import Candidate

WEIGHTINGS = {
    "count": "",
    "once": "each term once",
    "log": "log counts",
    "count-length": "counts by length",
    "once-length": "each term once by length",
    "log-length": "log counts by length",
}
ORDERS = {2: "pairs of words", 3: "runs of three words"}


def in_words(candidate: Candidate, smoothing: Smoothing, has_text: bool) -> str:
    """What a person would say of it.

    >>> in_words(Candidate(event="complement", orders=(1, 2), prior="uniform"), Additive(0.3), has_text=True)
    'complement, with pairs of words, alpha 0.3, uniform prior'
    """
    parts = [candidate.event, WEIGHTINGS[candidate.weighting], _orders(candidate)] if has_text else []
    if candidate.numeric is not None:
        parts.append(f"numbers {rule_name(candidate.numeric)}")
    parts += [
        "idf" if candidate.idf else "",
        f"alpha {short(smoothing.alpha)}" if isinstance(smoothing, Additive) else repr(smoothing),
        "normalized" if candidate.normalize else "",
        f"terms seen {candidate.min_count} times" if candidate.min_count > 1 else "",
        f"without the {candidate.frequent} most frequent words" if candidate.frequent else "",
        "uniform prior" if candidate.prior == "uniform" else "",
    ]
    return ", ".join(filter(None, parts))


def _orders(candidate: Candidate) -> str:
    if candidate.orders is None:
        return ""
    longest = candidate.orders[1]
    return f"with {ORDERS.get(longest, f'runs of {longest} words')}"
