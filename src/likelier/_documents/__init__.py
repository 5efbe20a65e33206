"""The columns of a document: kinds, the schema that names them, and their stored form."""

from likelier._documents.kinds import (
    BINDS,
    DIGITS,
    MISSING,
    NAMES,
    NO,
    PLAIN,
    YES,
    Binary,
    Bound,
    Categorical,
    Kind,
    Numeric,
    Text,
    kind_name,
)
from likelier._documents.schema import Schema, plain
from likelier._documents.weighting import UNIT_OF_WEIGHTS, Weighting

__all__ = [
    "BINDS",
    "DIGITS",
    "MISSING",
    "NAMES",
    "NO",
    "PLAIN",
    "UNIT_OF_WEIGHTS",
    "YES",
    "Binary",
    "Bound",
    "Categorical",
    "Kind",
    "Numeric",
    "Schema",
    "Text",
    "Weighting",
    "kind_name",
    "plain",
]
