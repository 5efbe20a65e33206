"""What a model is made of: counts, a schema or an analyzer, and whether they go together."""

from __future__ import annotations

from likelier._base.errors import error
from likelier._counts.by_column import Counts
from likelier._counts.refusals import schemas_differ
from likelier._documents.schema import Schema, check_schema, plain
from likelier._text.analyzer import Analyzer, check_analyzer


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
    raise error("analyzers-differ", got=one.only_text.analyzer, theirs=two.only_text.analyzer)


def check_closed(schema: Schema) -> None:
    """Whether every analyzer knows its stop words."""
    for kind in schema.texts.values():
        if kind.analyzer.is_open:
            raise error("stop-words-open", count=kind.analyzer.stop_words)
