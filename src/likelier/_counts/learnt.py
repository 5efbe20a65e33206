"""What a ledger says about documents."""

from __future__ import annotations

from dataclasses import dataclass

from likelier._kernel import Ledger


@dataclass(frozen=True, slots=True)
class Learnt:
    """How many of some documents a model has learnt, with the same labels and weights.

    documents  how many there are
    known      how many of them it has learnt
    every      whether it has learnt each of them, as often as it is here
    """

    documents: int
    known: int
    every: bool


def learnt(ledger: Ledger, part: Ledger) -> Learnt:
    """What the ledger says about the documents of another one."""
    return Learnt(len(part), ledger.common(part), every=ledger.holds(part))
