r"""Sentences and equations below each other, in every form.

A sentence is a list of words and formulas. Words from outside are harmless in each form, as formulas are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from likelier._show import latex
from likelier._show.cells import clean, paint, wrap
from likelier._show.expressions import Equations, Expression, Name, Symbol
from likelier._show.html_words import shown
from likelier._show.table import markdown_text


class Given(str):
    """Words from outside in a sentence: `renamed` leaves them."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """Words and formulas; strong: what matters most."""

    parts: Sequence[str | Expression]
    strong: bool = False


Block = Sentence | Equations

# Readers of formulas in Markdown know none of the escapes of LaTeX within \text{}: wide characters look the same.
_WIDE = {
    r"\textbackslash{}": "＼",
    r"\textasciitilde{}": "～",
    r"\textasciicircum{}": "＾",
    r"\textless{}": "＜",
    r"\textgreater{}": "＞",
    r"\textbar{}": "｜",
    "-{}": "-",
    "'{}": "'",
    "`{}": "｀",
    **{rf"\{character}": chr(ord(character) + 0xFEE0) for character in "{}$&#_%"},
}


def renamed(block: Block, names: Mapping[str, str]) -> Block:
    """The block with other words for likelier's own, as in another language.

    >>> sentence = Sentence([Given("lecker"), " is ignored."])
    >>> to_text([renamed(sentence, {"is ignored.": "wird ignoriert.", "lecker": "x"})])
    'lecker wird ignoriert.'
    """

    def word(part: str | Expression) -> str | Expression:
        if isinstance(part, Symbol) and part.written in names:
            return Name(names[part.written])
        if not isinstance(part, str) or isinstance(part, Given) or part.strip() not in names:
            return part
        return part.replace(part.strip(), names[part.strip()])

    if isinstance(block, Sentence):
        return replace(block, parts=[word(part) for part in block.parts])
    return replace(block, lines=[(_left(word(left)), steps) for left, steps in block.lines])


def _left(part: str | Expression) -> Expression:
    assert isinstance(part, Expression)
    return part


def to_text(blocks: Sequence[Block], width: int = 80, color: bool = False) -> str:
    """For a terminal of this width."""
    return "\n\n".join(_text(block, width, color) for block in blocks)


def _text(block: Block, width: int, color: bool) -> str:
    if isinstance(block, Equations):
        return block.text(width)
    words = "".join(clean(part) if isinstance(part, str) else part.text() for part in block.parts)
    return "\n".join(paint(line, "strong", color and block.strong) for line in wrap(words, width))


def to_markdown(blocks: Sequence[Block]) -> str:
    """With formulas between dollar signs, as GitHub and notebooks read it."""
    return "\n\n".join(map(_markdown, blocks))


def _markdown(block: Block) -> str:
    if isinstance(block, Equations):
        return f"$$\n{_in_markdown(block.latex()).replace('align*', 'aligned')}\n$$"
    parts = (
        _kept(part, markdown_text) if isinstance(part, str) else f"${_in_markdown(part.latex())}$"
        for part in block.parts
    )
    return f"**{''.join(parts)}**" if block.strong else "".join(parts)


def _in_markdown(formula: str) -> str:
    for escape, wide in _WIDE.items():
        formula = formula.replace(escape, wide)
    return formula


def to_html(blocks: Sequence[Block]) -> str:
    """Paragraphs and MathML."""
    return "\n".join(map(_html, blocks))


def _html(block: Block) -> str:
    if isinstance(block, Equations):
        return f'<div class="wide">{block.mathml()}</div>'
    parts = (shown(part) if isinstance(part, str) else f"<math>{part.mathml()}</math>" for part in block.parts)
    return f'<p class="verdict">{"".join(parts)}</p>' if block.strong else f"<p>{''.join(parts)}</p>"


def to_latex(blocks: Sequence[Block]) -> str:
    """For a document that loads `amsmath`."""
    return "\n".join(map(_latex, blocks))


def _latex(block: Block) -> str:
    if isinstance(block, Equations):
        return block.latex()
    parts = (_kept(part, latex.text) if isinstance(part, str) else f"${part.latex()}$" for part in block.parts)
    return rf"\noindent {''.join(parts)}\par"


def _kept(part: str, write: Callable[[str], str]) -> str:
    """Words as `write` writes them, with the spaces at their ends."""
    return f"{' ' * (part[:1] == ' ')}{write(part)}{' ' * (part[-1:] == ' ')}" if part.strip() else " "
