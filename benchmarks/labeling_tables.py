"""What the pages say about labeling: how many answers are needed, how true the accuracy is, which errors are found."""

from __future__ import annotations

from typing import Any

import numpy as np

TEXTS = {
    "sms_spam": "short messages, spam or not",
    "spamassassin_raw": "mails, spam or not",
    "reuters_single_raw": "news stories, 52 topics",
    "trec6": "questions, 6 types of answer",
    "subj": "sentences, subjective or not",
    "germeval2018": "German tweets, offensive or not",
    "rt_polarity": "sentences of reviews, good or bad",
    "rt2k_movie_reviews": "long reviews, good or bad",
    "20news_bydate": "posts, 20 newsgroups",
    "rusentiment": "Russian posts, 5 sentiments",
}


def answers(result: dict[str, Any]) -> list[str]:
    """How many answers are needed, the sets where asking saves most first."""
    rows = [
        "| texts | all labels, % | as `Labeling` asks | at random | ratio |",
        "|---|---|---|---|---|",
    ]
    for row in sorted(result["answers"], key=_ratio):
        shown = [_mean(row[how], row["most"]) for how in ("mix", "random")]
        is_open = any(None in row[how]["needed"] for how in ("mix", "random"))
        ratio = "" if all(set(row[how]["needed"]) == {None} for how in ("mix", "random")) else f"{_ratio(row):.2f}"
        about = f"{TEXTS[row['set']]} | {100 * row['all']:.1f}"
        rows.append(f"| {about} | {' | '.join(shown)} | {'~ ' * (is_open and bool(ratio))}{ratio} |")
    return rows


def _ratio(row: dict[str, Any]) -> float:
    return float(row["mix"]["mean"] / row["random"]["mean"])


def _mean(found: dict[str, Any], most: int) -> str:
    """The mean; a labeling that has not reached the accuracy counts with the most answers that were tried."""
    late = sum(each is None for each in found["needed"])
    if late == len(found["needed"]):
        return f"more than {most:,}"
    return f"{found['mean']:,.0f}" + (f", {late} of {len(found['needed'])} later" if late else "")


def intervals(result: dict[str, Any]) -> list[str]:
    """How often the interval has the accuracy on new texts."""
    rows = ["| texts | answers | accuracy, % | shown, % | in the interval |", "|---|---|---|---|---|"]
    for row in result["intervals"]:
        shares = f"{100 * row['true']:.1f} | {100 * row['share']:.1f}"
        rows.append(f"| {TEXTS[row['set']]} | {row['answers']} | {shares} | {row['covered']} of {row['labelings']} |")
    return rows


def errors(result: dict[str, Any]) -> list[str]:
    """How many wrong labels are found."""
    rows = ["| texts | found, mean of 5 | by seed | by a model with all labels |", "|---|---|---|---|"]
    for row in sorted(result["errors"], key=lambda row: -np.mean(row["found"])):
        seeds = ", ".join(map(str, row["found"]))
        rows.append(f"| {TEXTS[row['set']]} | {np.mean(row['found']):.1f} | {seeds} | {np.mean(row['with_all']):.1f} |")
    return rows


def pool(result: dict[str, Any]) -> list[str]:
    """The gain by word frequencies of the pool, in percentage points."""
    found = result.get("pool", [])
    sizes = list(dict.fromkeys(row["labels"] for row in found))
    rows = [f"| texts | | {' | '.join(f'{size} labels' for size in sizes)} |", "|---" * (len(sizes) + 2) + "|"]
    for name in dict.fromkeys(row["set"] for row in found):
        for key, words in (("with", "always"), ("chosen", "where chosen")):
            gains = [_gain(row, key) for row in found if row["set"] == name]
            rows.append(f"| {TEXTS[name]} | {words} | {' | '.join(gains)} |")
    return rows if found else []


def _gain(row: dict[str, Any], key: str) -> str:
    gains = 100 * (np.array(row[key]) - row["without"])
    return f"{gains.mean():+.1f} ± {gains.std(ddof=1) / np.sqrt(len(gains)):.1f}"


def page(result: dict[str, Any]) -> list[str]:
    """The page: an answer, what follows it, and steps with many texts."""
    rows = [
        "| texts | key to next text, ms | request, ms | queue and accuracy, ms"
        " | accepted | in, s | undone in, s | restart, s |",
        "|---" * 8 + "|",
    ]
    for each in result["pools"]:
        times = [
            "" if each[name] is None else f"{each[name]['p50']:.0f}, at most {each[name]['p100']:.0f}"
            for name in ("press_ms", "answer_ms", "settled_ms")
        ]
        steps = [each["accept"]["seconds"], each["accept"]["undo_seconds"], each["restart_seconds"]]
        shown = [*times, f"{each['accept']['documents']:,}", *(f"{step:.1f}" for step in steps)]
        rows.append(f"| {each['texts']:,} | {' | '.join(shown)} |")
    return rows
