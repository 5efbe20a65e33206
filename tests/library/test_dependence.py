"""Where the naive assumption hurts: what is measured, what the remedies do, and that they do it when applied."""

from __future__ import annotations

import json
import math
import random
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import likelier as lk
from likelier import dependence
from likelier._evaluate.dependence.corpus import SCATTER
from likelier._evaluate.dependence.information import measures
from likelier._evaluate.dependence.search import Dependence

approx = pytest.approx
CASES = Path(__file__).parents[1] / "conformance" / "worked_examples.json"


def worked() -> tuple[list[dict[str, Any]], list[float]]:
    case = next(case for case in json.loads(CASES.read_text("utf-8")) if case["id"] == "dependent-features")
    rows = [{"x1": one, "x2": two, "class": label} for one, two, label, _ in case["weighted_rows"]]
    return rows, [row[3] for row in case["weighted_rows"]]


def column_rows(number: int = 120, seed: int = 0) -> list[tuple[dict[str, Any], str]]:
    """`echo` repeats `color`; `size` goes its own way; labels follow color and size."""
    draw = random.Random(seed)
    rows = []
    for _ in range(number):
        color, size = draw.choice(["red", "green", "blue"]), draw.choice(["s", "m", "l"])
        echo = color if draw.random() < 0.9 else draw.choice(["red", "green", "blue"])
        label = "yes" if (color == "red") + (size == "l") + 2 * draw.random() > 1.5 else "no"
        rows.append(({"color": color, "echo": echo, "size": size}, label))
    return rows


def city_texts(number: int = 80, seed: int = 0) -> list[tuple[str, str]]:
    """Most about travel have "Hong Kong", and the two words always stand side by side."""
    draw = random.Random(seed)
    fillers = ["a", "week", "in", "the", "old", "town", "with", "friends", "and", "very", "good", "food", "near", "us"]
    rows = []
    for row in range(number):
        label = "travel" if row % 2 else "food"
        city = ["Hong", "Kong"] if draw.random() < (0.6 if label == "travel" else 0.2) else []
        words = draw.sample(fillers, 6)
        rows.append((" ".join(words[:3] + city + words[3:]), label))
    return rows


def named(found: Dependence, first: str, second: str) -> Any:
    return next(pair for pair in found if {pair.first, pair.second} == {first, second})


# ---- the worked example ------------------------------------------------------------------------------------------


def test_the_worked_example_says_1_naively_and_0_jointly_to_the_digit():
    rows, weights = worked()
    cell = dependence(rows, label="class", weights=weights, view={"alpha": 0}).pairs[0].cell("1", "1")
    # P(c) P(x1|c) P(x2|c): 1/2 * 0.35 * 0.55 and 1/2 * 0.70 * 0.35; P(c) P(x1,x2|c): 1/2 * 0.2 and 1/2 * 0.05
    assert cell.naive == {"0": Fraction(9625, 100000), "1": Fraction(1225, 10000)}
    assert cell.joint == {"0": Fraction(1, 10), "1": Fraction(25, 1000)}
    assert (cell.naive_label, cell.joint_label, cell.changes) == ("1", "0", True)


def test_the_worked_example_changes_its_label_under_laplace_smoothing_too():
    rows, weights = worked()
    pair = dependence(rows, label="class", weights=weights).pairs[0]
    cell = pair.cell(1, 1)
    # (0.35 + 1) / (1 + 2) and so on; as one, of the four pairs of values: (0.2 + 1) / (1 + 4)
    assert cell.naive["0"] == Fraction(1, 2) * Fraction(135, 300) * Fraction(155, 300)
    assert cell.joint["0"] == Fraction(1, 2) * Fraction(12, 50)
    assert (cell.naive_label, cell.joint_label) == ("1", "0")
    assert pair.changed == Fraction(25, 100)  # only in this cell, of weight 0.2 + 0.05


def test_training_with_the_remedy_gives_the_joint_verdict():
    rows, weights = worked()
    pair = dependence(rows, label="class", weights=weights, view={"alpha": 0}).pairs[0]
    assert pair.bind() == {"bind": [("x1", "x2")]}
    model = lk.train(rows, label="class", weights=weights, **pair.bind())
    verdict = model.view(alpha=0).classify({"x1": 1, "x2": 1})
    assert verdict.label == "0"
    assert verdict.probabilities["0"] == approx(0.1 / 0.125, rel=1e-12)


