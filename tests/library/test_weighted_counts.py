"""Weighted sums and n-grams beyond the analyzer's are counts like others: learned, forgotten, merged, saved exactly."""

from __future__ import annotations

import copy
import math
import pickle
from collections import Counter
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import likelier as lk
from corpora import documents, labels, texts, weights
from likelier._documents.kinds import Categorical, Numeric, Text
from likelier._documents.schema import Schema, plain

WEIGHTINGS = ["log", "count-length", "once-length", "log-length"]
UNIT = 65536
OWN = [lk.Analyzer(), lk.Analyzer(ngrams=2), lk.Analyzer(ngrams=(2, 2)), lk.Analyzer(char_ngrams=2, stop_words=["a"])]

analyzers = st.sampled_from(OWN)
ranges = st.sampled_from([None, 1, 2, 3, (2, 3)])
schemas = st.builds(
    lambda analyzer, ngrams, weighting: plain(analyzer, ngrams=ngrams, weighting=weighting),
    analyzers,
    ranges,
    st.sampled_from([None, *WEIGHTINGS]),
)
some_weights = st.lists(weights, min_size=12, max_size=12)
PAIR = [("goat wolf", "ham")]


def base_units(times: int, weighting: str) -> int:
    if weighting.startswith("once"):
        return UNIT
    return UNIT * times if weighting.startswith("count") else math.floor(UNIT * math.log(1 + times) + 0.5)


def learned_units(text: str, kind: Text) -> dict[str, int]:
    """What each term of a text adds, by the formulas alone."""
    assert kind.weighting is not None
    units = {
        term: base_units(times, kind.weighting)
        for term, times in Counter(kind.analyzer.with_ngrams(kind.counted).terms(text)).items()
    }
    if not kind.weighting.endswith("-length"):
        return units
    squares = sum(units[term] ** 2 for term in set(kind.analyzer.terms(text)))
    length = math.sqrt(squares) / UNIT if squares else 1.0
    return {term: math.floor(number / length + 0.5) for term, number in units.items()}


def model_of(schema: Schema, pairs, some=None) -> lk.Model:
    model = lk.Model(schema=schema)
    model.learn_many(texts=[text for text, _ in pairs], labels=[label for _, label in pairs], weights=some)
    return model


def content(model: lk.Model) -> tuple[object, ...]:
    arrays = {name: (array.dtype.str, array.tobytes()) for name, array in model.counts.sizes.arrays().items()}
    return model.counts.labels, arrays, model.counts.digest()


# ---- what is counted ---------------------------------------------------------------------------------------------


@settings(deadline=None)
@given(documents, some_weights, analyzers, ranges, st.sampled_from(WEIGHTINGS))
def test_sums_are_those_of_the_formulas(pairs, some, analyzer, ngrams, weighting):
    schema = plain(analyzer, ngrams=ngrams, weighting=weighting)
    wanted: Counter[tuple[str, str]] = Counter()
    for (text, label), weight in zip(pairs, some, strict=False):
        for term, units in learned_units(text, schema.only_text).items():
            wanted[term, label] += round(weight * 10**6) * units
    counts = model_of(schema, pairs, some[: len(pairs)]).counts
    for term, label, _, _ in counts.cells():
        assert counts.of(term, label, "weighted") == Fraction(wanted.pop((term, label)), 10**6 * UNIT)
    assert not +wanted


def test_a_term_that_stands_once_in_a_text_of_four_words_adds_half_when_length_is_taken_out():
    model = model_of(plain(lk.Analyzer(), weighting="count-length"), [("one two three four", "x")])
    assert model.counts.of("one", "x", "weighted") == Fraction(1, 2)  # 1 / sqrt(1 + 1 + 1 + 1)


def test_the_logarithm_of_one_and_the_number_of_repeats_is_rounded_to_a_65536th():
    counts = model_of(plain(lk.Analyzer(), weighting="log"), [("goat goat goat", "x")]).counts
    assert counts.of("goat", "x", "weighted") == Fraction(round(65536 * math.log(4)), 65536)


