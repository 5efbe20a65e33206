"""The kernel in plain Python: what it does, without how it does it fast. Tests hold the two equal.

    text ──words──▶ tokens ──terms──▶ terms ──bag──▶ how often each ──count──▶ counts
                                                           └──────────score──▶ sums

Words are cut at Unicode's word boundaries (UAX #29, https://www.unicode.org/reports/tr29/). The properties of
characters come from the package `regex`, which only the tests need.
"""

from __future__ import annotations

import operator
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import groupby, pairwise, takewhile
from typing import TypedDict, Unpack

from reference.counts import Counts as Counts
from reference.counts import bag as bag
from reference.counts import count as count
from reference.counts import score as score

Place = tuple[int, int]  # where a word starts and ends, in characters
Located = tuple[str, int, int]  # a term and its place

# ---- words -------------------------------------------------------------------------------------

LINE_END = {"CR", "LF", "Newline"}
IGNORED = {"Extend", "Format", "ZWJ"}
HEBREW = {"Hebrew_Letter"}
LETTER = {"ALetter"} | HEBREW  # AHLetter in the standard
DIGIT = {"Numeric"}
KATAKANA, UNDERSCORE = {"Katakana"}, {"ExtendNumLet"}
QUOTE, DOUBLE_QUOTE = {"Single_Quote"}, {"Double_Quote"}
IN_WORDS = {"MidLetter", "MidNumLet"} | QUOTE
IN_NUMBERS = {"MidNum", "MidNumLet"} | QUOTE
WORD_KINDS = LETTER | DIGIT | KATAKANA | UNDERSCORE | DOUBLE_QUOTE | IN_WORDS | IN_NUMBERS
KINDS = sorted(LINE_END | IGNORED | WORD_KINDS | {"Regional_Indicator", "WSegSpace"})

ANY = {*KINDS, "Other"}
RULES = {
    # There is no boundary between the second and the third character if all four are of these kinds.
    "WB5": (ANY, LETTER, LETTER, ANY),
    "WB6": (ANY, LETTER, IN_WORDS, LETTER),
    "WB7": (LETTER, IN_WORDS, LETTER, ANY),
    "WB7a": (ANY, HEBREW, QUOTE, ANY),
    "WB7b": (ANY, HEBREW, DOUBLE_QUOTE, HEBREW),
    "WB7c": (HEBREW, DOUBLE_QUOTE, HEBREW, ANY),
    "WB8": (ANY, DIGIT, DIGIT, ANY),
    "WB9": (ANY, LETTER, DIGIT, ANY),
    "WB10": (ANY, DIGIT, LETTER, ANY),
    "WB11": (DIGIT, IN_NUMBERS, DIGIT, ANY),
    "WB12": (ANY, DIGIT, IN_NUMBERS, DIGIT),
    "WB13": (ANY, KATAKANA, KATAKANA, ANY),
    "WB13a": (ANY, LETTER | DIGIT | KATAKANA | UNDERSCORE, UNDERSCORE, ANY),
    "WB13b": (ANY, UNDERSCORE, LETTER | DIGIT | KATAKANA, ANY),
}

LETTER_OR_NUMBER = r"[\p{Alphabetic}\p{N}]"
EMOJI = r"(?![\x00-\x7f])\p{Emoji}"  # `#` and the digits have the property too
VISIBLE = r"[^\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}]"
UNSPACED = rf"(?!\p{{Nd}})(?={LETTER_OR_NUMBER})[〆\p{{Han}}\p{{Hiragana}}\p{{Thai}}\p{{Lao}}\p{{Khmer}}\p{{Myanmar}}]"


def words(text: str, lowercase: bool, keep_punctuation: bool) -> list[str]:
    """The words of the text in composed form (NFC).

    >>> words("Don't panic: 中文字!", lowercase=True, keep_punctuation=False)
    ["don't", 'panic', '中文', '文字']
    """
    text = unicodedata.normalize("NFC", text)
    found = [text[start:end] for start, end in places(text, keep_punctuation)]
    return [word.lower() for word in found] if lowercase else found


def places(text: str, keep_punctuation: bool) -> list[Place]:
    """Where the words are: segments with a letter, a number or an emoji, or with anything that can be seen.

    Neighbors in scripts that are written without spaces become overlapping pairs.
    """
    found: list[Place] = []
    for unspaced, run in groupby(_with_places(segments(text)), key=lambda part: _is(UNSPACED, part[0][0])):
        parts = list(run)
        if unspaced and len(parts) > 1:
            trimmed = [_trimmed(*part) for part in parts]
            found += [(start, end) for (start, _), (_, end) in pairwise(trimmed)]
        else:
            found += [_trimmed(*part) for part in parts if _is_word(part[0], keep_punctuation)]
    return found


def segments(text: str) -> list[str]:
    """The text cut at each word boundary.

    >>> segments("can't 3.14")
    ["can't", ' ', '3.14']
    """
    units = _units(text)
    found = units[:1]
    for at in range(1, len(units)):
        if _joined(units, at):
            found[-1] += units[at]
        else:
            found.append(units[at])
    return found


