"""Settings for plain texts: which are chosen, by what, and what the model then is."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import likelier as lk
from likelier import demo
from likelier._answer.calibration import Discount
from likelier._model.one_pass import training_data
from likelier._settings.selection import TriedSettings
from likelier._train import search, texts
from likelier._train.candidates import CandidateSettings
from likelier._train.sample import take_sample
from likelier._train.texts import PIECE_SIZES, LabeledTexts, TextSearch, Trial, preferred

Pairs = list[tuple[str, str]]

# ---- generated documents ---------------------------------------------------------------------------------------------


def word(number: int) -> str:
    """A word; those of neighboring numbers have no letters in common but by chance."""
    mixed = number * 7_919_317 % 9_999_991
    return "".join("abcdefghijklmnop"[mixed >> 4 * place & 15] for place in range(5))


def talks(number: int, labels: int = 2, length: tuple[int, int] = (5, 25), own: float = 0.15, seed: int = 0) -> Pairs:
    """Labels with words of their own among words that all have."""
    chance = random.Random(seed)
    found = []
    for place in range(number):
        label = place % labels
        words = [
            word(40 * label + chance.randrange(40) if chance.random() < own else 5000 + chance.randrange(300))
            for _ in range(chance.randint(*length))
        ]
        found.append((" ".join(words), f"label {label:02}"))
    return found


def turns(number: int, seed: int = 0) -> Pairs:
    """Pairs of words tell, single words do not."""
    chance = random.Random(seed)
    found = []
    for _ in range(number):
        label = chance.choice(["good", "bad"])
        words = [f"w{chance.randrange(30)}" for _ in range(chance.randint(3, 9))]
        told = ["not dull", "very fine"] if label == "good" else ["not fine", "very dull"]
        found.append((" ".join([*words, chance.choice(told), *words[:2]]), label))
    return found


def languages(labels: int, each: int, words: int = 5, seed: int = 0) -> Pairs:
    """Labels that differ in which letters follow each other; hardly a word comes twice."""
    chance, letters = random.Random(seed), "abcdefghijklmnopqrstuvwxyz"
    found = []
    for label in range(labels):
        of_language = random.Random(1000 + label)
        following = {letter: of_language.choices(letters, k=4) for letter in letters}

        def of_letters(following: dict[str, list[str]] = following) -> str:
            made = chance.choice(letters)
            for _ in range(chance.randint(3, 6)):
                made += chance.choice(following[made[-1]])
            return made

        found += [(" ".join(of_letters() for _ in range(words)), f"language {label:02}") for _ in range(each)]
    return found


def accuracy(model: lk.Model, documents: Pairs) -> float:
    verdicts = model.classify_many([text for text, _ in documents])
    return float(np.mean([found == label for found, (_, label) in zip(verdicts.labels, documents, strict=True)]))


def chosen(model: lk.Model) -> TriedSettings:
    assert model.selection is not None
    (one,) = [each for each in model.selection.tried if each.chosen]
    return one


CORPORA: dict[str, Callable[[], Pairs]] = {
    "two labels": lambda: talks(400),
    "six labels": lambda: talks(400, labels=6),
    "pairs": lambda: turns(400),
    "pieces": lambda: languages(20, 12),
    "few": lambda: talks(13),
    "many": lambda: talks(texts.FEW + 100, labels=3, own=0.05),
    "long": lambda: talks(120, labels=3, length=(100, 200)),
    "repeated": lambda: talks(40) * 5,
    "empty texts": lambda: [*talks(60), *[("", "label 00")] * 5, ("", "label 01")],
}
each_corpus = pytest.mark.parametrize("name", CORPORA)


# ---- the model that comes out of it ----------------------------------------------------------------------------------


@pytest.fixture
def filled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Notes the models whose counts come from the bags."""
    found: list[str] = []
    fill = TextSearch.fill
    monkeypatch.setattr(TextSearch, "fill", lambda *given, **named: found.append("") or fill(*given, **named))
    return found