def test_n_grams_that_are_counted_beside_the_own_ones_do_not_change_the_length():
    text = [("one two three four", "x")]
    wide = model_of(plain(lk.Analyzer(), ngrams=3, weighting="once-length"), text).counts
    assert wide.of("one", "x", "weighted") == wide.of("one two", "x", "weighted") == Fraction(1, 2)


def test_a_term_that_is_hardly_there_may_add_nothing():
    counts = model_of(plain(lk.Analyzer(), weighting="count-length"), [("goat " * 200_000 + "wolf", "x")]).counts
    assert counts.of("wolf", "x", "weighted") == 0
    assert counts.of("wolf", "x") == 1


def test_a_replacement_of_several_words_is_one_of_the_own_terms():
    analyzer = lk.Analyzer(replace={"nyc": "new york"})
    counts = model_of(plain(analyzer, weighting="once-length"), [("nyc is big city", "x")]).counts
    assert counts.of("new york", "x", "weighted") == Fraction(1, 2)


@settings(deadline=None)
@given(documents, analyzers, ranges)
def test_wider_n_grams_are_counted_as_a_wider_analyzer_counts_them(pairs, analyzer, ngrams):
    schema = plain(analyzer, ngrams=ngrams)
    wider = model_of(plain(analyzer.with_ngrams(schema.only_text.counted)), pairs)
    assert model_of(schema, pairs).counts.digest() == wider.counts.digest()


@settings(deadline=None)
@given(documents, some_weights, schemas)
def test_a_weighting_leaves_the_other_counts_as_they_are(pairs, some, schema):
    kind = schema.only_text
    without = model_of(plain(kind.analyzer, ngrams=kind.ngrams), pairs, some[: len(pairs)]).counts
    counts = model_of(schema, pairs, some[: len(pairs)]).counts
    assert list(counts.cells()) == list(without.cells())
    assert counts.documents_per_label == without.documents_per_label


def test_millionths_are_kept_where_only_weighted_sums_are_not_whole():
    pairs = [("goat wolf wolf wolf", "x"), ("goat wolf", "x")]
    counts = model_of(plain(lk.Analyzer(), weighting="count-length"), pairs, [0.5, 0.5]).counts
    arrays = counts.sizes.arrays()
    assert arrays["unit"].tolist() == [10**6]
    assert arrays["cell_tf"].tolist() == [10**6, 2 * 10**6]
    assert arrays["cell_weights"][0] == (20724 + 46341) * 5 * 10**5  # 1/sqrt(10) and 1/sqrt(2)


def test_digests_tell_weightings_apart():
    one, two = (model_of(plain(lk.Analyzer(), weighting=each), PAIR).counts for each in ("count-length", "once-length"))
    assert one.of("goat", "ham", "weighted") == two.of("goat", "ham", "weighted")
    assert one != two


def test_threads_make_no_difference():
    pairs = [(f"word{n % 70} shared{n % 13} " * 9, f"label{n % 3}") for n in range(900)]
    contents = []
    for threads in (1, 2, 5):
        model = lk.Model(schema=plain(lk.Analyzer(), ngrams=2, weighting="log-length"))
        model.learn_many(pairs, threads=threads)
        contents.append(content(model))
    assert contents[0] == contents[1] == contents[2]


# ---- learning, forgetting, merging -------------------------------------------------------------------------------


@settings(deadline=None)
@given(documents, some_weights, texts, labels, weights, schemas)
def test_learning_and_then_forgetting_leaves_the_counts_byte_for_byte(pairs, some, text, label, weight, schema):
    model = model_of(schema, pairs, some[: len(pairs)])
    before = content(model)
    model.learn(text, label, weight=weight)
    assert content(model) != before
    model.forget(text, label, weight=weight)
    assert content(model) == before


@settings(deadline=None)
@given(documents, some_weights, schemas, st.randoms(use_true_random=False))
def test_forgetting_a_document_and_learning_it_again_leaves_the_counts_byte_for_byte(pairs, some, schema, chance):
    model = model_of(schema, pairs, some[: len(pairs)])
    before = content(model)
    place = chance.randrange(len(pairs))
    model.forget(*pairs[place], weight=some[place])
    model.learn(*pairs[place], weight=some[place])
    assert content(model) == before