def test_a_cell_has_plain_frequencies_beside_the_smoothed_figures():
    rows, weights = worked()
    cell = dependence(rows, label="class", weights=weights).pairs[0].cell(1, 1)
    assert cell.observed["1"] == Fraction(5, 100)
    assert cell.independent["1"] == Fraction(70, 100) * Fraction(35, 100)


# ---- information -------------------------------------------------------------------------------------------------


def by_definition(rows: list[tuple[dict[str, Any], str]], first: str, second: str) -> float:
    both = [(row[first], row[second], label) for row, label in rows if row[first] and row[second]]
    n, cells = len(both), Counter(both)
    ones, twos, labels = (
        Counter((x, c) for x, _, c in both),
        Counter((y, c) for _, y, c in both),
        Counter(c for *_, c in both),
    )
    return sum(
        times / n * math.log(times / labels[c] / (ones[x, c] / labels[c] * twos[y, c] / labels[c]))
        for (x, y, c), times in cells.items()
    )


def test_the_information_is_that_of_the_definition():
    rows = column_rows()
    found = dependence(rows)
    for pair in found:
        assert pair.information == approx(by_definition(rows, pair.first, pair.second), abs=1e-12)
        assert pair.bits == approx(pair.information / math.log(2))


def test_only_documents_that_have_both_values_count():
    rows = [
        (row | ({"echo": None} if place % 4 == 0 else {}), label) for place, (row, label) in enumerate(column_rows())
    ]
    pair = named(dependence(rows), "color", "echo")
    assert pair.documents == 90
    assert pair.information == approx(by_definition(rows, "color", "echo"), abs=1e-12)


def test_a_weight_of_two_is_the_same_document_twice():
    rows = column_rows(40)
    twice, weighed = dependence(rows + rows), dependence(rows, weights=[2] * 40)
    assert [(pair.first, pair.second) for pair in twice] == [(pair.first, pair.second) for pair in weighed]
    for one, two in zip(twice, weighed, strict=True):
        assert (one.information, one.expected, one.changed) == (two.information, two.expected, two.changed)


def test_what_repeats_comes_first_and_is_beyond_chance():
    pair = dependence(column_rows(400)).pairs[0]
    assert {pair.first, pair.second} == {"color", "echo"}
    assert pair.beyond_chance
    assert pair.shared > 0.5


def test_columns_that_go_their_own_ways_are_taken_for_chance():
    draw = random.Random(1)
    rows = [({"a": draw.choice("xyz"), "b": draw.choice("uvw")}, draw.choice(["yes", "no"])) for _ in range(500)]
    assert not any(pair.beyond_chance for pair in dependence(rows))


def test_a_column_of_many_values_does_not_come_first_for_nothing():
    draw = random.Random(2)
    rows = [
        (row | {"street": f"street {draw.randrange(300)}", "town": f"town {draw.randrange(60)}"}, label)
        for row, label in column_rows(600)
    ]
    pair = dependence(rows, categorical=["color", "echo", "size", "street", "town"]).pairs[0]
    assert {pair.first, pair.second} == {"color", "echo"}


def test_chance_gives_the_degrees_of_freedom_over_two_n_and_a_little_more():
    pair = named(dependence(column_rows(3000)), "color", "size")
    # two labels with (3 - 1) * (3 - 1) each
    assert 8 / (2 * 3000) < pair.expected < 1.01 * 8 / (2 * 3000)
    assert pair.excess == approx(pair.information - pair.expected)


def test_what_chance_gives_is_what_it_gives_on_average():
    draw = np.random.default_rng(5)
    labels, a, b = (draw.integers(0, size, 700) for size in (2, 100, 2))  # 3.5 documents for each value and label
    found = []
    for _ in range(50):
        table = np.zeros((2, 100, 2))
        np.add.at(table, (labels, a, draw.permutation(b)), 1)
        found.append(measures(table).nats / measures(table).expected(700))
    assert sum(found) / 50 == approx(1, abs=0.1)  # without the correction it is 1.28


