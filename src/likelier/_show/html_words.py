"""Text from outside in a page: escaped, cut where it is long, and isolated from the direction of the text around it."""

from __future__ import annotations

import re
import unicodedata
from html import escape
from pathlib import Path

LONGEST_NAME = 48

# Of tables and explanations: light, dark and in print. Every rule starts with the section's own class.
STYLE = Path(__file__).with_name("style.css").read_text(encoding="utf-8")
SECTION_STYLE = re.sub(r"\.likelier(?!-)", ".likelier" * 3, STYLE)  # stronger than Jupyter's rules for tables


def in_section(*parts: str) -> str:
    """Parts of a page with the style of tables and explanations, for a page or a notebook."""
    inner = "\n".join(part for part in parts if part)
    return f'<section class="likelier">\n<style>{SECTION_STYLE}</style>\n{inner}\n</section>'


def page(inner: str, *, title: str, below: str = "") -> str:
    """A complete page around a section; below: a line below it, such as the model and the date."""
    footer = f"<footer>{safe(below)}</footer>\n" if below else ""
    return f"""\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{safe(title)}</title>
<style>{_PAGE}</style>
</head>
<body>
{inner}
{footer}</body>
</html>"""


_PAGE = """\
body { margin: 0 auto; max-width: 68em; background: #fff; }
footer { padding: 0 15px 15px; font: 13px/1.5 system-ui, sans-serif; color: #59636e; }
@media (prefers-color-scheme: dark) { body { background: #0d1117; } footer { color: #9198a1; } }"""


def safe(text: object) -> str:
    """Escaped, and without the control characters that HTML does not allow."""
    kept = "".join("\ufffd" if character < " " and character not in "\t\n" else character for character in str(text))
    return escape(kept, quote=True)


def shown(text: object) -> str:
    r"""Text from outside, escaped, with a sign in place of characters that a page must not have.

    >>> shown("<b>\x00"), shown("a\ud800")
    ('&lt;b&gt;\ufffd', 'a\ufffd')
    """
    kept = (" " if each in "\t\n\r" else "\ufffd" if _is_forbidden(each) else each for each in str(text))
    return safe("".join(kept))


def _is_forbidden(character: str) -> bool:
    """Control characters, lone surrogates, and code points that are none."""
    return unicodedata.category(character) in ("Cc", "Cs") or ord(character) & 0xFFFE == 0xFFFE


def cut(text: str, most: int) -> str:
    """The text on one line, in at most `most` characters.

    >>> cut("one  two three", 9), cut("one", 9)
    ('one two…', 'one')
    """
    text = " ".join(text[: most * 20].split())
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def apart(text: str, most: int) -> str:
    """Text from outside, cut, that cannot turn the writing direction around it; whole where the pointer rests on it."""
    short = cut(text, most)
    whole = f' title="{shown(cut(text, most * 10))}"' if short != " ".join(text.split()) else ""
    return f"<bdi{whole}>{shown(short)}</bdi>"


def named(label: object | None, none: str = "no label") -> str:
    """A label; one that is empty or blank in quotes.

    >>> named("spam"), named(None), named(" ")
    ('<bdi>spam</bdi>', '<em>no label</em>', '<bdi>&#x27; &#x27;</bdi>')
    """
    if label is None:
        return f"<em>{none}</em>"
    text = str(label)
    return apart(text if text.strip() else repr(text), LONGEST_NAME)
