"""What an analyzer accepts, and the one form in which it keeps it.

Each function takes a setting as a user may write it and gives it back in the form in which equal settings are
equal: a tuple, sorted, in NFC. What makes no sense is a SettingError.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar
from unicodedata import normalize

from likelier._base.checks import is_one_of, whole_number
from likelier._base.errors import SettingError
from likelier._text.languages import language_code, stop_words, word_lines

Range = tuple[int, int]
Key = TypeVar("Key")
_FILE = "file:"


def normal(word: str, *, lowercase: bool) -> str:
    """The form in which words are compared: NFC, and lower case when asked for.

    >>> normal("Fraßen ", lowercase=True), normal("US", lowercase=False)
    ('fraßen', 'US')
    """
    word = normalize("NFC", word.strip())
    return normalize("NFC", word.lower()) if lowercase else word


def checked_language(language: object, *, needed: bool) -> str | None:
    """The code of a language; None only where nothing needs one."""
    if language is None and not needed:
        return None
    if language is None:
        raise SettingError(
            code="language-missing",
            message="`lemmatize` and `stem` need a language, got `language=None`",
            hint="name it: Analyzer(language='de', lemmatize=True)",
        )
    if not isinstance(language, str) or not language.strip():
        raise SettingError(
            code="language-kind",
            message=f"`language` must be the name of a language, got {language!r}",
            hint="an ISO 639-1 code such as 'de'",
        )
    return language_code(language.strip())


def checked_min_length(value: object) -> int:
    """The least number of characters that a token must have: 1 or more."""
    length = whole_number(value)
    if length is None or length < 1:
        raise SettingError(
            code="min-length",
            message=f"`min_length` must be a whole number, 1 or more, got {value!r}",
            hint="2 drops the words of one letter",
        )
    return length


def checked_ngrams(value: object, *, words: bool) -> Range:
    """How many words a term may have: 2 is (1, 2), words and pairs.

    >>> checked_ngrams(2, words=True), checked_ngrams((2, 2), words=True)
    ((1, 2), (2, 2))
    """
    highest = whole_number(value)
    found = _range(value if highest is None else (1, highest), highest=5)
    if found is None:
        raise SettingError(
            code="ngrams-range",
            message=f"`ngrams` must be a number or (low, high) with 1 <= low <= high <= 5, got {value!r}",
            hint="2 counts words and pairs of words; (2, 2) counts only the pairs",
        )
    if found != (1, 1) and not words:
        raise SettingError(
            code="ngrams-without-words",
            message=f"`ngrams` counts runs of words, and `words=False` counts none, got {value!r}",
            hint="leave `ngrams` out, or set `words=True`",
        )
    return found


def checked_char_ngrams(value: object, *, words: bool) -> Range | None:
    """How many characters a piece of a word has: 3 is (3, 3), pieces of three.

    >>> checked_char_ngrams(3, words=True), checked_char_ngrams((2, 4), words=True)
    ((3, 3), (2, 4))
    """
    if value is None and words:
        return None
    if value is None:
        raise SettingError(
            code="nothing-counted",
            message="`words=False` without `char_ngrams` leaves nothing to count",
            hint="Analyzer(words=False, char_ngrams=(2, 4)) counts pieces of words",
        )
    size = whole_number(value)
    found = _range(value if size is None else (size, size), highest=10)
    if found is None:
        raise SettingError(
            code="char-ngrams-range",
            message=f"`char_ngrams` must be a number or (low, high), 1 <= low <= high <= 10, got {value!r}",
            hint="3 counts pieces of three characters; (2, 4) of two to four",
        )
    return found


def _range(value: object, *, highest: int) -> Range | None:
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        return None
    low, high = (whole_number(bound) for bound in value)
    if low is None or high is None or not 1 <= low <= high <= highest:
        return None
    return low, high


def checked_stop_words(value: object, *, lowercase: bool) -> str | int | tuple[str, ...] | None:
    """The name of a list, the number of most frequent words, or the words themselves."""
    if value is None:
        return None
    if isinstance(value, str) and not value.startswith(_FILE):
        return _list_name(value)
    if isinstance(value, (str, os.PathLike)):
        value = _words_of_file(Path(os.fspath(value).removeprefix(_FILE)))
    number = whole_number(value)
    if number is not None and number >= 1:
        return number
    if not isinstance(value, Iterable) or isinstance(value, (bytes, Mapping)):
        raise _stop_words_kind(value)
    words = list(value)
    if not all(isinstance(word, str) for word in words):
        raise _stop_words_kind(words)
    return tuple(sorted({normal(word, lowercase=lowercase) for word in words} - {""})) or None


def _list_name(name: str) -> str:
    stop_words(name)  # raises when there is no such list
    kind, colon, language = name.rpartition(":")
    return kind + colon + language_code(language)


def _stop_words_kind(value: object) -> SettingError:
    return SettingError(
        code="stop-words-kind",
        message=f"`stop_words` must be a list's name, a file, a number from 1 on or words, got {value!r}",
        hint="'de', 'stopwordsiso:de', 'file:words.txt', ['der', 'die'], or 20: the 20 most frequent words",
    )


def _words_of_file(path: Path) -> list[str]:
    try:
        return word_lines(path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError) as error:
        raise SettingError(
            code="stop-words-file",
            message=f"the stop words in {str(path)!r} cannot be read: {error}",
            hint="a text file in UTF-8, one word a line; lines with # are comments",
        ) from error


def checked_replace(value: Any, *, lowercase: bool) -> tuple[tuple[str, str], ...]:
    """The replacements as sorted pairs."""
    pairs = list(value.items()) if isinstance(value, Mapping) else value
    if not isinstance(pairs, (list, tuple)) or not all(_is_pair(pair) for pair in pairs):
        raise SettingError(
            code="replace-kind",
            message=f"`replace` must map words to words, got {value!r}",
            hint="{'NYC': 'new_york', 'New York': 'new_york'}",
        )
    found: dict[str, str] = {}
    for key, term in pairs:
        key = normal(" ".join(key.split()), lowercase=lowercase)
        add_replacement(found, key, normal(term, lowercase=lowercase))
    return tuple(sorted(found.items()))


def _is_pair(pair: object) -> bool:
    return isinstance(pair, (list, tuple)) and len(pair) == 2 and all(isinstance(part, str) for part in pair)


def add_replacement(found: dict[Key, str], key: Key, term: str) -> None:
    """Add one replacement; each key and each term must be there, and each key has one term."""
    if not key or not term:
        raise SettingError(
            code="replace-empty",
            message=f"`replace` needs a word on both sides, got {key!r}: {term!r}",
            hint="`stop_words` drops words; marks are words only with `punctuation='keep'`",
        )
    if found.setdefault(key, term) != term:
        raise SettingError(
            code="replace-conflict",
            message=f"`replace` has two terms for {key!r}: {found[key]!r} and {term!r}",
            hint="letters' case, spaces and dropped marks make no difference; keep one of the two",
        )


def check_punctuation(value: object) -> None:
    """Refuse what is neither `drop` nor `keep`."""
    if not is_one_of(value, ("drop", "keep")):
        raise SettingError(
            code="punctuation-unknown",
            message=f"`punctuation` must be 'drop' or 'keep', got {value!r}",
            hint="'keep' counts marks as words",
        )


def check_stored(settings: Mapping[str, Any], names: list[str]) -> None:
    """Refuse settings that no analyzer has, and those that would open a file: they may come from anywhere."""
    if not isinstance(settings, Mapping):
        raise SettingError(
            code="stored-kind",
            message=f"the settings of an analyzer are a mapping, got {settings!r:.60}",
            hint="Analyzer(...).to_dict() shows the form",
        )
    for name in settings:
        if name not in names:
            raise SettingError(
                code="setting-unknown",
                message=f"an analyzer has no setting {name!r}; it has {', '.join(names)}",
                hint="the settings may come from a newer version: pip install -U likelier",
            )
    words = settings.get("stop_words")
    if isinstance(words, os.PathLike) or (isinstance(words, str) and words.startswith(_FILE)):
        raise SettingError(
            code="stop-words-file",
            message=f"stored settings hold the words and not a file, got {words!r}",
            hint="Analyzer(stop_words='file:words.txt') reads the file",
        )
