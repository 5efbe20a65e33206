"""Labels as exit statuses, for mail filters and shell scripts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from likelier._cli.failures import ERROR, Misuse
from likelier._cli.values import as_label, split_label

if TYPE_CHECKING:
    from likelier._answer.verdict import Verdicts
    from likelier._cli.results import Part
    from likelier._documents.labels import Label

FIRST, NO_LABEL, MOST = 10, 1, 200


class Exits:
    """10 for the first label in sorted order, 11 for the second, ...; 1 for no label; others as chosen."""

    def __init__(self, labels: Sequence[Label], chosen: Iterable[str] = ()) -> None:
        if len(labels) > MOST:
            raise Misuse(
                f"--exit-code has numbers for {MOST} labels, and the model has {len(labels)}", hint="--format label"
            )
        self.numbers: dict[Label | None, int] = {label: FIRST + place for place, label in enumerate(labels)}
        self.numbers[None] = NO_LABEL
        for text in chosen:
            label, number = split_label(text, "--code")
            if not isinstance(number, int) or not 0 <= number <= 255 or number == ERROR:
                raise Misuse(
                    f"an exit status is a whole number from 0 to 255, and {ERROR} means an error; got {text!r}",
                    hint=f"--code {label}=0",
                )
            self.numbers[as_label(label, labels)] = number
        self.status = NO_LABEL

    def only_one(self, parts: Iterable[Part]) -> list[Part]:
        """The documents, if it is one."""
        found: list[Part] = []
        for part in parts:
            found.append(part)
            if sum(map(len, found)) > 1:
                break
        if sum(map(len, found)) != 1:
            raise Misuse(
                f"--exit-code is for one document, got {'more' if found else 'none'}",
                hint="give one text, or one mail with --mail",
            )
        return found

    def take(self, verdicts: Verdicts) -> None:
        """Notes the verdict."""
        self.status = self.numbers[verdicts.labels[0]]