@settings(deadline=None)
@given(documents, some_weights, schemas, st.integers(0, 12))
def test_two_halves_merged_in_either_order_are_the_whole(pairs, some, schema, cut):
    some = some[: len(pairs)]
    whole = model_of(schema, pairs, some)
    left, right = model_of(schema, pairs[:cut], some[:cut]), model_of(schema, pairs[cut:], some[cut:])
    assert content(left + right) == content(right + left) == content(whole)
    assert left + right == whole


@settings(deadline=None)
@given(documents, some_weights, schemas)
def test_the_order_of_documents_makes_no_difference(pairs, some, schema):
    some = some[: len(pairs)]
    assert content(model_of(schema, pairs, some)) == content(model_of(schema, pairs[::-1], some[::-1]))


def test_the_same_counts_with_another_weight_of_the_terms_are_not_held():
    schema = plain(lk.Analyzer(), weighting="count-length")
    model = lk.Model(schema=schema, ledger=False)
    model.learn("goat", "ham")
    model.learn("goat wolf", "ham")
    before = content(model)
    model.forget("wolf goat", "ham")
    model.learn("goat wolf", "ham")
    assert content(model) == before
    model.forget("goat", "ham")
    with pytest.raises(lk.LearningError, match="only what was learned can be forgotten"):
        model.forget("wolf", "ham")  # its sum was made of 1/sqrt(2), not of 1


