"""All commands, each with its one line of help. A command's module is imported when the command is called."""

from __future__ import annotations

from likelier._cli.shared.program import Program, stopped_by_version

COMMANDS: dict[str, dict[str, str]] = {
    "Build a model": {
        "train": "Train a model on labeled documents.",
        "label": "Label texts in the browser; the model learns with every answer.",
        "learn": "Add documents to a model.",
        "forget": "Remove documents from a model, as if it had never learned them.",
        "relabel": "Move documents of a model to another label.",
        "refine": "Fit refined weights to documents of a model.",
        "merge": "Merge several models into one.",
        "view": "Show or change the settings of a model, without retraining.",
    },
    "Use it": {
        "classify": "Classify documents.",
        "explain": "Explain a classification: the evidence for each label, term by term.",
        "inspect": "Show the contents of a model: labels, terms, settings, counts.",
        "tables": "Show the tables of a lecture: bag of words, counts, likelihoods, ratios.",
    },
    "Evaluate it": {
        "evaluate": "Evaluate a model on labeled documents.",
        "compare": "Compare two models, with significance tests.",
        "calibrate": "Calibrate the probabilities of a model.",
        "dependence": "Find dependent columns and words, and evaluate remedies.",
    },
    "More": {
        "rule": "Apply Bayes' rule to numbers, step by step.",
        "serve": "Serve a model over HTTP: classify, explain, learn, forget, undo.",
        "demo": "Demonstrate likelier on messages to a shop.",
        "completion": "Print a shell completion script.",
    },
}

likelier = Program(
    sections=COMMANDS,
    help="Naive Bayes classification of texts and tables: exact, fast and explainable.",
    params=[stopped_by_version()],
    examples=[
        "likelier demo --files .                              # messages.tsv, to try it on",
        "likelier train messages.tsv -o shop.likelier",
        'likelier classify shop.likelier "Where is my parcel?"',
        'likelier explain shop.likelier "Where is my parcel?"',
    ],
)
