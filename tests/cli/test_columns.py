"""Every command with models that have columns: what is typed, what files hold, what is shown."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest

import likelier as lk
from likelier._cli.shared.output import Screen
from likelier._cli.shared.typed import Asking, typed
from likelier._documents.kinds import Binary, Bound, Categorical, Numeric, Text
from likelier._documents.schema import Schema
from likelier._estimate.numeric import ByInformation, Cuts, EqualFrequency, EqualWidth
from likelier._storage.load_file import counts_digest

TICKETS = "tickets.likelier"
TRAIN = ["train", "tickets.csv", "--label", "team", "-o", "new.likelier"]
PHONE = {"subject": "Where is it?", "channel": "phone", "days": "9"}
TYPED = [f"{name}={value}" for name, value in PHONE.items()]


def rows(text: str, delimiter: str = "\t") -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text), delimiter=delimiter))


def said(result) -> str:
    return " ".join(result.stderr.split())


def tickets() -> list[dict[str, str]]:
    return rows(Path("tickets.csv").read_text("utf-8"), ",")


# ---- train -------------------------------------------------------------------------------------------------------


def test_a_table_gives_the_model_that_the_library_gives(run, here):
    result = run(*TRAIN)
    assert result.exit_code == 0, result.stderr
    assert result.stdout == ""
    assert lk.load("new.likelier") == lk.train("tickets.csv", label="team")


def test_what_was_guessed_is_said_and_the_summary_tells_values_of_all_columns(run):
    result = run(*TRAIN)
    assert "subject text; channel categorical; member binary; days, amount numeric" in said(result)
    assert "left out: ticket (an identifier)" in said(result)
    assert "new.likelier: 60 documents, 3 labels, 5 columns" in result.stderr
    assert "unknown values: ignore, numbers: gaussian" in said(result)
    assert "subject parcel, days below 10, subject came" in said(result)


def test_named_kinds_arrive_and_the_other_columns_are_left_out(run, here):
    kinds = ["--text", "subject", "--categorical", "channel", "--binary", "member", "--numeric", "days"]
    result = run(*TRAIN, *kinds)
    assert "left out: 'ticket', 'amount'" in said(result)
    assert lk.load("new.likelier").schema.columns == {
        "subject": Text(), "channel": Categorical(), "member": Binary(), "days": Numeric(),
    }  # fmt: skip


def test_one_text_column_alone_makes_a_model_of_plain_texts(run, here):
    run(*TRAIN, "--text", "subject")
    assert lk.load("new.likelier").schema.is_plain


def test_several_text_columns_make_a_table(run, here):
    run(*TRAIN, "--text", "subject", "--text", "channel")
    assert lk.load("new.likelier").schema.columns == {"subject": Text(), "channel": Text()}


def test_ignore_leaves_a_column_out_of_the_guess(run, here):
    run(*TRAIN, "--ignore", "amount", "--ignore", "subject")
    assert list(lk.load("new.likelier").schema.columns) == ["channel", "member", "days"]


def test_bound_columns_count_as_one(run, here):
    run(*TRAIN, "--bind", "channel", "member")
    assert isinstance(lk.load("new.likelier").schema.columns["channel & member"], Bound)


def test_a_missing_value_may_be_written_in_another_way(run, here):
    run(*TRAIN, "--categorical", "channel", "--missing-value", "phone", "--missing-value", "fax")
    counts = lk.load("new.likelier").counts
    assert counts.missing("channel") == sum(row["channel"] in ("phone", "") for row in tickets())


@pytest.mark.parametrize(
    ("written", "rule"),
    [
        ("information", ByInformation()),
        ("equal-width:5", EqualWidth(5)),
        ("equal-frequency:5", EqualFrequency(5)),
        ("3,10,30", Cuts((3, 10, 30))),
    ],
)
def test_a_rule_for_numbers_stands_behind_the_column(run, here, written, rule):
    assert run(*TRAIN, "--numeric", f"days={written}", "--numeric", "amount").exit_code == 0
    settings = lk.load("new.likelier").settings
    assert list(settings.columns) == ["days"]
    assert settings.columns["days"]["numeric"] == rule


def test_what_is_behind_the_last_equals_sign_is_the_rule(run, here):
    Path("odd.csv").write_text("label,a=b\nx,1\ny,2\n")
    assert run("train", "odd.csv", "-o", "new.likelier", "--numeric", "a=b=1.5").exit_code == 0
    assert lk.load("new.likelier").settings.columns == {"a=b": {"numeric": Cuts((1.5,))}}


def test_stop_words_and_other_options_for_words_hold_for_every_text_column(run, here):
    run(*TRAIN, "--text", "subject", "--text", "channel", "--keep-case")
    assert {kind.analyzer.lowercase for kind in lk.load("new.likelier").schema.texts.values()} == {False}


def test_options_without_effect_are_a_warning(run, here):
    words = ["--stop-words", "en", "--event", "bernoulli", "--numbers", "information", "--quiet"]
    assert run(*TRAIN, "--categorical", "channel", *words).stderr == (
        "warning: the options for words have no effect: this model has no text column\n"
        "warning: --event has no effect: this model has no text column\n"
        "warning: --numbers has no effect: this model has no numeric column\n"
    )
    assert run("view", "shop.likelier", "--numbers", "information").stderr.startswith(
        "warning: --numbers has no effect"
    )
    assert run(*TRAIN, "--event", "bernoulli", "--numbers", "information", "--quiet").stderr == ""


# ---- the stored view ---------------------------------------------------------------------------------------------


def test_numbers_of_all_columns_and_of_one(output):
    shown = output("view", TICKETS, "--numbers", "information", "--numbers", "days=3,10,30", "--missing", "refuse")
    lines = [line.split() for line in shown.splitlines()]
    assert ["numbers", "information", "(textbook:", "gaussian)"] in lines
    assert ["missing", "refuse", "(textbook:", "skip)"] in lines
    assert ["numbers", "of", "days", "3,10,30"] in lines
    settings = lk.load(TICKETS).settings
    assert (settings.numeric, settings.missing) == (ByInformation(), "refuse")
    assert settings.columns == {"days": {"numeric": Cuts((3, 10, 30))}}


def test_another_column_keeps_the_rule_of_the_first(output):
    output("view", TICKETS, "--numbers", "days=3,10,30")
    output("view", TICKETS, "--numbers", "amount=equal-width:3")
    assert list(lk.load(TICKETS).settings.columns) == ["days", "amount"]


def test_reset_takes_the_settings_of_columns_back_too(output):
    output("view", TICKETS, "--numbers", "days=3,10,30")
    assert "of days" not in output("view", TICKETS, "--reset")
    assert lk.load(TICKETS).settings == lk.load(TICKETS).settings.__class__()


def test_settings_of_columns_that_python_stored_are_shown(output, here):
    model = lk.load(TICKETS)
    model.set_view(columns={"subject": {"event": "bernoulli", "min_count": 2}, "channel": {"alpha": 0.5}})
    model.save(TICKETS)
    shown = [line.split() for line in output("view", TICKETS).splitlines()]
    assert ["event", "of", "subject", "bernoulli"] in shown
    assert ["min-count", "of", "subject", "2"] in shown
    assert ["smoothing", "of", "channel", "additive:0.5"] in shown


def test_a_model_of_plain_texts_has_no_settings_for_columns(output):
    shown = output("view", "shop.likelier")
    assert "numbers" not in shown
    assert "missing" not in shown


# ---- learn, forget, merge ----------------------------------------------------------------------------------------


def test_a_file_is_read_by_the_names_of_the_columns(run, here):
    before = counts_digest(TICKETS)
    result = run("learn", TICKETS, "tickets.csv")
    assert "ignored: column 'ticket'" in result.stderr
    assert "60 of which were learned before" in said(result)
    assert run("forget", TICKETS, "tickets.csv", "--label", "team").exit_code == 0
    assert counts_digest(TICKETS) == before


def test_columns_that_a_file_lacks_are_missing_and_said(run, here):
    Path("few.csv").write_text("team,days\nbilling,3\n")
    result = run("learn", TICKETS, "few.csv")
    assert "columns 'subject', 'channel', 'member', 'amount' are not in few.csv: taken as missing" in said(result)
    assert lk.load(TICKETS).documents == 61


def test_all_rows_of_a_file_may_have_one_label(run, here):
    Path("few.csv").write_text("days,channel\n3,mail\n4,chat\n")
    result = run("learn", TICKETS, "billing=few.csv")
    assert "learned 2 documents; tickets.likelier now has 62 documents" in said(result)
    assert run("forget", TICKETS, "--as", "billing", "channel=chat", "days=4").exit_code == 0


def test_a_typed_document_is_learned_and_forgotten(run, here):
    before = counts_digest(TICKETS)
    assert run("learn", TICKETS, "--as", "delivery", *TYPED).stderr.startswith("learned 1 document;")
    expected = lk.train("tickets.csv", label="team")
    expected.learn_many([(PHONE | {"member": None, "amount": None}, "delivery")])
    assert lk.load(TICKETS) == expected
    assert run("forget", TICKETS, "--as", "delivery", *TYPED).exit_code == 0
    assert counts_digest(TICKETS) == before


def test_a_text_alone_fills_the_only_text_column(run, here):
    assert run("learn", TICKETS, "--as", "billing", "My invoice", "My bill").exit_code == 0
    assert run("forget", TICKETS, "--as", "billing", "subject=My bill").exit_code == 0
    assert run("forget", TICKETS, "--as", "billing", given="My invoice").exit_code == 0


def test_standard_input_may_be_a_json_object_to_learn(run, here):
    result = run("learn", TICKETS, "--as", "billing", given='{"days": 3,\n "x": 1}')
    assert result.stderr.startswith("ignored: column 'x'\nlearned 1 document;")
    assert run("forget", TICKETS, "--as", "billing", "days=3").exit_code == 0


def test_parts_of_a_table_merged_are_the_whole(run, here):
    head, *lines = Path("tickets.csv").read_text("utf-8").splitlines(keepends=True)
    kinds = ["--label", "team", "--text", "subject", "--categorical", "channel", "--numeric", "amount"]
    for name, part in (("a", lines[:20]), ("b", lines[20:]), ("c", lines)):
        Path(f"{name}.csv").write_text(head + "".join(part), "utf-8")
        assert run("train", f"{name}.csv", *kinds, "-o", f"{name}.likelier").exit_code == 0
    result = run("merge", "b.likelier", "a.likelier", "-o", "m.likelier")
    assert result.stderr == "m.likelier: 60 documents, 3 labels, 3 columns\n"
    assert counts_digest("m.likelier") == counts_digest("c.likelier")


# ---- classify ----------------------------------------------------------------------------------------------------


def test_columns_with_values_are_together_one_document(output):
    (row,) = rows(output("classify", TICKETS, *TYPED))
    verdict = lk.load(TICKETS).classify(PHONE | {"member": None, "amount": None})
    expected = {
        "label": "delivery",
        "probability": repr(round(verdict.probability, 6)),
        "unknown_share": "0.0",
        "reason": "",
    }
    assert row == PHONE | expected


def test_a_view_for_this_question_only(output, here):
    before = Path(TICKETS).read_bytes()
    (row,) = rows(output("classify", TICKETS, "days=6", "--numbers", "days=3,10,30"))
    view = lk.load(TICKETS).view(columns={"days": {"numeric": [3, 10, 30]}})
    everything = dict.fromkeys(lk.load(TICKETS).schema.columns)
    assert float(row["probability"]) == round(view.classify(everything | {"days": 6}).probability, 6)
    assert Path(TICKETS).read_bytes() == before


def test_a_question_keeps_the_stored_rules_of_other_columns(output):
    output("view", TICKETS, "--numbers", "days=3,10,30")
    asked = ["days=6", "amount=120"]
    (row,) = rows(output("classify", TICKETS, *asked, "--numbers", "amount=information"))
    output("view", TICKETS, "--numbers", "amount=information")
    assert rows(output("classify", TICKETS, *asked)) == [row]


def test_texts_alone_are_documents_of_their_own(output):
    found = rows(output("classify", TICKETS, "Where is my parcel?", "My invoice"))
    assert [(row["subject"], row["label"]) for row in found] == [
        ("Where is my parcel?", "delivery"),
        ("My invoice", "billing"),
    ]


def test_the_longest_name_that_fits_is_meant():
    schema = Schema({"a": Numeric(), "a=b": Numeric()})
    assert typed(["a=b=3", "a=1"], schema, "") == [{"a=b": "3", "a": "1"}]


def test_an_empty_value_is_a_missing_one(output):
    assert output("classify", TICKETS, "days=", "--format", "label") == "billing\n"


def test_a_table_for_people_names_the_values(output):
    heading, line = output("classify", TICKETS, *TYPED, "--format", "table").splitlines()
    assert heading.split() == ["label", "probability", "document"]
    assert line.endswith("subject Where is it?, channel phone, days 9")


def test_the_columns_of_a_file_come_first(run, here):
    result = run("classify", TICKETS, "--input", "tickets.csv", "--format", "csv")
    found = rows(result.stdout, ",")
    assert list(found[0])[:7] == ["ticket", "subject", "channel", "member", "days", "amount", "team"]
    assert len(found) == 60
    assert sum(row["label"] == row["team"] for row in found) > 50
    assert result.stderr.count("ignored: column 'ticket'") == 1


def test_a_column_that_a_file_lacks_is_said_before_the_rows(run, here):
    Path("few.csv").write_text("days\n3\n40\n")
    result = run("classify", TICKETS, "-i", "few.csv")
    assert "columns 'subject', 'channel', 'member', 'amount' are not in few.csv: taken as missing" in said(result)
    assert [row["label"] for row in rows(result.stdout)] == ["delivery", "billing"]


def test_lines_are_json_objects_or_texts(run):
    given = '{"days": 3, "zone": 1}\nMy invoice\n\n {"channel": null, "zone": 2, "days": 40}\n'
    result = run("classify", TICKETS, given=given)
    assert result.stderr == "ignored: column 'zone'\n"
    found = rows(result.stdout)
    assert list(found[0])[:4] == ["days", "zone", "subject", "channel"]
    assert [row["label"] for row in found] == ["delivery", "billing", "billing", "billing"]


def test_an_ignored_column_is_said_once_however_many_lines_come(here, capsys):
    asking = Asking(lk.load(TICKETS).schema, Screen())
    for _ in range(2):
        asking.about([{"days": 3, "zone": 1, "label": "x"}], str)
    assert capsys.readouterr().err == "ignored: column 'zone'\n"


def test_without_a_text_column_empty_lines_are_no_documents(run, here):
    lk.train("tickets.csv", label="team", numeric=["days"]).save("days.likelier")
    result = run("classify", "days.likelier", "--format", "label", given='{"days": 3}\n\n{"days": 40}\n\n')
    assert result.stdout == "delivery\nbilling\n"


def test_json_keeps_each_object_as_it_came(run):
    result = run("classify", TICKETS, "--format", "json", "--probabilities", given='{"days": 3, "id": [7]}\nparcel\n')
    first, second = map(json.loads, result.stdout.splitlines())
    assert (first["days"], first["id"], first["label"]) == (3, [7], "delivery")
    assert sum(first["probabilities"].values()) == pytest.approx(1, abs=1e-5)
    assert "days" not in second
    assert second["subject"] == "parcel"


def test_a_mail_is_the_text_of_the_only_text_column(run, here):
    result = run("classify", TICKETS, "--mail", "--format", "label", given=Path("mail.eml").read_bytes())
    assert result.stdout == "delivery\n"


def test_the_verdict_on_one_document_is_an_exit_code(run):
    assert run("classify", TICKETS, *TYPED, "--exit-code").exit_code == 11


def test_explanations_of_rows_of_a_file(output, here):
    Path("two.csv").write_text("days,subject\n3,Where is my parcel?\n40,My invoice\n")
    shown = output("classify", TICKETS, "-i", "two.csv", "--explain")
    assert "subject Where is my parcel?, days 3\n" in shown
    lines = output("classify", TICKETS, "-i", "two.csv", "--explain", "--format", "json").splitlines()
    assert [json.loads(line)["explanation"]["winner"] for line in lines] == ["delivery", "billing"]


# ---- explain -----------------------------------------------------------------------------------------------------


def test_an_explanation_has_all_columns_and_names_what_is_missing(output):
    shown = output("explain", TICKETS, *TYPED, "--numbers", "days=3,10,30")
    for words in ("channel phone", "days 3-10", "where", "missing: member, amount"):
        assert words in shown


def test_what_is_piped_in_is_a_text_or_a_json_object(output):
    typed_ = output("explain", TICKETS, "days=3", "subject=parcel")
    assert output("explain", TICKETS, given='{"days": 3, "subject": "parcel"}') == typed_
    assert output("explain", TICKETS, given="parcel\n") == output("explain", TICKETS, "parcel")


# ---- inspect -----------------------------------------------------------------------------------------------------


def test_the_overview_lists_the_columns(output):
    lines = [line.split() for line in output("inspect", TICKETS, "--numbers", "days=3,10,30").splitlines()]
    assert ["size", "60", "documents,", "3", "labels,", "5", "columns;"] in [line[:7] for line in lines]
    assert ["channel", "categorical", "3", "values", "4"] in lines
    assert ["days", "numeric", "30", "values", "3,10,30"] in lines
    assert ["amount", "numeric", "55", "values", "5", "gaussian"] in lines
    assert ["subject", "text", "145", "terms", "lowercased", "words"] in lines


def test_the_overview_as_json_has_the_columns(output):
    found = json.loads(output("inspect", TICKETS, "--json", "--top", "1"))
    assert [each["column"] for each in found["columns"]] == ["subject", "channel", "member", "days", "amount"]
    assert found["columns"][1] == {"column": "channel", "kind": "categorical", "outcomes": 3, "missing": 4}
    assert found["labels"][1]["top_terms"][0]["term"] == "subject parcel"


def test_a_numeric_column_has_mean_and_standard_deviation(output):
    days = [int(row["days"]) for row in tickets() if row["team"] == "delivery"]
    mean = sum(days) / 20
    found = json.loads(output("inspect", TICKETS, "--column", "days", "--json"))
    assert found["labels"][1]["mean"] == mean
    assert found["labels"][1]["standard_deviation"] ** 2 == pytest.approx(sum((day - mean) ** 2 for day in days) / 20)
    assert re.search(r"^delivery +20 +5\.55 +2\.09$", output("inspect", TICKETS, "--column", "days"), re.MULTILINE)


def test_a_numeric_column_in_intervals_has_their_likelihoods(output):
    short = sum(row["team"] == "delivery" and int(row["days"]) < 3 for row in tickets())
    shown = output("inspect", TICKETS, "--column", "days", "--numbers", "3,10,30")
    assert [line.split()[0] for line in shown.splitlines()[2:]] == ["interval", "below", "3-10", "10-30", "30"]
    found = json.loads(output("inspect", TICKETS, "--column", "days", "--numbers", "3,10,30", "--json"))
    assert found["values"][0]["labels"][1]["likelihood"] == (short + 1) / (20 + 4)


def test_where_no_cut_point_tells_anything_it_is_said(output, here):
    lk.train([({"a": 1.5, "b": 0}, "x"), ({"a": 1.5, "b": 1}, "y")]).save("even.likelier")
    shown = output("inspect", "even.likelier", "--column", "a", "--numbers", "information")
    assert "no informative cut point was found" in shown


def test_a_column_of_values_has_their_likelihoods_and_of_many_the_most_frequent(output):
    shown = output("inspect", TICKETS, "--column", "channel", "--top", "2")
    assert [line.split()[0] for line in shown.splitlines()[2:5]] == ["value", "mail", "chat"]
    assert "... and 1 more value; use --top 3 to show all" in shown


def test_with_many_labels_the_most_telling_values_are_shown(output, here):
    lk.train([({"a": f"value{n % 7}", "b": n % 2}, f"label{n % 30}") for n in range(300)]).save("many.likelier")
    shown = output("inspect", "many.likelier", "--column", "a")
    assert "most telling values" in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_a_text_column_has_its_most_telling_terms(output):
    assert "parcel, came" in output("inspect", TICKETS, "--column", "subject")
    found = json.loads(output("inspect", TICKETS, "--column", "subject", "--json", "--top", "1"))
    assert found["labels"][1]["top_terms"][0]["term"] == "parcel"


def test_a_value_has_exact_likelihoods(output):
    phone = sum(row["team"] == "delivery" and row["channel"] == "phone" for row in tickets())
    there = sum(row["team"] == "delivery" and row["channel"] != "" for row in tickets())
    found = json.loads(output("inspect", TICKETS, "--term", "phone", "--column", "channel", "--json"))
    assert found["labels"][1]["likelihood"] == (phone + 1) / (there + 3)
    assert output("inspect", TICKETS, "--term", "phone", "--column", "channel").startswith("channel phone\n")


def test_a_number_is_looked_up_by_its_interval(output):
    shown = output("inspect", TICKETS, "--column", "days", "--term", "12", "--numbers", "3,10,30")
    assert shown.startswith("days 10-30\n")


def test_ratios_go_over_all_columns_or_one(output):
    shown = output("inspect", TICKETS, "--ratio", "billing", "delivery", "--numbers", "amount=information")
    assert re.search(r"amount 78 and more$", shown, re.MULTILINE)
    assert "not shown: days (normal distribution); --numbers information uses" in shown
    one = output("inspect", TICKETS, "--ratio", "billing", "delivery", "--column", "channel")
    assert re.search(r" mail$", one, re.MULTILINE)
    assert "normal" not in one


def test_exported_counts_name_the_column_and_numbers_rise(output, here):
    found = rows(output("inspect", TICKETS, "--export", "-"), ",")
    assert list(found[0]) == ["column", "term", "label", "tf", "df"]
    days = [float(row["term"]) for row in found if row["column"] == "days"]
    assert days == sorted(days)
    assert sum(int(row["tf"]) for row in found if row["column"] == "channel") == 56
    assert {row["column"] for row in rows(output("inspect", TICKETS, "--export", "-", "--column", "days"), ",")} == {
        "days"
    }


def test_what_tells_a_label_takes_three_lines_at_most(output):
    shown = output("inspect", TICKETS, "--top", "40").split("most telling values\n")[1].splitlines()
    assert len(shown) == 9
    assert [line.endswith(", …") for line in shown] == [False, False, True] * 3


@pytest.mark.parametrize("cells", [60, 80, 120])
def test_every_screen_fits(run, cells):
    for arguments in (
        TRAIN,
        ["inspect", "new.likelier"],
        ["inspect", TICKETS, "--column", "channel"],
        ["inspect", TICKETS, "--column", "days", "--numbers", "3,10,30"],
        ["inspect", TICKETS, "--ratio", "billing", "delivery"],
        ["view", TICKETS, "--numbers", "days=3,10,30"],
        ["classify", TICKETS, "-i", "tickets.csv", "--format", "table"],
    ):
        result = run(*arguments, environment={"COLUMNS": str(cells)})
        assert result.exit_code == 0
        assert max(map(len, result.output.splitlines())) <= cells, arguments


def test_one_column_can_have_any_setting_of_its_own(output):
    shown = output("view", TICKETS, "--set", "subject:event=bernoulli", "--set", "subject:alpha=0.5", "--json")
    stored = json.loads(shown)["columns"]["subject"]
    assert stored == {"event": "bernoulli", "smoothing": {"kind": "additive", "alpha": 0.5}}
    output("view", TICKETS, "--set", "subject:stop-words=the,a", "--set", "subject:idf=no", "--set", "days:numbers=3,9")
    own = lk.load(TICKETS).settings.columns
    assert own["subject"]["stop_words"] == ("a", "the")
    assert own["days"]["numeric"] == lk.Cuts((3.0, 9.0))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("event=binary", "--set takes COLUMN:SETTING=VALUE"),
        ("subject:prior=uniform", "got 'subject:prior=uniform'"),
        ("subject:alpha=much", "--alpha takes a number, got 'much'"),
        ("subject:ngrams=a-b", "--ngrams takes an integer or two such as 1-3, got 'a-b'"),
        ("subject:idf=maybe", "--idf takes yes or no, got 'maybe'"),
        ("nope:event=binary", "'nope'"),
        ("days:event=binary", "a numeric column has the settings smoothing, numeric; got 'event' for 'days'"),
    ],
)
def test_a_setting_of_a_column_that_makes_no_sense_is_refused(run, given, message):
    done = run("view", TICKETS, "--set", given)
    assert done.exit_code == 2
    assert message in " ".join(done.stderr.split())


def test_a_column_that_needs_more_counts_is_trained_with_it(output):
    output("train", "tickets.csv", "--label", "team", "--set", "subject:weighting=log", "-o", "new.likelier", "-q")
    assert lk.load("new.likelier").settings.of_column("subject").weighting == "log"
