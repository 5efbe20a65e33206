"""Numbers in the page. All text from outside goes through `explain.html_words`."""

from __future__ import annotations

from likelier._evaluate.figures import showing
from likelier._show.html_words import safe

NOTHING = "–"  # where a figure is 0/0
LONGEST_EXCERPT = 180
NO_BREAK = "\u00a0"


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
