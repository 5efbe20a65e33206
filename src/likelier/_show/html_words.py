"""Text from outside in a page: escaped, cut where it is long, and kept from turning what stands around it."""

from __future__ import annotations

import unicodedata
from html import escape

LONGEST_NAME = 48

# Of tables and what stands around them: light, dark and in print. Every rule starts with the section's own class.
STYLE = """
.likelier { color-scheme: light dark; --ink: #1b1f24; --faint: #59636e; --line: #d1d9e0; --paper: #fff;
  --for: 9 105 218; --against: 219 109 40;
  font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); padding: 1em; max-width: 66em;
  print-color-adjust: exact; -webkit-print-color-adjust: exact; }
@media (prefers-color-scheme: dark) {
  .likelier { --ink: #e6edf3; --faint: #9198a1; --line: #3d444d; --paper: #0d1117;
    --for: 88 166 255; --against: 240 136 62; }
}
@media print {
  .likelier { --ink: #000; --faint: #444; --line: #999; --paper: #fff; --for: 9 105 218; --against: 219 109 40; }
}
.likelier p { margin: 0 0 .6em; max-width: 48em; }
.likelier .wide { overflow-x: auto; }
.likelier .note { color: var(--faint); font-size: .9em; }
.likelier table { border-collapse: collapse; margin: 0 0 1em; font-size: .87em; color: inherit; background: none; }
.likelier th, .likelier td { padding: .2em .5em; text-align: start; font-weight: normal; border: 0;
  white-space: nowrap; }
.likelier tbody th { white-space: normal; overflow-wrap: anywhere; min-width: 8em; max-width: 16em; }
.likelier thead th { color: var(--faint); border-bottom: 1px solid var(--line); }
.likelier tfoot th, .likelier tfoot td { border-top: 1px solid var(--line); font-weight: bold; }
.likelier tr, .likelier tr:nth-child(even) { background: none; }
.likelier .n { text-align: end; font-variant-numeric: tabular-nums; }
@media print { .likelier { padding: 0; max-width: none; font-size: 10pt; } .likelier tr { break-inside: avoid; } }
"""


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
    """The text on one line, in at most so many characters.

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