@pytest.mark.parametrize("threads", [1, 3])
@each_corpus
def test_it_is_the_model_that_counting_makes(name: str, threads: int, filled: list[str], tmp_path: Path) -> None:
    documents = CORPORA[name]()
    model = lk.train(documents, threads=threads)
    settings = {each: getattr(model.settings, each) for each in ("event", "weighting", "ngrams", "smoothing")}
    counted = lk.train(documents, view=settings, analyzer=model.schema.only_text.analyzer)
    assert len(filled) == (model.settings.ngrams is not None or name == "pieces")
    assert model.schema == counted.schema
    assert model.counts == counted.counts
    assert model.labels == counted.labels
    assert model.counts.digest() == counted.counts.digest()
    counted.settings, counted.selection = model.settings, model.selection
    assert model.classify_many([text for text, _ in documents]) == counted.classify_many([t for t, _ in documents])
    for each, path in ((model, "chosen"), (counted, "counted")):
        each.save(tmp_path / path)
    assert lk.load(tmp_path / "chosen") == lk.load(tmp_path / "counted")


def test_some_models_are_made_of_bags_and_some_are_not(filled: list[str]) -> None:
    lk.train(turns(400))
    assert len(filled) == 1
    lk.train(turns(400), most_terms=20)
    assert len(filled) == 1


@pytest.mark.parametrize("name", ["pairs", "pieces"])
def test_what_was_learned_of_bags_can_be_forgotten_once(name: str) -> None:
    documents = CORPORA[name]()
    model = lk.train(documents)
    text, label = documents[7]
    before = model.counts.digest()
    model.forget(text, label)
    model.learn(text, label)
    assert model.counts.digest() == before
    with pytest.raises(lk.LearningError):
        model.forget("never learned", label)
    model.forget_many(documents)
    assert model.documents == 0
    with pytest.raises(lk.LearningError):
        model.forget(text, label)


def test_a_model_of_bags_can_be_merged_with_one_that_was_counted() -> None:
    documents = turns(400)
    one, other = lk.train(documents), lk.train(turns(50, seed=1), like=lk.train(documents))
    assert (one + other).counts.digest() == lk.train([*documents, *turns(50, seed=1)], like=one).counts.digest()


# ---- neither order nor threads matter --------------------------------------------------------------------------------


def rule_numbers(model: lk.Model) -> list[float]:
    rule = model.settings.calibration
    assert isinstance(rule, Discount)
    return [rule.weight, rule.power, rule.least, rule.bend, *(value for _, value in sorted(rule.offsets.items()))]


@pytest.mark.parametrize("judged", [10**9, 50])
@each_corpus
def test_the_order_of_documents_does_not_matter(name: str, judged: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "FEWEST", min(texts.FEWEST, judged))
    monkeypatch.setattr(texts, "ENOUGH", min(texts.ENOUGH, judged))
    monkeypatch.setattr(texts, "SCREENED", min(texts.SCREENED, 100 * judged))
    documents = CORPORA[name]()
    shuffled = list(documents)
    random.Random(5).shuffle(shuffled)
    one, other = lk.train(documents), lk.train(shuffled)
    rule = one.settings.calibration
    assert one.settings == replace(other.settings, calibration=rule)
    assert rule_numbers(one) == pytest.approx(rule_numbers(other), rel=1e-9)
    assert one == other
    assert one.selection is not None
    assert other.selection is not None
    assert one.selection.why == other.selection.why
    for mine, theirs in zip(one.selection.tried, other.selection.tried, strict=True):
        assert replace(mine, log_loss=None) == replace(theirs, log_loss=None)
        assert mine.log_loss == pytest.approx(theirs.log_loss, abs=1e-6)


@pytest.mark.parametrize("by", ["accuracy", "log-loss"])
@pytest.mark.parametrize("name", ["pairs", "pieces", "large"])
def test_the_number_of_threads_does_not_matter(name: str, by: search.By) -> None:
    documents = talks(4000, labels=4, length=(30, 50), own=0.05) if name == "large" else CORPORA[name]()
    one, two = (lk.train(documents, threads=threads, choose_by=by) for threads in (1, 2))
    assert one.settings == two.settings
    assert one.selection == two.selection
    assert one == two