def test_the_best_of_many_pairs_that_go_their_own_ways_is_taken_for_chance():
    draw = random.Random(6)
    rows = [({f"c{n}": draw.choice("xyz") for n in range(40)}, draw.choice(["yes", "no"])) for _ in range(200)]
    assert not dependence(rows, most=1).pairs[0].beyond_chance


def test_values_of_a_few_documents_are_taken_together():
    rows = [
        (row | {"color": f"rare {place}"} if place < 8 else row, label)
        for place, (row, label) in enumerate(column_rows())
    ]
    pair = named(dependence(rows, categorical=["color", "echo", "size"]), "color", "echo")
    assert pair.values[0][-1] == "(other values)"
    assert sum(cell.documents for cell in pair.cells if cell.first == "(other values)") == 8


def test_values_that_were_never_seen_together_say_nothing_as_one():
    seen = [("x", "u", "yes"), ("x", "v", "no"), ("y", "v", "no"), ("x", "u", "no")]
    rows = [({"a": a, "b": b}, label) for a, b, label in seen * 4]
    cell = dependence(rows).pairs[0].cell("y", "u")
    assert cell.documents == 0
    assert cell.naive["yes"] == Fraction(1, 4) * Fraction(0 + 1, 4 + 2) * Fraction(4 + 1, 4 + 2)
    assert cell.joint == {"no": Fraction(3, 4), "yes": Fraction(1, 4)}  # the prior


@pytest.mark.parametrize("unknown", ["ignore", "unk"])
def test_where_nothing_else_can_occur_unk_is_no_value(unknown: Any):
    rows = [({"x": number < 6, "y": number < 5}, "ab"[number % 2]) for number in range(10)]
    view = lk.train(rows, binary=["x", "y"]).view(unknown=unknown, prior="uniform")
    (pair,) = dependence(view, rows).pairs
    cell = next(each for each in pair.cells if (each.first, each.second) == ("yes", "yes"))
    assert cell.naive["a"] == Fraction(1, 2) * Fraction(3 + 1, 5 + 2) * Fraction(3 + 1, 5 + 2)


def test_a_label_whose_documents_have_no_weight_is_not_there():
    rows = column_rows(40)
    ghost = [(rows[0][0], "ghost"), (rows[1][0], "a ghost")]
    found = dependence([*ghost, *rows], weights=[0, 0, *[1] * 40])
    assert found.labels == ("no", "yes")
    assert [pair.information for pair in found] == [pair.information for pair in dependence(rows)]


# ---- numbers -----------------------------------------------------------------------------------------------------


def number_rows() -> list[tuple[dict[str, Any], str]]:
    draw = random.Random(3)
    rows = []
    for _ in range(200):
        age = draw.uniform(18, 80)
        rows.append(
            ({"age": age, "years": age - 18 + draw.random(), "sex": draw.choice("mf")}, "old" if age > 45 else "young")
        )
    return rows


def test_numbers_are_looked_at_in_intervals():
    pair = dependence(number_rows()).pairs[0]
    assert {pair.first, pair.second} == {"age", "years"}
    cell = pair.cell(20.0, 2.0)
    assert cell.first.startswith("below")
    assert cell.documents > 0


def test_the_intervals_are_those_of_the_view_where_it_has_some():
    pair = named(dependence(number_rows(), view={"numeric": [30, 60]}), "age", "years")
    assert pair.values[0] == ["below 30", "30-60", "60 and more"]


def test_numbers_cannot_be_bound_but_one_can_be_dropped():
    pair = dependence(number_rows()).pairs[0]
    with pytest.raises(lk.InputError, match="numbers cannot be bound") as caught:
        pair.bind()
    assert caught.value.code == "bind-numeric"
    assert pair.drop()["ignore"] == [pair.weaker]
    assert pair.weaker not in lk.train(number_rows(), **pair.drop()).schema.columns


# ---- remedies are tried as they would be applied -----------------------------------------------------------------


