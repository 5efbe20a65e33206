"""Complement naive Bayes (Rennie, Shih, Teevan & Karger 2003, section 3.1): a label is known by what it is not.

    P(t|not c) = (tf(t) - tf(t,c) + alpha) / (sum over V of (tf(v) - tf(v,c)) + alpha |V|)

    score(c) = log P(c) - sum over the terms of the text of times(t) * log P(t|not c)

The counts of all other labels are more, and more even, than those of one label. With `normalize` the weights of a
label are divided by the sum of their absolute values (section 3.2), so that no label wins by large weights alone.
"""

from __future__ import annotations

import numpy as np

from likelier._base.numbers import Floats, Value
from likelier._estimate.evidence import Evidence, Ratio
from likelier._estimate.view_vocabulary import Named, Sums

ONCE = False
NOTHING = 1e-12  # a sum of absolute weights below this is rounding: the only term has probability 1


def evidence(sums: Sums, count: Value, term_total: Value, named: Named) -> Evidence:
    """What is known of terms under all other labels."""
    return Evidence(
        count=term_total - count,
        total=sums.all_total - sums.total,
        outcomes=sums.outcomes,
        seen=sums.seen_elsewhere,
        share=term_total / (sums.all_total + (sums.all_total == 0)),
        named=named,
    )


def weight(ratio: Ratio) -> Floats:
    """-log P(t|not c): what one occurrence adds."""
    return -ratio.log()


def divisor(norm: Floats) -> Floats:
    """What weights are divided by; nothing to divide by is 1."""
    return np.where(norm < NOTHING, 1.0, norm)
