"""HTML to text: what a reader sees, for counting words.

One pass from left to right, in linear time for any input. The standard library's parser takes quadratic time on
unclosed tags in the Python versions that likelier supports, and mail is input by strangers.

Block elements become line breaks; other tags and comments leave nothing, so that `Via<!-- x -->gra` is one word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from io import StringIO

_BLOCKS = frozenset(
    """
    address article aside blockquote body br center dd details dialog dir div dl dt fieldset figcaption figure footer
    form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li main menu nav ol optgroup option p pre
    section select summary table tbody textarea tfoot thead title tr ul
    """.split()  # noqa: SIM905
)
_CELLS = frozenset(["td", "th", "input", "button"])
_UNSEEN = frozenset(["script", "style", "template"])

PIECE = 1 << 16  # characters

_TAG = re.compile(r"</?([a-zA-Z][^\s/>]*)")
# Inside a tag: a quoted value, which may hold ">", or the end. A failing search for a closing quote reaches the end of
# the text once only: no such quote is left then, so no later attempt can begin.
_VALUE_OR_END = re.compile(r"""=\s*+(?:"[^"]*+"|'[^']*+')|>""")
_ALT = re.compile(r"""\balt\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s>"']++))""", re.IGNORECASE)
_LONG_NUMBER = re.compile(r"&#0*+[1-9][0-9]{7,}+;?")  # html.unescape cannot take thousands of digits
_BLANKS = {code: " " for code in range(0x3001) if chr(code).isspace()}
_IN_WORDS = {**_BLANKS, **dict.fromkeys(map(ord, "\xad\u2060\ufeff"))}  # soft hyphens and the like hide in words


def to_text(html: str) -> str:
    r"""The visible text; takes anything.

    >>> to_text("<p>Buy Via<!-- x -->gra</p><script>x()</script><p>now &amp; here <img alt='Click!'>")
    'Buy Viagra\nnow & here Click!'
    """
    text = StringIO()  # a list of millions of pieces would take many times their length
    position = 0
    while True:
        start = html.find("<", position)
        if start < 0 or start + 1 == len(html):
            text.write(_plain(html[position:]))
            return _lines(text.getvalue())
        text.write(_plain(html[position:start]))
        position = _markup(html, start, text)


def _markup(html: str, start: int, text: StringIO) -> int:
    """Read what begins with "<"; return where the text goes on."""
    following = html[start + 1]
    if following in "!?" or (following == "/" and not html[start + 2 : start + 3].isalpha()):
        return _comment_end(html, start)
    tag = _TAG.match(html, start)
    if tag is None:
        text.write("<")
        return start + 1
    end = _tag_end(html, tag.end())
    if end < 0:  # never closed: the rest is text, so that nothing is lost
        text.write(_plain(html[start:]))
        return len(html)
    name = tag[1].lower()
    text.write(_trace(name, html, tag.end(), end))
    if name in _UNSEEN and following != "/":
        return _unseen_end(html, name, end)
    return end


def _comment_end(html: str, start: int) -> int:
    if not html.startswith("<!--", start):
        end = html.find(">", start)
        return end + 1 if end >= 0 else len(html)
    if html.startswith((">", "->"), start + 4):  # an empty comment
        return html.index(">", start) + 1
    end = html.find("-->", start + 4)
    return end + 3 if end >= 0 else len(html)


def _tag_end(html: str, position: int) -> int:
    while found := _VALUE_OR_END.search(html, position):
        if found[0] == ">":
            return found.end()
        position = found.end()
    return -1


def _trace(name: str, html: str, start: int, end: int) -> str:
    """What a tag leaves in the text."""
    if name == "img" or name == "area":
        alternative = _ALT.search(html, start, end)
        return f" {_plain(alternative[1] or alternative[2] or alternative[3] or '')} " if alternative else ""
    if name in _BLOCKS:
        return "\n"
    return " " if name in _CELLS else ""


def _unseen_end(html: str, name: str, position: int) -> int:
    closing = re.compile(rf"</{name}\b[^>]*+>?", re.IGNORECASE).search(html, position)
    return closing.end() if closing else len(html)


def _plain(text: str) -> str:
    if "&" in text:
        text = "".join(unescape(_LONG_NUMBER.sub("\ufffd", piece)) for piece in _cut(text))
    return text.translate(_IN_WORDS)


def _cut(text: str) -> Iterator[str]:
    """Pieces that end before a character reference, since a list of all references would take much memory."""
    start = 0
    while start < len(text):
        end = text.find("&", start + PIECE)
        end = end if end >= 0 else len(text)
        yield text[start:end]
        start = end


def single_spaced(text: str) -> str:
    r"""The text on one line, with one space between words.

    >>> single_spaced(" one\n\t two\xa0")
    'one two'
    """
    return _single(text.translate(_BLANKS), " ").strip(" ")


def _lines(text: str) -> str:
    """The text without blanks at the ends of lines, and without empty lines; a list of them would be much larger."""
    text = _single(text, " ").replace(" \n", "\n").replace("\n ", "\n")
    return _single(text, "\n").strip(" \n")


def _single(text: str, blank: str) -> str:
    while blank * 2 in text:
        text = text.replace(blank * 2, blank)
    return text
