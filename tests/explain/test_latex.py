"""The derivation in LaTeX."""

from __future__ import annotations

import re

import pytest
from hypothesis import given

import likelier as lk
from explain.examples import (
    EXAMPLES,
    china,
    explanations,
    hostile,
    impossible_for_all,
    impossible_for_one,
    long_text,
    many_labels,
    normalized,
    one_label,
    right_to_left,
    six_labels,
    wide,
)
from explain.tables import TABLES, hostile_columns
from likelier._explain.derivation import FORMS, derivation
from likelier._explain.explanation import Explanation
from likelier._show.latex import document, text
from typeset import compiled


def render(explanation: Explanation) -> str:
    return explanation.to_latex()


def check_balance(source: str) -> None:
    plain = re.sub(r"\\[{}]", "", source)
    depth = 0
    for character in plain:
        depth += (character == "{") - (character == "}")
        assert depth >= 0
    assert depth == 0
    assert source.count(r"\left(") == source.count(r"\right)")
    assert source.count(r"\[") == source.count(r"\]")
    stack: list[str] = []
    for which, name in re.findall(r"\\(begin|end)\{(\w+\*?)\}", source):
        if which == "begin":
            stack.append(name)
        else:
            assert stack.pop() == name
    assert stack == []


def test_the_textbook_example_is_derived_like_this():
    assert render(china("Chinese Chinese Chinese Tokyo Japan Berlin")).splitlines() == [
        r"\noindent $d$ = (chinese, chinese, chinese, tokyo, japan, berlin)\par",
        r"\noindent berlin is not in the vocabulary and is ignored.\par",
        r"\begin{align*}",
        r"P(\text{china} \mid d) &\propto P(\text{china}) \cdot P(\text{chinese} \mid \text{china})^{3}"
        r" \cdot P(\text{tokyo} \mid \text{china}) \\",
        r"&\quad \cdot P(\text{japan} \mid \text{china}) \\",
        r"&= \frac{3}{4} \cdot \left(\frac{5+1}{8+6}\right)^{3} \cdot \frac{0+1}{8+6} \cdot \frac{0+1}{8+6} \\",
        r"&= \frac{3}{4} \cdot \left(\frac{6}{14}\right)^{3} \cdot \frac{1}{14} \cdot \frac{1}{14} \\",
        r"&= \frac{81}{268912} \\",
        r"&\approx 0.75 \cdot 0.4286^{3} \cdot 0.07143 \cdot 0.07143 \\",
        r"&\approx 0.0003012",
        r"\end{align*}",
        r"\begin{align*}",
        r"P(\text{japan} \mid d) &\propto P(\text{japan}) \cdot P(\text{chinese} \mid \text{japan})^{3}"
        r" \cdot P(\text{tokyo} \mid \text{japan}) \\",
        r"&\quad \cdot P(\text{japan} \mid \text{japan}) \\",
        r"&= \frac{1}{4} \cdot \left(\frac{1+1}{3+6}\right)^{3} \cdot \frac{1+1}{3+6} \cdot \frac{1+1}{3+6} \\",
        r"&= \frac{1}{4} \cdot \left(\frac{2}{9}\right)^{3} \cdot \frac{2}{9} \cdot \frac{2}{9} \\",
        r"&= \frac{8}{59049} \\",
        r"&\approx 0.25 \cdot 0.2222^{3} \cdot 0.2222 \cdot 0.2222 \\",
        r"&\approx 0.0001355",
        r"\end{align*}",
        r"\begin{align*}",
        r"P(\text{china} \mid d) &= \frac{\;\frac{81}{268912}\;}{\frac{81}{268912} + \frac{8}{59049}} \\",
        r"&= \frac{4782969}{6934265} \approx 0.6898 \\",
        r"P(\text{japan} \mid d) &= \frac{\;\frac{8}{59049}\;}{\frac{81}{268912} + \frac{8}{59049}} \\",
        r"&= \frac{2151296}{6934265} \approx 0.3102",
        r"\end{align*}",
        r"\noindent $\hat{c} = \operatorname*{arg\,max}_{c} P(c \mid d) = \text{china}$\par",
    ]


@pytest.mark.parametrize("example", EXAMPLES)
def test_braces_and_environments_are_balanced(example):
    check_balance(render(example()))


@given(explanations())
def test_every_view_can_be_derived(explanation):
    source = render(explanation)
    check_balance(source)
    assert not re.search(r"\bnan\b|\binf\b", source)


def test_bernoulli_multiplies_what_is_there_and_what_is_not():
    source = render(china(event="bernoulli"))
    # china: 3/4 * 4/5 * 1/5 * 1/5 * (1 - 2/5)^3
    assert r"P(\text{beijing} = 0 \mid \text{china})" in source
    assert r"\left(1 - \frac{1+1}{3+2}\right)" in source
    assert r"= \frac{81}{15625} = 0.005184" in source


