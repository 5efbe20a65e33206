"""Words and numbers in the page. All text from outside goes through `shown` or `named`."""

from __future__ import annotations

import unicodedata

from likelier.counts.labels import Label
from likelier.evaluate.figures import showing
from likelier.explain.html_document import safe

NOTHING = "–"  # where a figure is 0/0
LONGEST_NAME = 48
LONGEST_EXCERPT = 180
NO_BREAK = "\u00a0"


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


def named(label: Label | None, none: str = "no label") -> str:
    """A label; one that is empty or blank in quotes.

    >>> named("spam"), named(None), named(" ")
    ('<bdi>spam</bdi>', '<em>no label</em>', '<bdi>&#x27; &#x27;</bdi>')
    """
    if label is None:
        return f"<em>{none}</em>"
    text = str(label)
    return apart(text if text.strip() else repr(text), LONGEST_NAME)


def percent(share: float) -> str:
    r"""A share of documents, as it is written in HTML.

    >>> percent(0.9312), percent(0.99999)
    ('93.1\xa0%', '&gt;99.9\xa0%')
    """
    return safe(showing.percent(share)).replace(" ", NO_BREAK)


def rate(share: float | None) -> str:
    """A share that may not be defined."""
    return NOTHING if share is None else percent(share)


def points(difference: float) -> str:
    """A difference of two shares, in hundredths.

    >>> points(0.0123), points(0.01), points(0.0001)
    ('1.2 points', '1.0 points', '&lt;0.1 points')
    """
    return "&lt;0.1 points" if 0 < difference < 0.0005 else f"{difference * 100:.1f} points"


def number(documents: float) -> str:
    """A number of documents, with separators."""
    return showing.number(documents)


def counted(documents: float, noun: str = "document") -> str:
    """A number of things, with their name.

    >>> counted(1), counted(1200, "term")
    ('1 document', '1,200 terms')
    """
    return f"{number(documents)} {noun}{'' if documents == 1 else 's'}"
