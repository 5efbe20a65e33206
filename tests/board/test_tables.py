"""The tables of a view: exact, complete, and cut where they would be too large."""

from __future__ import annotations

import copy
import csv
import math
import pickle
import time
from collections import Counter
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import likelier as lk
from corpora import documents, every_view, model_of, views
from explain.examples import HOSTILE
from likelier._board.chances import decimal

GOATS = [
    ("Die sieben Zwerge fraßen die sieben Ziegen", "OK"),
    ("Die sieben Ziegen traten die sieben Wölfe", "SPAM"),
    ("Die sieben Wölfe fraßen die sieben Böcke", "OK"),
    ("Die sieben Böcke traten die sieben Zwerge", "OK"),
]
TERMS = ["sieben", "zwerg", "fressen", "ziege", "treten", "wolf", "bock"]
TWEETS = {"I": (3, 3), "am": (2, 2), "happy": (2, 0), "sad": (0, 2), "because": (1, 1), "love": (1, 0), "hate": (0, 1)}
PATIENTS = [
    ({"nose": 1, "cough": 1, "age": 20.0}, "sick"),
    ({"nose": 1, "cough": 1, "age": 33.0}, "sick"),
    ({"nose": 0, "cough": 0, "age": 50.0}, "healthy"),
    ({"nose": 1, "cough": 0, "age": 51.0}, "healthy"),
]


@pytest.fixture(scope="module")
def goats() -> lk.Model:
    analyzer = lk.Analyzer(language="de", stop_words="de", lemmatize=True)
    return lk.train(GOATS, analyzer=analyzer, view="textbook")


@pytest.fixture(scope="module")
def patients() -> lk.Model:
    return lk.train(PATIENTS, categorical=["nose", "cough"], numeric=["age"], view="textbook")


def by(table: lk.Table, key: str = "label") -> dict[Any, dict[str, Any]]:
    return {row[key]: row for row in table.rows()}


# ---- counts ------------------------------------------------------------------------------------------------------


def test_counts_by_label_have_words_documents_and_a_sum_row(goats: lk.Model) -> None:
    found = goats.count_table().rows()
    assert [*found[0]] == ["label", *TERMS, "words", "documents"]
    assert [list(row.values()) for row in found] == [
        ["OK", 6, 2, 2, 1, 1, 1, 2, 15, 3],
        ["SPAM", 2, 0, 0, 1, 1, 1, 0, 5, 1],
        ["sum", 8, 2, 2, 2, 2, 2, 2, 20, 4],
    ]


def test_unk_is_a_column_where_the_view_has_it_and_says_what_it_holds(goats: lk.Model) -> None:
    assert by(goats.textbook(unknown="unk").count_table())["OK"]["UNK"] == 0
    rare = goats.textbook(unknown="unk", min_count=3).count_table()
    assert rare.rows()[0] == {"label": "OK", "sieben": 6, "UNK": 9, "words": 15, "documents": 3}
    assert rare.notes == ("UNK holds zwerg, fressen, ziege, treten, wolf, bock: seen fewer than 3 times",)


def test_the_bernoulli_model_counts_documents_and_no_words(goats: lk.Model) -> None:
    found = goats.textbook(event="bernoulli").count_table()
    assert list(found.rows()[0].values()) == ["OK", 3, 2, 2, 1, 1, 1, 2, 3]
    assert goats.textbook().count_table(counts="df").rows() == found.rows()


@given(documents, views)
def test_counts_are_those_of_the_texts(pairs: list[tuple[str, str]], settings: dict[str, Any]) -> None:
    view = model_of(pairs).textbook(**settings)
    once = settings["event"] in ("bernoulli", "binary")
    counted: dict[str, Counter[str]] = {label: Counter() for label in view.labels}
    for text, label in pairs:
        terms = view.analyzer.terms(text)
        counted[label].update(set(terms) if once else terms)
    table = by(view.count_table(by="term", most=None), "term")
    for term in {term for terms in counted.values() for term in terms}:
        assert [table[term][label] for label in view.labels] == [counted[label][term] for label in view.labels]
    assert [table["sum"][label] for label in view.labels] == [counted[label].total() for label in view.labels]
    assert sum(table["documents"][label] for label in view.labels) == len(pairs)


