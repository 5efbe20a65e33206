"""Settings that are changed: what holds for columns, what goes with an event, when a calibration stays."""

from __future__ import annotations

import likelier as lk
from likelier._answer.calibration import NoCalibration, Temperature
from likelier._settings.values import Settings


def test_what_is_given_holds_for_columns_with_settings_of_their_own() -> None:
    before = Settings(columns={"body": {"alpha": 0.1, "event": "binary"}, "age": {"numeric": [20]}})
    after = before.changed(alpha=3, numeric="information")
    assert after.of_column("body").smoothing == lk.Additive(3)
    assert after.of_column("body").event == "binary"
    assert after.of_column("age").numeric == lk.Cuts((20.0,))


def test_columns_that_are_given_win_over_what_is_given_for_all() -> None:
    before = Settings(columns={"body": {"alpha": 0.1}})
    after = before.changed(alpha=3, columns={"body": {"alpha": 2}})
    assert (after.smoothing, after.of_column("body").smoothing) == (lk.Additive(3), lk.Additive(2))


def test_what_does_not_go_with_an_event_is_as_in_the_textbook() -> None:
    chosen = Settings(event="complement", normalize=True, weighting="log-length", idf=True)
    assert chosen.changed(event="bernoulli") == Settings(event="bernoulli")
    assert chosen.changed(event="multinomial") == Settings(weighting="log-length", idf=True)
    assert chosen.changed(event="complement") == chosen


def test_a_column_with_an_event_of_its_own_needs_no_weighting_of_the_view() -> None:
    view = Settings(weighting="log", columns={"body": {"event": "bernoulli"}})
    assert view.of_column("body").weighting == "count"


def test_a_calibration_stays_where_scores_do() -> None:
    calibrated = Settings(event="binary", calibration=Temperature(2.0))
    assert calibrated.changed(event="binary", missing="refuse").calibration == Temperature(2.0)
    assert calibrated.changed(alpha=3).calibration == NoCalibration()
    assert calibrated.changed(columns={"body": {"alpha": 3}}).calibration == NoCalibration()


def test_all_settings_can_be_taken_at_once() -> None:
    model = lk.train([("a b", "x"), ("c", "y")])
    model.set_view(event="bernoulli", unknown="smooth")
    model.use_settings(Settings())
    assert model.settings == Settings()
    assert model.classify("a") == model.textbook().classify("a")


def chosen() -> lk.Model:
    model = lk.train([("a b", "x"), ("c", "y")], view={"event": "complement", "alpha": 0.3, "weighting": "log"})
    model.set_view(calibration=Temperature(2.0))
    return model


def test_a_view_is_the_stored_one_with_changes() -> None:
    model = chosen()
    careful = model.view(decide=lk.Thresholds({"x": 0.9}))
    assert careful.settings == Settings(
        event="complement",
        smoothing=lk.Additive(0.3),
        weighting="log",
        calibration=Temperature(2.0),
        decide=lk.Thresholds({"x": 0.9}),
    )
    assert careful.classify("a").probabilities == model.classify("a").probabilities
    assert model.settings.decide == lk.MostProbable()


def test_a_view_without_changes_is_the_stored_one() -> None:
    model = chosen()
    assert model.view() is model.view()
    assert model.view().settings == model.settings


def test_a_view_with_other_scores_is_not_calibrated() -> None:
    assert chosen().view(event="bernoulli").settings == Settings(event="bernoulli", smoothing=lk.Additive(0.3))


def test_the_textbook_does_not_depend_on_the_stored_view() -> None:
    model = chosen()
    assert model.textbook().settings == Settings()
    assert model.textbook(unknown="smooth").settings == Settings(unknown="smooth")
    plain = lk.train([("a b", "x"), ("c", "y")], view="textbook")
    assert model.textbook().classify("a c") == plain.classify("a c")
