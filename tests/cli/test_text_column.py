"""A model of plain texts remembers the name of its text column."""

from __future__ import annotations

import json

import pandas as pd
import pytest

import likelier as lk

ROWS = """\
Subject,Body,Label
cheap watches now,hello there my friend today,spam
lunch at noon,see you at the place then,ham
buy cheap pills,dear sir please do buy this,spam
meeting tomorrow,the agenda is attached to it,ham
"""


@pytest.fixture
def mails(here, run):
    """mails.csv, bodies.csv without the column Subject, and a model of the subjects."""
    here.joinpath("mails.csv").write_text(ROWS)
    bodies = [line.split(",", 1)[1] for line in ROWS.splitlines()]
    here.joinpath("bodies.csv").write_text("\n".join(bodies) + "\n")
    assert run("train", "mails.csv", "--text", "Subject", "-o", "mails.likelier").exit_code == 0
    return here


@pytest.mark.parametrize(
    "arguments",
    [
        ("classify", "mails.likelier", "--input", "bodies.csv"),
        ("learn", "mails.likelier", "bodies.csv"),
        ("forget", "mails.likelier", "bodies.csv"),
        ("evaluate", "mails.likelier", "bodies.csv"),
        ("calibrate", "mails.likelier", "bodies.csv"),
        ("compare", "mails.likelier", "mails.likelier", "bodies.csv"),
    ],
    ids=lambda arguments: str(arguments[0]),
)
def test_a_file_without_that_column_is_refused_with_the_option_for_another(mails, run, arguments):
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stderr.splitlines()[-2:] == [
        "error: this model learned its texts from column 'Subject', which bodies.csv does not have; its columns are"
        " 'Body', 'Label'",
        "hint: name another column: --text Body; or rename it",
    ]


def test_another_column_can_be_given(mails, run):
    result = run("classify", "mails.likelier", "--input", "bodies.csv", "--text", "Body")
    assert result.exit_code == 0
    assert result.stdout.startswith("Body\tLabel\tlabel")


def test_of_several_columns_the_remembered_one_is_read(mails, output):
    output("train", "mails.csv", "--text", "Body", "-o", "bodies.likelier")
    subjects, bodies = (
        output("classify", f"{name}.likelier", "--input", "mails.csv", "--format", "json")
        for name in ("mails", "bodies")
    )
    assert all(json.loads(line)["unknown_share"] == 0 for line in (subjects + bodies).splitlines())


def test_a_comparison_reads_each_model_its_own_column(mails, output):
    output("train", "mails.csv", "--text", "Body", "-o", "bodies.likelier")
    found = output("compare", "mails.likelier", "bodies.likelier", "mails.csv")
    assert found.count("leave-one-out") >= 1


def test_files_without_columns_or_without_names_are_read_as_before(mails, output):
    mails.joinpath("one.txt").write_text("cheap pills")
    mails.joinpath("rows.tsv").write_text("cheap watches for you\nlunch at noon with us\n")
    assert output("classify", "mails.likelier", "--input", "one.txt", "--format", "label") == "spam\n"
    assert output("classify", "mails.likelier", "--format", "label", given="cheap pills\n") == "spam\n"
    found = output("classify", "mails.likelier", "--input", "rows.tsv", "--no-header", "--format", "label")
    assert found == "spam\nham\n"


def test_a_model_of_a_file_without_names_remembers_none(mails, output):
    mails.joinpath("rows.tsv").write_text("cheap watches for you\tspam\nlunch at noon with us\tham\n")
    output("train", "rows.tsv", "--no-header", "--text", "1", "--label", "2", "-o", "rows.likelier")
    assert lk.load("rows.likelier").schema.text is None


def test_inspect_shows_the_column(mails, output):
    assert "texts     column 'Subject'" in output("inspect", "mails.likelier")
    assert json.loads(output("inspect", "mails.likelier", "--json"))["text_column"] == "Subject"


def test_data_frames_and_rows_follow_the_same_rule(mails):
    frame = pd.read_csv("mails.csv")
    model = lk.train(frame, text="Subject", label="Label")
    assert model.schema.text == "Subject"
    assert model.classify_many(frame).unknown_share.sum() == 0
    with pytest.raises(lk.InputError, match="from column 'Subject', which the DataFrame does not have"):
        model.classify_many(frame[["Body"]])
    with pytest.raises(lk.InputError, match="from column 'Subject', which the data does not have"):
        model.learn_many([{"Body": "lunch", "Label": "ham"}], label="Label")


def test_models_of_lists_have_no_name_and_guess(mails):
    model = lk.train(["cheap watches", "lunch at noon"], ["spam", "ham"])
    assert model.schema.text is None
    assert "text_column" not in model.to_bytes().decode("latin-1")
    assert model.learn_many("bodies.csv") == 0
