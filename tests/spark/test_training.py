"""Training on Spark: the counts of local training, byte for byte, whatever the partitioning."""

from __future__ import annotations

import random
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import likelier as lk
import likelier.spark as on_spark
from likelier.demo import documents
from likelier.spark import _progress
from likelier.spark._counting import ADVISED, PIECE, small_partitions
from spark_parts import FRAMES, saved_counts, table_of

TEXTS = pa.table({"text": [text for text, _ in documents()], "label": [label for _, label in documents()]})
SETTINGS: list[dict[str, Any]] = [
    {"view": "textbook"},
    {"view": {"ngrams": 2, "weighting": "log-length"}},
    {"view": {"weighting": "count-length"}, "analyzer": lk.Analyzer(language="en", lemmatize=True, stop_words="en")},
    {"view": "textbook", "analyzer": lk.Analyzer(char_ngrams=(2, 4))},
    {"view": "textbook", "analyzer": lk.Analyzer(stop_words=5)},
    {"view": "auto"},
]


@pytest.mark.parametrize("options", SETTINGS, ids=str)
def test_the_counts_of_texts_are_those_of_local_training(spark: Any, options: dict[str, Any]) -> None:
    frame = spark.createDataFrame(TEXTS).repartition(3)
    model = on_spark.train(frame, label="label", text="text", **options)
    local = lk.train(TEXTS, label="label", text="text", ledger=False, **options)
    assert saved_counts(model) == saved_counts(local)
    assert (model.schema, model.schema.text, model.settings) == (local.schema, "text", local.settings)


def mixed_rows() -> list[dict[str, Any]]:
    chance = random.Random(7)
    return [
        {
            "what kind": "yes" if chance.random() < 0.4 else "no",
            "a.text": " ".join(chance.choices(["goat", "wolf", "молоко", "seven"], k=4)),
            "farbe `rot`": chance.choice(["red", "blue", None, "?"]),
            "size": None if chance.random() < 0.1 else chance.gauss(3, 1e6),
            "new": chance.random() < 0.5,
            "weight": chance.choice([0.25, 1.0, 3.0]),
        }
        for _ in range(120)
    ]


def test_mixed_columns_with_weights_and_odd_names_have_the_counts_and_ledger_of_local_training(spark: Any) -> None:
    table = pa.Table.from_pylist(mixed_rows())
    model = on_spark.train(
        spark.createDataFrame(table).repartition(3), label="what kind", weights="weight", view="textbook", ledger=True
    )
    local = lk.train(
        table.drop_columns(["weight"]), label="what kind", weights=table["weight"].to_pylist(), view="textbook"
    )
    assert model.schema == local.schema
    assert saved_counts(model) == saved_counts(local)


def test_partitions_are_small_while_the_driver_takes_them_and_then_as_the_session_had_them(spark: Any) -> None:
    usual = spark.conf.get(ADVISED)
    with small_partitions(spark):
        assert spark.conf.get(ADVISED) == str(PIECE)
    assert spark.conf.get(ADVISED) == usual
    spark.conf.set(ADVISED, "5m")
    with pytest.raises(ValueError, match="in the middle"), small_partitions(spark):
        raise ValueError("in the middle")
    assert spark.conf.get(ADVISED) == "5m"
    spark.conf.unset(ADVISED)


@pytest.mark.slow
@given(FRAMES, st.integers(1, 7), st.booleans())
@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_table_has_the_counts_and_ledger_of_local_training(
    spark: Any, rows: list[dict[str, Any]], parts: int, weighed: bool
) -> None:
    there = {"color": "red", "size": 1.5, "new": True, "other": "goat"}  # a column without any value is an error
    table = table_of([*rows, {**rows[0], **there}])
    kinds: dict[str, Any] = {"text": ["text", "other"], "categorical": "color", "numeric": "size", "binary": "new"}
    options: dict[str, Any] = {"label": "label", "view": "textbook", "ledger": True, **kinds}
    frame = spark.createDataFrame(table).repartition(parts)  # more parts than rows leave some empty
    model = on_spark.train(frame, weights="weight" if weighed else None, **options)
    weights = table["weight"].to_pylist() if weighed else None
    assert saved_counts(model) == saved_counts(lk.train(table.drop_columns(["weight"]), weights=weights, **options))


def test_progress_is_how_many_tasks_of_spark_are_done(spark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_progress, "EVERY", 0.01)
    seen: list[tuple[int, int | None, str]] = []
    frame = spark.createDataFrame(TEXTS).repartition(4)
    on_spark.train(frame, label="label", text="text", view="textbook", progress=lambda *each: seen.append(each))
    tasks = [(done, total) for done, total, what in seen if what == "counting"]
    assert tasks
    assert all(total is not None and 0 <= done <= total for done, total in tasks)