def test_rows_are_labels_or_terms_in_any_order(goats: lk.Model) -> None:
    view = goats.textbook()
    assert [row["term"] for row in view.count_table(by="term", order="sorted").rows()[:-2]] == sorted(TERMS)
    assert [row["term"] for row in view.count_table(by="term", order="frequent").rows()][:1] == ["sieben"]
    some = view.count_table(terms=["wolf", "sieben"], labels=["SPAM", "OK"])
    assert [list(row.values()) for row in some.rows()] == [
        ["SPAM", 1, 2, 5, 1],
        ["OK", 1, 6, 15, 3],
        ["sum", 2, 8, 20, 4],
    ]


def test_a_table_of_some_terms_says_that_its_sums_are_over_all(goats: lk.Model) -> None:
    view = goats.textbook()
    said = "… 5 more terms; sums are over all of them"
    assert view.count_table(terms=["wolf", "sieben"]).notes == (said,)
    assert view.likelihood_table(terms=["wolf", "sieben"]).notes == (said,)
    assert view.ratio_table("OK", "SPAM", terms=["wolf", "sieben"]).notes == (said,)
    assert view.likelihood_table(terms=TERMS).notes == ()
    assert view.count_table(terms=[]).notes == ()  # no terms were wanted
    unknown = goats.textbook(unknown="smooth").likelihood_table(terms=["wolf", "sieben", "lecker"])
    assert unknown.notes == (said,)
    with_unk = goats.textbook(unknown="unk").likelihood_table(terms=["wolf", "sieben", "UNK"])
    assert with_unk.notes == (said,)


def test_terms_with_the_names_of_our_columns_are_not_lost() -> None:
    table = lk.train([("label words words documents", "a"), ("x", "b")], view="textbook").count_table()
    first = table.rows()[0]
    assert first == {
        "label": "a", "label (2)": 1, "words": 2, "documents": 1, "x": 0, "words (2)": 4, "documents (2)": 1
    }  # fmt: skip
    assert table.to_csv().splitlines()[0] == "label,label (2),words,documents,x,words (2),documents (2)"


def test_a_large_vocabulary_is_cut_to_the_most_frequent_terms() -> None:
    pairs = [(f"common w{place} w{place}", "ab"[place % 2]) for place in range(200)]
    view = lk.train(pairs, view="textbook").view()
    table = view.count_table(most=3)
    assert [*table.rows()[0]] == ["label", "common", "w0", "w1", "words", "documents"]
    assert table.notes == ("… 198 more terms; sums are over all of them",)
    assert table.rows()[-1]["words"] == 600
    assert len(view.count_table().rows()) == 20 + 2
    assert len(view.count_table(most=None).rows()) == 201 + 2


def test_columns_of_a_table_stand_below_each_other(patients: lk.Model) -> None:
    rows = patients.count_table().rows()
    assert rows[0] == {"column": "nose", "value": "1", "healthy": 1, "sick": 2}
    assert [row["value"] for row in rows if row["column"] == "age"] == ["values", "mean", "variance"]
    assert rows[-1]["healthy"] == 2
    inside = patients.textbook(numeric="information").count_table(column="age")
    assert [*inside.rows()[0]] == ["label", "age below 40", "age 40 and more", "documents"]


def test_intervals_and_the_picture_of_densities_have_other_words(patients: lk.Model) -> None:
    german = {"below 40": "unter 40", "40 and more": "ab 40", "density": "Dichte", "mean": "Mittelwert"}
    view = patients.textbook(numeric="information")
    for table in (view.count_table(column="age", by="term"), view.likelihood_table(column="age", by="term")):
        assert [row["value"] for row in table.renamed(german).rows()][:2] == ["unter 40", "ab 40"]
    assert ">unter 40<" in view.likelihood_table(column="age").renamed(german).to_svg()
    densities = patients.textbook().likelihood_table(column="age", asked=40)
    shown = densities.renamed({**german, densities.notes[0]: "p ist die Dichte"})
    assert ">Dichte<" in shown.to_svg()
    assert ">Mittelwert<" in shown.to_svg()
    assert ">density<" not in shown.to_svg()
    assert shown.notes == ("p ist die Dichte",)


