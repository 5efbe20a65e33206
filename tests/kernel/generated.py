"""Generated texts of all scripts, and every way to make terms of them."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any, cast

import numpy as np
import regex  # type: ignore[import-untyped]
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from likelier._kernel import Analysis, Table
from reference import Counts, Settings

QUICK = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
THOROUGH = settings(QUICK, max_examples=4000)

# ---- texts -----------------------------------------------------------------------------------------------------------

ALPHABETS = {
    "ASCII and what joins in it": "aZ7_.':,;-\"! \n",
    "Cyrillic": "жЁй Ѣ\u0483",
    "Greek": "αΣσςΐΎ·;᾽ ᾼ",
    "German": "äÖßẞ\u0308o",
    "Turkish": "İıIi\u0307ğ ",
    "marks": " ae\u0301\u0308\u0323\u0345\u0327",
    "Hebrew": "אשׁ\"'״׳\u05b0.",
    "Arabic": "مرحباﻻ،٣٫٬\u064b\u0640\u061c\u0600 ",
    "Devanagari": "क्षिंदी।१\u200d\u200c ",
    "Thai": "ไทยสวัสดีๆ๑ ",
    "Lao": "ພາສາລ່ໝ໑",
    "Khmer": "ភាសាខ្មែរ១",
    "Burmese": "မြန်မာ၁ꩡꧠ",
    "Han": "中文分词々〇〆〡豈𠀀",
    "Kana": "ひらがなカタｶﾅﾞーゝ〱゛",
    "Hangul": "한국어\u1112\u1161\u11abㅎ",
    "emoji": "😀👍🏽👩\u200d👧❤\ufe0f🇩🇪🇫#1\u20e3©〰",
    "what cannot be seen": "a\u200b\u200c\u200d\u200e\u2060\ufeff\u00ad\u034f\U000e0041",
    "controls and line ends": "a\0\x1f\x7f\x85\r\n\t\x0b\x0c\u2028 ",
    "spaces": "a1 \u00a0\u3000\u202f\u2009",
    "quotes and dots": "a1’‘․·＿‿：，．٬",
}

# The crate unicode-segmentation (1.13) joins a letter or digit, a mark like the dot, a zero-width joiner and an emoji,
# where UAX #29 has a boundary before the mark. No text of a person has that; generated ones do.
JOINED_BY_THE_CRATE = regex.compile(
    r"[\p{WB=MidLetter}\p{WB=MidNum}\p{WB=MidNumLet}\p{WB=Single_Quote}\p{WB=Double_Quote}]"
    r"[\p{WB=Extend}\p{WB=Format}\p{WB=ZWJ}]*\u200d\p{Extended_Pictographic}"
)

LONG_WORDS = [
    "fifteen_bytes_x",
    "sixteen_bytes_ok",
    "seventeen_bytes_x",
    "Donaudampfschifffahrtsgesellschaft",
    "Достопримечательность",
    "ÉÈÀÙÇÂÊÎ",
    "ÉÈÀÙÇÂÊÎé",
    "ΟΔΟΣ",
]


@cache
def is_settled(char: str) -> bool:
    """Does Python's Unicode, which may be older than the kernel's, say the same of this character?

    U+0295 for one was a lower-case letter in Unicode 14 and has no case any more, so a capital sigma behind it is
    lower-cased in another way. Characters that are not assigned yet are in no normal form.
    """
    return regex.match(rf"\p{{{unicodedata.category(char)}}}", char) is not None


characters = st.characters(exclude_categories=("Cs", "Cn")).filter(is_settled)
scraps = st.one_of(
    st.text(characters, max_size=4),
    st.sampled_from([" ", " ", "\n", *LONG_WORDS]),
    *(st.text(alphabet, max_size=6) for alphabet in ALPHABETS.values()),
)
# Long stretches of simple characters, because the kernel reads them 64 bytes at a time.
runs = st.tuples(st.sampled_from("aB7_éЖ"), st.integers(1, 150), st.sampled_from("'.,:;_ \n!-"))
stretches = st.lists(runs.map(lambda run: run[0] * run[1] + run[2]), max_size=8).map("".join)
any_texts = st.lists(scraps, max_size=10).map("".join) | st.lists(scraps | stretches, max_size=4).map("".join)
texts = any_texts.filter(lambda text: not JOINED_BY_THE_CRATE.search(unicodedata.normalize("NFC", text)))

# Few words, so that terms repeat, phrases are found and documents have something in common.
VOCABULARY = ["a", "b", "C", "don't", "МОЛОКО", "中文字", "😀", "-", "sixteen_bytes_ok", "seventeen_bytes_x"]
VOCABULARY += ["New york", "New york a", "york a", "a b", "a b C a"]  # see PHRASES
sentences = st.lists(st.sampled_from(VOCABULARY), max_size=12).map(" ".join)

# ---- settings --------------------------------------------------------------------------------------------------------


def unchanged(tokens: list[str]) -> list[str | None]:
    return list(tokens)


def without_some(tokens: list[str]) -> list[str | None]:
    return [None if len(token) % 2 else token for token in tokens]


def first_letters(tokens: list[str]) -> list[str | None]:
    return [token[:1] for token in tokens]


def nothing_or_empty(tokens: list[str]) -> list[str | None]:
    return [None if token < "c" else "" for token in tokens]


def spaced(tokens: list[str]) -> list[str | None]:
    return [" ".join(token) for token in tokens]


PHRASES = [
    (["new", "york"], "new_york"),
    (["new", "york", "a"], "nya"),
    (["york", "a"], "ya"),
    (["New", "york"], "as it stands"),
    (["a", "b"], "a b"),
    (["a", "b"], "never, because another one stands before it"),
    (["a", "b", "c", "a"], "abca"),
    (["b"], "one token"),
    (["中文", "文字"], "zhongwen"),
    ([], "never"),
]


def ranges(highest: int) -> st.SearchStrategy[tuple[int, int]]:
    return st.tuples(st.integers(1, highest), st.integers(1, highest)).map(lambda pair: (min(pair), max(pair)))


PLAIN: Settings = {
    "lowercase": True,
    "keep_punctuation": False,
    "words": True,
    "ngrams": (1, 1),
    "char_ngrams": None,
    "phrases": [],
    "map_tokens": None,
}


def mapped_by(map_tokens: Callable[[list[str]], list[str | None]]) -> Settings:
    return {**PLAIN, "map_tokens": map_tokens}


MAPPINGS = [None, None, unchanged, without_some, first_letters, nothing_or_empty]


def analyses_with(mappings: list[Any], phrases: list[tuple[list[str], str]]) -> st.SearchStrategy[Settings]:
    options = {
        "lowercase": st.booleans(),
        "keep_punctuation": st.booleans(),
        "words": st.booleans(),
        "ngrams": ranges(5),
        "char_ngrams": st.none() | ranges(5),
        "phrases": st.lists(st.sampled_from(phrases), max_size=6) | st.just([]),
        "map_tokens": st.sampled_from(mappings),
    }
    return st.fixed_dictionaries(options).map(lambda drawn: cast(Settings, drawn))


analyses = analyses_with([*MAPPINGS, spaced], PHRASES)

# ---- tables ----------------------------------------------------------------------------------------------------------

Document = tuple[str, int, int]  # text, label, weight

documents = st.lists(st.tuples(sentences | texts, st.integers(0, 3), st.sampled_from([0, 1, 1, 2, 1000])), max_size=8)


def table_of(documents: list[Document], settings: Settings = PLAIN, threads: int = 1) -> Table:
    table = Table()
    labels = np.array([label for _, label, _ in documents], dtype=np.uint32)
    weights = np.array([weight for _, _, weight in documents], dtype=np.uint64)
    table.count([text for text, _, _ in documents], labels, weights, Analysis(**settings), threads)
    return table


def texts_by_id(table: Table) -> list[str]:
    return table.texts(np.arange(table.ids(), dtype=np.uint32))


def content(table: Table) -> Counts:
    """What the table holds, as the reference would hold it."""
    counts = Counts(Counter(dict(enumerate(table.totals()[0].tolist()))))
    ids, labels = np.arange(table.ids(), dtype=np.uint32), list(range(len(table.totals()[0])))
    rows = (table.rows(ids, labels, statistic).tolist() for statistic in ("tf", "df", "weighted"))
    for text, *row in zip(texts_by_id(table), *rows, strict=True):
        for label, (tf, df, weighted) in enumerate(zip(*row, strict=True)):
            if tf or df or weighted:
                counts.tf[text, label] += tf
                counts.df[text, label] += df
                counts.weighted[text, label] += weighted
    return counts
