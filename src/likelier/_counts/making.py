"""What a model is made of: counts, a schema or an analyzer, and whether they go together."""

from __future__ import annotations

from likelier._base.errors import InputError, LearningError, SettingError
from likelier._counts.by_column import Counts
from likelier._counts.refusals import counting_differs, schemas_differ
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
        raise SettingError(
            code="analyzer-and-schema",
            message=f"`analyzer` is for counts of plain texts, and here are columns: {known.in_words()}",
            hint="leave it out: text columns have theirs in the schema;"
            " train(documents, text={'subject': Analyzer(ngrams=2)})",
        )
    if analyzer is not None:
        known = plain(analyzer, weighting=None if counts is None else counts.sizes.weighting)
    found = known or plain(Analyzer())
    check_closed(found)
    return found


def check_counts(counts: object) -> None:
    """Whether these are counts."""
    if not isinstance(counts, Counts):
        raise InputError(
            code="counts-kind",
            message=f"a model is made of Counts, got {type(counts).__name__}",
            hint="Counts.from_table(table).model(), or train(documents)",
        )


def check_fits(schema: Schema, counts: Counts) -> None:
    """Whether the schema has the columns that were counted; those of plain texts may have another analyzer."""
    check_counts(counts)
    both_plain = schema.is_plain and counts.schema.is_plain
    if not both_plain and counts.schema != schema:
        of = "plain texts" if counts.schema.is_plain else counts.schema.in_words()
        raise SettingError(
            code="schema-of-other-counts",
            message=f"`schema` has the columns that were counted, got {schema.in_words()} for counts of {of}",
            hint="Model(counts) takes those of the counts; Model(schema=schema) starts with counts of its own",
        )
    if both_plain and counts.sizes.weighting != schema.only_text.weighting:
        raise InputError(
            code="counts-weighting",
            message=f"the schema has the weighting {schema.only_text.weighting or 'none'},"
            f" and the counts have {counts.sizes.weighting or 'none'}",
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
