"""From a token to its term, once for each distinct token:

    token ──replace──▶ term
      └──▶ too short? stop word? ──▶ None
             └──▶ lemma or stem ──replace──▶ term

A replacement is final; stop words are matched on the token as it stands, never on its lemma.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from likelier._base.checks import is_unicode
from likelier._base.errors import error
from likelier._kernel import words
from likelier._text.checks import add_replacement

Tokens = tuple[str, ...]


class TermMap:
    """The mapping of one analyzer; the kernel remembers what it has mapped.

    >>> terms = TermMap(replace={"auto": "wagen"}, min_length=2, stop_words={"der"}, base_form=None)
    >>> terms(["der", "auto", "x", "bus"])
    [None, 'wagen', None, 'bus']
    """

    def __init__(
        self,
        *,
        replace: dict[str, str],
        min_length: int,
        stop_words: Iterable[str],
        base_form: Callable[[str], str] | None,
    ) -> None:
        self.replacements = replace
        self._min_length = min_length
        self.stop_words = frozenset(stop_words)
        self.base_form = base_form
        self.is_identity = not (replace or self.stop_words or base_form or min_length > 1)

    def __call__(self, tokens: list[str]) -> list[str | None]:
        return [self._term(token) for token in tokens]

    def _term(self, token: str) -> str | None:
        if token in self.replacements:
            return self.replacements[token]
        if len(token) < self._min_length or token in self.stop_words:
            return None
        if self.base_form is None:
            return token
        base = self.base_form(token)
        return self.replacements.get(base, base)


def cut_keys(pairs: Iterable[tuple[str, str]], *, lowercase: bool, keep_punctuation: bool) -> dict[Tokens, str]:
    """The keys of the replacements, cut into tokens the way texts are."""
    found: dict[Tokens, str] = {}
    for key, term in pairs:
        if not is_unicode(key + term):
            raise error("replace-kind.unicode", got=key, term=term)
        tokens = tuple(words(key, lowercase, keep_punctuation))
        if len(tokens) == 1 and key.replace(".", "") != tokens[0].replace(".", ""):
            raise error("replace-key-cut", key=key, word=tokens[0])
        add_replacement(found, tokens, term)
    return found
