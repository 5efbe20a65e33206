"""The main job on messages to a shop: train, classify, explain, ask again with other settings, learn and forget.

Each step shows the lines of Python that do it; typed one after the other they do the same anywhere.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from importlib.resources import files
from typing import Any, TextIO

from likelier._answer.verdict import Verdict
from likelier._documents.labels import Label
from likelier._model.models import Model
from likelier._model.view import View
from likelier._show.cells import paint, wrap
from likelier._show.table import Table
from likelier._show.words import probability
from likelier._train.trainer import train

__all__ = ["documents", "new_messages", "run"]

INDENT = "   "


def documents() -> list[tuple[str, str]]:
    """240 messages to a shop, each with its label.

    >>> len(documents()), documents()[0]
    (240, ('I was charged twice for the same order, please refund one of the payments.', 'billing'))
    """
    rows = [line.split("\t") for line in _lines("messages.tsv")[1:]]  # without the heading
    return [(text, label) for label, text in rows]


def new_messages() -> list[str]:
    """Messages without a label.

    >>> new_messages()[5]
    'The app shows an error whenever I try to log in.'
    """
    return _lines("new_messages.txt")


def _lines(name: str) -> list[str]:
    return files("likelier.demo").joinpath(name).read_text(encoding="utf-8").splitlines()


def run(out: TextIO, color: bool = False, width: int = 80) -> None:
    """Prints the demo, step by step.

    >>> from io import StringIO
    >>> screen = StringIO()
    >>> run(screen)
    >>> screen.getvalue().splitlines()[0]
    'likelier: which label is likelier for this text, and why'
    """
    show = _Screen(out, color, width)
    show.line(paint("likelier: which label is likelier for this text, and why", "strong", color))
    model = _train(show)
    view = _look(show, model)
    _classify(show, view)
    _explain(show, view)
    _other_settings(show, model)
    _correct(show, model)


class _Screen:
    def __init__(self, out: TextIO, color: bool, width: int) -> None:
        self.out, self.color, self.width = out, color, width
        self.steps = 0

    def line(self, text: str = "") -> None:
        print(text.rstrip(), file=self.out)

    def step(self, title: str, about: str, *code: str) -> None:
        """What comes next, in words and in Python."""
        self.steps += 1
        self.line()
        self.line(paint(f"{self.steps}. {title}", "strong", self.color))
        self.words(about)
        self.line()
        self.code(*code)

    def words(self, text: str) -> None:
        for line in wrap(text, self.width - len(INDENT)):
            self.line(INDENT + line)

    def code(self, *lines: str) -> None:
        for text in lines:
            self.line(INDENT + paint(f">>> {text}", "for", self.color))

    def table(self, heading: Sequence[str], rows: Sequence[Sequence[Any]], *, numbers: Collection[int] = ()) -> None:
        """Rows under a heading; columns of numbers are aligned on the right, the last column may be cut."""
        for line in Table(heading, rows, numbers).lines(self.width - len(INDENT), self.color):
            self.line(INDENT + line)


def _train(show: _Screen) -> Model:
    show.step(
        "Train",
        "240 messages to a shop, with six labels. Training counts words; the model is its counts. How they are read"
        " is chosen: by how well each message is labeled by the counts without it.",
        "from likelier import train",
        "from likelier.demo import documents, new_messages",
        "model = train(documents())",
    )
    model = train(documents())
    show.line(f"{INDENT}{model!r}")
    selection = model.selection
    assert selection is not None
    show.code("print(model.selection.why)")
    show.words(selection.why)
    show.words("".join(f"(these: {each.settings})" for each in selection.tried if each.chosen))
    return model


def _look(show: _Screen, model: Model) -> View:
    show.step(
        "See what was learned",
        "The terms that tell each label from the others, most telling first.",
        "view = model.view()  # with the settings that were chosen",
        'view.top_terms("billing", k=6)  # and so on for each label',
    )
    view = model.view()
    terms = {label: [top.term for top in view.top_terms(label, k=6)] for label in view.labels}
    documents_of = model.counts.documents_per_label
    rows = [(_shown(label), str(documents_of[label]), found) for label, found in terms.items()]
    show.table(("label", "documents", "telling terms"), rows, numbers={1})
    return view


def _classify(show: _Screen, view: View) -> None:
    show.step(
        "Classify new messages",
        "A verdict has a label, its probability and, where there is something to know about it, a reason.",
        "verdicts = view.classify_many(new_messages())",
    )
    texts = new_messages()
    verdicts = view.classify_many(texts)
    rows = [
        (str(number), _shown(verdict.label), probability(verdict.probability), text)
        for number, (verdict, text) in enumerate(zip(verdicts, texts, strict=True), start=1)
    ]
    show.table(("", "label", "probability", "text"), rows, numbers={0, 2})
    for number, verdict in enumerate(verdicts, start=1):
        if verdict.reason:
            show.line()
            show.words(f"message {number}: {verdict.reason}")


def _explain(show: _Screen, view: View) -> None:
    show.step(
        "Ask why",
        "Message 7 is about a parcel, a broken thing and an invoice. The explanation is the sum behind the verdict:"
        " each row adds its numbers to the scores, and the bar says for which label it speaks.",
        "text = new_messages()[6]",
        "print(view.explain(text))",
    )
    show.line()
    show.line(view.explain(new_messages()[6]).to_text(color=show.color, width=show.width))


def _other_settings(show: _Screen, model: Model) -> None:
    show.step(
        "Change the settings, not the model",
        "Event model, smoothing, prior and decision belong to the question, not to the training:"
        " the same counts, read another way, at once. Here as in the textbooks.",
        "other = model.textbook()  # multinomial, alpha 1, probabilities as naive Bayes gives them",
        "verdicts = other.classify_many(new_messages())",
    )
    texts = new_messages()
    pairs = zip(model.classify_many(texts), model.textbook().classify_many(texts), texts, strict=True)
    rows = [(_summary(one), _summary(two), _change(one, two), text) for one, two, text in pairs]
    show.table(("chosen", "textbook", "", "text"), rows)


def _correct(show: _Screen, model: Model) -> None:
    text = new_messages()[6]
    show.step(
        "Correct it, and take the correction back",
        "Learning adds one message to the counts, forgetting subtracts it: exact, byte for byte.",
        "before = model.counts.digest()",
        "model.classify(text).label",
    )
    before = model.counts.digest()
    show.line(f"{INDENT}{model.classify(text).label!r}")
    show.code('model.learn(text, "returns")')
    show.line(f"{INDENT}{model.learn(text, 'returns')!r}")
    show.code("model.classify(text).label")
    show.line(f"{INDENT}{model.classify(text).label!r}")
    show.code('model.forget(text, "returns")', "model.classify(text).label")
    model.forget(text, "returns")
    show.line(f"{INDENT}{model.classify(text).label!r}")
    show.code("model.counts.digest() == before")
    show.line(f"{INDENT}{model.counts.digest() == before!r}")


def _shown(label: Label | None) -> str:
    return "(none)" if label is None else str(label)


def _summary(verdict: Verdict) -> str:
    return f"{_shown(verdict.label)} {probability(verdict.probability)}"


def _change(one: Verdict, two: Verdict) -> str:
    return "" if one.label == two.label else "changed"
