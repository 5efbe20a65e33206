"""The columns of a document: kinds, the schema that names them, and their stored form."""

from likelier.schema.kinds import (
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
from likelier.schema.schema import Schema, plain

__all__ = [
    "BINDS",
    "DIGITS",
    "MISSING",
    "NAMES",
    "NO",
    "PLAIN",
    "YES",
    "Binary",
    "Bound",
    "Categorical",
    "Kind",
    "Numeric",
    "Schema",
    "Text",
    "kind_name",
    "plain",
]