def test_weights_of_1_are_no_weights() -> None:
    documents = talks(60, labels=3)
    one, other = lk.train(documents), lk.train(documents, weights=[1, 1.0, np.float64(1)] * 20)
    assert one.settings == other.settings
    assert one.selection == other.selection
    assert one == other


# ---- few documents ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("labels", [2, 4])
def test_from_13_documents_on_settings_are_chosen(labels: int) -> None:
    for number in (2, 12):
        model = lk.train(talks(number, labels=min(labels, number)))
        assert model.settings == lk.train(talks(number), view="textbook").settings
        assert model.selection.why.startswith("textbook settings: at least 13 documents are needed")
        assert not model.selection.tried
    model = lk.train(talks(13, labels=labels))
    assert model.settings.weighting != "count"
    assert model.selection.why.startswith("chosen by leave-one-out accuracy on all 13 documents, out of ")
    assert isinstance(model.settings.calibration, Discount)


def wordy(seed: int) -> tuple[Pairs, Pairs]:
    """Four documents of each of 20 labels, as real ones are: short and long, and some words come again and again."""
    chance = random.Random(seed)

    def text(label: int) -> str:
        words = [
            word(20 * label + chance.randrange(15) if chance.random() < 0.3 else 500 + chance.randrange(200))
            for _ in range(chance.choice([5, 10, 30]))
        ]
        return " ".join(each for each in words for _ in range(chance.choice([1, 1, 1, 1, 6])))

    def some(number: int) -> Pairs:
        return [(text(label), f"label {label}") for label in range(20) for _ in range(number)]

    return some(4), some(15)


def test_few_documents_of_many_labels_do_better_than_by_the_textbook() -> None:
    gained = []
    for seed in range(6):
        learned, asked = wordy(seed)
        assert len(learned) < 100
        gained.append(accuracy(lk.train(learned), asked) - accuracy(lk.train(learned, view="textbook"), asked))
    assert min(gained) > 0.2


# ---- pieces of words -------------------------------------------------------------------------------------------------


def test_pieces_of_words_are_taken_where_they_help() -> None:
    documents = languages(20, 12)
    model = lk.train(documents)
    assert model.schema.only_text.analyzer == lk.Analyzer(char_ngrams=PIECE_SIZES)
    assert model.settings.ngrams is None
    assert "with pieces of words" in chosen(model).settings
    assert accuracy(model, languages(20, 5, seed=1)) > 0.95
    words = lk.train(documents, view="textbook")
    assert accuracy(words, languages(20, 5, seed=1)) < 0.5


@pytest.mark.parametrize(
    ("documents", "options"),
    [
        (lambda: talks(500, labels=20), {}),  # whole words tell
        (lambda: languages(7, 30), {}),
        (lambda: languages(20, 12, words=60), {}),  # long texts
        (lambda: languages(20, 12), {"analyzer": lk.Analyzer(lowercase=False)}),
        (lambda: languages(20, 12), {"analyzer": lk.Analyzer(ngrams=2)}),
        (lambda: languages(20, 12), {"view": "textbook"}),
    ],
    ids=["words tell", "few labels", "long", "own analyzer", "own pairs", "textbook"],
)
def test_pieces_of_words_are_not_taken_elsewhere(documents: Callable[[], Pairs], options: dict[str, Any]) -> None:
    model = lk.train(documents(), **options)
    assert model.schema.only_text.analyzer == options.get("analyzer", lk.Analyzer())
    if model.selection is not None:
        assert not [each for each in model.selection.tried if "pieces" in each.settings]


