"""What is printed adds up to the probability that is printed: read back from the text, under every setting."""

from __future__ import annotations

import math
import re
from functools import cache
from typing import Any

import pytest

import likelier as lk
from likelier._answer.calibration import Calibration
from likelier.demo import documents as messages
from likelier.demo import new_messages

RISING = ((-2.0, 0.1), (0.0, 0.5), (2.0, 0.9))
RULES: dict[str, Calibration] = {
    "none": lk.NoCalibration(),
    "discount": lk.Discount(0.9, -0.4, 3, {"delivery": 0.4, "billing": -0.7, "spam": 0.2}),
    "short discount": lk.Discount(0.6, -0.2, 30, {"delivery": 0.4, "billing": -0.7}),
    "bend": lk.Discount(0.9, -0.4, 3, {"delivery": 0.4, "billing": -0.7, "spam": 0.2}, 0.6),
    "short bend": lk.Discount(0.6, -0.2, 30, {"delivery": 0.4, "billing": -0.7}, 0.6),
    "temperature": lk.Temperature(3.0),
    "power": lk.Temperature(2.0, 0.6),
    "Platt": lk.Platt(0.3, {"delivery": 1.0, "billing": 0.4, "spam": -1.0}),
    "Platt, power": lk.Platt(0.7, {"delivery": -1.0, "billing": 2.0}, 0.5),
    "top label": lk.TopLabel(lk.Platt(0.5, {"billing": 0.5}), RISING),
    "isotonic": lk.Isotonic({"delivery": RISING}, others=RISING),
}
VIEWS: dict[str, dict[str, Any]] = {
    "multinomial": {},
    "own prior": {"prior": "uniform", "alpha": 0.1},
    "unknown": {"unknown": "smooth"},
    "binary": {"event": "binary"},
    "bernoulli": {"event": "bernoulli"},
    "complement": {"event": "complement"},
    "normalized": {"event": "complement", "normalize": True},
    "idf": {"idf": True},
    "log": {"weighting": "log-length"},
    "all": {"weighting": "log-length", "event": "complement", "idf": True, "unknown": "smooth"},
}
TEXTS = [*new_messages()[:8], "xyzzy", " ".join(text for text, _ in messages()[:20])]


@cache
def model(labels: int, weighting: str = "count") -> lk.Model:
    """All labels, or billing and delivery, which are not equally frequent."""
    some = [pair for pair in messages() if labels > 2 or pair[1] in ("delivery", "billing")]
    return lk.train([*some, ("where is my parcel", "delivery")], view={"weighting": weighting})


def number(text: str) -> float:
    return float(text.replace("−", "-"))


def read_back(shown: str) -> dict[str, Any]:
    """The numbers of a printed explanation."""
    head, table, labels = shown.split("\n\n")
    lines = table.splitlines()
    ruler = next(place for place, line in enumerate(lines) if line.startswith("──"))
    below = " ".join(lines[ruler + 2 :])
    *_, odds = re.findall(r"log odds ([-+]?[\d.e-]+):", below)
    steps = re.search(r"calibrated by .*?: sum ([-+]?[\d.]+), (.*) log odds", below)
    return {
        "probability": number(re.search(r", probability ([\d.e-]+)", head.splitlines()[0])[1]),
        "prior": number(lines[1].split()[-1]),
        "rows": [number(line.split()[-1]) for line in lines[1:ruler]],
        "sum": number(lines[ruler + 1].split()[-1]),
        "decimals": len(lines[ruler + 1].split(".")[-1]),
        "steps": [] if steps is None else re.findall(r"(.*?) = ([-+]?[\d.]+)(?:; then |$)", steps[2]),
        "log odds": number(odds),
        "labels": {
            line.split()[0]: (number(line.split()[1]), number(line.split()[2])) for line in labels.splitlines()[1:-1]
        },
    }


def followed(found: dict[str, Any], slack: float) -> float:
    """The log odds, from the sum by the steps that are told; each step has the number that it says."""
    value = found["sum"]
    for says, shown in found["steps"]:
        near = slack
        if match := re.search(r"distances of ([\d.]+) and ([\d.]+) .*power ([\d.]+), times ([\d.e-]+)", says):
            one, two, power, times = map(float, match.groups())
            value, near = times * (two**power - one**power), 0.03  # a root of a small number is far from exact
        elif match := re.match(r"to the power ([\d.]+)(?:, times ([\d.e-]+)| because)", says):
            value, near = value ** float(match[1]) * float(match[2] or 1), 0.03
        elif match := re.match(r"times ([\d.e-]+)", says):
            value *= float(match[1])
        elif match := re.match(r"(?:to the power ([\d.]+), )?divided by the temperature ([\d.e-]+)", says):
            value, near = value ** float(match[1] or 1) / float(match[2]), 0.03 if match[1] else slack
        elif match := re.match(r"([-+][\d.]+) (?:for|because|of the prior)", says):
            value += float(match[1])
        elif "only the prior counts" in says:
            value = found["prior"]
        else:
            assert says == "by a fitted map"
            value = number(shown)
        assert value == pytest.approx(number(shown), abs=near, rel=1e-3)
        value = number(shown)
    return value


