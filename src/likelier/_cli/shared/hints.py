"""The library's errors in the words of the command line.

A hint of the library shows a call, `view(prior='uniform')`; here it must be something to type, `--prior uniform`. Most
are the same with the names of options; the others stand in a table by their code.
"""

from __future__ import annotations

import re
import shlex

from likelier._base.errors import LikelierError
from likelier._settings.table import NAMES, SETTINGS

OPTIONS = {  # argument → option
    **{
        name: f"--{name.replace('_', '-')}"
        for name in (
            "binary", "bind", "categorical", "char_ngrams", "column", "delimiter", "encoding", "evidence", "ignore",
            "joint", "kind", "label", "language", "lemmatize", "likelihood", "likelihood_otherwise", "max_document",
            "min_length", "most_terms", "numeric", "on_error", "quote", "rejects", "replace", "stem", "text", "threads",
        )
    },
    **{each.key: each.name for setting in SETTINGS.values() for each in setting.options if each.key in NAMES},
    "decide": "--threshold",
    "header": "--no-header",
    "lowercase": "--keep-case",
    "missing_values": "likelier train --missing-value",
    "punctuation": "--keep-punctuation",
    "words": "--no-words",
}  # fmt: skip
WORDS = {
    "beta": "the number of f",
    "bins": "the number of intervals",
    "columns": "the view",
    "false_positive_rate": "false-positive-rate",
    "floor": "the least variance",
    "precision": "precision",
    "recall": "recall",
}
SWITCHES = {"header", "lowercase", "punctuation", "words", "lemmatize", "stem", "normalize", "idf"}

TRAIN = "likelier train FILE -o MODEL makes a model"
HINTS = {  # code → hint, where the library's own cannot be typed
    "alpha-and-smoothing": "--alpha 0.5 is --smoothing additive:0.5",
    "analyzers-differ": "train both models with the same options; stop words by number differ between training sets,"
    " so give a list: --stop-words file:words.txt",
    "beta-range": "--target spam:f=1 takes precision and recall as equally important",
    "bind-columns": "--bind city country; numbers can be bound once they are categories",
    "bins-range": "--numbers equal-width:5",
    "calibration-too-few": "give all documents that the model has learnt; with so few, stay with --rule none",
    "column-empty": "leave it out with --ignore, or name no kind for it; look at --missing-value",
    "column-setting-kind": "leave it out; likelier inspect MODEL shows the kinds of all columns",
    "column-without-terms": "--numbers information reads numeric columns in intervals",
    "columns-same": "name them: --text message --label folder",
    "comparison-documents-differ": "--on-error stop shows the rows that one of the models cannot use",
    "complement-needs-smoothing": "--alpha 1",
    "cost-missing": "every label is a decision, and every wrong one needs a cost: --cost spam ham 10 --cost ham spam 1",
    "cost-of-none-missing": "--fallback ham gives that label below the threshold; or say what it costs to give none:"
    " --cost - ham 1 --cost - spam 1",
    "cost-range": "--cost spam ham 10 --cost ham spam 1",
    "counting-differs": "train both models with --view textbook, or with the same --weighting and --ngrams",
    "counts-pruned": "train without --most-terms to forget documents or to judge them by leave-one-out or folds;"
    " --method held-out judges documents that were not learnt",
    "counts-not-held": "give the document with the label it was learnt with",
    "cuts-kind": "--numbers 20,35,50",
    "cuts-not-rising": "--numbers 20,35,50 makes four intervals",
    "decision-label-unknown": "labels are compared as they are: 'Spam' is not 'spam'",
    "discount-needs-whole-counts": "the model has documents with broken weights: --smoothing jelinek-mercer:0.7",
    "document-frequencies-missing": "--event multinomial",
    "document-not-learnt": "give the document and its label exactly as they were learnt",
    "evaluation-empty": "the files hold no document that can be used: look at them, and at the names of the columns",
    "file-changed": "wait until nothing writes to it, or give a copy of it",
    "floor-range": "it is a share of the whole column's variance: --numbers gaussian:0.0001",
    "idf-needs-multinomial": "--event multinomial, or --event complement",
    "idf-with-unk": "--unknown ignore, or --unknown smooth",
    "label-kind": "write the label as text",
    "language-missing": "name it: --language de",
    "left-out-not-learnt": "--method held-out judges documents that the model has not learnt",
    "lemma-and-stem": "leave one of them out",
    "model-file-empty": TRAIN,
    "model-file-foreign": TRAIN,
    "model-file-header": "fewer or shorter labels, stop words or replacements",
    "model-file-missing": TRAIN,
    "model-empty": 'likelier learn MODEL --as LABEL "text"',
    "ngrams-cannot-choose": "train with the --ngrams that you want, and with _ in place of a space in --replace",
    "ngrams-not-counted": "train with them: --ngrams 2 counts words and pairs of words",
    "ngrams-without-words": "leave --ngrams or --no-words out",
    "no-documents": "the files hold no document that can be used: look at them, and at the names of the columns",
    "normalize-needs-complement": "--event complement, or --no-normalize",
    "normalized-not-exact": "--no-normalize",
    "nothing-counted": "--no-words --char-ngrams 2-4 counts pieces of words",
    "numeric-unknown": "--numbers equal-width:5 makes 5 intervals, --numbers 20,35,50 those between these cut points",
    "p-missing": "--smoothing dirichlet:2000",
    "prior-range": "--prior spam=0.2 --prior ham=0.8",
    "prior-sum": "name every label, and let them sum to 1: --prior spam=0.2 --prior ham=0.8",
    "prior-unknown": "--prior fitted, --prior uniform, or --prior spam=0.2 --prior ham=0.8",
    "prior-without-documents": "--prior uniform",
    "replace-empty": "--stop-words drops words; marks are words only with --keep-punctuation",
    "replace-key-cut": "--keep-punctuation keeps it whole",
    "replace-kind": '--replace "New York=new_york"',
    "row-json": "write one object a line; skip such rows with --on-error skip",
    "rule-incomplete": "likelier rule --prior 0.01 --likelihood 0.9 --evidence 0.1",
    "schemas-differ": "train both models with the same options for columns and words",
    "stop-words-file": "a text file in UTF-8, one word a line; lines with # are comments",
    "stop-words-kind": "--stop-words en, --stop-words file:words.txt, or --stop-words 20: the 20 most frequent words",
    "text-surrogate": "it comes from text that was decoded wrongly; name the encoding: --encoding cp1252",
    "term-unknown": "terms are written as they are counted: likelier inspect MODEL --export - lists them all;"
    " --unknown smooth gives unknown ones a likelihood",
    "threshold-otherwise": "leave --fallback out, or name another label",
    "threshold-target-range": "--target spam:false-positive-rate=0.001: at most 0.1 % of the other documents are given"
    " the label",
    "unk-needs-documents": "--unknown ignore, or --event binary",
    "unknown-policy": "--unknown ignore, zero, smooth, grow or unk",
    "value-missing": "--missing skip judges a document by its other columns",
    "weighting-not-counted": "train again with it: likelier train FILE -o MODEL --weighting NAME",
    "weighting-needs-multinomial": "--event multinomial, or --event complement",
}
MESSAGES = {"language-missing": "--lemmatize and --stem need a language, and none is named"}

