"""Settings chosen by evidence: what is tried, on which documents, and which one is taken."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import likelier as lk
from likelier import demo
from likelier._answer.calibration import Discount, NoCalibration
from likelier._base.errors import SettingError
from likelier._counts.term_counts import TermCounts
from likelier._estimate import intervals
from likelier._evaluate.leaving import intervals as left_intervals
from likelier._evaluate.leaving.intervals import Intervals
from likelier._model.one_pass import training_data
from likelier._model.view import View
from likelier._read import kept
from likelier._settings.values import Settings
from likelier._train import candidates, search
from likelier._train.candidates import CandidateSettings
from likelier._train.judge import CandidateJudge, JudgedSettings
from likelier._train.sample import Sample, mixed, take_sample

TEXTBOOK = Settings()


def reviews(number: int, seed: int = 0) -> list[tuple[str, str]]:
    """Texts in which single words tell little and pairs tell all."""
    chance = random.Random(seed)
    found = []
    filling = ["the", "a", "it", "this", "film", "plot", "end", "cast", "scene"]
    for _ in range(number):
        label = chance.choice(["good", "bad"])
        words = [chance.choice(filling) for _ in range(chance.randint(4, 12))]
        told = ["not dull", "very fine"] if label == "good" else ["not fine", "very dull"]
        place = chance.randrange(len(words))
        found.append((" ".join([*words[:place], chance.choice(told), *words[place:]]), label))
    return found


def topics(number: int, seed: int = 0) -> list[tuple[str, str]]:
    """Three topics with words of their own, and some that they share."""
    chance = random.Random(seed)
    own = {label: [f"{label}{place}" for place in range(60)] for label in ("cat", "dog", "fish")}
    found = []
    for _ in range(number):
        label = chance.choice(list(own))
        words = [
            chance.choice(own[label] if chance.random() < 0.12 else own[chance.choice(list(own))]) for _ in range(25)
        ]
        found.append((" ".join(words), label))
    return found


def uncalibrated(model: lk.Model) -> Settings:
    return replace(model.settings, calibration=NoCalibration())


# ---- what train does ---------------------------------------------------------------------------------------------


def test_the_documents_of_a_lecture_stay_with_the_textbook_and_it_says_so() -> None:
    model = lk.train(reviews(12))
    assert model.settings == TEXTBOOK
    assert model.selection is not None
    assert model.selection.why == "textbook settings: at least 13 documents are needed to choose others, got 12"
    assert lk.train(reviews(13)).settings != TEXTBOOK


@pytest.mark.parametrize("options", [{}, {"weights": [1.5] * 99}], ids=["tables", "weights"])
def test_few_rows_and_few_weighted_texts_stay_with_the_textbook(options: dict[str, Any]) -> None:
    documents: Any = reviews(99) if options else mixed_rows(99, 2)
    model = lk.train(documents, **(options or KINDS))
    assert model.settings == TEXTBOOK
    assert model.selection is not None
    assert "at least 100 documents are needed to choose others, got 99" in model.selection.why


def test_a_label_alone_stays_with_the_textbook() -> None:
    alone = lk.train([(text, "good") for text, _ in reviews(150)])
    assert alone.settings == TEXTBOOK
    assert alone.selection is not None
    assert alone.selection.why == "textbook settings: at least two labels are needed to choose others"
    rows = [(row, "good") for row, _ in mixed_rows(150, 2)] + [(mixed_rows(1, 2)[0][0], "rare")]
    assert "at least two labels with 5 documents each" in lk.train(rows, **KINDS).selection.why


def test_a_label_of_one_document_is_no_failure() -> None:
    model = lk.train([(text, "good") for text, _ in reviews(150)] + [("a rare one", "rare")])
    assert "chosen by leave-one-out" in model.selection.why
    assert model.classify("not dull").label == "good"


def test_pairs_of_words_are_found_where_they_tell() -> None:
    model = lk.train(reviews(400))
    assert model.settings.ngrams == (1, 2)
    right = [model.classify(text).label == label for text, label in reviews(200, seed=1)]
    assert np.mean(right) > 0.95
    textbook = lk.train(reviews(400), view="textbook")
    assert np.mean([textbook.classify(text).label == label for text, label in reviews(200, seed=1)]) < 0.8


def test_the_accuracy_of_what_was_chosen_is_that_of_leave_one_out() -> None:
    documents = topics(300)
    model = lk.train(documents)
    assert model.selection is not None
    (chosen,) = [each for each in model.selection.tried if each.chosen]
    settings = uncalibrated(model)  # of a uniform prior the calibration is made; the settings have the fitted one
    if "uniform prior" in chosen.settings:
        settings = replace(settings, prior="uniform")
    judged = View(model.counts, model.schema, settings).evaluate(documents)
    assert chosen.documents == 300
    assert chosen.accuracy == pytest.approx(judged.figures.accuracy.share, abs=1e-6)  # it is kept to six digits


def test_a_textbook_view_reads_only_the_analyzers_own_terms() -> None:
    documents = reviews(300)
    chosen, plain = lk.train(documents), lk.train(documents, view="textbook")
    assert chosen.schema.only_text.ngrams == (1, 2)
    for text, _ in documents[:50]:
        assert chosen.textbook().classify(text) == plain.classify(text)
    view = chosen.textbook()
    assert view.vocabulary_size == plain.view().vocabulary_size
    assert view.likelihood("dull", "bad") == plain.view().likelihood("dull", "bad")


def test_the_same_documents_give_the_same_choice_on_any_number_of_threads() -> None:
    documents = topics(250)
    one, two = lk.train(documents, threads=1), lk.train(documents, threads=2)
    assert one.settings == two.settings
    assert str(one.selection) == str(two.selection)
    assert one == two


def test_settings_that_are_given_win() -> None:
    model = lk.train(topics(200), view={"event": "bernoulli", "alpha": 0.5})
    assert model.settings == Settings(event="bernoulli", smoothing=lk.Additive(0.5))
    assert model.selection is None


def test_a_weighting_that_is_given_is_counted() -> None:
    model = lk.train([("a b a", "x"), ("b c", "y")], view={"weighting": "log-length", "ngrams": 2})
    assert model.schema.only_text.weighting == "log-length"
    assert model.counts.of("a", "x", "weighted") > model.counts.of("b", "x", "weighted")
    assert model.classify("a b").label == "x"


def test_the_choice_is_kept_in_the_file(tmp_path: Any) -> None:
    model = lk.train(topics(200))
    model.save(tmp_path / "topics.likelier")
    loaded = lk.load(tmp_path / "topics.likelier")
    assert loaded.settings == model.settings
    assert str(loaded.selection) == str(model.selection)
    assert loaded.classify("cat1 dog2 cat3") == model.classify("cat1 dog2 cat3")


def test_settings_that_are_changed_are_not_those_that_were_chosen() -> None:
    model = lk.train(topics(200))
    model.set_view(decide=lk.Thresholds({"cat": 0.6}))
    assert model.selection is not None
    chosen = model.settings
    model.set_view(alpha=7)
    assert model.selection is None
    again = lk.train(topics(200))
    again.use_settings(TEXTBOOK)
    assert (again.selection, again.settings != chosen) == (None, True)


def test_documents_that_do_not_count_decide_nothing() -> None:
    documents = topics(200)
    weights = [0 if place % 2 else 0.5 for place in range(200)]
    model = lk.train(documents, weights=weights)
    assert model.settings == lk.train(documents, weights=weights).settings
    assert sum(model.counts.documents_per_label.values()) == 50


def test_a_label_that_is_almost_alone_is_no_failure() -> None:
    documents = [("buy cheap pills now", "spam")] * 6 + [(f"see you at {place}", "ham") for place in range(3000)]
    model = lk.train(documents)
    assert model.classify("buy cheap pills now").label == "spam"


@pytest.mark.parametrize("labels", [2, 3, 60])
def test_documents_that_all_have_every_term_are_no_failure(labels: int) -> None:
    model = lk.train([("a b c", f"label {place % labels}") for place in range(600)])
    assert "chosen by" in model.selection.why
    assert model.classify("a b c").probability == pytest.approx(1 / labels, abs=0.01)


def test_a_text_column_that_is_always_the_same_is_no_failure() -> None:
    chance = random.Random(1)
    rows = [({"note": "no comment", "days": chance.gauss(10 * (row % 3), 1)}, f"label {row % 3}") for row in range(150)]
    model = lk.train(rows, text=["note"], numeric=["days"])
    assert model.classify({"note": "no comment", "days": 20}).label == "label 2"


def test_a_weighting_under_which_all_terms_weigh_nothing_is_not_tried() -> None:
    model = lk.train([("a b c", f"label {place % 3}") for place in range(150)])
    assert not [tried for tried in model.selection.tried if "idf" in tried.settings]


def fails(event: str | None) -> Any:
    """What judges candidates, but not those with such an event, or none at all."""

    def trials(judge: CandidateJudge, candidate: CandidateSettings, documents: int) -> Any:
        if event in (None, candidate.event):
            raise SettingError(code="alpha-negative", message="no", hint="none")
        return judge_trials(judge, candidate, documents)

    judge_trials = CandidateJudge.trials
    return trials


def test_a_candidate_that_fails_by_itself_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CandidateJudge, "trials", fails("complement"))
    tried = [each.settings for each in lk.train(mixed_rows(150, 3), **KINDS).selection.tried]
    assert len(tried) > 50
    assert not [settings for settings in tried if "complement" in settings]


@pytest.mark.parametrize("name", ["numeric", "categorical", "text"])
def test_if_every_candidate_fails_by_itself_the_textbook_is_taken(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CandidateJudge, "trials", fails(None))
    kinds: dict[str, Any] = {name: ["value"]}
    model = lk.train([({"value": f"{row % 7}"}, row % 3) for row in range(150)], **kinds)
    assert model.settings == Settings()
    assert model.selection.why == ("textbook settings: none of those that were tried can be used with these documents")


ODD = {
    "one document of each label": [(f"w{row % 40} w{row % 7}", f"label {row}") for row in range(150)],
    "some labels with one document": [
        (f"w{row % 40} w{row % 7}", f"label {row if row > 130 else row % 2}") for row in range(150)
    ],
    "one label": [(f"w{row % 40} w{row % 7}", "only") for row in range(150)],
    "empty texts": [("", row % 3) for row in range(150)],
    "all texts but one empty": [("a" if row == 7 else "", row % 3) for row in range(150)],
    "no word twice": [(f"w{row}", row % 3) for row in range(150)],
    "numbers all equal": [({"x": 5, "y": 5.5}, row % 3) for row in range(150)],
    "numbers all equal but one": [({"x": 5 + (row == 7), "y": row % 4}, row % 3) for row in range(150)],
    "one number for each label": [({"x": row if row < 120 else None, "y": row % 4}, row % 120) for row in range(240)],
    "an empty text and a number": [({"note": "", "x": row % 7}, row % 3) for row in range(150)],
    "one value": [({"color": "red", "size": "XL"}, row % 3) for row in range(150)],
    "very small numbers": [({"x": 5e-324 * (row % 3), "y": 1e-310 * (row % 2)}, row % 3) for row in range(150)],
}


@pytest.mark.parametrize("by", ["accuracy", "log-loss"])
@pytest.mark.parametrize("name", ODD)
def test_odd_documents_can_be_trained_on_without_options(name: str, by: search.By) -> None:
    documents = ODD[name]
    named = {"text": "note"} if "note" in documents[0][0] else {}
    if isinstance(documents[0][0], dict):
        named = {"numeric": [each for each in documents[0][0] if each in ("x", "y")]} | named
        named |= {"categorical": [each for each in documents[0][0] if each in ("color", "size")]}
    model = lk.train(documents, choose_by=by, **named)
    assert sum(model.classify(documents[0][0]).probabilities.values()) == pytest.approx(1)


def mixed_rows(number: int, labels: int) -> list[tuple[dict[str, Any], str]]:
    chance = random.Random(3)
    found = []
    for _ in range(number):
        label = chance.randrange(labels)
        note = " ".join(f"w{chance.randrange(200)}" for _ in range(5)) + f" t{label}"
        row = {"note": note, "color": f"c{label % 5}", "x": chance.gauss(label % 10, 1), "y": chance.randrange(20)}
        found.append((row, f"label {label}"))
    return found


def sample_of(*documents: Any, **options: Any) -> Sample:
    return take_sample(training_data(*documents, **options))[0]


KINDS: dict[str, Any] = {"text": "note", "categorical": ["color"], "numeric": ["x", "y"]}


def test_cut_points_are_made_once_for_each_rule_and_number_of_documents(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    make = Intervals._cuts
    monkeypatch.setattr(Intervals, "_cuts", lambda *given: made.append(0) or make(*given))
    tried = lk.train(mixed_rows(200, 20), **KINDS).selection.tried
    assert len(tried) > 100
    assert len(made) == 2 * 2  # columns, and rules with intervals: all looks are at the same documents


def test_what_views_share_is_what_each_of_them_works_out() -> None:
    sample = sample_of(mixed_rows(120, 4), **KINDS)
    judge = CandidateJudge(sample, TEXTBOOK, 1)
    for rule in candidates.RULES:
        for weighting in ("count", "log"):
            for strength in (1.0, 0.1):
                candidate = CandidateSettings(numeric=rule, weighting=weighting, strength=strength)
                shared = next(iter(judge.trials(candidate, 100)))
                alone = next(iter(CandidateJudge(sample, TEXTBOOK, 1).trials(candidate, 100)))
                np.testing.assert_array_equal(shared.scores, alone.scores)


def test_the_number_of_labels_goes_into_cutting_by_information_once(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = [0]
    count = intervals._n_log_n
    counted = lambda given: numbers.__setitem__(0, numbers[0] + np.size(given)) or count(given)  # noqa: E731
    for module in (left_intervals, intervals):
        monkeypatch.setattr(module, "_n_log_n", counted)
    work = {}
    for labels in (10, 80):
        rows = [({"x": place % 400}, f"label {place * 7 % labels}") for place in range(800)]
        model = lk.train(rows, numeric=["x"], view={"numeric": "information"})
        numbers[0] = 0
        model.evaluate(rows)
        work[labels] = numbers[0]
    assert work[80] < 20 * work[10]  # 64 times as much, if each label looked at all labels


def test_intervals_without_a_document_are_counted_for_all_labels_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = [0]
    label_ids = TermCounts.label_ids
    counted = lambda *given: asked.__setitem__(0, asked[0] + 1) or label_ids(*given)  # noqa: E731
    monkeypatch.setattr(TermCounts, "label_ids", counted)
    times = {}
    for labels in (10, 80):
        rows = [({"x": place}, f"label {place % labels}") for place in range(800)]
        model = lk.train(rows, numeric=["x"], view={"numeric": "equal-frequency:10"})
        asked[0] = 0
        model.evaluate(rows)
        times[labels] = asked[0]
    assert times[80] == times[10]


def test_a_round_cut_between_the_same_numbers_is_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [({"x": place / 7}, "ab"[place % 2]) for place in range(500)]
    model = lk.train(rows, numeric=["x"], view={"numeric": "equal-frequency:10"})
    found = []
    roundest = intervals._roundest
    monkeypatch.setattr(intervals, "_roundest", lambda *given, **named: found.append(0) or roundest(*given, **named))
    model.evaluate(rows)
    assert len(found) < 9 * 2 * 10  # cuts, looks at each, and the numbers that it may lie between


def test_very_many_labels_stay_with_the_textbook(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MOST_WORK", 1000)
    model = lk.train(mixed_rows(200, 3), **KINDS)
    assert model.settings == TEXTBOOK
    assert model.selection is not None
    assert "3 labels, too many to choose others" in model.selection.why


def test_several_text_columns_are_chosen_for_together() -> None:
    rows = [{"label": label, "title": text[:10], "body": text} for text, label in topics(200)]
    model = lk.train(rows, label="label", text=["title", "body"])
    assert model.selection is not None
    assert model.selection.tried
    assert model.classify(rows[0]).label in {"cat", "dog", "fish"}


def test_a_chosen_model_learns_and_forgets_exactly() -> None:
    documents = topics(200)
    model = lk.train(documents)
    before = model.counts.digest()
    model.learn("cat1 cat1 fish9", "cat")
    assert model.counts.digest() != before
    model.forget("cat1 cat1 fish9", "cat")
    assert model.counts.digest() == before


def test_log_loss_can_be_what_counts() -> None:
    model = lk.train(topics(200), choose_by="log-loss")
    assert model.selection is not None
    (chosen,) = [each for each in model.selection.tried if each.chosen]
    losses = [each.log_loss for each in model.selection.tried if each.log_loss is not None]
    assert chosen.log_loss == min(losses)
    assert len(losses) in (search.JUDGED_BY_LOSS, search.JUDGED_BY_LOSS + 1)  # the best, and what else is chosen
    assert "log loss" in model.selection.why
    best = max(each.accuracy for each in model.selection.tried)
    assert any(each.accuracy == best and each.log_loss is not None for each in model.selection.tried)


def test_log_loss_can_be_what_counts_for_tables() -> None:
    model = lk.train(mixed_rows(150, 3), **KINDS, choose_by="log-loss")
    assert all(each.log_loss is not None for each in model.selection.tried)
    assert "log loss" in model.selection.why


def test_numbers_that_are_not_normal_are_read_in_intervals() -> None:
    chance = random.Random(0)
    rows = []
    for _ in range(400):
        label = chance.choice(["inside", "outside"])
        far = chance.uniform(2, 3) * chance.choice([-1, 1])
        rows.append({"label": label, "x": chance.uniform(-1, 1) if label == "inside" else far})
    model = lk.train(rows, label="label")
    assert model.settings.numeric != TEXTBOOK.numeric or model.selection.tried[0].accuracy > 0.99  # type: ignore[union-attr]
    assert model.classify({"x": 2.5}).label == "outside"


def test_a_rule_for_numbers_that_is_given_stays() -> None:
    rows = [{"label": "xy"[place % 2], "n": place % 2 + place / 300, "m": place % 7} for place in range(200)]
    model = lk.train(rows, label="label", numeric={"n": [0.5, 1.5], "m": "gaussian"})
    assert model.settings.of_column("n").numeric == lk.Cuts((0.5, 1.5))


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"view": "best"}, "view-unknown"),
        ({"view": None}, "view-unknown"),
        ({"choose_by": "luck"}, "choose-by-unknown"),
    ],
)
def test_what_cannot_be_chosen_is_refused(given: dict[str, Any], code: str) -> None:
    with pytest.raises(lk.SettingError) as refused:
        lk.train(topics(120), **given)
    assert refused.value.code == code


@pytest.mark.parametrize("weights", [None, [0.5 if place % 3 else 1.5 for place in range(120)]])
def test_both_priors_are_judged_as_leave_one_out_judges_them(weights: list[float] | None) -> None:
    texts, labels = zip(*[*topics(100), *[("cat1 dog2", "cat")] * 20], strict=True)
    judge = CandidateJudge(sample_of(texts=texts, labels=labels, weights=weights), TEXTBOOK, threads=1)
    for trial in judge.trials(CandidateSettings(weighting="log-length", strength=0.3), 60):
        assert trial.candidate.prior == trial.settings.prior
        model = lk.train(texts=texts, labels=labels, weights=weights, view={"weighting": "log-length", "ngrams": 2})
        view = View(model.counts, model.schema, trial.settings)
        truth = [view.labels[column] for column in trial.truth]
        expected = view.evaluate(texts=texts, labels=labels, weights=weights).scores.values
        order = np.argsort(mixed(np.arange(120, dtype=np.uint64)), kind="stable")[:60]
        assert truth == [labels[row] for row in order]
        apart = trial.scores - expected[order]
        assert np.allclose(apart, apart[:, :1], atol=1e-10)  # but for a number that is the same for all labels


def judge_of(documents: list[tuple[str, str]], weights: list[float] | None = None) -> CandidateJudge:
    return CandidateJudge(sample_of(documents, weights=weights), TEXTBOOK, threads=1)


def test_the_same_strength_smooths_as_much_whatever_terms_weigh() -> None:
    documents = topics(120)
    counts = lk.train(documents, view={"weighting": "log-length"}).counts
    weighed = sum(counts.of(term, label, "weighted") for term in counts.vocabulary for label in counts.labels)
    mean = float(weighed) / sum(counts.tokens_per_label.values())
    found = judge_of(documents).smoothing(CandidateSettings(weighting="log-length", strength=0.3))
    assert found == lk.Additive(float(f"{0.3 * mean:.2g}"))
    assert judge_of(documents).smoothing(CandidateSettings(strength=0.3)) == lk.Additive(0.3)


def test_the_most_frequent_words_are_those_of_the_most_documents() -> None:
    documents = [(f"the a {'a ' * 9} w{place}", "xy"[place % 2]) for place in range(120)]
    documents += [("the", "x")] * 10
    assert judge_of(documents).settings(CandidateSettings(frequent=2)).stop_words == ("a", "the")
    assert judge_of(documents).settings(CandidateSettings(frequent=1)).stop_words == ("the",)


def test_weights_do_not_make_documents_longer() -> None:
    documents = topics(120)
    assert judge_of(documents, [1e6] * 120).work == pytest.approx(judge_of(documents).work)


def test_what_is_chosen_is_calibrated() -> None:
    documents = demo.documents()
    model = lk.train(documents)
    assert model.settings.calibration != NoCalibration()
    plain = View(model.counts, model.schema, uncalibrated(model)).evaluate(documents)
    assert model.evaluate(documents).figures.log_loss.loss < plain.figures.log_loss.loss


def test_too_few_documents_cannot_calibrate() -> None:
    few = trial("1" * 6 + "0")
    assert search._calibrated(few) == few.settings
    assert isinstance(search._calibrated(trial("1" * 7 + "0")).calibration, Discount)


# ---- which documents ---------------------------------------------------------------------------------------------


def test_of_very_many_documents_some_are_taken_whatever_the_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "MOST_DOCUMENTS", 100)
    texts, labels = [f"w{place}" for place in range(1000)], ["xy"[place % 2] for place in range(1000)]
    found = sample_of(texts=texts, labels=labels)
    assert (found.documents, 40 <= len(found) <= 100) == (1000, True)
    assert {*found.batch.texts} < {*texts}
    assert {"x", "y"} == set(found.batch.labels or ())
    again = sample_of(texts=texts, labels=labels)
    assert list(again.batch.texts) == list(found.batch.texts)


def test_few_documents_are_all_taken() -> None:
    found = sample_of([("a", "x"), ("b", "y")])
    assert (list(found.batch.texts), found.documents) == (["a", "b"], 2)


# ---- which one of those that were judged -------------------------------------------------------------------------


def trial(right: str, strength: float = 1.0) -> JudgedSettings:
    """A candidate that judged the documents with a 1 rightly."""
    is_right = np.array([mark == "1" for mark in right])
    scores = np.where(is_right[:, np.newaxis], [[0.0, -1.0]], [[-1.0, 0.0]])
    truth = np.zeros(len(right), dtype=np.intp)
    return judged(CandidateSettings(strength=strength), scores, truth)


def judged(candidate: CandidateSettings, scores: Any, truth: Any) -> JudgedSettings:
    """A candidate with these scores for documents of four known terms."""
    ones = np.ones(len(truth))
    return JudgedSettings(candidate, TEXTBOOK, scores, truth, ones, 4 * ones, ("x", "y"))


def test_the_best_is_taken_if_the_others_are_clearly_worse() -> None:
    best, worse = trial("1" * 90 + "0" * 10, 0.1), trial("1" * 50 + "0" * 50, 1.0)
    assert search.chosen([worse, best], "accuracy") is best


def test_of_equals_the_one_that_smooths_most_is_taken() -> None:
    best, close = trial("1" * 90 + "0" * 10, 0.1), trial("1" * 89 + "0" * 11, 1.0)
    assert search.chosen([best, close], "accuracy") is close


def test_a_difference_above_its_standard_error_counts() -> None:
    # 4 documents of 100 differ, all in favor of the first: 4 against sqrt(4)
    best, other = trial("1" * 94 + "0" * 6, 0.1), trial("1" * 90 + "0" * 10, 1.0)
    assert search.chosen([best, other], "accuracy") is best


# ---- what is tried -----------------------------------------------------------------------------------------------


def test_a_broad_look_has_every_event_weighting_and_order() -> None:
    found = {(each.event, each.weighting, each.orders) for each in candidates.broad(CandidateSettings(), 3, (1, 2))}
    weightings = set(candidates.WEIGHTINGS)
    for orders in (None, (1, 2)):
        assert {
            weighting for event, weighting, asked in found if (event, asked) == ("complement", orders)
        } == weightings
        assert ("binary", "count", orders) in found
        several = {weighting for event, weighting, asked in found if (event, asked) == ("multinomial", orders)}
        assert several == weightings - {"once"}
    assert ("bernoulli", "count", None) in found
    assert not any(each.event == "complement" for each in candidates.broad(CandidateSettings(), 2, None))


def test_a_closer_look_turns_one_knob_at_a_time() -> None:
    best = CandidateSettings(event="complement", strength=0.3)
    turned = [
        {name for name in CandidateSettings.__dataclass_fields__ if getattr(each, name) != getattr(best, name)}
        for each in candidates.closer(best, has_text=True)
    ]
    knobs = set().union(*turned)
    assert knobs == {"strength", "idf", "normalize", "min_count", "frequent"}
    assert all(len(each) <= 1 or each == {"idf", "strength"} for each in turned)
    smoothings = {each.smoothing for each in candidates.closer(CandidateSettings(event="binary"), has_text=True)}
    assert {None, *candidates.OTHER_SMOOTHINGS} == smoothings
    assert all(each == replace(best, strength=each.strength) for each in candidates.closer(best, has_text=False))


def test_the_log_loss_of_a_trial_is_that_of_the_best_temperature() -> None:
    chance = np.random.default_rng(0)
    odds = chance.normal(0, 2, 4000)
    truth = (chance.random(4000) > 1 / (1 + np.exp(-odds))).astype(
        np.intp
    )  # honest, until it is made three times as sure
    scores = np.column_stack([3 * odds, np.zeros(4000)])
    honest = np.log1p(np.exp(np.where(truth == 0, -odds, odds))).mean()
    assert judged(CandidateSettings(), scores, truth).log_loss == pytest.approx(honest, abs=0.002)