def test_complement_divides():
    source = render(china(event="complement"))
    assert r"\frac{1}{P(\text{chinese} \mid \overline{\text{china}})^{3}}" in source
    assert r"\frac{3}{4} \cdot \frac{1}{\left(\frac{1+1}{3+6}\right)^{3}} \cdot" in source
    assert r"\approx 0.6898" in source


def test_normalized_weights_are_summed_not_multiplied():
    source = render(normalized())
    assert r"w(t, c) &= \frac{-\log P(t \mid \overline{c})}" in source
    assert r"q(\text{billing}) &= \log P(\text{billing}) + 2 \cdot w(\text{the}, \text{billing})" in source


def test_a_sum_of_fractions_is_bracketed():
    source = render(china(smoothing=lk.JelinekMercer(0.7)))
    assert r"\left(0.7 \cdot \frac{0}{8}+0.3 \cdot \frac{1}{11}\right)" in source


def test_a_long_text_is_a_sum_of_logarithms():
    source = render(long_text())
    assert r"q(\text{billing}) &= \log P(\text{billing}) + 76 \cdot \log P(\text{i} \mid \text{billing})" in source
    assert r"\log \frac{40}{240} + 76 \cdot \log \frac{19}{1432}" in source
    assert "stands for 700 more terms and values" in source
    assert len(source) < 20_000


def test_the_logarithms_that_are_shown_add_up_to_the_score_that_is_shown():
    lines = re.sub(r" \\\\\n&\\quad", "", render(long_text()))
    summands = re.findall(r"\\approx (-[\d. +-]+) \\\\\n&\\approx (-[\d.]+)\n", lines)
    assert len(summands) == 6
    for numbers, total in summands:
        found = [float(number) for number in re.findall(r"[+-] ?[\d.]+", numbers.replace(" ", ""))]
        assert sum(found) == pytest.approx(float(total), abs=0.02)


def test_tiny_numbers_have_their_power_of_ten():
    assert r"\approx 1.666 \cdot 10^{-28}" in render(six_labels())


def test_a_factor_of_zero_makes_the_product_zero():
    source = render(impossible_for_one())
    assert r"\frac{0}{8}" in source
    assert "&= 0\n" in source
    assert r"P(\text{china} \mid d) &= 0" in source


def test_where_every_label_is_impossible_there_is_no_posterior():
    source = render(impossible_for_all())
    assert r"$P(c \mid d)$ is not defined" in source
    assert "Every label has probability 0: the text has a term that was never seen" in source
    assert "No label is chosen." in source
    assert r"\hat{c}" not in source


def test_with_one_label_the_posterior_is_1():
    assert "P(\\text{only} \\mid d) &= \\frac{0.1111}{0.1111} \\\\\n&= 1\n" in render(one_label())


def test_of_many_labels_the_likeliest_are_written_out():
    source = render(many_labels())
    assert source.count(r"\propto") == 6
    assert source.count(r"\mid d) &=") == 6
    assert "44 more labels are not shown." in source


def test_a_decision_by_threshold_comes_with_its_reason():
    view = lk.train([("a", "x"), ("a b", "y")]).view(decide=lk.Thresholds({"*": 0.9}, otherwise="y"))
    source = render(view.explain("a"))
    assert r"\hat{c} = \text{y}" in source
    assert "below its threshold 0.9: y instead." in source


def test_specials_are_escaped():
    assert text("50% _$#&^~{}\\") == (r"50\% \_\$\#\&\textasciicircum{}\textasciitilde{}\{\}\textbackslash{}")
    assert text("a\n\n\x00b -- c") == "a b -{}-{} c"


def test_letters_outside_ascii_stand_in_text():
    for source in (render(wide()), render(right_to_left())):
        formulas = "".join(re.findall(r"\\begin\{align\*\}.*?\\end\{align\*\}|\$[^$]*\$", source, re.DOTALL))
        assert re.sub(r"\\text\{[^{}]*\}", "", formulas).isascii()


def test_a_complete_document_is_one_that_can_be_compiled():
    source = china().to_latex(document=True)
    assert r"\documentclass" in source
    assert source.endswith("\\end{document}\n")
    assert render(china()) in source


def check_pages(explanations: list[Explanation], engine: str, *, fits: bool = True) -> None:
    forms = [form for form in FORMS for _ in explanations]
    derivations = [
        derivation(each, form=form).to_latex()
        for form, each in zip(forms, explanations * len(FORMS), strict=True)
        if form in ("product", "logs") or len(each.labels) > 1
    ]
    page = compiled(document("\n\n".join(derivations)), engine)
    assert not (fits and page.too_wide)
    assert "arg max" in page.text.replace("argmax", "arg max")


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["pdflatex", "xelatex", "lualatex"])
def test_it_compiles(engine):
    others = (wide, right_to_left, hostile, hostile_columns)
    check_pages([example() for example in [*EXAMPLES, *TABLES] if example not in others], engine)
    check_pages([hostile(), hostile_columns()], engine, fits=False)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["xelatex", "lualatex"])
def test_any_script_compiles(engine):
    check_pages([wide(), right_to_left()], engine)
