"""The derivation in LaTeX."""

from __future__ import annotations

import re
import shutil
import subprocess

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
from likelier._explain.explanation import Explanation
from likelier._show.latex import text


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
        r"\noindent $d = \{\text{chinese}^{3},\allowbreak\ \text{tokyo},\allowbreak\ \text{japan}\}$",
        r"\begin{align*}",
        r"& P(\text{china}) \prod_{t \in d} P(t \mid \text{china})^{n_t} \\",
        r"&\quad = \frac{3}{4} \cdot \left(\frac{5+1}{8+6}\right)^{3} \cdot \frac{0+1}{8+6} \cdot \frac{0+1}{8+6} \\",
        r"&\quad = \frac{81}{268912} \approx 3.012 \cdot 10^{-4}",
        r"\end{align*}",
        r"\begin{align*}",
        r"& P(\text{japan}) \prod_{t \in d} P(t \mid \text{japan})^{n_t} \\",
        r"&\quad = \frac{1}{4} \cdot \left(\frac{1+1}{3+6}\right)^{3} \cdot \frac{1+1}{3+6} \cdot \frac{1+1}{3+6} \\",
        r"&\quad = \frac{8}{59049} \approx 1.355 \cdot 10^{-4}",
        r"\end{align*}",
        r"\begin{align*}",
        r"P(\text{china} \mid d) &= \frac{3.012 \cdot 10^{-4}}{4.367 \cdot 10^{-4}} = \frac{4782969}{6934265}"
        r" \approx 0.6898 \\",
        r"P(\text{japan} \mid d) &= \frac{1.355 \cdot 10^{-4}}{4.367 \cdot 10^{-4}} = \frac{2151296}{6934265}"
        r" \approx 0.3102",
        r"\end{align*}",
        r"\[",
        r"\hat{c} = \operatorname*{arg\,max}_{c} P(c \mid d) = \text{china}",
        r"\]",
        "Unknown and left out: berlin.",
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
    assert r"\prod_{t \notin d} \bigl(1 - P(t \mid \text{china})\bigr)" in source
    assert r"\underbrace{\frac{27}{125}}_{\text{3 absent terms}}" in source
    assert r"= \frac{81}{15625} \approx 0.005184" in source


def test_complement_divides():
    source = render(china(event="complement"))
    assert r"P(\text{china}) \Big/ \prod_{t \in d} P(t \mid \overline{\text{china}})^{n_t}" in source
    assert r"\frac{3}{4} \Big/ \Bigl( \left(\frac{1+1}{3+6}\right)^{3} \cdot" in source
    assert r"\approx 0.6898" in source


def test_normalized_weights_are_summed_not_multiplied():
    source = render(normalized())
    assert r"w_{tc} = \frac" in source
    assert r"\begin{array}" in source


def test_a_sum_of_fractions_is_bracketed():
    source = render(china(smoothing=lk.JelinekMercer(0.7)))
    assert r"\left(0.7 \cdot \frac{0}{8}+0.3 \cdot \frac{1}{11}\right)" in source


def test_a_long_text_is_a_table_of_logarithms():
    source = render(long_text())
    assert r"q(c) = \log P(c) + \sum_{t \in d} n_t \log P(t \mid c)" in source
    assert r"\log \tfrac{40}{240} = -1.792" in source
    assert re.search(r"\\text\{\d+ more, together\} & -\d+\.\d+ & -\d+\.\d+", source)
    assert len(source) < 10_000


def test_the_logarithms_that_are_shown_add_up_to_the_score_that_is_shown():
    table = render(long_text()).split(r"\hline")
    columns = [
        [float(number) for number in re.findall(r"(-?\d+\.\d+) (?=[&\\])", line)] for line in table[1].splitlines()
    ]
    winner, other = (sum(numbers[place] for numbers in columns if numbers) for place in (0, 1))
    total = re.findall(r"-\d+\.\d+", table[2])
    assert winner == pytest.approx(float(total[0]), abs=0.01)
    assert other == pytest.approx(float(total[1]), abs=0.01)


def test_tiny_numbers_have_their_power_of_ten():
    assert r"\approx 1.666 \cdot 10^{-28}" in render(six_labels())


def test_a_factor_of_zero_makes_the_product_zero():
    source = render(impossible_for_one())
    assert r"\frac{0}{8}" in source
    assert "&\\quad = 0\n" in source
    assert r"P(\text{china} \mid d) &= 0" in source


def test_where_every_label_is_impossible_there_is_no_posterior():
    source = render(impossible_for_all())
    assert r"$P(c \mid d)$ is not defined" in source
    assert "every label has probability 0" in source
    assert r"\hat{c}" not in source


def test_with_one_label_the_posterior_is_1():
    assert r"P(\text{only} \mid d) &= \frac{0.1111}{0.1111} = 1" in render(one_label())


def test_of_many_labels_the_likeliest_are_written_out():
    source = render(many_labels())
    assert source.count(r"\prod") == 2 * 3
    assert source.count(r"\mid d) &=") == 10


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
        formulas = "\n".join(line for line in source.splitlines() if "\\" in line)
        assert re.sub(r"\\text\{[^{}]*\}", "", formulas).isascii()


if shutil.which("pdflatex"):

    @pytest.mark.slow
    def test_it_compiles(tmp_path):
        examples = [example for example in EXAMPLES if example not in (wide, right_to_left)]
        body = "\n\n".join(render(example()) for example in [*examples, hostile])
        document = "\n".join([r"\documentclass{article}\usepackage{amsmath}\begin{document}", body, r"\end{document}"])
        (tmp_path / "document.tex").write_text(document, encoding="utf-8")
        command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "document.tex"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
        assert done.returncode == 0, done.stdout.decode(errors="replace")[-2000:]