_LIST = re.compile(rf"\b({'|'.join(sorted(OPTIONS, key=len, reverse=True))})=\[([^\]]*)\]")
_BACKTICKS = re.compile(r"`(\w+)(?:=([^`]*))?`")
_ARGUMENT = re.compile(rf"\b({'|'.join(sorted(OPTIONS, key=len, reverse=True))})=('[^']*'|\"[^\"]*\"|[\w.]+)")


def for_the_shell(error: LikelierError) -> tuple[str, str]:
    """Message and hint."""
    message = MESSAGES.get(error.code, error.message)
    if error.code == "document-not-learnt":  # no option sets a weight
        message = message.replace(" and weight", "")
    return in_options(message), HINTS.get(error.code) or in_options(error.hint)


def in_options(text: str) -> str:
    """The text with options in place of arguments.

    >>> in_options("`most_terms` must be 1 or more"), in_options("name them: text='message', label='folder'")
    ('--most-terms must be 1 or more', 'name them: --text message --label folder')
    """
    text = _BACKTICKS.sub(lambda found: OPTIONS.get(found[1], WORDS.get(found[1], found[0])), text)
    text = _LIST.sub(_repeated, text)
    return re.sub(r"(--([\w-]+) [^\s,]+), (?=--(?!\2 ))", r"\1 ", _ARGUMENT.sub(_option, text))


def _repeated(found: re.Match[str]) -> str:
    """A list is an option for each of its entries; one that is left open is an example."""
    option, values = OPTIONS[found[1]], re.findall(r"'([^']*)'", found[2])
    example = "TEXT" if found[1] == "missing_values" else "COLUMN"
    return " ".join(f"{option} {shlex.quote(value)}" for value in values) or f"{option} {example}"


def _option(found: re.Match[str]) -> str:
    name, value = found[1], found[2]
    if name in SWITCHES:
        return OPTIONS[name]
    plain = value[1:-1] if value[0] in "'\"" else value
    return f"{OPTIONS[name]} {shlex.quote(plain)}"
