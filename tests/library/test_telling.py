"""The terms that tell a label from the others, and what they cost with many labels."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import likelier as lk
from corpora import EVENTS, documents, model_of
from likelier._estimate.exact import Exact
from likelier._estimate.telling import Telling

LABELS, TERMS = 100, 10_000


def telling_by_definition(view: lk.View, label: str) -> dict[str, float]:
    """G² of every term, from sums over the whole vocabulary."""
    reading = view.estimator.reading
    ids, column = reading.kept_ids, view.labels.index(label)
    inside = reading.column(ids, column)
    outside = np.maximum(reading.totals(ids) - inside, 0)
    n, m = math.fsum(inside), math.fsum(outside)
    found = {}
    for term, a, b in zip(reading.names(ids), inside.tolist(), outside.tolist(), strict=True):
        share = (a + b) / ((n + m) or 1)
        g = 2 * (a * math.log(a / (n * share)) if a else 0) + 2 * (b * math.log(b / (m * share)) if b else 0)
        found[term] = (g if m else a) if a * m >= b * n else -g
    return found


@given(documents, st.sampled_from(EVENTS), st.booleans(), st.sampled_from([1, 2]))
def test_top_terms_have_the_highest_log_likelihood_ratios(pairs, event, idf, min_count):
    view = model_of(pairs).view(event=event, idf=idf and event in ("multinomial", "complement"), min_count=min_count)
    for label in view.labels:
        expected = telling_by_definition(view, label)
        found = view.top_terms(label, k=100)
        assert [each.telling for each in found] == sorted((each.telling for each in found), reverse=True)
        assert all(each.telling == pytest.approx(expected[each.term], abs=1e-9) for each in found)
        assert {term for term, telling in expected.items() if telling > 1e-9} <= {each.term for each in found}
        assert [each.telling for each in view.top_terms(label, k=2)] == [each.telling for each in found[:2]]


@given(documents, st.integers(0, 12), st.sampled_from([0, 1]))
def test_the_k_highest_ratios_are_the_first_of_all(pairs, k, alpha):
    view = model_of(pairs).view(alpha=alpha)
    one, two = view.labels[0], view.labels[-1]
    ratios = view.log_ratios(one, two)
    assert list(view.log_ratios(one, two, k=k).items()) == list(ratios.items())[:k]


def test_ratios_refuse_a_k_that_is_no_count():
    view = model_of([("goat", "ham"), ("wolf", "spam")]).view()
    with pytest.raises(lk.LikelierError, match="`k` must be"):
        view.log_ratios("ham", "spam", k=-1)


@pytest.mark.parametrize("is_loaded", [False, True])
def test_the_top_terms_of_many_labels_cost_no_pass_over_the_vocabulary_each(is_loaded, tmp_path, monkeypatch):
    made, weighed = [], []
    make, weigh = Telling.__init__, Telling._g_squared
    monkeypatch.setattr(Telling, "__init__", lambda self, reading: made.append(self) or make(self, reading))
    monkeypatch.setattr(
        Telling, "_g_squared", lambda self, places, inside: weighed.append(len(places)) or weigh(self, places, inside)
    )
    share = TERMS // LABELS
    texts = [" ".join(f"w{place}" for place in range(start, start + share)) for start in range(0, TERMS, share)]
    model = lk.train(texts=texts, labels=[f"label {place:03}" for place in range(LABELS)], view="textbook")
    if is_loaded:
        model.save(tmp_path / "many.likelier")
        model = lk.load(tmp_path / "many.likelier")
    view = model.view(alpha=0.5)
    for label in view.labels:
        view.top_terms(label)
    assert len(made) == 1
    assert weighed == [share] * LABELS  # together one pass, and not one for each


def test_a_page_works_out_the_fractions_of_the_labels_that_it_shows(monkeypatch):
    columns = []
    exact = Exact.likelihood

    def counted(self, term, column, grown=0):
        columns.append(column)
        return exact(self, term, column, grown)

    monkeypatch.setattr(Exact, "likelihood", counted)
    model = model_of([(f"goat wolf w{place}", f"label {place}") for place in range(50)])
    explanation = model.view().explain("goat wolf w3")
    explanation.to_html(full=True)
    assert 0 < len(set(columns)) <= 2
    assert len(dict(explanation.items[1].factors)) == 50
    assert len(set(columns)) == 50