def test_settings_of_a_table_are_chosen_as_locally(spark: Any) -> None:
    table = pa.Table.from_pylist(mixed_rows()).drop_columns(["weight"])
    model = on_spark.train(spark.createDataFrame(table), label="what kind")
    local = lk.train(table, label="what kind", ledger=False)
    assert (model.selection, model.settings, model.counts) == (local.selection, local.settings, local.counts)


def test_of_many_documents_the_same_sample_is_taken_as_locally(spark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from likelier._read import kept

    monkeypatch.setattr(kept, "MOST_DOCUMENTS", 100)
    model = on_spark.train(spark.createDataFrame(TEXTS), label="label", text="text")
    local = lk.train(TEXTS, label="label", text="text", ledger=False)
    assert model.selection is not None
    assert "of 240 documents" in model.selection.why
    assert (model.selection, model.settings, model.counts) == (local.selection, local.settings, local.counts)


def test_a_model_like_another_one_is_trained_under_its_spellings_and_learns_more(spark: Any) -> None:
    few, more = TEXTS.slice(0, 90), TEXTS.slice(90)
    loud = pa.table({"text": more["text"], "label": [f" {label.upper()}" for label in more["label"].to_pylist()]})
    first = on_spark.train(spark.createDataFrame(few), label="label", text="text", view="textbook", clean_labels=True)
    second = on_spark.train(spark.createDataFrame(loud), like=first)
    known = on_spark.learn(first, spark.createDataFrame(loud), by="Anna")
    whole = lk.train(TEXTS, label="label", text="text", view="textbook")
    assert (known, first.counts, first.schema) == (0, whole.counts, second.schema)
    assert second.counts == lk.train(more, label="label", text="text", view="textbook").counts
    assert [event["what"] for event in first.provenance] == ["train", "learn"]


def test_terms_beyond_the_limit_are_dropped_and_the_others_stay_exact(spark: Any) -> None:
    frame, whole = spark.createDataFrame(TEXTS), lk.train(TEXTS, label="label", text="text", view="textbook").counts
    often = {term: sum(whole.of(term, label) for label in whole.labels) for term in whole.vocabulary}
    model = on_spark.train(frame, label="label", text="text", view="textbook", most_terms=50)
    staying = sorted(often, key=lambda term: (-often[term], term.encode()))[:50]
    assert sorted(model.counts.vocabulary) == sorted(staying)
    assert all(model.counts.of(term, label) == whole.of(term, label) for term in staying for label in whole.labels)
    lost = model.pruned
    assert lost is not None
    assert (lost.terms, lost.tokens) == (len(often) - 50, sum(often.values()) - sum(often[term] for term in staying))
    assert lost.bound == max(often[term] for term in often if term not in staying)
    seldom = on_spark.train(frame, label="label", text="text", view="textbook", min_count=2)
    assert sorted(seldom.counts.vocabulary) == sorted(term for term in often if often[term] >= 2)
    assert lk.Model.from_bytes(seldom.to_bytes()).pruned == seldom.pruned


BAD = pa.table(
    {
        "text": ["cheap watches", None, "lunch at noon", "cheap pills", "lunch"],
        "label": ["spam", "spam", "ham", None, "ham"],
        "weight": [1.0, 1.0, 2.0, 1.0, -1.0],
    }
)


def test_rows_that_cannot_be_used_stop_the_training_or_are_counted(spark: Any) -> None:
    frame = spark.createDataFrame(BAD)
    given: dict[str, Any] = {"label": "label", "text": "text", "weights": "weight", "view": "textbook"}
    with pytest.raises(lk.InputError, match=r"every document needs .* partition \d row \d") as stopped:
        on_spark.train(frame.drop("weight"), label="label", text="text", view="textbook")
    assert stopped.value.code in ("row-text-missing", "row-label-missing")
    with pytest.warns(UserWarning, match=r"skipped 3 rows: 1 like this: .*; 1 like this: .*; 1 like this: "):
        model = on_spark.train(frame, on_error="skip", **given)
    assert model.counts.documents_per_label == {"ham": 2, "spam": 1}


def test_what_cannot_be_trained_on_is_refused_in_words(spark: Any) -> None:
    frame = spark.createDataFrame(TEXTS)
    with pytest.raises(lk.InputError, match="at least one document"):
        on_spark.train(frame.limit(0), label="label", text="text", view="textbook")
    with pytest.raises(lk.InputError, match="'labl'"):
        on_spark.train(frame, label="labl", text="text")
    with pytest.raises(lk.InputError, match="a text column holds text"):
        on_spark.train(frame.selectExpr("array(text) AS text", "label"), label="label", text="text")
    with pytest.raises(lk.InputError, match="Spark DataFrame"):
        on_spark.train(TEXTS, label="label", text="text")  # type: ignore[arg-type]
    with pytest.raises(lk.InputError, match="'text'"):
        on_spark.train(frame.selectExpr("text", "text AS TEXT", "label"), label="label")
    with pytest.raises(lk.SettingError, match="`min_count` must be"):
        on_spark.train(frame, label="label", text="text", min_count=0)
