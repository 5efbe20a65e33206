"""What a model is made of: counts, a schema or an analyzer, and whether they go together."""

from __future__ import annotations

from likelier._base.errors import InputError, LearningError, SettingError
from likelier._counts.mixed import MixedCounts, counting_differs, schemas_differ
from likelier._counts.term_counts import Counts
from likelier._documents.schema import Schema, check_schema, plain
from likelier._text.analyzer import Analyzer, check_analyzer


def made_schema(counts: Counts | MixedCounts | None, schema: Schema | None, analyzer: Analyzer | None) -> Schema:
    """The schema of a model that is made of these; what does not go together is refused."""
    if counts is not None:
        _check_counts(counts)
    check_analyzer(analyzer)
    if schema is not None:
        check_schema(schema)
        if counts is not None:
            check_fits(schema, counts)
    found = counts.schema if schema is None and isinstance(counts, MixedCounts) else schema
    if found is not None and analyzer is not None:
        raise SettingError(
            code="analyzer-and-schema",
            message=f"`analyzer` is for counts of plain texts, and here are columns: {found.in_words()}",
            hint="leave it out: text columns have theirs in the schema;"
            " train(documents, text={'subject': Analyzer(ngrams=2)})",
        )
    weighting = counts.weighting if isinstance(counts, Counts) else None
    found = found or plain(analyzer or _fitting(counts), weighting=weighting)
    check_closed(found)
    return found


def _check_counts(counts: object) -> None:
    if not isinstance(counts, Counts | MixedCounts):
        raise InputError(
            code="counts-kind",
            message=f"a model is made of Counts, got {type(counts).__name__}",
            hint="Counts.from_table(table).model(), or train(documents)",
        )


def check_fits(schema: Schema, counts: Counts | MixedCounts) -> None:
    """Whether the schema has the columns that were counted."""
    _check_counts(counts)
    if not (schema.is_plain if isinstance(counts, Counts) else counts.schema == schema):
        of = "plain texts" if isinstance(counts, Counts) else counts.schema.in_words()
        raise SettingError(
            code="schema-of-other-counts",
            message=f"`schema` has the columns that were counted, got {schema.in_words()} for counts of {of}",
            hint="Model(counts) takes those of the counts; Model(schema=schema) starts with counts of its own",
        )
    _check_weighting(schema, counts)


def _check_weighting(schema: Schema, counts: Counts | MixedCounts) -> None:
    """Whether the counts have the weighting that the schema says; those of columns have their own schema."""
    if isinstance(counts, Counts) and counts.weighting != schema.only_text.weighting:
        raise InputError(
            code="counts-weighting",
            message=f"the schema has the weighting {schema.only_text.weighting or 'none'},"
            f" and the counts have {counts.weighting or 'none'}",
            hint="counts.model() takes the weighting of the counts",
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
    raise LearningError(
        code="analyzers-differ",
        message=f"models can be merged when their analyzers are equal, got {mine} and {theirs}",
        hint="train both with the same analyzer; stop words by frequency differ between training sets,"
        " so give both the same list",
    )


def check_closed(schema: Schema) -> None:
    """Whether every analyzer knows its stop words."""
    for kind in schema.texts.values():
        if kind.analyzer.is_open:
            raise SettingError(
                code="stop-words-open",
                message=f"the {kind.analyzer.stop_words} most frequent words can only be found in a training set",
                hint="train(documents, analyzer=...) finds them; a model of its own needs a list of words",
            )


def _fitting(counts: Counts | MixedCounts | None) -> Analyzer:
    """An analyzer that leaves case as it is if the terms have upper case."""
    terms = counts.vocabulary if isinstance(counts, Counts) else []
    return Analyzer(lowercase=all(term == term.lower() for term in terms))
