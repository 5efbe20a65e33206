"""Calibrations as plain JSON values, and back. What comes back is checked: it may come from anywhere."""

from __future__ import annotations

from typing import Any

from likelier._answer.calibration import Calibration, Discount, NoCalibration, Platt, Temperature
from likelier._answer.isotonic import Isotonic, TopLabel
from likelier._base.errors import error
from likelier._documents.labels import Label
from likelier._documents.plain import (
    check_fields,
    distinct_pairs,
    label_from_plain,
    number_from_plain,
    pairs_from_plain,
    pairs_to_plain,
)

KINDS = ("none", "discount", "temperature", "platt", "top-label", "isotonic")  # all but the first two: of older files


def calibration_to_dict(rule: Calibration) -> dict[str, Any]:
    """The rule as plain JSON values.

    >>> calibration_to_dict(Platt(0.5, {"ham": 0.25, "spam": -0.25}))
    {'kind': 'platt', 'weight': 0.5, 'offsets': [['ham', 0.25], ['spam', -0.25]], 'power': 1.0}
    """
    if type(rule) is NoCalibration:
        return {"kind": "none"}
    if type(rule) is Discount:
        offsets = pairs_to_plain(rule.offsets)
        return {
            "kind": "discount",
            "weight": rule.weight,
            "power": rule.power,
            "least": rule.least,
            "offsets": offsets,
            "bend": rule.bend,
            "without_prior": rule.without_prior,
        }
    if type(rule) is Temperature:
        return {"kind": "temperature", "value": rule.value, "power": rule.power}
    if type(rule) is Platt:
        return {"kind": "platt", "weight": rule.weight, "offsets": pairs_to_plain(rule.offsets), "power": rule.power}
    if type(rule) is TopLabel:
        base = calibration_to_dict(rule.platt)
        return {"kind": "top-label", "platt": base, "points": _points_to_plain(rule.points)}
    if type(rule) is Isotonic:
        points = [[label, _points_to_plain(given)] for label, given in rule.points.items()]
        return {"kind": "isotonic", "points": points, "others": _points_to_plain(rule.others)}
    raise error("calibration-not-storable", got=rule)


def calibration_from_dict(stored: object) -> Calibration:
    """The rule with these numbers.

    >>> calibration_from_dict({"kind": "temperature", "value": 2})
    Temperature(value=2.0, power=1.0)
    """
    kind = stored.get("kind") if isinstance(stored, dict) else None
    if kind == "none":
        check_fields(stored, ["kind"], what="no calibration")
        return NoCalibration()
    if kind == "discount":
        fields = ["kind", "weight", "power", "least", "offsets", "bend", "without_prior"]
        given = check_fields(stored, fields, what="calibration by a discount")
        weight, power, least = (_number(given.get(name)) for name in ("weight", "power", "least"))
        offsets, bend = pairs_from_plain(given.get("offsets", [])), _number(given.get("bend", 1))
        return Discount(weight, power, least, offsets, bend, given.get("without_prior", False))
    if kind == "temperature":
        given = check_fields(stored, ["kind", "value", "power"], what="calibration by temperature")
        return Temperature(_number(given.get("value")), _number(given.get("power", 1)))
    if kind == "platt":
        given = check_fields(stored, ["kind", "weight", "offsets", "power"], what="calibration by Platt's rule")
        offsets = pairs_from_plain(given.get("offsets"))
        return Platt(_number(given.get("weight")), offsets, _number(given.get("power", 1)))
    if kind == "top-label":
        given = check_fields(stored, ["kind", "platt", "points"], what="top-label calibration")
        base = given.get("platt")
        if not isinstance(base, dict) or base.get("kind") != "platt":
            raise error("stored-kind", wanted="the Platt's rule of a top-label calibration", got=base)
        return TopLabel(calibration_from_dict(base), _points_from_plain(given.get("points")))  # type: ignore[arg-type]
    if kind == "isotonic":
        given = check_fields(stored, ["kind", "points", "others"], what="isotonic calibration")
        points: dict[Label, Any] = {
            label_from_plain(label): _points_from_plain(pairs) for label, pairs in distinct_pairs(given.get("points"))
        }
        return Isotonic(points, _points_from_plain(given.get("others")))
    raise error("stored-kind", wanted=f"a calibration of one of the kinds {', '.join(KINDS)}", got=stored)


def _number(value: object) -> float:
    return float(number_from_plain(value))


def _points_to_plain(points: tuple[tuple[float, float], ...]) -> list[list[float]]:
    return [[at, probability] for at, probability in points]


def _points_from_plain(stored: object) -> tuple[tuple[float, float], ...]:
    if not isinstance(stored, list) or not all(isinstance(pair, list) and len(pair) == 2 for pair in stored):
        raise error("stored-kind", wanted="a list of points, each a pair of numbers,", got=stored)
    return tuple((_number(at), _number(probability)) for at, probability in stored)
