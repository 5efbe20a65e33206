"""A numeric column under a normal distribution: mean and variance of each label, and the density of a number."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from likelier._base.errors import error
from likelier._base.numbers import is_number
from likelier._board.outcomes import (
    count_cell,
    whole,
)
from likelier._columns.numbers import NormalPart
from likelier._documents.labels import Label
from likelier._show.expressions import Number, Probability, Symbol
from likelier._show.table import Cell, Table, own


def _checked_number(asked: Any) -> float | None:
    if asked is not None and not (is_number(asked) and math.isfinite(asked)):
        raise error("asked-number", got=asked)
    return None if asked is None else float(asked)


def normal_table(
    part: NormalPart,
    labels: Sequence[Label],
    places: Sequence[int],
    notes: Sequence[str],
    asked: float | None,
) -> Table:
    """Mean and variance under each label, and the density of a number.

    notes: to be shown below
    asked: the number
    """
    asked = _checked_number(asked)
    normal, sums = part.normal, part.numbers.sums()
    heading: list[Any] = [own("label"), own("values"), own("mean"), own("variance"), own("standard deviation")]
    body: list[list[Any]] = []
    for label, place in zip(labels, places, strict=True):
        variance = float(normal.variances[place])
        row = [str(label), count_cell(whole(sums[place].count)), float(normal.means[place]), variance]
        body.append([*row, math.sqrt(variance), *([] if asked is None else [_density(part, asked, place)])])
    if asked is not None:
        symbol = Probability(Number(f"{asked:.12g}"), Symbol("c", "c"), "p")
        heading.append(Cell(symbol.text(), symbol.text(), latex=symbol.latex()))
    name = part.name
    curves = [
        (str(label), float(normal.means[place]), float(normal.variances[place]))
        for label, place in zip(labels, places, strict=True)
    ]
    told = [f"p(x|c) is the density of a normal distribution with the mean and variance of {name} under the label"]
    return Table(
        heading,
        body,
        set(range(1, len(heading))),
        notes=(*told, *notes),
        draw=partial(_densities, name, curves, asked),
    )


def _density(part: NormalPart, asked: float, place: int) -> Cell:
    found = part.normal.density(asked, place)
    return Cell(f"{found:.4g}" if found else "<1e-300", found)


def _densities(
    name: str,
    curves: Sequence[tuple[str, float, float]],
    asked: float | None,
    names: Mapping[str, str] | None = None,
) -> str:
    from likelier._show.pictures import densities

    return densities(name, curves, asked, axis=name, words=names)