def check(explanation: Any) -> None:
    shown = explanation.to_text()
    found = read_back(shown)
    unit = 10.0 ** -found["decimals"]
    assert math.fsum(found["rows"]) == pytest.approx(found["sum"], abs=unit * (len(found["rows"]) + 1))
    assert followed(found, slack=2 * unit) == pytest.approx(found["log odds"], abs=2 * unit)
    winner, other = map(str, explanation.compared)
    scores = {label: score for label, (score, _) in found["labels"].items()}
    assert scores[winner] - scores[other] == pytest.approx(found["log odds"], abs=2 * unit)
    total = math.fsum(map(math.exp, (score - scores[winner] for score in scores.values())))
    for score, probability in found["labels"].values():
        assert math.exp(score - scores[winner]) / total == pytest.approx(probability, abs=3 * unit + 6e-5)
    assert found["labels"][winner][1] == found["probability"] == max(each for _, each in found["labels"].values())
    if len(scores) == 2:
        assert 1 / (1 + math.exp(-found["log odds"])) == pytest.approx(found["probability"], abs=unit + 6e-5)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("labels", [2, 6])
def test_the_numbers_add_up_to_the_probability(labels: int, view: str, rule: str) -> None:
    settings = VIEWS[view]
    asked = model(labels, settings.get("weighting", "count")).view(calibration=RULES[rule], **settings)
    for text in TEXTS:
        check(asked.explain(text))
    check(asked.explain(TEXTS[6], against="billing"))


ROWS = [
    (
        {
            "subject": f"{'where is my parcel' if place % 3 else 'the invoice is wrong'} {place}",
            "channel": channel,
            "days": place,
        },
        label,
    )
    for place, (channel, label) in enumerate([("phone", "delivery"), ("mail", "billing"), ("phone", "spam")] * 8)
]


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("view", [{}, {"event": "complement", "idf": True}, {"numeric": "information"}])
def test_rows_of_columns_add_up_too(rule: str, view: dict[str, Any]) -> None:
    asked = lk.train(ROWS, text="subject", categorical=["channel"], numeric=["days"]).view(
        calibration=RULES[rule], **view
    )
    for days in (None, 3, 20):
        for channel in ("phone", "fax", None):
            check(asked.explain({"subject": "where is the invoice", "channel": channel, "days": days}))


def test_the_sentence_says_how_much_more_common_a_term_is() -> None:
    shown = str(lk.train([("invoice invoice paid", "billing"), ("parcel late", "delivery")]).explain("invoice late"))
    # (2 + 1) / (3 + 4) against (0 + 1) / (2 + 4): 2.57 times; (1 + 1) / (2 + 4) against (0 + 1) / (3 + 4): 2.33 times
    assert shown.splitlines()[1:3] == [
        'For billing: "invoice" is 2.6 times as common in billing as in delivery.',
        'Against billing: "late" is 2.3 times as common in delivery as in billing.',
    ]


def test_why_not_another_label() -> None:
    asked = model(6).view(calibration=RULES["discount"])
    found = asked.explain(TEXTS[6], against="spam")
    assert found.compared == [found.winner, "spam"]
    assert f"{found.winner} against spam" in str(found)
    assert found.to_dict()["against"] == "spam"
    assert asked.explain(TEXTS[6], against=found.winner).compared == found.labels[:2]
    with pytest.raises(lk.InputError, match="spaam"):
        asked.explain(TEXTS[6], against="spaam")


def test_complement_weights_speak_for_the_label_they_are_shown_for() -> None:
    shown = model(6).view(event="complement").explain("invoice").to_text(full=True)
    assert re.search(r"^invoice +│█+ ", shown, re.MULTILINE)
    assert "the smaller one" not in shown


def test_notes_of_a_mixed_row_name_their_column() -> None:
    asked = lk.train(ROWS, text="subject", categorical=["channel"], numeric=["days"]).view(event="complement", idf=True)
    shown = " ".join(asked.explain({"subject": "parcel", "channel": "phone"}).to_text(full=True).split())
    assert "subject: complement: fractions are P(t|not c)" in shown
    assert "subject: weighting count with idf" in shown