@settings(deadline=None)
@given(documents, some_weights, schemas)
def test_copies_and_pickles_hold_the_same(pairs, some, schema):
    model = model_of(schema, pairs, some[: len(pairs)])
    for twin in (model.copy(), pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        assert content(twin) == content(model)
        assert twin == model
        twin.learn("one more", "ham")
        twin.forget("one more", "ham")
        assert content(twin) == content(model)


# ---- files -------------------------------------------------------------------------------------------------------


@settings(deadline=None)
@given(documents, some_weights, schemas, texts, weights)
def test_a_loaded_model_holds_the_same_and_goes_on_learning(pairs, some, schema, text, weight):
    model = model_of(schema, pairs, some[: len(pairs)])
    loaded = lk.Model.from_bytes(model.to_bytes())
    assert content(loaded) == content(model)
    assert loaded.schema == schema
    assert loaded.to_bytes() == model.to_bytes()
    for each in (loaded, model):
        each.learn(text, "news", weight=weight)
    assert content(loaded) == content(model)
    loaded.forget(text, "news", weight=weight)
    loaded.forget(*pairs[0], weight=some[0])
    model.forget(text, "news", weight=weight)
    model.forget(*pairs[0], weight=some[0])
    assert content(loaded) == content(model)


@settings(deadline=None)
@given(documents, schemas)
def test_arrays_of_a_file_answer_as_the_table_does(pairs, schema):
    counts = model_of(schema, pairs).counts.sizes
    stored = lk.Model.from_bytes(model_of(schema, pairs).to_bytes()).counts.sizes

    def by_term(each, numbers):
        names = each.snapshot.table.texts(_ids(each))
        return {name: number for name, number in zip(names, numbers, strict=True) if name in each.vocabulary}

    for statistic in ("tf", "df", "weighted"):
        assert stored.snapshot.totals(statistic).tolist() == counts.snapshot.totals(statistic).tolist()
        both = [by_term(each, each.snapshot.matrix(statistic).tolist()) for each in (stored, counts)]
        assert both[0] == both[1]
        both = [by_term(each, each.snapshot.term_totals(statistic).tolist()) for each in (stored, counts)]
        assert both[0] == both[1]
    orders = [by_term(each, each.snapshot.orders().tolist()) for each in (stored, counts)]
    assert orders[0] == orders[1] == {term: 1 + term.count(" ") for term in counts.vocabulary}
    assert stored._stored is not None


def _ids(counts):
    import numpy as np

    return np.arange(counts.snapshot.ids, dtype=np.uint32)


def test_a_model_without_any_of_this_has_the_arrays_it_always_had():
    counts = lk.train([("goat wolf", "ham")]).counts
    assert "cell_weights" not in counts.sizes.arrays()
    assert (
        counts.digest()
        == lk.Counts.from_table(
            {"goat": {"ham": 1}, "wolf": {"ham": 1}},
            {"ham": 1},
            document_frequencies={"goat": {"ham": 1}, "wolf": {"ham": 1}},
        ).digest()
    )


# ---- columns -----------------------------------------------------------------------------------------------------


def columns(weighting="log-length", ngrams=2) -> Schema:
    note = Text(lk.Analyzer(), ngrams, weighting)
    return Schema({"note": note, "body": Text(), "color": Categorical(), "age": Numeric()})


ROWS = [
    ({"note": "goat wolf goat", "body": "a b", "color": "red", "age": 3}, "ham", 0.3),
    ({"note": "wolf seven", "body": "b", "color": "blue", "age": 4}, "spam", 2),
    ({"note": None, "body": "c", "color": "red", "age": None}, "spam", 1),
]


def learned_rows(schema: Schema, rows) -> lk.Model:
    model = lk.Model(schema=schema)
    for row, label, weight in rows:
        model.learn(row, label, weight=weight)
    return model


def test_a_text_column_has_weighted_sums_and_the_others_have_none():
    counts = learned_rows(columns(), ROWS).counts
    note = counts.columns["note"]
    alone = model_of(plain(lk.Analyzer(), ngrams=2, weighting="log-length"), [("wolf seven", "spam")], [2]).counts
    assert note.of("wolf seven", "spam", "weighted") == alone.of("wolf seven", "spam", "weighted") > 0
    assert "cell_weights" not in counts.columns["body"].arrays()


def test_columns_are_learned_forgotten_merged_and_saved_byte_for_byte():
    whole = learned_rows(columns(), ROWS)
    one, two = learned_rows(columns(), ROWS[:1]), learned_rows(columns(), ROWS[1:])
    assert (one + two).counts.digest() == (two + one).counts.digest() == whole.counts.digest()
    loaded = lk.Model.from_bytes(whole.to_bytes())
    assert loaded == whole
    loaded.forget(ROWS[0][0], "ham", weight=0.3)
    assert loaded.counts.digest() == two.counts.digest()
    loaded.learn(ROWS[0][0], "ham", weight=0.3)
    assert loaded.counts.digest() == whole.counts.digest()
    assert pickle.loads(pickle.dumps(whole)) == whole


# ---- what is refused ---------------------------------------------------------------------------------------------

DIFFERENT = [plain(lk.Analyzer()), *(plain(lk.Analyzer(), weighting=each) for each in WEIGHTINGS)]
DIFFERENT += [plain(lk.Analyzer(), ngrams=2), plain(lk.Analyzer(), ngrams=2, weighting="log")]


@pytest.mark.parametrize(("one", "two"), list(pairwise(DIFFERENT)))
def test_models_that_count_different_things_merge_on_what_both_count(one, two):
    both, dropped = model_of(one, PAIR).merged(model_of(two, PAIR))
    assert "only one of the models counts these" in dropped[0]
    texts = [schema.only_text for schema in (one, two)]
    ngrams, weightings = min(text.counted for text in texts), {text.weighting for text in texts}
    common = plain(lk.Analyzer(), ngrams=ngrams, weighting=weightings.pop() if len(weightings) == 1 else None)
    assert both == model_of(common, [*PAIR, *PAIR])


def test_columns_of_counts_that_count_different_things_do_not_merge():
    with pytest.raises(lk.LearningError, match="of 'note' are counted, got n-grams 1-2, weighting log-length"):
        learned_rows(columns(), ROWS).counts + learned_rows(columns(weighting="log"), ROWS).counts


def test_counts_with_different_weightings_do_not_merge():
    counts = model_of(DIFFERENT[1], PAIR).counts
    with pytest.raises(lk.LearningError, match="got log and none") as caught:
        counts + lk.train(PAIR).counts
    assert caught.value.code == "weightings-differ"


def test_what_is_not_weighted_has_no_weighted_sums():
    with pytest.raises(lk.InputError, match="made without a weighting") as caught:
        lk.train(PAIR).counts.of("goat", "ham", "weighted")
    assert caught.value.code == "nothing-weighted"


def test_counts_of_another_weighting_make_no_model():
    with pytest.raises(lk.InputError, match="the schema has the weighting log, and the counts have none") as caught:
        lk.Model(lk.train(PAIR).counts, schema=plain(lk.Analyzer(), weighting="log"))
    assert caught.value.code == "counts-weighting"
    counts = model_of(DIFFERENT[1], PAIR).counts
    assert counts.model().schema == lk.View(counts, lk.Analyzer()).schema == DIFFERENT[1]


@pytest.mark.parametrize("weighting", ["tf", "", 1, ["log"], "Log"])
def test_an_unknown_weighting_is_refused(weighting):
    with pytest.raises(lk.SettingError, match="`weighting` must be one of count, once, log,") as caught:
        Text(weighting=weighting)
    assert caught.value.code == "weighting-unknown"


@pytest.mark.parametrize(
    "analyzer",
    [
        lk.Analyzer(words=False, char_ngrams=2),
        lk.Analyzer(replace={"nyc": "new york"}),
        lk.Analyzer(ngrams=(2, 2), char_ngrams=3),
    ],
)
def test_n_grams_whose_number_of_words_cannot_be_told_are_not_counted_beside_others(analyzer):
    with pytest.raises(lk.SettingError, match="other n-grams than the analyzer's cannot be counted") as caught:
        Text(analyzer, ngrams=(1, 3))
    assert caught.value.code == "ngrams-cannot-widen"
    assert Text(analyzer, ngrams=analyzer.ngrams) == Text(analyzer)


def test_what_is_counted_anyway_makes_no_difference():
    assert Text(lk.Analyzer(ngrams=2), ngrams=1, weighting="once") == Text(lk.Analyzer(ngrams=2))
    assert Text(lk.Analyzer(ngrams=2), ngrams=(3, 3)).counted == (1, 3)


# ---- sums that are too large -------------------------------------------------------------------------------------


def too_large(change, model):
    before = content(model)
    with pytest.raises(lk.LearningError, match=r"sums of a label go up to 2\*\*62 units") as caught:
        change()
    assert caught.value.code == "counts-too-large"
    assert content(model) == before


def test_a_document_that_weighs_too_much_is_refused():
    model = model_of(plain(lk.Analyzer(), weighting="log"), PAIR, [0.5])
    too_large(lambda: model.learn("goat", "ham", weight=1e9), model)  # 1e9 * 1e6 * 45426 units


def test_a_finer_unit_for_which_there_is_no_room_is_refused():
    model = model_of(plain(lk.Analyzer(), weighting="log"), PAIR, [10**9])
    too_large(lambda: model.learn("goat", "ham", weight=0.5), model)


def test_sums_that_get_too_large_together_are_refused():
    schema = plain(lk.Analyzer(), weighting="log")
    one = model_of(schema, [("goat", "ham")], [10**8 + 0.5])
    two = model_of(schema, [("goat", "ham")], [10**6 + 0.5])
    assert one.counts.of("goat", "ham", "weighted") > 0
    too_large(lambda: one + model_of(schema, [("goat", "ham")], [10**8 - 1]), one)
    assert (one + two).counts.of("goat", "ham") == 101 * 10**6 + 1


def test_columns_whose_sums_would_be_too_large_are_left_as_they_are():
    model = learned_rows(columns(weighting="log"), ROWS)
    before = model.counts.digest()
    with pytest.raises(lk.LearningError, match="sums of a label"):
        model.learn({"note": "goat", "body": "a", "color": "red", "age": 1}, "ham", weight=11 * 10**7)
    assert model.counts.digest() == before


def test_documents_whose_weights_sum_to_more_than_64_bits_hold_are_refused():
    model = lk.Model(schema=Schema({"color": Categorical()}), ledger=False)
    rows = [({"color": "red"}, "x")] * 19_000  # times 1e9 times 1e6 they are a little more than 2**64
    with pytest.raises(lk.LearningError, match="sums of a label"):
        model.learn_many(rows, weights=[1e9] * 18_999 + [0.5])
    assert not model.labels
