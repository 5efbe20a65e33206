"""What an analyzer accepts, and the one form in which it keeps it.

Each function takes a setting as a user may write it and gives it back in the form in which equal settings are
equal: a tuple, sorted, in NFC. A setting that makes no sense is a SettingError.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar
from unicodedata import normalize

from likelier._base.checks import check_one_of, checked_integer, whole_number
from likelier._base.errors import error
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
        raise error("language-missing")
    if not isinstance(language, str) or not language.strip():
        raise error("language-kind", got=language)
    return language_code(language.strip())


def checked_min_length(value: object) -> int:
    """The least number of characters that a token must have: 1 or more."""
    return checked_integer("min-length", value, 1)


def checked_ngrams(value: object, *, words: bool) -> Range:
    """How many words a term may have: 2 is (1, 2), words and pairs.

    >>> checked_ngrams(2, words=True), checked_ngrams((2, 2), words=True)
    ((1, 2), (2, 2))
    """
    highest = whole_number(value)
    found = _range(value if highest is None else (1, highest), highest=5)
    if found is None:
        raise error("ngrams-range", got=value)
    if found != (1, 1) and not words:
        raise error("ngrams-without-words", got=value)
    return found


def checked_char_ngrams(value: object, *, words: bool) -> Range | None:
    """How many characters a piece of a word has: 3 is (3, 3), pieces of three.

    >>> checked_char_ngrams(3, words=True), checked_char_ngrams((2, 4), words=True)
    ((3, 3), (2, 4))
    """
    if value is None and words:
        return None
    if value is None:
        raise error("nothing-counted")
    size = whole_number(value)
    found = _range(value if size is None else (size, size), highest=10)
    if found is None:
        raise error("char-ngrams-range", got=value)
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
        raise error("stop-words-kind", got=value)
    words = list(value)
    if not all(isinstance(word, str) for word in words):
        raise error("stop-words-kind", got=words)
    return tuple(sorted({normal(word, lowercase=lowercase) for word in words} - {""})) or None


def _list_name(name: str) -> str:
    stop_words(name)  # raises when there is no such list
    kind, colon, language = name.rpartition(":")
    return kind + colon + language_code(language)


def _words_of_file(path: Path) -> list[str]:
    try:
        return word_lines(path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError) as failure:
        raise error("stop-words-file", path=str(path), reason=failure) from failure


def checked_replace(value: Any, *, lowercase: bool) -> tuple[tuple[str, str], ...]:
    """The replacements as sorted pairs."""
    pairs = list(value.items()) if isinstance(value, Mapping) else value
    if not isinstance(pairs, (list, tuple)) or not all(_is_pair(pair) for pair in pairs):
        raise error("replace-kind", got=value)
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
        raise error("replace-empty", got=key, term=term)
    if found.setdefault(key, term) != term:
        raise error("replace-conflict", key=key, other=found[key], term=term)


def check_punctuation(value: object) -> None:
    """Refuse what is neither `drop` nor `keep`."""
    check_one_of("punctuation-unknown", value, ("drop", "keep"))


def check_stored(settings: Mapping[str, Any], names: list[str]) -> None:
    """Refuse settings that no analyzer has, and those that would open a file: they may come from anywhere."""
    if not isinstance(settings, Mapping):
        raise error("stored-kind.analyzer", got=settings)
    for name in settings:
        if name not in names:
            raise error("setting-unknown.analyzer", name=name, known=", ".join(names))
    words = settings.get("stop_words")
    if isinstance(words, os.PathLike) or (isinstance(words, str) and words.startswith(_FILE)):
        raise error("stop-words-file.stored", got=words)
