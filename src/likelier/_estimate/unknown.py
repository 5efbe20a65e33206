"""Unknown terms: what a term counts that the training set did not show.

ignore  nothing; the text is read without it
zero    probability 0 under every label: no decision is possible
smooth  as a term with count 0, |V| unchanged
grow    as a term with count 0; |V| grows by the distinct unknown terms of this text
unk     as UNK, one more entry of the vocabulary, which holds the counts of rare training terms (`min_count`)
"""

from __future__ import annotations

from typing import Literal, get_args

from likelier._base.checks import check_one_of

Unknown = Literal["ignore", "zero", "smooth", "grow", "unk"]


def check_unknown(unknown: object) -> None:
    """Whether there is such a policy."""
    check_one_of("unknown-policy", unknown, get_args(Unknown))
