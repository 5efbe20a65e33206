"""What counts refuse, and what goes together with them: schemas, analyzers, ledgers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from likelier._base.checks import check_one_of
from likelier._base.errors import LikelierError, error
from likelier._counts.by_column import Counts
from likelier._counts.snapshot import Statistic
from likelier._documents.kinds import Text
from likelier._documents.schema import Schema, check_schema, plain
from likelier._documents.weights import Extra
from likelier._kernel import Ledger
from likelier._text.analyzer import Analyzer, check_analyzer


def check_kind(counts: object, other: object) -> None:
    """Whether these are counts too, of one column or of all."""
    if not isinstance(other, type(counts)):
        raise error("counts-unlike", counts=counts, got=other)


def check_statistic(statistic: object, weighting: Extra | None) -> None:
    """Whether counts with this weighting have such a statistic."""
    check_one_of("statistic-unknown", statistic, get_args(Statistic))
    if statistic == "weighted" and weighting is None:
        raise error("nothing-weighted")


def check_weightings(one: Extra | None, two: Extra | None) -> None:
    """Whether counts with these weightings can be added."""
    if one != two:
        raise error("weightings-differ", got=one or "none", other=two or "none")


def schemas_differ(one: Schema, two: Schema) -> LikelierError:
    """The error for documents with other columns."""
    unlike = [name for name in {**one.columns, **two.columns} if one.columns.get(name) != two.columns.get(name)]
    mine, theirs = (schema.columns.get(unlike[0]) if unlike else None for schema in (one, two))
    if isinstance(mine, Text) and isinstance(theirs, Text) and mine.analyzer == theirs.analyzer:
        return counting_differs(mine, theirs, f" of {unlike[0]!r}")
    case = "schemas-differ.column" if unlike else "schemas-differ"
    return error(case, got=one.in_words(), other=two.in_words(), unlike=unlike)


def counting_differs(one: Text, two: Text, where: str = "") -> LikelierError:
    """The error for texts that are analysed alike, and of which different things are counted."""
    counted = [
        f"n-grams {'-'.join(map(str, text.counted))}, weighting {text.weighting or 'none'}" for text in (one, two)
    ]
    return error("counting-differs", where=where, got=counted[0], other=counted[1])


def made_schema(counts: Counts | None, schema: Schema | None, analyzer: Analyzer | None) -> Schema:
    """The schema of a model that is made of these; what does not go together is refused."""
    if counts is not None:
        check_counts(counts)
    check_analyzer(analyzer)
    if schema is not None:
        check_schema(schema)
        if counts is not None:
            check_fits(schema, counts)
    known = schema or (None if counts is None else counts.schema)
    if analyzer is not None and known is not None and (schema is not None or not known.is_plain):
        raise error("analyzer-and-schema", columns=known.in_words())
    if analyzer is not None:
        known = plain(analyzer, weighting=None if counts is None else counts.sizes.weighting)
    found = known or plain(Analyzer())
    check_closed(found)
    return found


def check_counts(counts: object) -> None:
    """Whether these are counts."""
    if not isinstance(counts, Counts):
        raise error("counts-kind", got=counts)


def check_fits(schema: Schema, counts: Counts) -> None:
    """Whether the schema has the columns that were counted; those of plain texts may have another analyzer."""
    check_counts(counts)
    both_plain = schema.is_plain and counts.schema.is_plain
    if not both_plain and counts.schema != schema:
        of = "plain texts" if counts.schema.is_plain else counts.schema.in_words()
        raise error("schema-of-other-counts", columns=schema.in_words(), of=of)
    if both_plain and counts.sizes.weighting != schema.only_text.weighting:
        raise error(
            "counts-weighting", schema=schema.only_text.weighting or "none", counts=counts.sizes.weighting or "none"
        )


def check_alike(one: Schema, two: Schema) -> None:
    """Whether models with these schemas can be merged."""
    if one == two:
        return
    if not (one.is_plain and two.is_plain):
        raise schemas_differ(one, two)
    mine, theirs = one.only_text.analyzer, two.only_text.analyzer
    if mine == theirs:
        raise counting_differs(one.only_text, two.only_text)
    raise error("analyzers-differ", got=mine, theirs=theirs)


def check_closed(schema: Schema) -> None:
    """Whether every analyzer knows its stop words."""
    for kind in schema.texts.values():
        if kind.analyzer.is_open:
            raise error("stop-words-open", count=kind.analyzer.stop_words)


@dataclass(frozen=True, slots=True)
class Learnt:
    """How many of some documents a model has learnt, with the same labels and weights.

    documents  how many there are
    known      how many of them it has learnt
    every      whether it has learnt each of them, as often as it is here
    """

    documents: int
    known: int
    every: bool


def learnt(ledger: Ledger, part: Ledger) -> Learnt:
    """What the ledger says about the documents of another one."""
    return Learnt(len(part), ledger.common(part), every=ledger.holds(part))