def test_a_loaded_model_has_the_same_table(goats: lk.Model, tmp_path: Path) -> None:
    goats.save(tmp_path / "goats.likelier")
    loaded = lk.load(tmp_path / "goats.likelier")
    assert loaded.count_table(terms=TERMS).rows() == goats.count_table().rows()
    assert loaded.view().likelihood_table(terms=TERMS).rows() == goats.view().likelihood_table().rows()


# ---- likelihoods -------------------------------------------------------------------------------------------------


def test_likelihoods_are_worked_unreduced_reduced_and_decimal(goats: lk.Model) -> None:
    view = goats.textbook()

    def sieben(form: Any) -> list[str]:
        line = view.likelihood_table(form=form, by="term", terms=["sieben"]).to_markdown().splitlines()[2]
        return line.strip("| ").split(" | ")[1:]

    assert sieben("worked") == ["(6+1)/(15+7)", "(2+1)/(5+7)"]
    assert sieben("fraction") == ["7/22", "3/12"]
    assert sieben("reduced") == ["7/22", "1/4"]
    assert sieben("decimal") == ["0.3182", "0.25"]
    assert sieben("steps") == ["(6+1)/(15+7) = 7/22 ≈ 0.3182", "(2+1)/(5+7) = 3/12 = 0.25"]


@given(documents, views)
def test_likelihoods_are_exactly_those_of_the_view_and_sum_to_one(
    pairs: list[tuple[str, str]], settings: dict[str, Any]
) -> None:
    view = model_of(pairs).textbook(**settings)
    if not view.counts.vocabulary:
        return
    event, smoothing = settings["event"], settings["smoothing"]
    head = {"bernoulli": "P(t=1|{})", "complement": "P(t|not {})"}.get(event, "P(t|{})")
    table = by(view.likelihood_table(by="term", most=None), "term")
    for term in view.counts.vocabulary:
        for label in view.labels:
            assert table[term][head.format(label)] == view.likelihood(term, label)
            if event == "bernoulli":
                assert table[term][f"P(t=0|{label})"] == 1 - view.likelihood(term, label)
    if event != "bernoulli" and smoothing == lk.Additive(1):
        assert {table["sum"][head.format(label)] for label in view.labels} == {1}


@pytest.mark.parametrize("settings", every_view)
@pytest.mark.parametrize("form", ["worked", "fraction", "reduced", "decimal", "steps"])
def test_every_form_of_every_view_is_shown_in_every_way(settings: dict[str, Any], form: Any) -> None:
    view = lk.train([("a a b", "x"), ("b c", "y"), ("", "z")], view="textbook").textbook(**settings)
    for layout in ("label", "term"):
        table = view.likelihood_table(form=form, by=layout, before=True)  # type: ignore[arg-type]
        shown = [str(table), table.to_markdown(), table.to_html(), table.to_latex(), table.to_csv(), table.to_svg()]
        assert all(shown)
        assert not any("nan" in each for each in shown)


def test_a_term_that_the_other_view_leaves_out_has_no_likelihood_before(goats: lk.Model) -> None:
    table = goats.textbook().likelihood_table(before=goats.textbook(min_count=3, unknown="unk"), by="term")
    before = {term: row["P(t|OK) before"] for term, row in by(table, "term").items()}
    assert before == {"sieben": Fraction(7, 17), **dict.fromkeys(TERMS[1:]), "sum": 1}
    assert table.to_svg().count(">–<") == 12


def test_before_is_without_smoothing_or_another_view(goats: lk.Model) -> None:
    view = goats.textbook(unknown="unk")
    first = view.likelihood_table(before=True, by="term").rows()[1]
    assert first["P(t|SPAM) before"] == 0
    assert first["P(t|SPAM)"] == Fraction(1, 13)
    other = view.likelihood_table(before=goats.textbook(), by="term", form="fraction")
    assert other.to_csv().splitlines()[1] == "sieben,7/22,7/23,3/12,3/13"
    assert [row["P(t|OK) before"] for row in other.rows()][-2:] == [None, 1]  # UNK, and the sum
    with pytest.raises(lk.InputError, match="same labels"):
        view.likelihood_table(before=lk.train([("a", "x"), ("b", "y")]).view())


