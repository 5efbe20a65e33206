r"""Text and numbers in LaTeX, and documents that compile."""

from __future__ import annotations

import re
import unicodedata
from fractions import Fraction
from pathlib import Path

MOST_DIGITS = 24  # of a fraction that is written out
_NUMBER = re.compile(r"-?\d+(\.\d+)?(e[+-]?\d+)?", re.ASCII)

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "-": "-{}",  # two of them are not a dash
    "'": "'{}",
    "`": "{}`{}",
    **{character: f"\\{character}" for character in "{}$&#_%"},
}


def text(words: object) -> str:
    r"""Words as they are, whatever they hold, on one line.

    >>> print(text("50 % \\ {x}"))
    50 \% \textbackslash{} \{x\}
    """
    line = " ".join(str(words).split())
    shown = "".join(_ESCAPES.get(character, character) for character in line if character.isprintable())
    return shown.replace(",,", ",{},{}")


def name(words: object) -> str:
    r"""A term or a label within a formula.

    >>> print(name("tax_free"))
    \text{tax\_free}
    """
    return rf"\text{{{text(words)}}}"


def is_number(written: str) -> bool:
    """Whether this is a number as Python writes it."""
    return _NUMBER.fullmatch(written) is not None


def number(written: str) -> str:
    """A number as Python writes it, with a power of ten in place of `e`."""
    mantissa, _, exponent = written.partition("e")
    return rf"{mantissa} \cdot 10^{{{int(exponent)}}}" if exponent else mantissa


def fraction(value: Fraction) -> str | None:
    r"""An exact number; None when it is too long to read.

    >>> print(fraction(Fraction(3, 4)), fraction(Fraction(5)), fraction(Fraction(1, 10**30)))
    \frac{3}{4} 5 None
    """
    if abs(value.numerator) >= 10**MOST_DIGITS or value.denominator >= 10**MOST_DIGITS:
        return None
    return str(value) if value.denominator == 1 else rf"\frac{{{value.numerator}}}{{{value.denominator}}}"


# ---- documents ---------------------------------------------------------------------------------------------------

# Signs that are set as formulas, each with its command.
_COMMANDS = r"""· \cdot  ± \pm  × \times  ¬ \neg  → \rightarrow  ← \leftarrow  ↓ \downarrow  ↑ \uparrow  ⇒ \Rightarrow
    ≈ \approx  ≠ \neq  ≤ \leq  ≥ \geq  ∝ \propto  ∞ \infty  − -  ∑ \sum  ∏ \prod  √ \surd  ∩ \cap  ∪ \cup  ∈ \in
    ∧ \wedge  ∨ \vee  ∅ \emptyset  ✓ \checkmark  ■ \blacksquare  □ \square  ⋅ \cdot  ∣ \mid
    α \alpha  β \beta  γ \gamma  δ \delta  ε \epsilon  ζ \zeta  η \eta  θ \theta  ι \iota  κ \kappa  λ \lambda  μ \mu
    ν \nu  ξ \xi  π \pi  ρ \rho  σ \sigma  τ \tau  υ \upsilon  φ \varphi  χ \chi  ψ \psi  ω \omega  Γ \Gamma  Δ \Delta
    Θ \Theta  Λ \Lambda  Ξ \Xi  Π \Pi  Σ \Sigma  Φ \Phi  Ψ \Psi  Ω \Omega
    ⁰ ^{0}  ¹ ^{1}  ² ^{2}  ³ ^{3}  ⁴ ^{4}  ⁵ ^{5}  ⁶ ^{6}  ⁷ ^{7}  ⁸ ^{8}  ⁹ ^{9}  ⁻ ^{-}"""
_SIGNS = dict(zip(_COMMANDS.split()[::2], _COMMANDS.split()[1::2], strict=True))

# Every engine knows ASCII, Latin-1, Latin Extended-A and a few signs. Others are found in runs of words.
_OTHER = r"(?:[·±×¬¹²³]|[^\0-\u017f–—‘’‚“”„†‡•…‰‹›€™])"
_OTHERS = re.compile(f"{_OTHER}+(?: +{_OTHER}+)*")
# Scripts whose characters change beside each other, by their names in the package `fontspec`.
_SHAPED = """Arabic, Bengali, Devanagari, Gujarati, Gurmukhi, Hebrew, Kannada, Khmer, Lao, Malayalam, Myanmar, Oriya,
    Sinhala, Syriac, Tamil, Telugu, Thaana, Thai, Tibetan"""
_SHAPED_SCRIPTS = frozenset(re.findall(r"\w+", _SHAPED))


def document(body: str, *, title: str = "") -> str:
    r"""A complete document around a body that is LaTeX; the title is plain text.

    It compiles with pdflatex for Latin script, and with xelatex or lualatex for any.

    >>> print(document("ja → nein", title="50 %")[-85:])
    \begin{document}
    \section*{50 \%}
    <BLANKLINE>
    ja \ensuremath{\rightarrow} nein
    \end{document}
    <BLANKLINE>
    """
    heading = f"\\section*{{{text(title)}}}\n\n" if title else ""
    inner = _OTHERS.sub(_with_glyphs, unicodedata.normalize("NFC", heading + body)).strip("\n")
    glyphs = _part("glyphs.tex") if re.search(r"\\(left|right)ward\{", inner) else ""
    return _part("document.tex").replace("@GLYPHS@", glyphs).replace("@BODY@", inner)


def _part(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def _with_glyphs(found: re.Match[str]) -> str:
    """Characters that not every engine has, with a command around each run of one script."""
    runs: list[tuple[str, str]] = []
    for character in found[0]:
        last = runs[-1][0] if runs else ""
        script = unicodedata.name(character, "NONE").split()[0].title()
        if (script == "Space" and last in _SHAPED_SCRIPTS) or (
            last and unicodedata.category(character).startswith("M")
        ):
            script = last
        if script == last and (script == "Greek" or character not in _SIGNS):
            runs[-1] = script, runs[-1][1] + character
        else:
            runs.append((script, character))
    return "".join(_run(script, characters) for script, characters in runs)


def _run(script: str, run: str) -> str:
    if run.isspace():
        return run
    if run in _SIGNS:
        return rf"\ensuremath{{{_SIGNS[run]}}}"
    direction = "leftward" if unicodedata.bidirectional(run[0]) in ("R", "AL") else "rightward"
    bare = run.rstrip()
    return (
        rf"\{direction}{{{script if script in _SHAPED_SCRIPTS else ''}}}{{{ord(max(bare))}}}{{{bare}}}"
        + run[len(bare) :]
    )
