"""Which settings a column may have of its own, by its kind."""

from __future__ import annotations

from difflib import get_close_matches

from likelier._base.errors import SettingError
from likelier._documents.kinds import kind_name
from likelier._documents.schema import Schema
from likelier._settings.values import Settings

FITS = {  # which settings a column of its own may have
    "text": (
        *("event", "smoothing", "unknown", "min_count", "normalize"),
        *("weighting", "idf", "ngrams", "stop_words"),
    ),
    "numeric": ("numeric", "smoothing"),
    "categorical": ("smoothing", "unknown", "min_count"),
    "binary": ("smoothing", "unknown", "min_count"),
    "bound": ("smoothing", "unknown", "min_count"),
}


def check_columns(settings: Settings, schema: Schema) -> None:
    """Whether there are the columns that have settings of their own, these fit them, and what is read was counted."""
    for name, own in settings.columns.items():
        if name not in schema.columns:
            raise SettingError(
                code="settings-column-unknown",
                message=f"`columns` has settings for {name!r}, and the columns are: {schema.in_words()}",
                hint=f"did you mean {(get_close_matches(name, schema.columns, n=1) or list(schema.columns))[0]!r}?",
            )
        kind = kind_name(schema.columns[name])
        for setting in own:
            if setting not in FITS[kind]:
                raise SettingError(
                    code="column-setting-kind",
                    message=f"a {kind} column has the settings {', '.join(FITS[kind])}; got {setting!r} for {name!r}",
                    hint="leave it out, or train with another kind for the column",
                )
    for name, text in schema.texts.items():
        view, where = settings.of_column(name), "" if schema.is_plain else f" of {name!r}"
        text.statistic(view.weighting, where)
        text.orders(view.ngram_range, where)