def test_an_unknown_name_makes_the_vocabulary_grow() -> None:
    counts = lk.Counts.from_table({"Вася": {"имя": 3}, "Петя": {"имя": 2}, "Женя": {"имя": 1}}, documents={"имя": 6})
    names = ["Вася", "Петя", "Женя", "Иннокентий"]
    table = counts.view(unknown="grow").likelihood_table(terms=names, by="term", before=True, form="fraction")
    assert [row["P(t|имя)"] for row in table.rows()[:4]] == [Fraction(n, 10) for n in (4, 3, 2, 1)]
    assert [row["P(t|имя) before"] for row in table.rows()[:4]] == [Fraction(n, 6) for n in (3, 2, 1, 0)]
    drawn = table.to_svg()
    assert all(text in drawn for text in ("Иннокентий", "4/10", "1/10", "0/6"))


def test_numbers_have_mean_variance_and_the_density_that_is_asked_for(patients: lk.Model) -> None:
    table = patients.textbook().likelihood_table(column="age", asked=30)
    sick = by(table)["sick"]
    assert (sick["values"], sick["mean"], sick["variance"], sick["standard deviation"]) == (2, 26.5, 42.25, 6.5)
    assert sick["p(30|c)"] == pytest.approx(math.exp(-(3.5**2) / (2 * 42.25)) / math.sqrt(2 * math.pi * 42.25))
    assert "<1e-300" in str(table)  # no number of a normal distribution is impossible
    assert "30" in table.to_svg()
    for wrong in (
        {"column": "nose", "asked": 1},
        {"column": "age", "asked": math.nan},
        {"column": "age", "asked": "x"},
    ):
        with pytest.raises(lk.InputError):
            patients.textbook().likelihood_table(**wrong)  # type: ignore[arg-type]


def test_texts_under_bernoulli_beside_values_share_a_table() -> None:
    rows = [({"subject": "cheap", "member": "yes"}, "spam"), ({"subject": "lunch", "member": "no"}, "ham")]
    view = lk.train(rows, text="subject", categorical="member", view="textbook").textbook(event="bernoulli")
    found = view.likelihood_table().rows()
    assert found[0]["P(t=0|ham)"] == Fraction(2, 3)
    assert next(row for row in found if row["column"] == "member")["P(t=0|ham)"] is None


def test_priors_are_worked_out(goats: lk.Model) -> None:
    assert [row["P(c)"] for row in goats.textbook().prior_table().rows()] == [Fraction(3, 4), Fraction(1, 4), 1]
    assert "3/4 = 0.75" in str(goats.textbook().prior_table())
    given_prior = goats.textbook(prior={"OK": 0.9, "SPAM": 0.1}).prior_table()
    assert [*given_prior.rows()[0].values()] == ["OK", Fraction(9, 10)]
    assert "9/10 = 0.9" in str(given_prior)


# ---- ratios ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def tweets() -> lk.View:
    table = {word: {"pos": pos, "neg": neg} for word, (pos, neg) in TWEETS.items()}
    return lk.Counts.from_table(table, documents={"pos": 35, "neg": 65}).view()


def test_ratios_have_both_likelihoods_sums_and_the_prior(tweets: lk.View) -> None:
    table = tweets.ratio_table("pos", "neg", form="fraction")
    found = by(table, "term")
    assert [row["term"] for row in table.rows()][:2] == ["happy", "love"]
    assert found["happy"]["ratio"] == 3
    assert found["sad"]["log ratio"] == pytest.approx(-math.log(3))
    assert (found["sum"]["P(t|pos)"], found["sum"]["P(t|neg)"]) == (1, 1)
    assert found["prior"]["ratio"] == Fraction(35, 65)
    assert "0.5385" in str(tweets.ratio_table("pos", "neg"))
    assert [row["term"] for row in tweets.ratio_table("pos", "neg", order="first").rows()[:-2]] == [*TWEETS]


@given(documents, views)
def test_log_ratios_are_those_of_the_view(pairs: list[tuple[str, str]], settings: dict[str, Any]) -> None:
    view = model_of([*pairs, ("goat", "ham"), ("wolf", "spam")]).textbook(**settings)
    expected = view.log_ratios("ham", "spam")
    table = by(view.ratio_table("ham", "spam", most=None), "term")
    for term, ratio in expected.items():
        assert table[term]["log ratio"] == pytest.approx(ratio, abs=1e-9)