def right_and_loss(rows: list[Any], folds: int, **options: Any) -> tuple[int, float]:
    """Trained and asked for real, fold by fold."""
    right, loss = 0, 0.0
    for fold in range(folds):
        mine = [folds == 1 or (place * SCATTER % 2**32 >> 16) % folds == fold for place in range(len(rows))]
        known = rows if folds == 1 else [row for row, here in zip(rows, mine, strict=True) if not here]
        model = lk.train(known, view="textbook", **options)
        for document, label in (row for row, here in zip(rows, mine, strict=True) if here):
            verdict = model.classify(document if isinstance(document, str) else only(model, document))
            right += verdict.label == label
            loss -= math.log(verdict.probabilities[label])
    return right, loss / len(rows)


def only(model: lk.Model, document: dict[str, Any]) -> dict[str, Any]:
    """The columns that the model has."""
    return {name: document[name] for name in model.schema.read}


@pytest.mark.parametrize(("number", "folds"), [(40, 1), (120, 5)])
def test_bound_columns_are_tried_as_training_would_bind_them(number: int, folds: int):
    rows = column_rows(number)
    pair = named(dependence(rows), "color", "echo")
    assert pair.trials is not None
    assert (pair.trials.right, approx(pair.trials.loss)) == right_and_loss(rows, folds)
    assert (pair.trials.as_one.right, approx(pair.trials.as_one.loss)) == right_and_loss(rows, folds, **pair.bind())
    assert (pair.dropped.right, approx(pair.dropped.loss)) == right_and_loss(rows, folds, **pair.drop())


@pytest.mark.parametrize("event", ["multinomial", "binary", "bernoulli", "complement"])
def test_bound_words_are_tried_as_training_would_bind_them(event: Any):
    rows = city_texts(40)
    pair = named(dependence(rows, view={"event": event}), "hong", "kong")
    for trial, options in ((pair.trials, {}), (pair.trials.as_one, pair.bind()), (pair.dropped, pair.drop())):
        verdicts = (
            lk.train(rows, view="textbook", **options).view(event=event).classify_many([text for text, _ in rows])
        )
        chances = [verdict.probabilities[label] for verdict, (_, label) in zip(verdicts, rows, strict=True)]
        assert trial.right == sum(label == truth for label, (_, truth) in zip(verdicts.labels, rows, strict=True))
        assert trial.loss == approx(-sum(map(math.log, chances)) / len(rows))


def test_bound_words_are_tried_on_folds_too():
    rows = city_texts(80)
    pair = named(dependence(rows), "hong", "kong")
    assert pair.trials.held_out
    assert (pair.trials.as_one.right, approx(pair.trials.as_one.loss)) == right_and_loss(rows, 5, **pair.bind())


def test_what_became_right_and_wrong_makes_the_difference():
    trials = named(dependence(column_rows()), "color", "echo").trials
    for trial in (trials.as_one, trials.without_first, trials.without_second):
        assert trial.right - trials.right == trial.became_right - trial.became_wrong
        assert trial.changed >= trial.became_right + trial.became_wrong


def test_impossible_labels_are_no_obstacle():
    rows = column_rows(40)
    pair = named(dependence(rows, view={"alpha": 0}), "color", "echo")
    assert pair.trials.as_one.right >= 0
    assert "NaN" not in json.dumps(dependence(rows, view={"alpha": 0}).to_dict(cells=True))


def test_few_documents_are_judged_by_themselves_and_that_is_said():
    assert "judged by a model of them all" in named(dependence(column_rows(40)), "color", "echo").advice
    assert "each fifth judged by a model of the others" in named(dependence(column_rows(60)), "color", "echo").advice


def test_a_pair_that_has_to_be_seen_together_is_better_bound():
    draw = random.Random(4)
    rows = []
    for _ in range(300):
        left, right = draw.choice([0, 1]), draw.choice([0, 1])
        rows.append(({"left": left, "right": right}, "differ" if left != right else "equal"))
    pair = dependence(rows).pairs[0]
    assert pair.remedy == "bind"
    assert pair.advice.startswith("bind them; right of 300 documents")
    assert pair.trials.as_one.right == 300


def test_bound_columns_can_be_bound_further():
    rows = column_rows()
    model = lk.train(rows, bind=[("color", "size")])
    pair = dependence(model, rows).pairs[0]
    assert pair.bind() == {"bind": [("color", "size", "echo")]}
    assert lk.train(rows, **pair.bind()).schema.in_words() == "color & size & echo bound"


