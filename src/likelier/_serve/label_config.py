"""The labeling configuration of Label Studio: XML that says what annotators see and choose.

    <View>
      <Text name="text" value="$ticket"/>
      <Choices name="team" toName="text"> <Choice value="billing"/> <Choice value="delivery"/> </Choices>
    </View>

It comes over the network. So it has a limit, and no document type: without one XML has no entities of its own, which
could be expanded without end or name a file.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple
from xml.parsers import expat

from likelier._base.errors import error
from likelier._documents.labels import Label

LONGEST = 200_000  # characters


class Control(NamedTuple):
    """A question with choices.

    name, asks_about  names of the question, and of the thing that it asks about
    variable          the field of a task with the text of that thing
    choices           as results have them; none if they come with each task
    """

    name: str
    asks_about: str
    variable: str
    choices: tuple[str, ...] = ()

    def choice(self, label: Label) -> str | None:
        """How the question writes a label, or None if it does not have it.

        >>> control = Control("team", "text", "ticket", ("Billing", "Delivery"))
        >>> control.choice("billing"), control.choice("spam")
        ('Billing', None)
        """
        return alike(str(label), self.choices) if self.choices else str(label)


def alike(name: str, known: Iterable[str]) -> str | None:
    """The same name among those that are known; if it is not there, the only one that differs by case."""
    known = list(known)
    if name in known:
        return name
    near = [each for each in known if each.casefold() == name.casefold()]
    return near[0] if len(near) == 1 else None


def control_of(config: str, labels: Sequence[Label]) -> Control:
    """The question of a configuration; if there are several, the one that has most labels of the model."""
    names = {str(label).casefold() for label in labels}
    return max(_Reader(config).controls(), key=lambda each: len(names & {choice.casefold() for choice in each.choices}))


class _Reader:
    """Reads a configuration from begin to end, without making a tree of it."""

    def __init__(self, config: str) -> None:
        if len(config) > LONGEST:
            raise error("label-config", reason=f"it has more than {LONGEST} characters")
        self._named: dict[str, dict[str, str]] = {}  # attributes by name
        self._questions: list[tuple[dict[str, str], list[str]]] = []
        self._open = 0  # how many Choices the reader is in
        parser = expat.ParserCreate()
        parser.StartElementHandler, parser.EndElementHandler = self._begin, self._end
        parser.StartDoctypeDeclHandler = self._refuse
        try:
            parser.Parse(config, True)
        except (expat.ExpatError, ValueError) as failure:
            raise error("label-config", reason=f"it is not valid XML: {failure}") from None

    def _begin(self, tag: str, attributes: dict[str, str]) -> None:
        if attributes.get("name"):
            self._named.setdefault(attributes["name"], attributes)
        if tag == "Choices":
            self._open += 1
            self._questions.append((attributes, []))
        elif tag == "Choice" and self._open:
            self._questions[-1][1].append(attributes.get("alias") or attributes.get("value", ""))

    def _end(self, tag: str) -> None:
        self._open -= tag == "Choices"

    def _refuse(self, *_: Any) -> None:
        raise error("label-config", reason="it must not have a document type (<!DOCTYPE>)")

    def controls(self) -> list[Control]:
        """The questions about a text."""
        found = []
        for question, choices in self._questions:
            about = self._named.get(question.get("toName", ""), {})
            is_text = about.get("value", "").startswith("$") and about.get("valueType", "text") == "text"
            if question.get("name") and is_text:
                found.append(Control(question["name"], about["name"], about["value"][1:], tuple(choices)))
        if not found:
            raise error("label-config", reason="it has no Choices about a text in a field of the task")
        return found