def test_the_complement_model_divides_the_other_way() -> None:
    view = lk.train([("a a b", "x"), ("b c", "y"), ("c d", "z")], view="textbook").textbook(event="complement")
    row = by(view.ratio_table("x", "y", form="reduced"), "term")["a"]
    assert row["ratio"] == row["P(t|not y)"] / row["P(t|not x)"] > 1


def test_what_one_label_never_has_is_infinite_and_never_not_a_number(tweets: lk.View) -> None:
    table = lk.View(tweets.counts, tweets.schema, alpha=0).ratio_table("pos", "neg")
    found = by(table, "term")
    assert found["happy"]["ratio"] == math.inf
    assert found["sad"]["log ratio"] == -math.inf
    assert "∞" in str(table)
    assert r"\infty" in table.to_latex()
    assert "nan" not in table.to_csv() + table.to_svg()


# ---- on a large corpus -------------------------------------------------------------------------------------------


def test_tables_of_many_terms_and_labels_stay_small() -> None:
    pairs = [(f"w{place} w{place + 1} w{place % 97}", f"label {place % 40}") for place in range(5000)]
    view = lk.train(pairs, view="textbook").view()
    start = time.process_time()
    tables = [
        view.count_table(),
        view.prior_table(),
        view.likelihood_table(before=True),
        view.ratio_table("label 1", "label 2"),
    ]
    assert all(len(table._repr_html_()) < 200_000 for table in tables)
    assert time.process_time() - start < 60  # it is well under a second; a table of everything would take minutes
    assert "… 28 more labels" in tables[0].notes


# ---- wrong input -------------------------------------------------------------------------------------------------

WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("count_table", {"terms": ["nothing"]}, "not in the vocabulary"),
    ("count_table", {"terms": "sieben"}, "list of terms"),
    ("count_table", {"terms": [1]}, "list of terms"),
    ("count_table", {"labels": ["Spam"]}, "labels here are"),
    ("count_table", {"labels": "SPAM"}, "list of labels"),
    ("count_table", {"labels": []}, "list of labels"),
    ("count_table", {"column": "age"}, "columns here are"),
    ("count_table", {"by": "row"}, "`by` must be"),
    ("count_table", {"order": "ratio"}, "`order` must be"),
    ("count_table", {"counts": "idf"}, "`counts` must be"),
    ("count_table", {"most": -1}, "`most` must be an integer"),
    ("likelihood_table", {"form": "percent"}, "`form` must be"),
    ("likelihood_table", {"asked": 3}, "numeric column"),
    ("prior_table", {"labels": ["x"]}, "labels here are"),
    ("prior_table", {"form": 1}, "`form` must be"),
]


