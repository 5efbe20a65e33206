"""Models in files, and what they answered when these were written: `python tests/golden/answers.py` writes all anew.

The files stand for all versions of the model file, for every event model, smoothing and kind of column, for
calibrated, weighted and pruned models, and for few and many labels. They are asked under the settings stored in them,
so whatever is moved in the code, the files and the answers stay.

Numbers are written as hexadecimal floats: every bit counts. Processors differ in the last bits of exp and log, so the
answers say on which kind of processor they hold to the bit.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import likelier as lk
from likelier import demo
from likelier._documents.schema import plain

HERE = Path(__file__).parent
ASKED = 50  # documents for each model
IN_FULL = 10  # of them with every item of the explanation; of the others with a digest
SMOOTHINGS = {
    "m-estimate": lk.MEstimate(2.5),
    "jelinek-mercer": lk.JelinekMercer(0.7),
    "discounting": lk.AbsoluteDiscounting(0.4),
}


def models() -> Iterator[tuple[str, lk.Model, list[Any]]]:
    """Name, model and the documents it is asked about."""
    texts = _texts()
    for name, settings in _views().items():
        yield f"text-{name}", _with(lk.train(demo.documents(), view="textbook"), settings), texts
    yield "text-chosen", lk.train(demo.documents()), texts
    pairs = lk.train(demo.documents(), view="textbook", analyzer=lk.Analyzer(ngrams=2, language="en", stem=True))
    yield "text-stems-and-pairs", pairs, texts
    weights = [1 + (place % 7) / 4 for place in range(len(demo.documents()))]
    yield "text-fractional-weights", lk.train(demo.documents(), weights=weights, view="textbook"), texts
    yield "text-pruned", lk.train(demo.documents(), view="textbook", most_terms=300), texts
    yield "text-refined", lk.train(demo.documents()[::2], refine=True), texts
    for weighting in ("log", "once-length"):
        yield f"weighted-{weighting}", _weighted(weighting), texts
    yield "many-labels", lk.train(_of_many_labels(), view="textbook"), [text for text, _ in _of_many_labels()[:ASKED]]
    rows = [row for row, _ in _rows()]
    kinds = {"text": "note", "categorical": ["color", "city"], "binary": ["paid"], "numeric": ["days", "amount"]}
    yield "columns", lk.train(_rows(), view="textbook", **kinds), rows[:ASKED]
    yield "columns-chosen", lk.train(_rows(), **kinds), rows[:ASKED]
    yield "columns-bound", lk.train(_rows(), view="textbook", bind=[("color", "city")], **kinds), rows[:ASKED]
    read_in_intervals = {"numeric": lk.ByInformation(), "columns": {"amount": {"numeric": lk.EqualFrequency(4)}}}
    yield "columns-intervals", _with(lk.train(_rows(), view="textbook", **kinds), read_in_intervals), rows[:ASKED]


def _views() -> dict[str, dict[str, Any]]:
    return {
        "textbook": {},
        "binary-unk": {"event": "binary", "unknown": "unk", "min_count": 2},
        "bernoulli": {"event": "bernoulli", "unknown": "smooth"},
        "complement": {"event": "complement", "normalize": True, "prior": "uniform"},
        "idf": {"idf": True, "alpha": 0.1, "unknown": "grow"},
        "no-smoothing": {"alpha": 0, "unknown": "zero"},
        "thresholds": {"decide": lk.Thresholds({"billing": 0.95}), "without_evidence": "none"},
        **{name: {"smoothing": smoothing, "unknown": "smooth"} for name, smoothing in SMOOTHINGS.items()},
    }


def _with(model: lk.Model, settings: dict[str, Any]) -> lk.Model:
    model.set_view(**settings)
    return model


def _weighted(weighting: Any) -> lk.Model:
    model = lk.Model(schema=plain(lk.Analyzer(), ngrams=2, weighting=weighting))
    model.learn_many(demo.documents())
    return _with(model, {"weighting": weighting, "ngrams": (1, 2), "event": "complement", "alpha": 0.2})


def _texts() -> list[str]:
    learned = [text for text, _ in demo.documents()[::8]]
    odd = ["", "yeti", "refund refund refund yeti", "Straße, 漢字 и слова", "a b c d e f g"]
    return [*learned, *demo.new_messages(), *odd, *(text[::-1] for text in learned)][:ASKED]


def _of_many_labels() -> list[tuple[str, str]]:
    chance = random.Random(5)
    words = [f"word{number}" for number in range(400)]
    return [
        (" ".join([*chance.choices(words, k=8), *[f"topic{place % 120}"] * 2]), f"label {place % 120:03}")
        for place in range(360)
    ]


def _rows() -> list[tuple[dict[str, Any], str]]:
    chance = random.Random(7)
    return [(_row(chance, text, label), label) for text, label in demo.documents()]


def _row(chance: random.Random, text: str, label: str) -> dict[str, Any]:
    place = len(label)
    row = {
        "note": text,
        "color": chance.choice(["red", "green", "blue", "gray"][place % 3 :]),
        "city": chance.choice(["Bonn", "Kyiv", "Lima"]),
        "paid": chance.random() < place / 10,
        "days": chance.randrange(place * 3),
        "amount": round(chance.gauss(place * 10, 25), 2),
    }
    return {name: None if chance.random() < 0.05 else value for name, value in row.items()}


# ---- answers -----------------------------------------------------------------------------------------------------


def answers(model: lk.Model, documents: list[Any]) -> list[dict[str, Any]]:
    """The verdicts and the sums behind them."""
    return [_answer(model, document, in_full=place < IN_FULL) for place, document in enumerate(documents)]


def _answer(model: lk.Model, document: Any, *, in_full: bool) -> dict[str, Any]:
    verdict, explanation = model.classify(document), model.explain(document)
    items = [
        {
            "name": item.name,
            "times": _bits(item.times),
            "contributions": [_bits(each) for each in item.contributions.values()],
            "factors": [str(factor.value) if factor.is_density else factor.shown for factor in item.factors.values()],
        }
        for item in explanation.items
        if item.kind in ("prior", "term", "value")
    ]
    return {
        "label": verdict.label,
        "log scores": [_bits(score) for score in verdict.log_scores.values()],
        "probabilities": [_bits(each) for each in verdict.probabilities.values()],
        "unknown share": _bits(verdict.unknown_share),
        "items": items
        if in_full and len(verdict.log_scores) < 20
        else hashlib.sha256(json.dumps(items).encode()).hexdigest(),
    }


def _bits(number: float) -> str:
    return float(number).hex()


def processor() -> str:
    """Differs where the last bits of exp and log do."""
    numbers = np.random.default_rng(0).uniform(1e-6, 50, 100_000)
    return hashlib.sha256(np.log(numbers).tobytes() + np.exp(-numbers).tobytes()).hexdigest()[:16]


def main() -> None:
    """Writes all files."""
    for name, model, documents in models():
        model.save(HERE / f"{name}.likelier")
        found = [{"document": each, **given} for each, given in zip(documents, answers(model, documents), strict=True)]
        heading = {"processor": processor(), "labels": model.labels}
        lines = [json.dumps(line, ensure_ascii=False) + "\n" for line in (heading, *found)]
        (HERE / f"{name}.jsonl").write_text("".join(lines), "utf-8")


if __name__ == "__main__":
    main()
