"""A derivation: how a verdict follows from the document, as it is written on a board."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Literal

from likelier._base.cached import cached_property
from likelier._base.checks import check_flag, check_one_of, checked_decimals, checked_width, checked_words
from likelier._base.errors import error
from likelier._documents.labels import Label, checked_label, unknown_label
from likelier._explain.asked import document as asked
from likelier._explain.calculation import Calculation
from likelier._explain.explanation import EVIDENCE, Explanation
from likelier._explain.factors import Factors, factors
from likelier._explain.multiplied import Counted, Multiplied
from likelier._explain.normalization import decision, probabilities
from likelier._explain.ratios import Comparison
from likelier._explain.sentences import weightings
from likelier._show import blocks, latex
from likelier._show.blocks import Block, Sentence
from likelier._show.html_words import in_section
from likelier._show.table import Table, own
from likelier._show.words import counted as number_of

Form = Literal["product", "logs", "ratios", "odds"]
FORMS = ("product", "logs", "ratios", "odds")
MOST_LABELS = 6  # that are worked out, where none are named
LARGEST = 709.0  # the largest power of e that is a float
MOST_FACTORS = 12  # distinct terms and values, up to which a product is easy to read


@dataclass(frozen=True)
class Derivation:
    """How a verdict follows from the document: in symbols, with numbers, and what comes out.

    explanation       what is derived
    form              "product", "logs", "ratios" or "odds"
    labels            the labels that are worked out; for "ratios" and "odds" the two that are compared
    rounded           decimals to which every factor is rounded before it is used, as by hand; None: not rounded
    whole_vocabulary  with the terms that the text lacks, with exponent 0

    >>> from likelier import train
    >>> view = train([("cheap watches", "spam"), ("lunch at noon", "ham")]).textbook()
    >>> print(view.derivation("cheap lunch", labels=["spam"]))
    d = (cheap, lunch)
    <BLANKLINE>
    P(spam|d) ∝ P(spam) · P(cheap|spam) · P(lunch|spam)
              = 1/2 · (1+1)/(2+5) · (0+1)/(2+5)
              = 1/2 · 2/7 · 1/7
              = 1/49
              ≈ 0.5 · 0.2857 · 0.1429
              ≈ 0.02041
    <BLANKLINE>
    P(spam|d) = (1/49)/(1/49 + 1/64)
              = 64/113 ≈ 0.5664
    <BLANKLINE>
    1 more label is not shown.
    <BLANKLINE>
    ĉ = argmax P(c|d) = spam
    """

    explanation: Explanation
    form: Form = "product"
    labels: Sequence[Label] = ()
    rounded: int | None = None
    whole_vocabulary: bool = False
    _counted: Counted | None = field(default=None, repr=False, compare=False)
    names: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def _factors(self) -> Factors:
        return factors(self.explanation, whole_vocabulary=self.whole_vocabulary)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in ("_factors", "blocks")}  # made again

    @property
    def _calculation(self) -> Calculation:
        return Calculation(self.explanation, self._factors, self.rounded, self._counted)

    @cached_property
    def blocks(self) -> list[Block]:
        """The sentences and equations, in their order."""
        found = [*asked(self.explanation), *self._body(), *self._notes(), *decision(self.explanation)]
        return [blocks.renamed(block, self.names) for block in found] if self.names else found

    def renamed(self, names: Mapping[str, str]) -> Derivation:
        """The derivation with other words for likelier's own, as in another language; terms and labels stay.

        names: parts of sentences as they are shown between formulas, such as `{"exactly": "genau"}`
        """
        return replace(self, names=checked_words(names))

    def _body(self) -> list[Block]:
        calculation, labels = self._calculation, self.labels
        by_logarithms = self.form in ("logs", "odds")
        if self.form in ("ratios", "odds"):
            comparison = Comparison(calculation, *labels)
            compared = comparison.odds() if by_logarithms else comparison.ratios()
            return [*compared, *comparison.shares(by_logarithms=by_logarithms)]
        derive = calculation.logarithms if by_logarithms else calculation.product
        found = list[Block](map(derive, labels))
        return [*found, *probabilities(calculation, labels, by_logarithms=by_logarithms)]

    def _notes(self) -> list[Block]:
        left = len(self.explanation.labels) - len(self.labels)
        more = [f"{number_of(left, 'more label')} {'is' if left == 1 else 'are'} not shown"] if left else []
        lines = [*self._factors.notes, *more, *weightings(self.explanation)]
        return [Sentence([f"{line[0].upper()}{line[1:]}."]) for line in lines]

    # ---- data ----------------------------------------------------------------------------------------------------

    @property
    def _table(self) -> Table:
        heading = ("label", "factor", "times", "worked", "value", "logarithm")
        return Table(list(map(own, heading)), [row for label in self.labels for row in self._rows(label)]).renamed(
            self.names
        )

    def _rows(self, label: Label) -> list[list[Any]]:
        """The factors of a label, and their product."""
        found: list[list[Any]] = []
        for each in self._factors.all:
            symbol, worked = each.symbol(label).plain(), each.worked(label, self._counted).text()
            found.append([label, symbol, each.power, worked, _value(each, label), each.contributions[label]])
        product = self._factors.exact(label)
        return [*found, [label, "product", 1, "", product, self.explanation.naive_scores[label]]]

    def rows(self) -> list[dict[str, Any]]:
        """Each factor of each label as a mapping, and after them their product.

        label, factor in symbols, times (its exponent; negative: it divides), worked, value (an exact fraction, a float
        for a density, None for many terms at once), logarithm (with the exponent).
        """
        return self._table.rows()

    def to_csv(self) -> str:
        """The same with a line of names."""
        return self._table.to_csv()

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; fractions are text, and what is infinite is null."""
        verdict = self.explanation.verdict
        return {
            "form": self.form,
            "rounded": self.rounded,
            "label": verdict.label,
            "reason": verdict.reason,
            "probabilities": [
                {"label": label, "probability": verdict.probabilities[label]} for label in self.explanation.labels
            ],
            "factors": [{name: _plain(value) for name, value in row.items()} for row in self.rows()],
        }

    # ---- forms ---------------------------------------------------------------------------------------------------

    def __str__(self) -> str:
        return self.to_text()

    def to_text(self, *, width: int = 80, color: bool = False) -> str:
        """For a terminal of this width."""
        check_flag("color", color)
        return blocks.to_text(self.blocks, checked_width(width), color)

    def to_markdown(self) -> str:
        """With formulas between dollar signs, as GitHub and notebooks read it."""
        return blocks.to_markdown(self.blocks)

    def to_html(self) -> str:
        """A piece of HTML with MathML, which needs nothing from outside."""
        return in_section(blocks.to_html(self.blocks))

    def _repr_html_(self) -> str:
        """What notebooks show: the picture too."""
        picture = f"<figure>{self.to_svg()}</figure>" if len(self.explanation.compared) > 1 else ""
        return in_section(blocks.to_html(self.blocks), picture)

    def to_latex(self, *, document: bool = False) -> str:
        """For a document that loads `amsmath`; document: a complete one."""
        check_flag("document", document)
        body = blocks.to_latex(self.blocks)
        return latex.document(body) if document else body

    def to_svg(self) -> str:
        """A picture: from the prior to the verdict, a bar for each term; of the two labels that are compared."""
        from likelier._explain.picture import picture

        return picture(self.explanation, self.names)


