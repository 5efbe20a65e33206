"""Explanations that each form must show well."""

from __future__ import annotations

from functools import cache

from hypothesis import strategies as st

import likelier as lk
from corpora import documents, model_of, texts, views
from likelier._explain.explanation import Explanation
from likelier.demo import documents as messages
from likelier.demo import new_messages

CHINA = [
    ("Chinese Beijing Chinese", "china"),
    ("Chinese Chinese Shanghai", "china"),
    ("Chinese Macao", "china"),
    ("Tokyo Japan Chinese", "japan"),
]
HOSTILE = "<script>alert(\"x\")</script> & 'q' \\end{align*} 50% _$#^~{} \x1b[31m\x00\n\n`|--"
WIDTHS = [60, 80, 120]


def china(text: str = "Chinese Chinese Chinese Tokyo Japan", **settings: object) -> Explanation:
    """Manning, Raghavan & Schütze 2008, example 13.1."""
    return lk.train(CHINA).view(**settings).explain(text)


def impossible_for_one() -> Explanation:
    return china(alpha=0)


def impossible_for_all() -> Explanation:
    return china("Chinese Berlin", unknown="zero")


def one_label() -> Explanation:
    return lk.train([("a b c", "only")]).explain("a b q")


def many_labels() -> Explanation:
    return lk.train([(f"w{number}", number) for number in range(50)], view="textbook").explain("w3 w4")


def six_labels() -> Explanation:
    return lk.train(messages(), view="textbook").explain(new_messages()[6])


@cache
def long_text(words: int = 2000) -> Explanation:
    everything = " ".join(text for text, _ in messages()).split()
    return lk.train(messages(), view="textbook").explain(" ".join(everything[:words]))


def hostile() -> Explanation:
    analyzer = lk.Analyzer(punctuation="keep", replace={"evil": HOSTILE})
    return lk.train([("evil a", HOSTILE), ("b c", "tame")], analyzer=analyzer).explain(f"evil b {HOSTILE}")


def wide() -> Explanation:
    return lk.train([("垃圾 邮件 发财", "垃圾邮件"), ("会议 明天 报告", "😀 正常")]).explain("垃圾 明天 e\u0301")


def right_to_left() -> Explanation:
    return lk.train([("مرحبا بالعالم كيف", "سلام"), ("عرض خاص الآن", "مزعج")]).explain("مرحبا، عرض خاص 12")


def overlapping() -> Explanation:
    analyzer = lk.Analyzer(ngrams=2, char_ngrams=3)
    return lk.train(CHINA, analyzer=analyzer).explain("Chinese Tokyo Chinese Tokyo")


def normalized() -> Explanation:
    return lk.train(messages(), view="textbook").view(event="complement", normalize=True).explain(new_messages()[6])


EXAMPLES = [
    china,
    impossible_for_one,
    impossible_for_all,
    one_label,
    many_labels,
    six_labels,
    long_text,
    hostile,
    wide,
    right_to_left,
    overlapping,
    normalized,
]


@st.composite
def explanations(draw: st.DrawFn) -> Explanation:
    """Any text under any view of any model."""
    model = model_of(draw(documents))
    return model.view(**draw(views)).explain(draw(texts))
