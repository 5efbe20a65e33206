"""Small tables of documents with columns, and models of them."""

from __future__ import annotations

from typing import Any

import likelier as lk

ROWS = [
    ({"color": "red", "age": 20, "fever": True, "note": "goat wolf"}, "sick"),
    ({"color": "red", "age": 30, "fever": True, "note": "wolf"}, "sick"),
    ({"color": "blue", "age": 60, "fever": False, "note": "dwarf dwarf"}, "well"),
]
KINDS: dict[str, Any] = {"categorical": ["color"], "numeric": ["age"], "binary": ["fever"], "text": ["note"]}
TEXT_AND_SIZE: dict[str, Any] = {"text": ["text"], "numeric": ["size"]}


def model(**options: Any) -> lk.Model:
    return lk.train(ROWS, **{**KINDS, **options})


def colors(**options: Any) -> lk.Model:
    return lk.train(
        [({"color": color}, label) for color, label in [("red", "x"), ("red", "x"), ("blue", "y")]], **options
    )


def numbers(*values: tuple[float, str]) -> lk.Model:
    return lk.train([({"x": x}, label) for x, label in values], numeric=["x"])