def test_a_file_gives_the_model_of_its_texts(tmp_path: Path) -> None:
    documents, path = languages(20, 12), tmp_path / "languages.tsv"
    path.write_text("text\tlabel\n" + "".join(f"{text}\t{label}\n" for text, label in documents), encoding="utf-8")
    read, given = lk.train(path), lk.train(documents)
    assert given.schema.only_text.analyzer.char_ngrams == (2, 4)
    assert read.schema.only_text.analyzer == given.schema.only_text.analyzer
    assert read.settings == given.settings
    assert read.counts == given.counts


def test_leave_one_out_of_a_model_is_what_it_was_chosen_by() -> None:
    """Also where the prior is left out: it is the one without the document that is taken away."""
    by_label: dict[str, int] = {}
    few = []
    for text, label in demo.documents():
        by_label[label] = by_label.get(label, 0) + 1
        if by_label[label] <= 4 * len(by_label):
            few.append((text, label))
    model = lk.train(few)
    rule = model.settings.calibration
    assert isinstance(rule, Discount)
    assert rule.without_prior
    assert model.evaluate(few).figures.accuracy.share == pytest.approx(chosen(model).accuracy, abs=1e-6)


def test_own_pieces_of_words_stay_and_no_pairs_are_tried() -> None:
    model = lk.train(talks(100), analyzer=lk.Analyzer(char_ngrams=3))
    assert model.schema.only_text.analyzer == lk.Analyzer(char_ngrams=3)
    assert all("with pieces of words" in each.settings for each in model.selection.tried)
    assert not [each for each in model.selection.tried if "pairs" in each.settings]


def test_n_grams_of_ones_own_are_tried_one_word_longer() -> None:
    model = lk.train(turns(200), analyzer=lk.Analyzer(ngrams=2))
    assert any("runs of three words" in each.settings for each in model.selection.tried)
    assert not [each for each in model.selection.tried if "pairs of words" in each.settings]


# ---- what is said of it ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("by", ["accuracy", "log-loss"])
@each_corpus
def test_what_is_said_is_true_of_the_table(name: str, by: search.By) -> None:
    documents = CORPORA[name]()
    model = lk.train(documents, choose_by=by)
    selection, one = model.selection, chosen(model)
    assert selection is not None
    why = selection.why
    assert f"by leave-one-out {by.replace('-', ' ')} on all {len(documents):,} documents" in why
    assert f"out of {len(selection.tried)} settings: " in why
    assert (selection.documents, selection.judged, one.documents) == (len(documents),) * 3
    assert len({each.settings for each in selection.tried}) == len(selection.tried)
    order = [(-each.documents, -each.accuracy) for each in selection.tried]
    assert order == sorted(order)
    best = max(each.accuracy for each in selection.tried if each.documents >= one.documents)
    if by == "log-loss":
        losses = [each.log_loss for each in selection.tried if each.log_loss is not None]
        assert one.log_loss == min(losses)
        assert why.endswith("the least of those with the highest accuracy")
    elif why.endswith(": the best"):
        assert one.accuracy == best
    else:
        (points,) = re.findall(r"the best is ahead by ([\d.]+) points", why)
        assert float(points) == pytest.approx(100 * (best - one.accuracy), abs=0.006)
        assert best > one.accuracy


@each_corpus
def test_settings_in_words_are_those_of_the_model(name: str) -> None:
    model = lk.train(CORPORA[name]())
    words, settings = chosen(model).settings, model.settings
    assert words.startswith(settings.event)
    assert ("with pairs of words" in words) == (settings.ngrams == (1, 2))
    assert f"alpha {settings.smoothing.alpha:g}" in words
    rule = settings.calibration
    assert isinstance(rule, Discount)
    assert ("uniform prior" in words) == rule.without_prior


def test_of_two_labels_each_is_the_other_ones_complement() -> None:
    assert not [each for each in lk.train(talks(100)).selection.tried if "complement" in each.settings]
    assert [each for each in lk.train(talks(100, labels=3)).selection.tried if "complement" in each.settings]