@pytest.mark.parametrize(("name", "options", "message"), WRONG)
def test_what_is_not_there_is_refused(goats: lk.Model, name: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(lk.LikelierError, match=message) as refused:
        getattr(goats.textbook(), name)(**options)
    assert refused.value.hint


@pytest.mark.parametrize(("pair", "message"), [(("OK", "OK"), "two different"), (("OK", "x"), "labels here are")])
def test_ratios_need_two_labels_that_are_there(goats: lk.Model, pair: tuple[str, str], message: str) -> None:
    with pytest.raises(lk.InputError, match=message):
        goats.textbook().ratio_table(*pair)


def test_a_normal_distribution_has_no_ratio_of_terms(patients: lk.Model) -> None:
    with pytest.raises(lk.InputError, match="normal distribution"):
        patients.textbook().ratio_table("sick", "healthy", column="age")
    assert "without age" in str(patients.textbook().ratio_table("sick", "healthy"))


@pytest.mark.parametrize("name", ["count_table"])
def test_an_empty_model_says_so(name: str) -> None:
    with pytest.raises(lk.LikelierError, match="learned no document"):
        getattr(lk.Model(), name)()


@given(st.sampled_from([HOSTILE, "<script>", r"\input{/etc/passwd}", "=1+1", "a|b", "\x1b[31m", "%", "[x]"]))
def test_names_from_outside_are_harmless(name: str) -> None:
    rows = [({"x": name}, name + "a"), ({"x": "b"}, "z")]
    view = lk.train(rows, categorical="x", view="textbook").view()
    for table in (view.count_table(), view.likelihood_table(), view.ratio_table(*view.labels), view.prior_table()):
        assert "<script" not in table.to_html()
        assert r"\input" not in table.to_latex()
        assert "\x1b" not in str(table)


# ---- kept --------------------------------------------------------------------------------------------------------


def _every_table(goats: lk.Model, patients: lk.Model) -> list[lk.Table]:
    view, people = goats.textbook(), patients.textbook()
    return [
        view.count_table(),
        view.prior_table(),
        view.likelihood_table(before=True),
        view.likelihood_table(before=goats.textbook(alpha=2)),
        goats.textbook(event="bernoulli").likelihood_table(),
        view.ratio_table("OK", "SPAM"),
        people.likelihood_table(),
        people.likelihood_table(column="nose"),
        people.likelihood_table(column="age", asked=30),
        patients.textbook(numeric="information").likelihood_table(column="age"),
        lk.bag_of_words(["a b", "c"]),
        lk.joint_table({"x": {(0, 0): 1, (1, 1): 2}, "y": {(0, 1): 3, (1, 0): 1}}, asked=(1, 1)),
    ]


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda table: pickle.loads(pickle.dumps(table))])
def test_a_copy_of_a_table_is_the_same_with_its_picture(goats: lk.Model, patients: lk.Model, copied: Any) -> None:
    for table in _every_table(goats, patients):
        twin = copied(table)
        assert twin == table
        assert twin.rows() == table.rows()
        assert twin._repr_html_() == table._repr_html_()  # with the picture, where there is one


def test_a_table_and_its_picture_stay_as_they_were_when_the_model_learns() -> None:
    goats = lk.train(GOATS, view="textbook")
    patients = lk.train(PATIENTS, categorical=["nose", "cough"], numeric=["age"], view="textbook")
    before = _every_table(goats, patients)
    expected = [table._repr_html_() for table in _every_table(goats, patients)]
    goats.learn("die sieben neuen Ziegen", "SPAM")
    patients.learn({"nose": 1, "cough": 0, "age": 99.0}, "sick")
    assert [table._repr_html_() for table in before] == expected


# ---- options of every kind ---------------------------------------------------------------------------------------

ODD = [0, -1, True, 1.5, "3", None, 10**6, 2**70, [], ["x"], [["x"]], {}, {"x": 1}, b"x", math.nan, Fraction(2)]
OPTIONS = ["digits", "most", "terms", "labels", "by", "order", "column", "counts", "form", "before", "asked"]


@pytest.mark.parametrize("odd", ODD, ids=repr)
def test_an_odd_option_is_refused_or_has_an_answer_and_is_never_a_crash(goats: lk.Model, odd: Any) -> None:
    view = goats.textbook()
    table, derived = view.count_table(), view.derivation("sieben")
    rule = lk.rule(("A", "B"), prior=0.4, likelihood=0.25, evidence=0.13)
    calls: list[tuple[Any, list[str]]] = [
        (view.count_table, [each for each in OPTIONS if each not in ("digits", "form", "before", "asked")]),
        (view.likelihood_table, [each for each in OPTIONS if each != "counts"]),
        (view.prior_table, ["digits", "labels", "form"]),
        (partial(view.ratio_table, "OK", "SPAM"), ["digits", "most", "terms", "order", "column", "form"]),
        (partial(view.ratio_table, "OK"), ["against"]),
        (partial(lk.bag_of_words, ["a b"]), ["labels", "binary", "order", "terms", "names", "most", "most_documents"]),
        (partial(view.derivation, "sieben"), ["form", "labels", "rounded", "whole_vocabulary", "expanded"]),
        (table.to_text, ["width", "color"]),
        (derived.to_text, ["width", "color"]),
        (table.to_latex, ["math", "document"]),
        (table.renamed, ["names"]),
        (derived.renamed, ["names"]),
        (rule.renamed, ["names"]),
    ]
    for call, names in calls:
        for name in names:
            refused: lk.LikelierError | None = None
            try:
                str(call(**{name: odd}))
            except lk.LikelierError as error:
                refused = error
            assert refused is None or refused.hint, name


