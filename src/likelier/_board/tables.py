"""The tables that a view has, as methods."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol, TypeGuard

from likelier._answer.scores import Estimates
from likelier._base.errors import error
from likelier._base.threads import reading
from likelier._counts.by_column import Counts
from likelier._documents.labels import Label
from likelier._documents.schema import Schema
from likelier._kernel import Gate

if TYPE_CHECKING:
    from likelier._board.chances import Form
    from likelier._board.counts import Counted
    from likelier._board.outcomes import By, Order
    from likelier._board.ratios import Order as RatioOrder
    from likelier._show.table import Table

MOST = 20  # terms that a table shows


class HasEstimates(Protocol):
    """A view."""

    @property
    def estimates(self) -> Estimates: ...


class Tables:
    """What a lecturer writes on the board: counts, priors, likelihoods and ratios as tables.

    Each prints in a terminal and shows in a notebook; `to_markdown`, `to_html`, `to_latex`, `to_csv` and `rows` give
    the other forms. Options that several tables have:

    column  one column of a model with several
    labels  the labels to show, in this order; all up to 12 if not given
    terms   the terms or values to show, in this order
    order   of terms: "first" (as they were counted), "sorted", "frequent"
    most    number of terms; the most frequent ones are shown. None: all
    by      "label": a row for each label; "term": a row for each term. Default: by label, up to 12 terms
    form    of fractions: "worked" (2+1)/(5+7), "fraction" 3/12, "reduced" 1/4, "decimal" 0.25, "steps" all of them
    digits  of decimals
    """

    counts: Counts
    schema: Schema

    @property
    def gate(self) -> Gate:
        """What keeps changes and answers apart."""
        return self.counts.gate

    if TYPE_CHECKING:

        @property
        def estimates(self) -> Estimates: ...

    @reading
    def count_table(
        self,
        *,
        column: str | None = None,
        counts: Counted | None = None,
        by: By | None = None,
        order: Order = "first",
        most: int | None = MOST,
        terms: Iterable[str] | None = None,
        labels: Iterable[Label] | None = None,
    ) -> Table:
        """How often each term was counted under each label, with the number of words and documents.

        counts: "tf" are occurrences, "df" documents with the term; what the view counts by if not given.

        >>> from likelier import train
        >>> view = train([("a a b", "x"), ("b c", "y")]).textbook()
        >>> print(view.count_table())
        label  a  b  c  words  documents
        x      2  1  0      3          1
        y      0  1  1      2          1
        ────────────────────────────────
        sum    2  2  1      5          2
        """
        from likelier._board.counts import count_table

        estimates = self.estimates
        return count_table(
            estimates.parts,
            estimates.labels,
            self.counts.documents_per_label,
            plain=self.schema.is_plain,
            column=column,
            counts=counts,
            by=by,
            order=order,
            most=most,
            terms=terms,
            wanted=labels,
        )

    @reading
    def prior_table(self, *, form: Form = "steps", digits: int = 4, labels: Iterable[Label] | None = None) -> Table:
        """P(c) of each label.

        >>> from likelier import train
        >>> print(train([("a", "x"), ("b", "x"), ("c", "y")]).textbook().prior_table())
        label  documents          P(c)
        x              2  2/3 ≈ 0.6667
        y              1  1/3 ≈ 0.3333
        ──────────────────────────────
        sum            3             1
        """
        from likelier._board.likelihoods import prior_table

        return prior_table(self.estimates, form=form, digits=digits, wanted=labels)

    @reading
    def likelihood_table(
        self,
        *,
        column: str | None = None,
        form: Form = "worked",
        digits: int = 4,
        before: bool | HasEstimates = False,
        by: By | None = None,
        order: Order = "first",
        most: int | None = MOST,
        terms: Iterable[str] | None = None,
        labels: Iterable[Label] | None = None,
        asked: float | None = None,
    ) -> Table:
        """P(t|c) of each term under each label, worked out; for the Bernoulli model P(t=1|c) and P(t=0|c).

        before: also without smoothing; or as another view of the model has them.
        asked: a number, whose density under each label is shown; for one numeric column.
        `to_svg` draws the likelihoods as bars, before and after; of a numeric column the densities.

        >>> from likelier import train
        >>> view = train([("a a b", "x"), ("b c", "y")]).textbook()
        >>> print(view.likelihood_table(by="term", form="steps", before=True))
        term  P(t|x) before                      P(t|x)  P(t|y) before                   P(t|y)
        a      2/3 ≈ 0.6667     (2+1)/(3+3) = 3/6 = 0.5        0/2 = 0  (0+1)/(2+3) = 1/5 = 0.2
        b      1/3 ≈ 0.3333  (1+1)/(3+3) = 2/6 ≈ 0.3333      1/2 = 0.5  (1+1)/(2+3) = 2/5 = 0.4
        c           0/3 = 0  (0+1)/(3+3) = 1/6 ≈ 0.1667      1/2 = 0.5  (1+1)/(2+3) = 2/5 = 0.4
        ───────────────────────────────────────────────────────────────────────────────────────
        sum               1                           1              1                        1
        """
        from likelier._board.likelihoods import likelihood_table

        estimates = self.estimates
        other = None if isinstance(before, bool) else getattr(before, "estimates", before)
        if not (other is None or _are_alike(other, estimates)):
            raise error("before-other")
        return likelihood_table(
            estimates.parts,
            estimates.labels,
            plain=self.schema.is_plain,
            column=column,
            form=form,
            digits=digits,
            before=other.parts if other is not None else True if before else None,
            by=by,
            order=order,
            most=most,
            terms=terms,
            wanted=labels,
            asked=asked,
        )

    @reading
    def ratio_table(
        self,
        label: Label,
        against: Label,
        *,
        column: str | None = None,
        form: Form = "decimal",
        digits: int = 4,
        order: RatioOrder = "ratio",
        most: int | None = MOST,
        terms: Iterable[str] | None = None,
    ) -> Table:
        """P(t|label), P(t|against), their ratio and its logarithm; in the foot the sums, and the same of the prior.

        order: also "ratio", the highest first; of a large vocabulary the terms that tell the labels apart best.
        `to_svg` draws the logarithms.

        >>> from likelier import train
        >>> print(train([("a a b", "x"), ("b c", "y")]).textbook().ratio_table("x", "y"))
        term   P(t|x)  P(t|y)   ratio  log ratio
        a         0.5     0.2     2.5     0.9163
        b      0.3333     0.4  0.8333    -0.1823
        c      0.1667     0.4  0.4167    -0.8755
        ────────────────────────────────────────
        sum         1       1
        prior     0.5     0.5       1     0.0000
        """
        from likelier._board.ratios import ratio_table

        return ratio_table(
            self.estimates,
            label,
            against,
            plain=self.schema.is_plain,
            column=column,
            form=form,
            digits=digits,
            order=order,
            most=most,
            terms=terms,
        )


def _are_alike(other: object, estimates: Estimates) -> TypeGuard[Estimates]:
    """Whether both have the same labels and columns."""
    return (
        isinstance(other, Estimates) and other.labels == estimates.labels and set(other.parts) == set(estimates.parts)
    )