# ---- texts -------------------------------------------------------------------------------------------------------


def test_words_that_always_stand_together_come_first():
    pair = dependence(city_texts()).pairs[0]
    assert pair.kind == "terms"
    assert (pair.first, pair.second, pair.column) == ("hong", "kong", "text")
    assert pair.side_by_side == pair.together == sum("Hong Kong" in text for text, _ in city_texts())
    assert pair.shared == approx(1)


def test_a_bound_phrase_is_one_term_and_the_analyzer_keeps_its_settings():
    analyzer = lk.Analyzer(stop_words=["the"], min_length=2, replace={"NYC": "new_york"})
    bound = named(dependence(city_texts(), analyzer=analyzer), "hong", "kong").bind()["analyzer"]
    assert bound.terms("The old Hong Kong of NYC") == ["old", "hong_kong", "of", "new_york"]


def test_a_dropped_word_is_one_more_stop_word():
    pair = named(dependence(city_texts(), analyzer=lk.Analyzer(stop_words="en")), "hong", "kong")
    dropped = pair.drop()["analyzer"]
    assert pair.weaker == "kong"
    assert dropped.terms("A week in the Hong Kong") == ["week", "hong"]


def test_stems_are_bound_in_every_form_in_which_they_are_written():
    forms = [("today", "wolves"), ("now", "wolf"), ("soon", "wolfs"), ("then", "wolf")] * 10
    rows = [
        (start if row % 3 else f"{start} wild {form} were seen", "a" if row % 2 else "b")
        for row, (start, form) in enumerate(forms)
    ]
    pair = named(dependence(rows, analyzer=lk.Analyzer(language="en", stem=True)), "wild", "wolf")
    assert set(pair.phrase.written) == {"wild wolf", "wild wolfs"}
    assert pair.bind()["analyzer"].terms("Wild wolfs and a wild wolf") == ["wild_wolf", "and", "a", "wild_wolf"]


def test_words_that_are_never_neighbors_cannot_be_bound():
    rows = [(text.replace("Hong Kong", "Hong and Kong"), label) for text, label in city_texts()]
    pair = named(dependence(rows), "hong", "kong")
    assert not pair.can_bind
    with pytest.raises(lk.InputError, match="never are") as caught:
        pair.bind()
    assert caught.value.code == "bind-not-neighbours"


def test_words_that_avoid_each_other_are_not_counted_twice():
    rows = [("one two" if row % 2 else "three four", "a" if row % 4 < 2 else "b") for row in range(40)]
    assert all({pair.first, pair.second} in ({"one", "two"}, {"three", "four"}) for pair in dependence(rows))


def test_words_that_avoid_each_other_inside_a_label_are_not_counted_twice():
    mostly_both = ["one"] * 2 + ["two"] * 2 + ["one two"] * 6  # of ten, eight each: by chance 6.4 would have both
    rows = [(text, "a") for text in mostly_both * 4] + [("other", "b")] * 60
    assert {"one", "two"} not in [{pair.first, pair.second} for pair in dependence(rows)]


def test_columns_and_terms_stand_in_one_list():
    rows = [
        ({"message": text, "color": label if len(text) % 3 else "any", "echo": label}, label)
        for text, label in city_texts()
    ]
    rows = [(row | {"other": row["echo"] + row["color"]}, label) for row, label in rows]
    found = dependence(rows, text=["message"], categorical=["color", "other"])
    assert {pair.kind for pair in found} == {"columns", "terms"}
    assert found.pairs == sorted(found, key=lambda pair: -pair.repeated)


def test_texts_that_are_missing_are_left_out():
    rows = [
        ({"message": None if row % 4 == 0 else text, "n": row % 7}, label)
        for row, (text, label) in enumerate(city_texts())
    ]
    pair = named(dependence(rows, text=["message"], numeric=["n"]), "hong", "kong")
    assert pair.documents == 60


# ---- forms of data and bad input ---------------------------------------------------------------------------------