@pytest.mark.parametrize("digits", [0, 16, True, "3", None, 2.0])
def test_decimals_are_a_number_of_them(goats: lk.Model, digits: Any) -> None:
    view = goats.textbook()
    with pytest.raises(lk.SettingError, match="`digits` must be a number of decimals from 1 to 15"):
        view.likelihood_table(digits=digits)
    with pytest.raises(lk.SettingError, match="`rounded` must be a number of decimals from 1 to 15"):
        view.derivation("sieben", rounded=digits if digits is not None else 0)


def test_few_decimals_never_make_a_probability_zero() -> None:
    assert [decimal(Fraction(1, 25), digits) for digits in (1, 2, 3)] == ["4e-02", "4e-02", "0.04"]
    assert [decimal(Fraction(7, 100), digits) for digits in (1, 2)] == ["0.1", "0.07"]


def test_terms_may_come_one_by_one(patients: lk.Model) -> None:
    view = lk.train([({"a": "1", "b": "1"}, "x"), ({"a": "0", "b": "0"}, "y")], categorical=["a", "b"]).textbook()
    for table in (view.count_table, view.likelihood_table, partial(view.ratio_table, "x", "y")):
        assert table(terms=iter(["1"])).rows() == table(terms=["1"]).rows()


def test_names_of_a_bag_are_a_list() -> None:
    with pytest.raises(lk.InputError, match="`names` must be a list with a name for each text"):
        lk.bag_of_words(["a", "b"], names=3)  # type: ignore[arg-type]


def test_the_class_of_a_table_cannot_leave_its_attribute(goats: lk.Model) -> None:
    assert '<table class="&quot;&gt;x">' in goats.count_table().to_html(name='">x')


# ---- labels and weights ------------------------------------------------------------------------------------------


def test_sums_are_over_all_labels_and_the_table_says_so(goats: lk.Model) -> None:
    view, said = goats.textbook(), "… 1 more label; sums are over all of them"
    counts, priors = view.count_table(labels=["SPAM"]), view.prior_table(labels=["SPAM"])
    assert [*counts.rows()[-1].values()] == ["sum", 8, 2, 2, 2, 2, 2, 2, 20, 4]
    assert [*priors.rows()[-1].values()] == ["sum", 4, 1]
    assert counts.notes == priors.notes == (said,)
    assert view.count_table(labels=["SPAM"], by="term").notes == ()  # no sum over labels
    assert view.likelihood_table(labels=["SPAM"]).notes == ()
    assert view.count_table(labels=["SPAM", "OK"]).notes == ()


def test_weighted_counts_are_exact_in_csv_and_short_on_the_board() -> None:
    model = lk.train([("a a b", "x"), ("b c", "y")], view="textbook")
    for weight in (0.1, 0.2, 1 / 3, 12345.25):
        model.learn("a", "x", weight=weight)
    table = model.count_table(terms=["a"], labels=["x"])
    assert table.rows()[0]["a"] == Fraction(12347883333, 10**6)
    assert table.to_csv().splitlines()[1].split(",")[:2] == ["x", "12347.883333"]
    third = lk.train([("a", "x"), ("b", "y")], weights=[1 / 3, 1], view="textbook").count_table(terms=["a"])
    assert str(third).splitlines()[1].split()[1] == "0.3333"
    assert third.to_csv().splitlines()[1].split(",")[1] == "0.333333"


def test_decimals_are_rounded_once_and_a_half_as_by_hand() -> None:
    priors = lk.train(["ab"] * 16, ["x", *["y"] * 15], progress=False).textbook().prior_table(digits=3)
    assert [row[2] for row in csv.reader(priors.to_csv().splitlines())][1:3] == ["1/16 ≈ 0.063", "15/16 ≈ 0.938"]
    weighted = lk.train(["ab cd", "cd ef", "ef"], ["x", "y", "y"], progress=False).textbook(idf=True)
    first = weighted.likelihood_table(by="term", form="steps", digits=6).to_text().splitlines()[1]
    assert first.count("≈") == 2  # one for each label