def _units(text: str) -> list[str]:
    """WB4: marks, format characters and joiners belong to what stands before them, unless a line ends there."""
    units: list[str] = []
    for char in text:
        if units and _kind(char) in IGNORED and _kind(units[-1]) not in LINE_END:
            units[-1] += char
        else:
            units.append(char)
    return units


def _joined(units: list[str], at: int) -> bool:
    """Is there no boundary before this unit? The first rule that applies decides."""
    last, this = units[at - 1], units[at]
    if _kind(last) in LINE_END or _kind(this) in LINE_END:
        return last + this == "\r\n"  # WB3, WB3a, WB3b
    if last.endswith("\u200d") and _is(r"\p{Extended_Pictographic}", this[0]):
        return True  # WB3c
    if len(last) == 1 and _kind(last) == _kind(this) == "WSegSpace":
        return True  # WB3d: no mark between the spaces
    if _kind(last) == _kind(this) == "Regional_Indicator":
        indicators = takewhile(lambda unit: _kind(unit) == "Regional_Indicator", reversed(units[:at]))
        return len(list(indicators)) % 2 == 1  # WB15, WB16: two make a flag
    before = units[at - 2] if at >= 2 else ""
    after = units[at + 1] if at + 1 < len(units) else ""
    kinds = [_kind(unit) for unit in (before, last, this, after)]
    return any(all(map(operator.contains, rule, kinds)) for rule in RULES.values())  # else WB999


@cache
def _kind(unit: str) -> str:
    """The property Word_Break of the character that the marks belong to."""
    return next((kind for kind in KINDS if _is(rf"\p{{Word_Break={kind}}}", unit[:1])), "Other")


@cache
def _is(pattern: str, char: str) -> bool:
    import regex  # type: ignore[import-untyped]  # here, because the package does without it

    return regex.match(pattern, char) is not None


def _is_word(segment: str, keep_punctuation: bool) -> bool:
    wanted = [LETTER_OR_NUMBER, EMOJI] + [VISIBLE] * keep_punctuation
    return any(_is(pattern, char) for char in segment for pattern in wanted)


def _with_places(segments: Iterable[str]) -> Iterator[Located]:
    end = 0
    for segment in segments:
        start, end = end, end + len(segment)
        yield segment, start, end


def _trimmed(segment: str, start: int, end: int) -> Place:
    """A space is one segment with the marks behind it, and some spaces join like `_`; the word is without them."""
    white = [_is(r"\p{White_Space}", char) for char in segment]
    return start + white.index(False), end - white[::-1].index(False)


# ---- terms -------------------------------------------------------------------------------------


class Settings(TypedDict):
    """How text becomes terms: what the kernel's `Analysis` takes."""

    lowercase: bool
    keep_punctuation: bool
    words: bool
    ngrams: tuple[int, int]
    char_ngrams: tuple[int, int] | None
    phrases: list[tuple[list[str], str]]
    map_tokens: Callable[[list[str]], list[str | None]] | None


def terms(text: str, **settings: Unpack[Settings]) -> list[str]:
    """The terms of the text, in reading order."""
    return [term for term, _, _ in locate(text, **settings)[1]]


def locate(text: str, **settings: Unpack[Settings]) -> tuple[str, list[Located]]:
    """The text in composed form, and its terms: at each word the n-grams that start there, then its pieces."""
    text = unicodedata.normalize("NFC", text)
    pieces = _pieces(text, settings)
    found: list[Located] = []
    for first, (word, start, end) in enumerate(pieces):
        if settings["words"]:
            found += _ngrams(pieces[first:], *settings["ngrams"])
        if settings["char_ngrams"]:
            found += [(gram, start, end) for gram in char_ngrams(word, *settings["char_ngrams"])]
    return text, found


def _pieces(text: str, settings: Settings) -> list[Located]:
    """What the tokens become: a phrase is one piece, the longest wins; a dropped token leaves no gap."""
    where = places(text, settings["keep_punctuation"])
    tokens = [text[start:end].lower() if settings["lowercase"] else text[start:end] for start, end in where]
    becomes = settings["map_tokens"](tokens) if settings["map_tokens"] else tokens
    phrases = [(phrase, word) for phrase, word in settings["phrases"] if phrase]
    pieces, at = [], 0
    while at < len(tokens):
        fitting = [(len(phrase), word) for phrase, word in phrases if tokens[at : at + len(phrase)] == phrase]
        taken, word = max(fitting, key=lambda pair: pair[0], default=(1, becomes[at]))
        if word is not None:
            pieces.append((word, where[at][0], where[at + taken - 1][1]))
        at += taken
    return pieces


def _ngrams(pieces: list[Located], low: int, high: int) -> list[Located]:
    runs = [pieces[:size] for size in range(low, min(high, len(pieces)) + 1)]
    return [(" ".join(word for word, _, _ in run), run[0][1], run[-1][2]) for run in runs]


def char_ngrams(word: str, low: int, high: int) -> list[str]:
    """The pieces of a word whose ends are marked; a word that is too short is one piece.

    >>> char_ngrams("the", 3, 4)
    [':<th', ':the', ':he>', ':<the', ':the>']
    """
    marked = f"<{word}>"
    sizes = range(min(low, len(marked)), min(high, len(marked)) + 1)
    return [":" + marked[at : at + size] for size in sizes for at in range(len(marked) - size + 1)]