@pytest.mark.parametrize("labels", [2, 3])
def test_the_log_loss_of_what_is_chosen_is_that_of_its_probabilities(labels: int) -> None:
    documents = talks(900, labels=labels, length=(20, 25), own=0.05)
    rare = [pair for place, pair in enumerate(documents) if pair[1] == "label 00" or place % 10 < labels]
    for several in (documents, rare):
        model = lk.train(several)
        loss = model.evaluate(several).figures.log_loss.loss
        assert chosen(model).log_loss == pytest.approx(loss, rel=0.02)  # the shortest have less of the rule


# ---- which of those that were judged ---------------------------------------------------------------------------------


def trial(right: str, strength: float = 1.0) -> Trial:
    return Trial(CandidateSettings(strength=strength), np.array([mark == "1" for mark in right], dtype=np.uint8))


def better(best: Trial, *others: Trial) -> Trial:
    return TextSearch._better(TextSearch.__new__(TextSearch), best, others)


def test_the_lead_is_in_standard_errors_of_the_difference() -> None:
    one, other = trial("1" * 60 + "1" * 9 + "0" * 1 + "0" * 30), trial("1" * 60 + "0" * 9 + "1" * 1 + "0" * 30)
    assert one.lead(other) == pytest.approx((9 - 1) / np.sqrt(9 + 1)) == -other.lead(one)
    assert one.lead(one) == 0
    assert one.saves(other) == pytest.approx(8 / 39)
    assert (one.accuracy, other.accuracy) == (0.69, 0.61)


def test_settings_are_compared_on_the_documents_that_both_have_judged() -> None:
    few, many = trial("1110"), trial("1100" + "1" * 96)
    assert few.lead(many) == 1
    assert few.saves(many) == 0.5


def test_others_are_taken_only_where_they_are_better_for_certain() -> None:
    start = trial("1" * 60 + "0" * 40)
    two, three = trial("1" * 62 + "0" * 38), trial("1" * 63 + "0" * 37)
    assert better(start, two) is start  # 2 / sqrt(2) = 1.4 standard errors
    assert better(start, three) is three  # 3 / sqrt(3) = 1.7
    assert better(start, two, three) is three
    assert better(start) is start
    assert better(start, trial("1" * 50 + "0" * 50)) is start


def test_others_are_taken_only_where_they_are_worth_it() -> None:
    start, more = trial("1" * 1000 + "0" * 1000), trial("1" * 1040 + "0" * 960)
    assert more.lead(start) > 6
    assert better(start, more) is start  # of 1,000 mistakes 40
    assert better(start, trial("1" * 1060 + "0" * 940)).accuracy == 0.53


def test_the_first_is_preferred_that_is_as_good_as_the_best() -> None:
    worse, close, best = trial("1" * 40 + "0" * 60), trial("1" * 59 + "0" * 41), trial("1" * 60 + "0" * 40)
    assert preferred([worse, close, best]) is close
    assert preferred([worse, best, close]) is best
    assert preferred([worse]) is worse


def test_what_is_said_of_settings_that_are_not_the_best() -> None:
    start, two = trial("1" * 60 + "0" * 40), trial("1" * 62 + "0" * 38)
    assert search._why_texts([start], start, "accuracy") == "the best"
    why = search._why_texts([two, start], start, "accuracy")
    assert why == "the best is ahead by 2.00 points, 1.4 standard errors, which may be chance"
    many, more = trial("1" * 1000 + "0" * 1000), trial("1" * 1040 + "0" * 960)
    assert search._why_texts([more, many], many, "accuracy").endswith("2.00 points, less than one mistake in 20")
    few = trial("1" * 10)
    assert search._why_texts([start, few], start, "accuracy") == "the best"  # not on as many documents


# ---- without evidence ------------------------------------------------------------------------------------------------


def mails(*numbers: int, seed: int = 0) -> Pairs:
    """Long texts, and a label for each number of them."""
    chance = random.Random(seed)
    found = []
    for label, number in zip(("ham", "spam", "list"), numbers, strict=False):
        for _ in range(number):
            words = [
                f"{label}{chance.randrange(100)}" if chance.random() < 0.25 else f"w{chance.randrange(400)}"
                for _ in range(chance.randint(80, 200))
            ]
            found.append((" ".join(words), label))
    return found


