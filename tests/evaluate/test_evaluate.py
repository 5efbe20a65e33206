"""Every way of judging gives what really training without the judged documents gives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import corpora
import likelier as lk
import tables
from likelier._answer.calibration import NoCalibration, Temperature
from likelier._counts.by_column import Counts

QUICK = settings(max_examples=30, deadline=None)
PAIRS = [
    ("goat goat wolf", "ham"),
    ("goat dwarf", "ham"),
    ("seven goats", "ham"),
    ("wolf wolf seven", "spam"),
    ("wolf a", "spam"),
    ("seven dwarf wolf", "spam"),
]


def expected(model: lk.Model | None, document: Any, labels: tuple[Any, ...], view: dict[str, Any]) -> list[float]:
    """The log scores by a model that was really trained; labels that it does not have are impossible."""
    if model is None:
        return [-np.inf] * len(labels)
    scores = model.view(**view).classify(document).log_scores
    return [scores.get(label, -np.inf) for label in labels]


def check(found: Any, wanted: list[list[float]]) -> None:
    np.testing.assert_allclose(found.verdicts.log_scores, np.array(wanted), rtol=1e-12, atol=1e-12)


def trained(pairs: list[Any], schema_of: lk.Model | None = None) -> lk.Model | None:
    if not pairs:
        return None
    if schema_of is None:
        return lk.train(pairs)
    model = lk.Model(schema=schema_of.schema)
    model.learn_many(pairs)
    return model


@given(corpora.documents, corpora.views, st.integers(2, 4))
@QUICK
def test_folds_are_those_of_real_training(pairs: list[Any], view: dict[str, Any], number: int) -> None:
    model = lk.train(pairs)
    found = model.view(**view).evaluate(pairs, method="folds", folds=number)
    wanted = [
        expected(trained([pair for place, pair in enumerate(pairs) if found.folds[place] != found.folds[row]]), text,
                 model.labels, view)
        for row, (text, _) in enumerate(pairs)
    ]  # fmt: skip
    check(found, wanted)


@given(tables.documents, st.integers(2, 3))
@QUICK
def test_folds_of_rows_are_those_of_real_training(pairs: list[Any], number: int) -> None:
    pairs = [(tables.BODY, "ham"), *pairs]
    model = lk.train(pairs, **tables.COLUMNS)
    found = model.evaluate(pairs, method="folds", folds=number)
    wanted = []
    for row, (document, _) in enumerate(pairs):
        rest = [pair for place, pair in enumerate(pairs) if found.folds[place] != found.folds[row]]
        wanted.append(expected(trained(rest, model), document, model.labels, {}))
    check(found, wanted)


def test_a_group_stays_in_one_fold() -> None:
    groups = ["a", "b", "a", "c", "b", "a"]
    found = lk.train(PAIRS).evaluate(PAIRS, method="folds", folds=3, groups=groups)
    assert found.folds is not None
    assert len({(group, fold) for group, fold in zip(groups, found.folds.tolist(), strict=True)}) == 3


def test_folds_are_dealt_evenly_and_by_chance() -> None:
    pairs = PAIRS * 10
    one, two = (lk.train(pairs).evaluate(pairs, method="folds", folds=3, seed=seed) for seed in (1, 2))
    assert np.bincount(one.folds).tolist() == [20, 20, 20]
    assert np.bincount(one.folds[one.truth == 0]).tolist() == [10, 10, 10]
    assert one.folds.tolist() != two.folds.tolist()


@given(corpora.documents, st.integers(1, 3))
@QUICK
def test_time_ordered_is_training_on_the_past(pairs: list[Any], every: int) -> None:
    model = lk.train(pairs)
    found = model.evaluate(pairs, method="time-ordered", every=every)
    wanted = [
        expected(trained(pairs[: row - row % every]), text, model.labels, {}) for row, (text, _) in enumerate(pairs)
    ]
    check(found, wanted)


def test_held_out_documents_are_judged_by_the_whole_model() -> None:
    model = lk.train(PAIRS)
    found = model.evaluate([("goat", "ham"), ("yeti", "news")], method="held-out")
    assert found.how == "held-out: each document judged by the model as it is"
    check(found, [expected(model, text, model.labels, {}) for text in ("goat", "yeti")])
    assert found.truth.tolist() == [0, -1]
    assert found.figures.accuracy.share == 0.5


def test_copies_are_left_out_together() -> None:
    pairs = [*PAIRS, ("goat dwarf", "spam"), ("goat dwarf", "ham")]
    model = lk.train(pairs)
    found = model.evaluate(pairs, copies="together")
    rest = [pair for pair in pairs if pair[0] != "goat dwarf"]
    alone = expected(trained(rest), "goat dwarf", model.labels, {})
    check_rows = [row for row, (text, _) in enumerate(pairs) if text == "goat dwarf"]
    np.testing.assert_allclose(found.verdicts.log_scores[check_rows], [alone] * 3, rtol=1e-12)
    apart = model.evaluate(pairs)
    others = [row for row in range(len(pairs)) if row not in check_rows]
    assert found.verdicts.log_scores[others].tolist() == apart.verdicts.log_scores[others].tolist()
    assert "3 documents have some" in found.how


def test_copies_of_rows_are_equal_in_every_column() -> None:
    rows = [({"a": 1.5, "b": "x", "c": None}, "l"), ({"a": 1.5, "b": "x", "c": None}, "m"), ({"a": 1.5, "b": "y"}, "m")]
    kinds: dict[str, Any] = {"numeric": ["a"], "categorical": ["b"], "text": ["c"]}
    rows.append(({"a": 2.0, "b": "z", "c": "wolf"}, "l"))
    assert "2 documents have some" in lk.train(rows, **kinds).evaluate(rows, copies="together").how


@pytest.mark.parametrize("method", ["leave-one-out", "folds", "held-out", "time-ordered"])
def test_a_mistake_is_explained_by_the_counts_that_judged_it(method: Any) -> None:
    pairs = [*PAIRS, ("goat goat goat", "spam"), ("wolf wolf", "ham")]
    found = lk.train(pairs).evaluate(pairs, method=method, folds=2)
    for mistake in found.mistakes(3):
        assert mistake.verdict.label != mistake.label
        possible = {label: score for label, score in mistake.verdict.log_scores.items() if score > -np.inf}
        assert mistake.explanation.log_scores == pytest.approx(possible, rel=1e-12)
    assert found.mistakes(1)[0].where.startswith("document ")


def test_weights_count_in_the_figures_and_in_what_is_left_out() -> None:
    model = lk.train(PAIRS, weights=[2, 1, 1, 1, 1, 0.5])
    found = model.evaluate(PAIRS, weights=[2, 1, 1, 1, 1, 0.5])
    assert found.weights is not None
    assert found.weights.tolist() == [2, 1, 1, 1, 1, 0.5]
    rest = lk.train(PAIRS[1:], weights=[1, 1, 1, 1, 0.5])
    np.testing.assert_allclose(found.verdicts.log_scores[0], expected(rest, PAIRS[0][0], model.labels, {}), rtol=1e-12)


def test_documents_of_files_are_judged_batch_by_batch(tmp_path: Any) -> None:
    path = tmp_path / "mails.csv"
    path.write_text("text,label\n" + "".join(f"{text},{label}\n" for text, label in PAIRS))
    model = lk.train(path)
    found = model.evaluate(path)
    assert found.verdicts.log_scores.tolist() == model.evaluate(PAIRS).verdicts.log_scores.tolist()
    assert found.mistakes(1)[0].where.startswith(str(path))


def test_a_calibration_is_chosen_and_kept() -> None:
    pairs = PAIRS * 20
    model = lk.train(pairs)
    found = model.evaluate(pairs)
    rule = found.calibration().rule
    after = found.under(calibration=rule)
    assert after.figures.log_loss.loss <= found.figures.log_loss.loss
    assert after.verdicts.log_scores.tolist() == found.verdicts.log_scores.tolist()
    model.set_view(calibration=rule)
    assert lk.Model.from_bytes(model.to_bytes()).settings.calibration == rule
    assert model.evaluate(pairs).verdicts.probabilities.tolist() == after.verdicts.probabilities.tolist()


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"method": "bootstrap"}, "method-unknown"),
        ({"copies": "dropped"}, "copies-unknown"),
        ({"copies": "together", "method": "folds"}, "copies-unknown"),
        ({"groups": ["a"] * 6}, "groups-need-folds"),
        ({"groups": ["a"], "method": "folds"}, "lengths-differ"),
        ({"folds": 1}, "folds-range"),
        ({"every": 0}, "every-range"),
    ],
)
def test_options_that_make_no_sense_are_refused(options: dict[str, Any], code: str) -> None:
    with pytest.raises(lk.LikelierError, match=r".") as caught:
        lk.train(PAIRS).evaluate(PAIRS, **options)
    assert caught.value.code == code


def test_no_documents_are_no_evaluation() -> None:
    with pytest.raises(lk.InputError, match="at least one labeled document") as caught:
        lk.train(PAIRS).evaluate([], method="held-out")
    assert caught.value.code == "evaluation-empty"


def test_other_counts_need_another_judging() -> None:
    with pytest.raises(lk.SettingError, match="evaluating again, got 'alpha'") as caught:
        lk.train(PAIRS).evaluate(PAIRS).under(alpha=2)
    assert caught.value.code == "evaluation-settings"


def test_a_calibration_goes_when_the_scores_become_others() -> None:
    model = lk.train(PAIRS)
    model.set_view(calibration=Temperature(2.0))
    model.set_view(decide=lk.Thresholds({"spam": 0.8}))
    assert model.settings.calibration == Temperature(2.0)
    model.set_view(alpha=0.5)
    assert model.settings.calibration == NoCalibration()


def test_a_text_with_a_word_that_was_never_learned_cannot_be_left_out() -> None:
    with pytest.raises(lk.LearningError, match="document 1 was not") as caught:
        lk.train(PAIRS).evaluate([PAIRS[0], ("goat yeti", "ham")])
    assert caught.value.code == "left-out-not-learnt"


# ---- explanations of mistakes --------------------------------------------------------------------------------------


CONFUSED = [(f"goat wolf w{place} {'a' if place % 3 else 'b'}", "ab"[place % 2]) for place in range(40)]


def test_explaining_many_mistakes_copies_the_counts_once(monkeypatch: pytest.MonkeyPatch) -> None:
    evaluation, copies, copy = lk.train(CONFUSED, view="textbook").evaluate(CONFUSED), [], Counts.copy
    monkeypatch.setattr(Counts, "copy", lambda counts: copies.append(counts) or copy(counts))
    shown = [str(mistake.explanation) for mistake in evaluation.mistakes(10)]
    assert len(copies) == 1
    assert [str(mistake.explanation) for mistake in reversed(evaluation.mistakes(10))] == shown[::-1]
    assert len(copies) == 1


@pytest.mark.parametrize("event", ["multinomial", "bernoulli", "complement"])
def test_a_mistake_is_explained_by_the_counts_without_it_however_late_it_is_asked(event: str) -> None:
    found = lk.train(CONFUSED, view={"event": event}).evaluate(CONFUSED).mistakes(4)
    for mistake, explanation in [(mistake, mistake.explanation) for mistake in found]:
        rest = [pair for place, pair in enumerate(CONFUSED) if place != mistake.row]
        expected = lk.train(rest, view={"event": event}).explain(explanation.text)
        assert explanation.joint == expected.joint
        assert explanation.to_dict() == expected.to_dict()