def figures(found: Dependence) -> list[Any]:
    return [(pair.first, pair.second, pair.information, pair.changed, pair.trials) for pair in found]


def test_a_model_with_its_documents_says_the_same_as_the_documents():
    rows = column_rows()
    model = lk.train(rows, view="textbook")
    assert figures(dependence(model, rows)) == figures(dependence(rows))
    assert figures(dependence(model.view(alpha=0.5), rows)) == figures(dependence(rows, view={"alpha": 0.5}))


def test_documents_may_come_from_a_generator_and_a_file(tmp_path: Path):
    rows = column_rows()
    path = tmp_path / "rows.csv"
    path.write_text("\n".join(["color,echo,size,label", *(",".join([*row.values(), label]) for row, label in rows)]))
    assert figures(dependence(iter(rows))) == figures(dependence(rows)) == figures(dependence(path))


def test_threads_change_nothing():
    assert figures(dependence(city_texts(), threads=1)) == figures(dependence(city_texts(), threads=3))


def test_labels_may_be_numbers():
    rows = [(row, int(label == "yes")) for row, label in column_rows()]
    found = dependence(rows)
    assert found.labels == (0, 1)
    assert set(found.pairs[0].cells[0].naive) == {0, 1}


def test_a_model_needs_its_documents():
    for model in (
        lk.train(column_rows()),
        lk.train(city_texts()),
        lk.train(city_texts(), analyzer=lk.Analyzer(ngrams=2)),
    ):
        with pytest.raises(lk.InputError, match="do not hold which values occur together") as caught:
            dependence(model)
        assert caught.value.code == "dependence-needs-documents"


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"most": 0}, "dependence-size"),
        ({"terms": 1}, "dependence-size"),
        ({"terms": "many"}, "dependence-size"),
        ({"view": "bernoulli"}, "dependence-view"),
        ({"view": {"alpa": 1}}, "setting-unknown"),
        ({"documents": column_rows()}, "dependence-documents"),
    ],
)
def test_bad_arguments_are_said(options: dict[str, Any], code: str):
    with pytest.raises(lk.LikelierError, match="got") as caught:
        dependence(column_rows(), **options)
    assert caught.value.code == code


def test_a_model_has_its_own_columns():
    with pytest.raises(lk.InputError, match="own columns and analyzers, got `categorical`") as caught:
        dependence(lk.train(column_rows()), column_rows(), categorical=["color"])
    assert caught.value.code == "dependence-kinds"


def test_an_unknown_value_of_a_cell_is_said():
    with pytest.raises(lk.InputError, match="'pink'") as caught:
        named(dependence(column_rows()), "color", "echo").cell("pink", "red")
    assert caught.value.code == "cell-unknown"


def test_too_many_columns_are_said():
    rows = [
        ({f"column {place}": (row + place) % 3 > 0 for place in range(501)}, "a" if row % 2 else "b")
        for row in range(20)
    ]
    with pytest.raises(lk.InputError, match="at most 500 columns") as caught:
        dependence(rows)
    assert caught.value.code == "dependence-columns"


def test_one_column_has_no_pairs():
    found = dependence([({"a": row % 3}, "x" if row % 2 else "y") for row in range(30)])
    assert found.pairs == []
    assert str(found).startswith("no pair")


# ---- showing -----------------------------------------------------------------------------------------------------


def test_the_table_shows_every_pair_and_what_its_columns_mean():
    shown = str(dependence(column_rows(400)))
    assert "color + echo" in shown
    assert "each fifth judged by a model of the others" in shown
    assert max(map(len, shown.splitlines())) <= 120


def test_text_from_outside_cannot_steer_the_terminal():
    rows = [({"a\x1b[31m": row["color"], "b": row["echo"]}, label) for row, label in column_rows()]
    assert "\x1b" not in str(dependence(rows))


def test_plain_values_are_json_and_hold_the_cells_if_wanted():
    plain = json.loads(json.dumps(dependence(column_rows()).to_dict(cells=True)))
    first = plain["pairs"][0]
    assert first["kind"] == "columns"
    assert sum(cell["documents"] for cell in first["cells"]) == plain["documents"] == 120
    assert "cells" not in dependence(column_rows()).to_dict()["pairs"][0]