@pytest.mark.parametrize("numbers", [(90, 10), (10, 90), (150, 150), (100, 15, 40), (20, 200, 20)], ids=str)
def test_without_evidence_the_probabilities_are_the_shares_of_the_labels(numbers: tuple[int, ...]) -> None:
    model = lk.train(mails(*numbers))
    assert isinstance(model.settings.calibration, Discount)
    shares = {label: number / sum(numbers) for label, number in zip(("ham", "spam", "list"), numbers, strict=False)}
    for text in ("", "   \n", "yeti yak", "?!"):
        verdict = model.classify(text)
        assert verdict.probabilities == pytest.approx(shares, abs=1e-9)
        assert verdict.probability == pytest.approx(max(shares.values()))
    asked = model.classify_many(["", "w1", "ham1 spam2", "yeti"])
    assert asked[0].probabilities == pytest.approx(shares, abs=1e-9)
    weak = asked[1].probabilities  # a word that all labels have
    assert all(abs(weak[label] - share) < 0.1 for label, share in shares.items())


def test_a_word_of_the_rare_label_says_something_and_many_say_all() -> None:
    model = lk.train(mails(90, 10))
    found = [model.classify(" ".join(f"spam{place}" for place in range(number))) for number in (0, 1, 3, 40)]
    chances = [verdict.probabilities["spam"] for verdict in found]
    assert all(one < other for one, other in pairwise(chances))
    naive = model.view(calibration=lk.NoCalibration()).classify("spam0").probabilities["spam"]
    assert chances[1] <= naive + 1e-9  # one word says no more than naive Bayes
    assert chances[3] > 0.95


def test_shares_are_those_of_the_documents_that_were_learned_since() -> None:
    model = lk.train(mails(90, 10))
    model.learn_many(mails(0, 100, seed=1))
    assert model.classify("").probabilities == pytest.approx({"ham": 90 / 200, "spam": 110 / 200})


# ---- interrupted -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("step", ["best", "calibration", "fill"])
def test_nothing_is_left_behind_where_choosing_is_interrupted(
    step: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "talks.csv"
    path.write_text("text,label\n" + "".join(f"{text},{label}\n" for text, label in turns(200)))
    documents = lk.read(path, text="text", label="label")

    def interrupt(*given: Any, **named: Any) -> Any:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(TextSearch, step, interrupt)
        with pytest.raises(KeyboardInterrupt):
            lk.train(documents)
    assert getattr(documents, "doing", None) is None
    assert lk.train(documents) == lk.train(turns(200))


# ---- which documents are judged --------------------------------------------------------------------------------------


def test_of_many_documents_some_are_judged_and_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "FEWEST", 100)
    monkeypatch.setattr(texts, "ENOUGH", 200)
    documents = talks(500)
    model = lk.train(documents)
    assert "on 200 of 500 documents" in model.selection.why
    assert (model.selection.documents, model.selection.judged) == (500, 200)
    assert {each.documents for each in model.selection.tried} <= {50, 200}
    assert sum(model.counts.documents_per_label.values()) == 500


def test_some_of_the_texts_are_those_that_come_first_when_mixed() -> None:
    documents = talks(50, labels=3)
    data = LabeledTexts([text for text, _ in documents], [label for _, label in documents], 1)
    some = data.first(20)
    expected = [documents[row] for row in data.mixed[:20]]
    assert [(text, some.labels[label]) for text, label in zip(some.texts, some.truth, strict=True)] == expected
    assert some.documents.tolist() == [Counter(label for _, label in expected)[label] for label in data.labels]


def test_a_sample_does_not_depend_on_how_it_is_given() -> None:
    documents = turns(100)
    data = training_data(documents)
    sample, _ = take_sample(data)
    again, _ = take_sample(training_data(texts=[t for t, _ in documents], labels=[label for _, label in documents]))
    assert search.select(sample, data).settings == search.select(again, data).settings