def _value(each: Multiplied, label: Label) -> Fraction | float | None:
    """The factor without its exponent."""
    value = each.exact(label)
    return value if value is not None or each.kind == "more" else math.exp(min(each.logarithm(label), LARGEST))


def _plain(value: Any) -> Any:
    if isinstance(value, Fraction):
        return str(value)
    return None if isinstance(value, float) and not math.isfinite(value) else value


def derivation(
    explanation: Explanation,
    *,
    form: str = "product",
    labels: Sequence[Label] | None = None,
    rounded: int | None = None,
    whole_vocabulary: bool = False,
    counted: Counted | None = None,
) -> Derivation:
    """The derivation of an explanation, once its options are checked; of naive Bayes alone."""
    explanation = explanation.naive or explanation
    check_one_of("derivation-form", form, FORMS)
    check_flag("whole_vocabulary", whole_vocabulary)
    places = None if rounded is None else checked_decimals("rounded", rounded)
    shown = _labels(explanation, form, labels)
    found = Derivation(explanation, form, shown, places, whole_vocabulary, counted)  # type: ignore[arg-type]
    assert found._factors.all  # read now, so that later changes of the counts do not matter
    return found


def readable_form(explanation: Explanation) -> str:
    """A product for a short document, a sum of logarithms where a product would fill the page, or there is none."""
    has_none = bool(explanation.normalized or explanation.weightings or explanation.with_idf)
    evidence = [item for item in explanation.items if item.kind in EVIDENCE]
    return "logs" if has_none or len(evidence) > MOST_FACTORS else "product"


def _labels(explanation: Explanation, form: str, labels: Sequence[Label] | None) -> list[Label]:
    is_pair = form in ("ratios", "odds")
    if labels is None:
        found = explanation.compared if is_pair else explanation.labels[:MOST_LABELS]
    else:
        if isinstance(labels, str | bytes) or not isinstance(labels, Sequence) or not labels:
            raise error("derivation-labels", got=labels)
        found = [checked_label(label) for label in labels]
        unknown = [label for label in found if label not in explanation.labels]
        if unknown:
            raise unknown_label(unknown[0], sorted(explanation.labels, key=str))
    if is_pair and len(set(found)) != 2:
        raise error("derivation-two-labels", form=form, got=len(set(found)))
    return list(dict.fromkeys(found))
