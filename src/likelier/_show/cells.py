"""Text in the cells of a terminal: how wide it is, cut and filled to a width, in color.

A Chinese character is two cells wide, a combining accent none. Text from outside cannot steer the terminal: control
characters and changes of the writing direction are shown as escapes.
"""

from __future__ import annotations

import unicodedata

STYLES = {"strong": "1", "faint": "2", "for": "36", "against": "33"}
LEFT_TO_RIGHT = "\u200e"  # keeps the numbers after a Hebrew or Arabic word in their places
STEERING = "\u061c\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"


def clean(text: str) -> str:
    r"""The text without anything that steers the terminal.

    >>> print(clean("a\x1b[31mb"))
    a\x1b[31mb
    """
    shown = "".join(_shown(character) for character in text)
    leads_right_to_left = any(unicodedata.bidirectional(character) in ("R", "AL", "AN") for character in shown)
    return f"{LEFT_TO_RIGHT}{shown}{LEFT_TO_RIGHT}" if leads_right_to_left else shown


def _shown(character: str) -> str:
    if unicodedata.category(character) in ("Cc", "Cs") or character in STEERING:
        return character.encode("unicode_escape").decode("ascii")
    return character


def width(text: str) -> int:
    """How many cells the text takes.

    >>> width("spam"), width("垃圾"), width("e\u0301")
    (4, 4, 1)
    """
    return sum(map(_cells, text))


def _cells(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    if "\u1160" <= character <= "\u11ff":  # the later parts of a Korean syllable
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def cut(text: str, most: int) -> str:
    """The text in at most `most` cells; an ellipsis shows that it was cut.

    >>> cut("preposterous", 8), cut("垃圾邮件", 6), cut("spam", 8)
    ('prepost…', '垃圾…', 'spam')
    """
    if width(text) <= most:
        return text
    kept, used = "", 1
    for character in text:
        used += _cells(character)
        if used > most:
            break
        kept += character
    mark = LEFT_TO_RIGHT if text.startswith(LEFT_TO_RIGHT) else ""
    return f"{kept.rstrip()}…{mark}"


def left(text: str, cells: int) -> str:
    """Filled with spaces on the right."""
    return text + " " * (cells - width(text))


def right(text: str, cells: int) -> str:
    """Filled with spaces on the left."""
    return " " * (cells - width(text)) + text


def wrap(text: str, most: int) -> list[str]:
    """Lines of at most `most` cells, broken between words.

    >>> wrap("the prior alone decides", 12)
    ['the prior', 'alone', 'decides']
    """
    lines: list[str] = []
    for word in text.split():
        if lines and width(lines[-1]) + 1 + width(word) <= most:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def paint(text: str, style: str, color: bool) -> str:
    """The text in one of the styles, if colors are wanted."""
    return f"\x1b[{STYLES[style]}m{text}\x1b[0m" if color and text.strip() else text
