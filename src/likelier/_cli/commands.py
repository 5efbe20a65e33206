"""All commands, each with its one line of help. A command's module is imported when the command is called."""

from __future__ import annotations

from likelier._cli.program import Program, stopped_by_version

COMMANDS: dict[str, dict[str, str]] = {
    "Make a model": {
        "train": "Train a model on labelled documents.",
        "learn": "Add documents to a model.",
        "forget": "Take documents out of a model, as if it had never learnt them.",
        "merge": "Make one model of several.",
        "view": "Show or change how a model reads its counts; nothing is trained.",
    },
    "Ask it": {
        "classify": "Say which label is likelier for each document.",
        "explain": "Say why: the sum behind a verdict, item by item.",
        "inspect": "Show what a model holds: labels, terms, settings, numbers.",
    },
    "Judge it": {
        "evaluate": "Say how good a model is, on documents whose labels are known.",
        "compare": "Say which of two models is better, and whether the difference can be chance.",
        "calibrate": "Make a model's probabilities honest: 0.9 shall be right in 9 of 10 documents.",
        "dependence": "Find columns and words that repeat each other, and try what helps.",
    },
    "More": {
        "rule": "Work out Bayes' rule from numbers, with the derivation.",
        "demo": "Show what likelier does, on messages to a shop.",
        "completion": "Print the script that completes commands and options in your shell.",
    },
}

likelier = Program(
    sections=COMMANDS,
    help="Which label is likelier for this text, and why: naive Bayes, exact, fast and explainable.",
    params=[stopped_by_version()],
    examples=[
        "likelier demo --files .                              # messages.tsv, to try it on",
        "likelier train messages.tsv -o shop.likelier",
        'likelier classify shop.likelier "Where is my parcel?"',
        'likelier explain shop.likelier "Where is my parcel?"',
    ],
)