def test_names_from_right_to_left_are_themselves_in_headings() -> None:
    view = lk.train(["ab", "cd"], ["שלום", "y"], progress=False).textbook()
    table = view.likelihood_table(by="term")
    assert list(table.rows()[0]) == ["term", "P(t|y)", "P(t|שלום)"]
    rule = lk.rule(("שלום", "B"), prior=0.3, likelihood=0.5, evidence=0.4)
    joint = lk.joint_table({"k": {("שלום", "x"): 3, ("b", "x"): 1, ("שלום", "y"): 1, ("b", "y"): 2}})
    for shown in (table, rule, joint):
        assert "u200e" not in shown.to_text() + shown.to_markdown() + shown.to_csv()
    assert rule.rows()[0]["probability"] == "P(שלום)"
    assert view.derivation("ab").rows()[0]["factor"] == "P(שלום)"


def test_the_density_of_a_number_has_a_formula_as_heading() -> None:
    rows = [{"age": age, "label": label} for age, label in ((20, "x"), (25, "y"), (33, "x"), (50, "y"))]
    table = lk.train(rows, label="label", progress=False).textbook().likelihood_table(column="age", asked=22)
    assert r"& $p(22 \mid c)$ \\ \hline" in table.to_latex()
    assert "p(22|c)" in table.rows()[0]


def test_small_ratios_are_not_zero_and_fractions_are_formulas() -> None:
    view = lk.train(["ab " * 50 + "cd", "cd cd ef"], ["x", "y"], progress=False).textbook()
    assert "| ef | 2e-02 | 0.3 | 0.06 |" in view.ratio_table("x", "y", digits=1).to_markdown()  # (1/54)/(2/6)
    assert r"$\frac{1}{18}$" in view.ratio_table("x", "y", form="reduced").to_latex()


# ---- where a table is cut ----------------------------------------------------------------------------------------


def test_declared_values_that_were_never_seen_are_counted_among_those_left_out() -> None:
    model = lk.Model(schema=lk.Schema({"color": lk.Categorical(("red", "green", "blue", "gray"))}))
    for color in ("red", "red", "green"):
        model.learn({"color": color}, "apple")
    model.learn({"color": "blue"}, "plum")
    table = model.textbook().likelihood_table(most=2)
    assert table.notes == ("… 2 more terms; sums are over all of them",)


def test_a_term_seen_as_often_as_asked_is_not_unk() -> None:
    view = lk.train(["a a a", "b b c"], ["x", "y"], progress=False).textbook(min_count=2, unknown="unk")
    assert view.count_table().notes == ("UNK holds c: seen fewer than 2 times",)


def test_of_many_terms_those_that_tell_most_are_in_the_ratios() -> None:
    texts = ["often " * 30 + "less " * 9 + "same " * 5, "seldom " * 3 + "rare " * 2 + "same " * 5]
    view = lk.train(texts, ["x", "y"], progress=False).textbook()
    assert view.ratio_table("x", "y", most=1).rows()[0]["term"] == "often"


def test_ratios_without_smoothing_may_be_undefined_zero_infinite_or_large() -> None:
    texts = ["a " * 2_000_000 + "b", "a c " + "c " * 2_000_000, "d"]
    view = lk.train(texts, ["x", "y", "z"], progress=False).textbook(alpha=0)
    found = {row["term"]: (row["ratio"], row["log ratio"]) for row in view.ratio_table("x", "y").rows()}
    assert found["b"][1] == math.inf
    assert found["c"][1] == -math.inf
    assert found["d"][1] == 0  # neither label has it
    assert "2e+06" in str(view.ratio_table("x", "y"))


def test_before_smoothing_a_label_without_words_sums_up_to_0() -> None:
    model = lk.train(["a b", ""], ["x", "y"], progress=False)
    total = model.textbook().likelihood_table(by="term", before=True).rows()[-1]
    assert [total[f"P(t|{label}) before"] for label in "xy"] == [1, 0]


def test_a_fraction_over_1_is_a_whole_number() -> None:
    view = lk.train(["a", "b"], ["x", "y"], progress=False).textbook(alpha=0)
    assert "| a | 1 | 0 |" in view.likelihood_table(by="term", form="fraction").to_markdown()
