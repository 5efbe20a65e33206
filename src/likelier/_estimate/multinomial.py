"""Multinomial event model (Manning, Raghavan & Schütze 2008, section 13.2): every occurrence of a term is a draw.

P(t|c) = (tf(t,c) + alpha) / (sum of tf(v,c) over V + alpha |V|)

score(c) = log P(c) + sum over the terms of the text of times(t) * log P(t|c)
"""

from __future__ import annotations

from likelier._base.numbers import Floats, Value
from likelier._estimate.evidence import Evidence, Ratio
from likelier._estimate.view_vocabulary import Named, Sums

ONCE = False  # repeats in one text count


def evidence(sums: Sums, count: Value, term_total: Value, named: Named) -> Evidence:
    """What is known of terms: `count` is tf(t,c), `term_total` is tf(t) over all labels."""
    return Evidence(
        count=count,
        total=sums.total,
        outcomes=sums.outcomes,
        seen=sums.seen,
        share=term_total / (sums.all_total + (sums.all_total == 0)),
        named=named,
    )


def weight(ratio: Ratio) -> Floats:
    """log P(t|c): what one occurrence adds."""
    return ratio.log()
