"""Bernoulli event model (Manning, Raghavan & Schütze 2008, section 13.3): every term of V is there or not.

    P(t=1|c) = (df(t,c) + alpha) / (N_c + 2 alpha)

    score(c) = log P(c) + sum over terms present of log P(t=1|c) + sum over terms absent of log(1 - P(t=1|c))

Summing the absent terms of every text would cost |V|. So all terms are taken as absent once, and a present term adds
log P - log(1 - P).
"""

from __future__ import annotations

from fractions import Fraction

from likelier._base.numbers import Floats, Value
from likelier._estimate.evidence import Evidence, Ratio
from likelier._estimate.view_vocabulary import Named, Sums

ONCE = True  # terms are counted by documents: repeats in one text do not count


def evidence(sums: Sums, count: Value, term_total: Value, named: Named) -> Evidence:
    """What is known of a term's presence: `count` is df(t,c), `term_total` is df(t) over all labels."""
    return Evidence(
        count=count,
        total=sums.documents,
        outcomes=Fraction(2) if isinstance(count, Fraction) else 2,  # 1/2 must stay exact
        seen=1 * (count > 0) + (count < sums.documents),
        share=term_total / (sums.all_documents + (sums.all_documents == 0)),
        named=named,
    )


def weight(ratio: Ratio) -> Floats:
    """log P(t=1|c): what a present term adds."""
    return ratio.log()


def absent(ratio: Ratio) -> Floats:
    """log(1 - P(t=1|c)): what an absent term adds."""
    return ratio.log_complement()
