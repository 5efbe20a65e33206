"""`evaluate`, `compare` and `calibrate`: the figures of the library, never in the wrong way, and what can be stored."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

import likelier as lk
from likelier._evaluate.run import evaluate

SHOP, DATA = "shop.likelier", "messages.tsv"
NEW = "label\ttext\nbilling\tMy invoice is wrong\nreturns\tI send it back\nbilling\tWhere is my parcel?\n"


@pytest.fixture
def figures(output):
    """What `evaluate --format json` gives."""

    def call(*arguments: str) -> dict:
        return json.loads(output("evaluate", *arguments, "--format", "json"))

    return call


@pytest.fixture
def new(here: Path) -> str:
    """A file with documents that no model has learned."""
    Path("new.tsv").write_text(NEW)
    return "new.tsv"


def refused(result) -> tuple[str, str]:
    assert result.exit_code == 2
    assert result.stdout == ""
    *_, error, hint = result.stderr.splitlines()
    return error, hint


# ---- ways of judging ---------------------------------------------------------------------------------------------


def test_learned_documents_are_left_out_one_by_one(output):
    shown = output("evaluate", SHOP, DATA)
    assert shown == f"{evaluate(lk.load(SHOP).view(), DATA)}\n"
    assert shown.startswith("leave-one-out: ")


def test_the_json_has_the_figures_of_the_library_and_the_settings(figures):
    found, view = figures(SHOP, DATA, "--event", "bernoulli"), lk.load(SHOP).view(event="bernoulli")
    assert found["settings"] == view.settings.to_dict()
    assert found["model"], found["files"] == (SHOP, [DATA])
    wanted = json.loads(json.dumps(evaluate(view, DATA).to_dict()))
    assert {name: found[name] for name in wanted} == wanted


def test_documents_that_were_not_learned_are_refused_and_the_hint_judges_them(run, new):
    error, hint = refused(run("evaluate", SHOP, new))
    assert "documents that shop.likelier has learned with the same labels, and it has learned none of these 3" in error
    assert error.endswith("learned none of these 3 documents")
    result = run("evaluate", SHOP, new, *shlex.split(hint.removeprefix("hint: "))[:2])
    assert result.exit_code == 0
    assert result.stdout.startswith("held-out: ")
    assert "2 of 3 right" in result.stdout


def test_documents_of_which_some_were_learned_are_refused(run):
    error, _ = refused(run("evaluate", "shop2.likelier", DATA))
    assert error.endswith("it has learned 50 of these 240 documents")


def test_documents_with_other_labels_were_not_learned(run, here):
    text = lk.demo.documents()[0][0]
    Path("other.tsv").write_text(f"label\ttext\npraise\t{text}\n")
    assert "it has learned none" in refused(run("evaluate", SHOP, "other.tsv"))[0]


def test_documents_that_are_there_more_often_than_they_were_learned_are_refused(run):
    Path("again.tsv").write_bytes(Path(DATA).read_bytes())
    assert "less often than they occur here" in refused(run("evaluate", SHOP, DATA, "again.tsv"))[0]


def test_folds_need_learned_documents_too(run):
    assert (
        "--method folds requires documents that" in refused(run("evaluate", "shop2.likelier", DATA, "--folds", "3"))[0]
    )


@pytest.fixture
def silent(run) -> str:
    run("train", DATA, "-o", "silent.likelier", "--no-ledger", "--view", "textbook")
    return "silent.likelier"


def test_a_model_without_a_ledger_does_not_know_what_it_has_learned(run, silent):
    error, hint = refused(run("evaluate", silent, DATA))
    assert "has no ledger" in error
    assert hint == "hint: --method leave-one-out if it has learned them, --method held-out if not"


def test_a_model_without_a_ledger_does_what_it_is_told(output, run, silent):
    assert output("evaluate", silent, DATA, "--method", "leave-one-out") == output("evaluate", SHOP, DATA)
    assert "has no ledger" in run("evaluate", silent, DATA, "--method", "held-out").stderr


def test_held_out_documents_that_were_learned_are_a_warning(run):
    result = run("evaluate", SHOP, DATA, "--method", "held-out", "--quiet")
    assert "warning: shop.likelier has learned all of these 240 documents" in result.stderr
    assert "hint: --method leave-one-out " in result.stderr


def test_a_few_held_out_documents_that_were_learned_are_a_note(run):
    result = run("evaluate", "shop2.likelier", DATA, "--method", "held-out")
    assert "shop2.likelier has learned 50 of these 240 documents" in result.stderr
    assert "warning" not in result.stderr


def test_nothing_is_said_of_documents_that_are_new(run, new):
    assert "learned" not in run("evaluate", SHOP, new, "--method", "held-out").stderr


def test_folds_are_those_of_the_library(figures):
    found = figures(SHOP, DATA, "--folds", "3", "--seed", "7")
    wanted = evaluate(lk.load(SHOP).view(), DATA, method="folds", folds=3, seed=7)
    assert found["accuracy"]["share"] == wanted.figures.accuracy.share
    assert found["how"].startswith("3 folds")
    assert found["log_loss"] != figures(SHOP, DATA, "--folds", "3")["log_loss"]


def test_rows_of_a_group_stay_in_one_fold(figures):
    found = figures(SHOP, DATA, "--group", "label", "--folds", "6")  # no label is known to its own judge
    assert found["how"].startswith("6 folds of whole groups")
    assert found["accuracy"]["share"] == 0


def test_a_group_of_a_table_may_be_a_column_that_the_model_does_not_read(figures):
    assert figures("tickets.likelier", "tickets.csv", "--label", "team", "--group", "ticket")["documents"] == 60


def test_a_group_that_is_no_column_is_refused(run):
    assert refused(run("evaluate", SHOP, DATA, "--group", "lable"))[1] == "hint: did you mean 'label'?"


def test_copies_are_left_out_together(figures, run):
    Path("twice.tsv").write_text(NEW + NEW.partition("\n")[2])
    run("train", "twice.tsv", "-o", "twice.likelier")
    apart, together = (figures("twice.likelier", "twice.tsv", "--copies", how) for how in ("apart", "together"))
    assert apart["accuracy"]["share"] == 1
    assert together["accuracy"]["share"] < 1
    assert together["how"].endswith("6 documents have some")


def test_in_order_of_time_nothing_need_have_been_learned(figures, new):
    found = figures(SHOP, new, "--method", "time-ordered")
    assert found["how"].startswith("time-ordered")
    assert found["accuracy"]["without_label"] == pytest.approx(1 / 3)  # nothing is known before the first
    assert figures(SHOP, new, "--every", "3")["accuracy"]["without_label"] == 1


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["--folds", "3", "--method", "held-out"], "--method folds, or omit --folds"),
        (["--copies", "together", "--folds", "3"], "--method leave-one-out, or omit --copies"),
        (["--every", "3", "--seed", "1"], "--method time-ordered, or omit --every"),
    ],
)
def test_options_of_another_method_are_refused(run, arguments, hint):
    assert hint in refused(run("evaluate", SHOP, DATA, *arguments))[1]


def test_standard_input_is_refused_because_it_can_be_read_once(run):
    error, hint = refused(run("evaluate", SHOP, "-", given=NEW))
    assert "which standard input does not allow" in error
    assert "write them to a file" in hint


def test_a_file_without_documents_is_refused(run, here):
    Path("none.tsv").write_text("label\ttext\n")
    assert "at least one labeled document" in refused(run("evaluate", SHOP, "none.tsv"))[0]


def test_a_table_is_judged_by_its_columns(figures):
    found = figures("tickets.likelier", "tickets.csv", "--label", "team", "--numbers", "information")
    view = lk.load("tickets.likelier").view(numeric="information")
    assert found["log_loss"]["loss"] == evaluate(view, "tickets.csv", label="team").figures.log_loss.loss


def test_threads_do_not_change_the_figures(figures):
    assert figures(SHOP, DATA, "--threads", "1") == figures(SHOP, DATA, "--threads", "3")


# ---- documents ---------------------------------------------------------------------------------------------------


def test_mistakes_are_shown_with_what_speaks_for_them(output):
    shown = output("evaluate", SHOP, DATA, "--mistakes", "1").partition("most confident errors\n")[2]
    assert shown.splitlines() == [
        "messages.tsv line 127: technical, classified as returns with probability 0.9516",
        "  When I press back, the form forgets everything I typed.",
        "  for returns: back, i, form, the; for technical: when, everything",
    ]


def test_labels_that_may_be_wrong_are_shown(output):
    shown = output("evaluate", SHOP, DATA, "--label-errors", "5")
    assert "\npossible label errors\nmessages.tsv line 127: technical, classified as returns" in shown


def test_mistakes_of_a_table_show_its_columns(output):
    shown = output("evaluate", "tickets.likelier", "tickets.csv", "--label", "team", "--mistakes", "1")
    assert "  subject Lamp arrived broken, channel chat, member yes, days 5, amount 41.62\n" in shown
    assert "  for delivery: days 5, " in shown


def test_a_mistake_about_the_only_document_of_a_label_says_so(output, run, here):
    Path("rare.tsv").write_text(f"{NEW}rare\tWhere is my invoice?\n")
    run("train", "rare.tsv", "-o", "rare.likelier")
    shown = output("evaluate", "rare.likelier", "rare.tsv", "--mistakes", "9")
    assert "  no other document has the label rare\n" in shown


def test_where_there_are_no_mistakes_that_is_said(output, run, here):
    Path("easy.tsv").write_text("label\ttext\na\tx y\na\tx z\nb\tp q\nb\tp r\n")
    run("train", "easy.tsv", "-o", "easy.likelier")
    shown = output("evaluate", "easy.likelier", "easy.tsv", "--mistakes", "3", "--label-errors", "3")
    assert shown.endswith("\nno errors\n\nno possible label errors\n")


def test_the_json_explains_mistakes(figures):
    found = figures(SHOP, DATA, "--mistakes", "2", "--label-errors", "1")
    assert [each["where"] for each in found["mistakes"]] == ["messages.tsv line 127", "messages.tsv line 75"]
    first = found["mistakes"][0]
    assert (first["label"], first["decided"], first["row"]) == ("technical", "returns", 125)
    assert first["explanation"]["verdict"]["probability"] == pytest.approx(first["probability"])
    assert found["label_errors"] == found["mistakes"][:1]


def test_what_a_document_says_does_not_steer_the_terminal(output, run, here):
    Path("bad.tsv").write_text("label\ttext\na\tx y\nb\x1b[1m\tx \x1b[31my\nb\x1b[1m\tz\n")
    run("train", "bad.tsv", "-o", "bad.likelier")
    assert "\x1b" not in output("evaluate", "bad.likelier", "bad.tsv", "--mistakes", "9")


# ---- thresholds --------------------------------------------------------------------------------------------------

TARGETS = {
    "spam:false-positive-rate=0.01": {"false_positive_rate": 0.01},
    "spam:false-positive-rate=1%": {"false_positive_rate": 0.01},
    "spam:false_positive_rate=0.01": {"false_positive_rate": 0.01},
    "spam:precision=0.95": {"precision": 0.95},
    "spam:recall=0.5": {"recall": 0.5},
    "spam:f=0.5": {"f_beta": 0.5},
}


@pytest.mark.parametrize("target", TARGETS)
def test_a_threshold_is_the_one_of_the_library(figures, target):
    (found,) = figures(SHOP, DATA, "--target", target)["thresholds"]
    wanted = evaluate(lk.load(SHOP).view(), DATA).figures.threshold("spam", **TARGETS[target])
    assert (found["threshold"], found["recall"]) == (wanted.threshold, wanted.recall)


def test_a_threshold_is_shown_with_its_figures_and_the_command_that_stores_it(output):
    shown = output("evaluate", SHOP, DATA, "--target", "spam:false-positive-rate=0.001", "--fallback", "technical")
    assert shown.endswith(
        "\nthreshold for spam: 0.69; false positive rate of at most 0.1 %\n"
        "  assigned to 22 documents: precision 100 %, recall 55 %, false positive rate 0\n"
        "  %; below: technical\n"
        "\nto store it:\n  likelier view shop.likelier --threshold spam=0.69 --fallback technical\n"
    )


def test_the_command_stores_the_thresholds_and_the_settings_they_were_found_by(output, run):
    targets = ["--target", "billing:precision=0.9", "--target", "spam:recall=0.5"]
    shown = output("evaluate", SHOP, DATA, *targets, "--event", "binary", "--alpha", "0.5", "--prior", "uniform")
    command = shlex.split(shown.splitlines()[-1])
    assert run(*command[1:]).exit_code == 0
    stored = lk.load(SHOP).settings
    view = lk.load(SHOP).view(event="binary", alpha=0.5, prior="uniform")
    found = evaluate(view, DATA).figures
    assert stored == view.settings.changed(
        decide=lk.Thresholds(
            {
                "billing": found.threshold("billing", precision=0.9).threshold,
                "spam": found.threshold("spam", recall=0.5).threshold,
            }
        )
    )


def test_two_thresholds_for_one_label_have_a_command_each(output):
    shown = output("evaluate", SHOP, DATA, "--target", "spam:recall=0.5", "--target", "spam:recall=0.7")
    assert [line.count("--threshold") for line in shown.splitlines() if "likelier view" in line] == [1, 1]


@pytest.fixture
def mails(run, here) -> list[str]:
    """A model of two labels with its data."""
    lines = Path(DATA).read_text().splitlines()[1:]
    rows = [
        "spam" + line.removeprefix("spam") if line.startswith("spam") else f"ham\t{line.split(chr(9))[1]}"
        for line in lines
    ]
    Path("mails.tsv").write_text("\n".join(["label\ttext", *rows, ""]))
    run("train", "mails.tsv", "-o", "mails.likelier", "--view", "textbook")
    return ["mails.likelier", "mails.tsv"]


def test_the_threshold_of_least_cost_is_by_the_costs_that_were_given(figures, mails):
    costs = ["--cost", "spam", "ham", "10", "--cost", "ham", "spam", "1"]
    (found,) = figures(*mails, "--target", "spam:cost", *costs, "--fallback", "ham")["thresholds"]
    wanted = evaluate(lk.load(mails[0]).view(), mails[1]).figures.threshold(
        "spam", costs={"spam": {"ham": 10}, "ham": {"spam": 1}}, otherwise="ham"
    )
    assert (found["threshold"], found["target"]) == (wanted.threshold, "least cost")


def test_no_label_needs_a_cost_and_the_hint_says_so(run, mails):
    costs = ["--cost", "spam", "ham", "10", "--cost", "ham", "spam", "1"]
    error, hint = refused(run("evaluate", *mails, "--target", "spam:cost", *costs))
    assert "do not say what that costs" in error
    assert "--fallback ham" in hint


@pytest.mark.parametrize(
    ("target", "hint"),
    [
        ("spam", "--target spam:false-positive-rate=0.001, "),
        ("spam:false-positive-rate", "--target spam:false-positive-rate=0.001, "),
        ("spam:false-positive-rate=few", "--target spam:false-positive-rate=0.001, "),
        ("spam:gain=1", "--target spam:false-positive-rate=0.001, "),
        (":false-positive-rate=1", "--target spam:false-positive-rate=0.001, "),
        ("spma:false-positive-rate=0.1", "did you mean 'spam'?"),
        ("spam:cost", "--cost spam ham 10"),
        ("spam:false-positive-rate=2", "--target spam:false-positive-rate=0.001"),
        ("spam:f=0", "--target spam:f=1"),
        ("technical:recall=0.99", "recall=0.525 can be reached"),
    ],
)
def test_a_target_that_cannot_be_is_refused(run, target, hint):
    assert hint in refused(run("evaluate", SHOP, DATA, "--target", target))[1]


def test_a_fallback_that_is_the_label_itself_is_refused(run):
    result = run("evaluate", SHOP, DATA, "--target", "spam:recall=0.5", "--fallback", "spam")
    assert "name another label" in refused(result)[1]


# ---- files -------------------------------------------------------------------------------------------------------


def test_a_file_has_what_stdout_would_have(output, run):
    assert run("evaluate", SHOP, DATA, "--output", "figures.txt").stdout == ""
    assert Path("figures.txt").read_text() == output("evaluate", SHOP, DATA)


def test_the_name_of_a_file_says_that_it_is_json(run, figures):
    run("evaluate", SHOP, DATA, "--output", "figures.json")
    assert json.loads(Path("figures.json").read_text()) == figures(SHOP, DATA)


def test_a_report_is_a_page_of_its_own(run):
    result = run("evaluate", SHOP, DATA, "--report", "report.html")
    assert result.stderr.endswith("wrote report.html\n")
    page = Path("report.html").read_text("utf-8")
    assert page.lower().startswith("<!doctype html>")
    assert "70.8" in page
    assert "shop.likelier on messages.tsv" in page
    assert "Before calibration" not in page


def test_a_report_does_not_go_to_standard_output(run):
    assert refused(run("evaluate", SHOP, DATA, "--report", "-"))[1] == "hint: --report report.html"


@pytest.mark.parametrize("option", ["--output", "--report"])
@pytest.mark.parametrize("target", [SHOP, DATA])
def test_what_is_read_is_not_replaced(run, option, target):
    before = Path(target).read_bytes()
    assert "choose another file" in refused(run("evaluate", SHOP, DATA, option, target))[1]
    assert Path(target).read_bytes() == before


@pytest.mark.skipif(sys.platform == "win32", reason="signals and pipes of POSIX")
def test_ctrl_c_leaves_no_file(here):
    os.mkfifo("slow.tsv")  # nobody writes to it
    command = [sys.executable, "-m", "likelier", "evaluate", SHOP, "slow.tsv", "--output", "figures.json"]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as running:
        assert running.stderr is not None
        time.sleep(1.5)
        running.send_signal(signal.SIGINT)
        assert running.wait(timeout=10) == 130
        assert running.stderr.read().endswith(b"interrupted; figures.json was not written\n")
    assert not Path("figures.json").exists()


# ---- compare -----------------------------------------------------------------------------------------------------


def test_each_model_is_judged_in_the_way_that_fits_it(output, run):
    found = json.loads(output("compare", SHOP, "shop2.likelier", DATA, "--format", "json"))
    assert found["methods"] == ["leave-one-out", "held-out"]
    one, two = (
        evaluate(lk.load(name).view(), DATA, method=method).figures
        for name, method in zip(found["names"], found["methods"], strict=True)
    )
    wanted = one.compare(two, names=(SHOP, "shop2.likelier")).to_dict()
    assert {name: found[name] for name in wanted} == json.loads(json.dumps(wanted))
    assert "shop2.likelier has learned 50 of these 240 documents" in run("compare", SHOP, "shop2.likelier", DATA).stderr


def test_the_comparison_is_said_in_words(output):
    shown = output("compare", SHOP, "shop2.likelier", DATA)
    assert "shop.likelier    70.83 %    0.9355  leave-one-out\n" in shown
    assert "shop.likelier is right more often than shop2.likelier: 70.83 % against 63.33 %" in shown
    assert "That can hardly be chance (p = 0.041).\n" in shown


def test_a_model_is_as_good_as_itself(output):
    shown = output("compare", SHOP, SHOP, DATA)
    assert "are right equally often" in shown
    assert "Their probabilities are equally good" in shown


def test_models_with_other_columns_can_be_compared(output):
    found = json.loads(
        output(
            "compare",
            SHOP,
            "tickets.likelier",
            "tickets.csv",
            "--text",
            "subject",
            "--label",
            "team",
            "--format",
            "json",
        )
    )
    assert found["documents"] == 60
    assert found["methods"] == ["held-out", "leave-one-out"]


def test_text_is_for_models_of_plain_texts(run):
    result = run("compare", "tickets.likelier", "tickets.likelier", "tickets.csv", "--text", "subject")
    assert "both models have columns" in refused(result)[0]


def test_guesses_are_said_once(run):
    assert run("compare", SHOP, "shop2.likelier", DATA).stderr.count("text column: 'text' (guessed)") == 1


def test_a_comparison_can_be_a_file(output, run):
    run("compare", SHOP, "shop2.likelier", DATA, "--output", "comparison.json")
    assert json.loads(Path("comparison.json").read_text())["better"] == SHOP
    assert "an input of this command" in refused(run("compare", SHOP, "shop2.likelier", DATA, "-o", SHOP))[0]


def test_one_model_alone_cannot_be_compared(run):
    assert "MODEL_A MODEL_B FILE..." in refused(run("compare", SHOP, DATA))[1]


# ---- calibrate ---------------------------------------------------------------------------------------------------


def test_the_rule_of_the_library_is_stored_in_the_model(output):
    wanted = lk.load(SHOP).evaluate(DATA).calibration()
    found = json.loads(output("calibrate", SHOP, DATA, "--json"))
    assert lk.load(SHOP).settings.calibration == wanted.rule
    assert [each["log_loss"] for each in found["tried"]] == [each.log_loss for each in wanted.tried]
    assert found["after"]["log_loss"] < found["before"]["log_loss"]
    assert found["after"]["log_loss"] == lk.load(SHOP).evaluate(DATA).figures.log_loss.loss


def test_what_was_tried_is_shown_and_which_rule_was_chosen(run):
    result = run("calibrate", SHOP, DATA)
    heading, *rules, _, error = result.stdout.splitlines()
    assert heading.split() == ["rule", "log", "loss"]
    assert [line.split()[0].rstrip(",") for line in rules] == ["none", "discount"]
    assert [line.endswith("  chosen") for line in rules].count(True) == 1
    assert error.startswith("calibration error  5.0 % uncalibrated, ")
    assert error.endswith(" calibrated, on 240 documents")
    assert result.stderr.splitlines()[-1].startswith("shop.likelier: calibrated by ")


def test_a_rule_that_is_as_good_stays_unless_a_new_one_is_asked_for(run):
    run("calibrate", SHOP, DATA)
    once = lk.load(SHOP).settings.calibration
    nearly = replace(once, weight=once.weight * 1.01)
    changed = lk.load(SHOP)
    changed.set_view(calibration=nearly)
    changed.save(SHOP)
    result = run("calibrate", SHOP, DATA)
    said = " ".join(result.stderr.split())
    assert said.endswith(f"shop.likelier: still calibrated by {nearly.name}; no other rule is better")
    assert f"{nearly.name} (current)" in result.stdout
    assert lk.load(SHOP).settings.calibration == nearly
    run("calibrate", SHOP, DATA, "--rule", "discount")
    assert lk.load(SHOP).settings.calibration == once


def test_calibrating_a_default_model_keeps_its_offsets_and_labels(run, output):
    run("train", DATA, "-o", "chosen.likelier")
    before = lk.load("chosen.likelier").settings.calibration
    labels = output("classify", "chosen.likelier", "--input", DATA, "--format", "label")
    assert before.without_prior
    run("calibrate", "chosen.likelier", DATA, "--rule", "discount")
    assert lk.load("chosen.likelier").settings.calibration.without_prior
    assert output("classify", "chosen.likelier", "--input", DATA, "--format", "label") == labels


@pytest.mark.parametrize("rule", ["temperature", "platt", "top-label", "isotonic"])
def test_rules_that_are_no_longer_fitted_are_refused(run, rule):
    assert "'auto', 'none', 'discount'" in refused(run("calibrate", SHOP, DATA, "--rule", rule))[0]


def test_a_calibration_can_be_taken_back(output):
    before = output("classify", SHOP, "Where is my parcel?")
    output("calibrate", SHOP, DATA)
    assert output("classify", SHOP, "Where is my parcel?") != before
    output("calibrate", SHOP, "--rule", "none")
    assert output("classify", SHOP, "Where is my parcel?") == before


def test_a_calibration_is_not_fitted_to_another_one(output):
    output("calibrate", SHOP, DATA)
    once = lk.load(SHOP).settings
    output("calibrate", SHOP, DATA)
    assert lk.load(SHOP).settings == once


def test_documents_that_were_not_learned_do_not_calibrate_unless_that_is_said(run):
    before = Path("shop2.likelier").read_bytes()
    error, hint = refused(run("calibrate", "shop2.likelier", DATA))
    assert "it has learned 50" in error
    assert Path("shop2.likelier").read_bytes() == before
    assert run("calibrate", "shop2.likelier", DATA, *hint.split()[1:3]).exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        ([SHOP], "likelier calibrate shop.likelier FILE"),
        ([SHOP, DATA, "--rule", "none"], "likelier calibrate shop.likelier --rule none"),
        ([SHOP, "few.tsv", "--method", "held-out"], "give all documents that the model has learned"),
        ([SHOP, DATA, "--report", "-"], "--report report.html"),
    ],
)
def test_what_cannot_calibrate_is_refused_and_the_model_is_as_it_was(run, here, arguments, hint):
    Path("few.tsv").write_text(NEW)
    before = Path(SHOP).read_bytes()
    assert hint in refused(run("calibrate", *arguments))[1]
    assert Path(SHOP).read_bytes() == before


def test_thresholds_that_were_chosen_for_other_probabilities_are_a_warning(run):
    assert "warning" not in run("calibrate", SHOP, DATA).stderr
    run("view", SHOP, "--threshold", "spam=0.9")
    result = run("calibrate", SHOP, DATA)
    assert "warning: the model has thresholds or costs, which were chosen for" in result.stderr


def test_figures_of_a_calibrated_model_on_its_own_documents_are_said_to_be_too_good(run, new):
    assert "is calibrated" not in run("evaluate", SHOP, DATA).stderr
    run("calibrate", SHOP, DATA)
    assert "shop.likelier is calibrated; if these documents were used" in run("evaluate", SHOP, DATA).stderr
    assert "is calibrated" not in run("evaluate", SHOP, new, "--method", "held-out").stderr


@pytest.mark.parametrize("command", ["calibrate", "evaluate"])
def test_the_page_of_a_calibrated_model_shows_before_and_after(run, command):
    run("calibrate", SHOP, DATA, "--rule", "discount")
    assert run(command, SHOP, DATA, "--report", "report.html").stderr.count("wrote report.html\n") == 1
    page = Path("report.html").read_text("utf-8")
    assert "Before calibration" in page
    assert ("Settings that were tried" in page) == (command == "calibrate")
