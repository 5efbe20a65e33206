"""Settings that are chosen by `train`, those that are given instead, and what other commands make of a chosen model."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path

import pytest

import likelier as lk
from likelier._answer.calibration import NoCalibration, Temperature
from likelier._answer.decisions import LeastCost, Thresholds
from likelier._read import kept
from likelier._settings.values import Settings
from likelier._train.search import select
from likelier._train.texts import TextSearch
from likelier.demo import documents

DATA, NEW, CHOSEN = "messages.tsv", "new.likelier", "chosen.likelier"
PARCEL = "Where is my parcel?"


@pytest.fixture(scope="module")
def chosen_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("chosen") / CHOSEN
    lk.train(documents()).save(path)
    return path


@pytest.fixture
def chosen(here: Path, chosen_once: Path) -> lk.Model:
    """The model in chosen.likelier, whose settings were chosen."""
    shutil.copy(chosen_once, CHOSEN)
    return lk.load(CHOSEN)


@pytest.fixture
def trained(run):
    """The model that `train` makes with these options."""

    def call(*options: str, data: str = DATA, **given: object) -> lk.Model:
        result = run("train", data, "-o", NEW, "--quiet", *options, **given)
        assert result.exit_code == 0, result.stderr
        return lk.load(NEW)

    return call


def refused(result) -> tuple[str, str]:
    assert result.exit_code == 2
    *_, error, hint = result.stderr.splitlines()
    return error, hint


# ---- chosen or given ---------------------------------------------------------------------------------------------


def test_the_command_chooses_what_the_library_chooses(trained, chosen):
    found = trained()
    assert found.settings == chosen.settings != Settings()
    assert found.selection == chosen.selection
    assert trained("--view", "auto").settings == chosen.settings


def test_the_textbook_is_chosen_by_nothing(trained):
    found = trained("--view", "textbook")
    assert found == lk.train(documents(), view="textbook")
    assert (found.settings, found.selection) == (Settings(), None)


@pytest.mark.parametrize(
    ("options", "hint"),
    [
        (["--view", "auto", "--event", "binary"], "omit one of them"),
        (["--view", "auto", "--min-count", "2"], "omit one of them"),
        (["--view", "textbook", "--choose-by", "log-loss"], "omit --choose-by, or give --view auto"),
        (["--alpha", "0", "--choose-by", "accuracy"], "omit --choose-by, or give --view auto"),
    ],
)
def test_what_is_chosen_cannot_be_given_too(run, here, options, hint):
    error, helps = refused(run("train", DATA, "-o", NEW, *options))
    assert options[0] in error or options[2] in error
    assert helps == f"hint: {hint}"
    assert not Path(NEW).exists()


def test_choosing_by_log_loss_is_that_of_the_library(trained, monkeypatch):
    asked = []
    monkeypatch.setattr(
        "likelier._train.search.select", lambda sample, data, by: asked.append(by) or select(sample, data)
    )
    trained("--choose-by", "log-loss")
    trained()
    assert asked == ["log-loss", "accuracy"]


@pytest.mark.parametrize(
    ("options", "changes"),
    [
        (["--threshold", "0.8", "--fallback", "spam"], {"decide": Thresholds({"*": 0.8}, "spam")}),
        (["--without-evidence", "none"], {"without_evidence": "none"}),
        (["--missing", "refuse"], {"missing": "refuse"}),
        (["--most-probable"], {}),
    ],
)
def test_options_that_only_decide_keep_what_was_chosen(trained, chosen, options, changes):
    found = trained(*options)
    assert found.settings == chosen.settings.changed(**changes)
    assert found.selection == chosen.selection


def test_costs_keep_what_was_chosen(trained, here):
    rows = [("ham" if label != "spam" else "spam", text) for text, label in documents()]
    Path("two.tsv").write_text("label\ttext\n" + "".join(f"{label}\t{text}\n" for label, text in rows))
    costs = ["--cost", "spam", "ham", "9", "--cost", "ham", "spam", "1"]
    found, wanted = trained(*costs, data="two.tsv"), trained(data="two.tsv")
    assert wanted.selection.tried
    assert found.settings == wanted.settings.changed(decide=LeastCost({"spam": {"ham": 9}, "ham": {"spam": 1}}))


@pytest.mark.parametrize(
    ("options", "changes"),
    [
        (["--event", "binary"], {"event": "binary"}),
        (["--alpha", "0"], {"alpha": 0}),
        (["--smoothing", "jelinek-mercer:0.6"], {"smoothing": lk.JelinekMercer(0.6)}),
        (["--prior", "uniform"], {"prior": "uniform"}),
        (["--unknown", "smooth"], {"unknown": "smooth"}),
        (["--min-count", "2"], {"min_count": 2}),
        (["--numbers", "information"], {"numeric": "information"}),
        (["--event", "complement", "--normalize"], {"event": "complement", "normalize": True}),
        (["--no-normalize"], {}),
        (["--weighting", "count"], {}),
        (["--weighting", "once"], {"weighting": "once"}),
        (["--weighting", "log"], {"weighting": "log"}),
        (["--idf"], {"idf": True}),
        (["--no-idf"], {}),
        (["--view", "textbook", "--weighting", "log", "--idf"], {"weighting": "log", "idf": True}),
    ],
)
def test_an_option_that_changes_scores_leaves_the_textbook_with_it(trained, options, changes):
    found = trained(*options)
    assert found.settings == Settings().changed(**changes)
    assert found.selection is None


@pytest.mark.parametrize("weighting", ["log", "count-length", "once-length", "log-length"])
def test_a_weighting_is_counted(trained, weighting):
    found = trained("--weighting", weighting)
    wanted = lk.train(documents(), view={"weighting": weighting})
    assert found.schema.texts["text"].weighting == weighting
    assert found == wanted
    assert found.classify(PARCEL) == wanted.classify(PARCEL)


def test_a_weighting_of_counts_or_of_each_term_once_needs_nothing_more(trained):
    plain = trained("--view", "textbook").counts.digest()
    assert trained("--weighting", "once").counts.digest() == plain
    assert trained("--weighting", "count").counts.digest() == plain


def test_a_weighting_of_several_text_columns_is_counted_in_each(trained):
    found = trained(
        "--label", "team", "--text", "subject", "--text", "channel", "--weighting", "log", data="tickets.csv"
    )
    assert {kind.weighting for kind in found.schema.texts.values()} == {"log"}


def test_a_rule_for_one_column_of_numbers_is_a_setting(run, trained):
    options = ["--label", "team", "--numeric", "days=2,7"]
    assert trained(*options, data="tickets.csv").selection is None
    error, _ = refused(run("train", "tickets.csv", "-o", NEW, *options, "--view", "auto"))
    assert "--view auto and --numeric days=2,7 are mutually exclusive" in error


# ---- what is said ------------------------------------------------------------------------------------------------


def test_the_summary_shows_what_was_tried_with_an_arrow_and_why(run, chosen):
    result = run("train", DATA, "-o", NEW)
    lines = result.stderr.splitlines()
    start = [line.strip() for line in lines].index("accuracy  log loss  settings")
    best = next(each for each in chosen.selection.tried if each.chosen)
    place = next(number for number, line in enumerate(lines) if number > start and line.startswith("→"))
    shown = " ".join(" ".join(lines[place : place + 2]).split())  # a long line is wrapped
    assert shown.startswith(f"→ {100 * best.accuracy:.2f} % {best.log_loss:.4f} {best.settings}")
    assert chosen.selection.why in " ".join(lines[start + 7 :])
    assert result.stdout == ""


def test_settings_that_were_tried_are_shown_whole_on_a_narrow_screen(run, chosen):
    shown = run("train", DATA, "-o", NEW, environment={"COLUMNS": "60"}).stderr
    best = next(each for each in chosen.selection.tried if each.chosen)
    assert best.settings in " ".join(shown.split())
    assert max(map(len, shown.splitlines())) <= 60


def test_too_few_documents_say_so(run, here):
    Path("few.tsv").write_text("label\ttext\n" + "".join(f"{n % 2}\ttext {n}\n" for n in range(12)))
    result = run("train", "few.tsv", "-o", NEW)
    assert "textbook settings: at least 13 documents are needed to choose others, got 12\n" in result.stderr
    assert "settings that were tried" not in result.stderr
    assert lk.load(NEW).settings == Settings()


def test_one_label_cannot_be_chosen_by(run, here):
    Path("one.tsv").write_text("label\ttext\n" + "".join(f"a\ttext {n}\n" for n in range(120)))
    said = "textbook settings: at least two labels are needed to choose others\n"
    assert said in run("train", "one.tsv", "-o", NEW).stderr


def test_the_textbook_says_nothing_of_a_choice(run):
    shown = run("train", DATA, "-o", NEW, "--view", "textbook").stderr
    assert "chosen" not in shown
    assert "tried" not in shown


# ---- reading once ------------------------------------------------------------------------------------------------


def test_standard_input_is_read_once_and_chosen_by(trained, chosen, here):
    found = trained("--kind", "tsv", data="-", given=Path(DATA).read_bytes())
    assert found.counts.digest() == chosen.counts.digest()
    assert found.settings == chosen.settings


def test_of_a_long_standard_input_the_begin_chooses_and_all_is_counted(run, here, monkeypatch):
    monkeypatch.setattr(kept, "MOST_DOCUMENTS", 120)
    result = run("train", "-", "--kind", "tsv", "-o", NEW, given=Path(DATA).read_bytes())
    assert result.exit_code == 0, result.stderr
    assert lk.load(NEW).documents == 240


BROKEN = ["--on-error", "skip", "--rejects", "rejects.csv"]


@pytest.mark.parametrize("most", [1000, 130])
@pytest.mark.parametrize("data", ["broken.csv", "-"])
def test_each_broken_row_counts_once(run, here, monkeypatch, most, data):
    monkeypatch.setattr(kept, "MOST_DOCUMENTS", most)
    rows = [f'{label},"{text}"' for text, label in documents()]
    rows[10:10], rows[200:200] = ["broken"], ["broken"]
    content = "\n".join(["label,text", *rows, ""])
    Path("broken.csv").write_text(content)
    options = ["--kind", "csv", "-o", NEW, *BROKEN, "--quiet"]
    result = run("train", data, *options, given=content.encode() if data == "-" else "")
    assert result.stderr.startswith("warning: skipped 2 malformed rows; see rejects.csv\n  2 like this: every row must")
    assert len(Path("rejects.csv").read_text().splitlines()) == 3
    assert lk.load(NEW).documents == 240


def test_a_sample_says_out_of_how_many(trained, monkeypatch):
    monkeypatch.setattr(kept, "MOST_DOCUMENTS", 200)
    found = trained()
    assert found.documents == found.selection.documents == 240
    assert found.selection.judged < 200
    assert f"on {found.selection.judged} of 240 documents" in found.selection.why


# ---- a chosen model in other commands ----------------------------------------------------------------------------


def test_models_that_were_chosen_apart_merge_and_say_what_was_dropped(run, chosen):
    result = run("merge", CHOSEN, "shop.likelier", "-o", "both.likelier")
    assert result.exit_code == 0
    assert "warning: merging shop.likelier: only one of the models counts these, so they were dropped" in result.stderr
    assert lk.load("both.likelier").documents == chosen.documents + lk.load("shop.likelier").documents


@pytest.mark.parametrize("options", [["--view", "textbook"], ["--weighting", "log-length", "--ngrams", "2"]])
def test_models_with_the_same_options_merge_without_a_loss(run, here, options):
    head, *rows = Path(DATA).read_text().splitlines(keepends=True)
    Path("one.tsv").write_text("".join([head, *rows[:130]]))
    Path("two.tsv").write_text("".join([head, *rows[130:]]))
    for name in ("one", "two"):
        assert run("train", f"{name}.tsv", "-o", f"{name}.likelier", *options).exit_code == 0
    assert run("merge", "one.likelier", "two.likelier", "-o", "both.likelier").exit_code == 0
    run("train", DATA, "-o", NEW, *options)
    assert lk.load("both.likelier") == lk.load(NEW)


def test_a_chosen_model_learns_and_forgets(run, chosen):
    assert run("learn", CHOSEN, "--as", "returns", PARCEL).exit_code == 0
    learned = lk.load(CHOSEN)
    assert (learned.documents, learned.settings) == (241, chosen.settings)
    assert learned.classify(PARCEL) != chosen.classify(PARCEL)
    assert run("forget", CHOSEN, "--as", "returns", PARCEL).exit_code == 0
    assert lk.load(CHOSEN) == chosen
    assert lk.load(CHOSEN).selection == chosen.selection


def test_a_weighting_that_was_not_counted_is_refused_and_the_hint_counts_it(run, here):
    error, hint = refused(run("view", "shop.likelier", "--weighting", "log-length"))
    assert "these weightings are counted: count, once; got 'log-length'" in error
    assert hint == "hint: train again with it: likelier train FILE -o MODEL --weighting NAME"


@pytest.fixture
def weighted(here: Path) -> lk.Model:
    """A calibrated model in weighted.likelier that weighs terms by log-length and idf."""
    model = lk.train(documents(), view={"weighting": "log-length", "idf": True})
    model.set_view(calibration=Temperature(2.0))
    model.save("weighted.likelier")
    return model


@pytest.mark.parametrize("event", ["binary", "bernoulli"])
def test_an_event_without_weights_leaves_them_behind(output, weighted, event):
    output("view", "weighted.likelier", "--event", event)
    assert lk.load("weighted.likelier").settings == Settings(event=event)


def test_an_event_with_weights_keeps_them(output, weighted):
    output("view", "weighted.likelier", "--event", "complement")
    wanted = Settings(event="complement", weighting="log-length", idf=True)
    assert lk.load("weighted.likelier").settings == wanted


def test_weights_that_are_asked_for_with_an_event_without_them_are_refused(run, weighted):
    assert "idf" in refused(run("view", "weighted.likelier", "--event", "bernoulli", "--idf"))[0]


def test_a_calibration_goes_when_scores_change_and_stays_when_they_do_not(output, weighted):
    output("view", "weighted.likelier", "--threshold", "0.8", "--missing", "refuse", "--without-evidence", "none")
    assert lk.load("weighted.likelier").settings.calibration == Temperature(2.0)
    output("view", "weighted.likelier", "--alpha", "0.5")
    assert lk.load("weighted.likelier").settings.calibration == NoCalibration()


def test_for_one_question_too_a_calibration_holds_for_its_own_scores_only(output, weighted):
    found = json.loads(output("classify", "weighted.likelier", PARCEL, "--no-idf", "--format", "json"))
    expected = lk.load("weighted.likelier").view(idf=False).classify(PARCEL).probability
    assert found["probability"] == round(expected, 6)


def test_an_option_holds_for_columns_with_settings_of_their_own(output, here):
    own = {"event": "complement", "weighting": "log", "idf": True, "alpha": 0.1}
    view = {"columns": {"subject": own, "days": {"numeric": [3]}}, "alpha": 2}
    lk.train("tickets.csv", label="team", view=view).save("own.likelier")
    output("view", "own.likelier", "--event", "bernoulli", "--alpha", "0.5", "--numbers", "information")
    settings = lk.load("own.likelier").settings
    subject = settings.of_column("subject")
    assert (subject.event, subject.smoothing) == ("bernoulli", lk.Additive(0.5))
    assert (subject.weighting, subject.idf) == ("count", False)
    assert settings.of_column("days").numeric == lk.Cuts((3,))


# ---- evaluate and compare ----------------------------------------------------------------------------------------

SAID = "the settings of chosen.likelier were chosen from"


def said(result) -> str:
    assert result.exit_code == 0, result.stderr
    return " ".join(result.stderr.split())


def test_evaluate_says_that_settings_were_chosen_by_the_same_documents(run, chosen):
    assert f"{SAID} {len(chosen.selection.tried)} candidates; if these documents" in said(run("evaluate", CHOSEN, DATA))
    assert SAID in said(run("evaluate", CHOSEN, DATA, "--folds", "2", "--threshold", "0.5"))
    assert "chosen" not in said(run("evaluate", CHOSEN, DATA, "--alpha", "2"))
    assert "chosen" not in said(run("evaluate", "shop.likelier", DATA))


def test_nothing_is_said_of_a_choice_where_the_documents_are_new(run, chosen):
    Path("new.tsv").write_text("label\ttext\nbilling\tMy invoice is wrong\n")
    assert "chosen" not in said(run("evaluate", CHOSEN, "new.tsv", "--method", "held-out"))


def test_compare_says_it_of_the_model_that_was_chosen(run, chosen):
    found = said(run("compare", CHOSEN, "shop.likelier", DATA))
    assert found.count(f"were chosen from {len(chosen.selection.tried)} candidates") == 1
    assert SAID in found


@pytest.mark.parametrize(("options", "marked"), [([], 1), (["--threshold", "0.5"], 1), (["--event", "binary"], 0)])
def test_the_report_lists_what_was_tried_and_marks_what_is_judged(run, chosen, options, marked):
    assert run("evaluate", CHOSEN, DATA, "--report", "report.html", *options).exit_code == 0
    page = Path("report.html").read_text("utf-8")
    tried = page.partition('<section id="tried">')[2].partition("</section>")[0]
    assert tried.count("<tr>") - 1 == len(chosen.selection.tried)
    assert tried.count("chosen</td>") == tried.count("<strong>") == marked


def test_a_view_reads_shorter_ngrams_than_were_counted(output):
    output("train", "messages.tsv", "--ngrams", "2", "--view", "textbook", "-o", "pairs.likelier", "--quiet")
    assert "ngrams            1" in output("view", "pairs.likelier", "--ngrams", "1")
    model = lk.load("pairs.likelier")
    assert model.settings.ngram_range == (1, 1)
    assert model.view().vocabulary_size < model.textbook().vocabulary_size


@pytest.mark.parametrize(
    ("given", "found"), [("the,of", ["of", "the"]), ("the,", ["the"]), ("none", []), ("file:words.txt", ["of", "the"])]
)
def test_a_view_leaves_out_stop_words(output, given, found):
    Path("words.txt").write_text("the\nof\n", "utf-8")
    assert json.loads(output("view", "shop.likelier", "--stop-words", given, "--json"))["stop_words"] == found


def test_a_view_leaves_out_the_stop_words_of_a_language(output):
    found = json.loads(output("view", "shop.likelier", "--stop-words", "en", "--json"))["stop_words"]
    assert "the" in found
    before = lk.load("shop.likelier").textbook().vocabulary_size
    assert lk.load("shop.likelier").view().vocabulary_size < before


def test_view_goes_to_the_textbook_and_back_to_what_train_chose(run, here):
    run("train", "messages.tsv", "-o", "new.likelier")
    before = lk.load("new.likelier")
    assert run("view", "new.likelier", "--reset").exit_code == 0
    reset = lk.load("new.likelier")
    assert (reset.settings, reset.selection) == (Settings(), None)
    assert run("view", "new.likelier", "--event", "bernoulli", "--alpha", "3").exit_code == 0
    assert run("view", "new.likelier", "--chosen").exit_code == 0
    after = lk.load("new.likelier")
    assert (after.settings, after.selection) == (before.settings, before.selection)
    assert after.selection is not None
    assert before.settings != Settings()


def test_the_decision_given_to_train_is_part_of_what_it_chose(run, here):
    run("train", "messages.tsv", "--threshold", "0.9", "-o", "new.likelier")
    before = lk.load("new.likelier").settings
    run("view", "new.likelier", "--most-probable", "--alpha", "2")
    run("view", "new.likelier", "--chosen", "--fallback", "billing")
    after = lk.load("new.likelier").settings
    assert after.scores_like(before)
    assert after.decide.otherwise == "billing"


def test_settings_that_were_given_cannot_be_gone_back_to(run, here):
    run("train", "messages.tsv", "--alpha", "0.5", "-o", "new.likelier")
    result = run("view", "new.likelier", "--chosen")
    assert result.exit_code == 2
    assert "error: there are no chosen settings to go back to" in result.stderr
    assert "hint: train the model again; likelier view MODEL --reset" in result.stderr


def test_the_textbook_and_the_chosen_settings_are_not_for_one_call(run):
    assert "mutually exclusive" in run("view", "shop.likelier", "--chosen", "--reset").stderr


# ---- without evidence --------------------------------------------------------------------------------------------


@pytest.fixture
def mailbox(here: Path, trained) -> lk.Model:
    """A model of long mails, most of which are not spam."""
    chance = random.Random(0)
    lines = []
    for label in ["ham"] * 45 + ["spam"] * 5:
        words = [
            f"{label}{chance.randrange(100)}" if chance.random() < 0.2 else f"w{chance.randrange(400)}"
            for _ in range(chance.randint(60, 120))
        ]
        lines.append(f"{label}\t{' '.join(words)}\n")
    Path("mails.tsv").write_text("label\ttext\n" + "".join(lines))
    return trained(data="mails.tsv")


HAM, SPAM = 10, 11


@pytest.mark.parametrize(
    "body", ["", "\n\n", "yeti yak", "?!", "w1"], ids=["empty", "blank", "unknown", "signs", "weak"]
)
def test_a_mail_that_says_nothing_is_no_spam(run, mailbox, body):
    mail = f"From: anna@example.org\nContent-Type: text/plain\n\n{body}\n"
    result = run("classify", NEW, "--mail", "--exit-code", "--quiet", given=mail)
    assert (result.exit_code, result.stdout) == (HAM, "")


def test_a_mail_that_says_spam_is_spam(run, mailbox):
    mail = "From: anna@example.org\nContent-Type: text/plain\n\n" + " ".join(f"spam{place}" for place in range(60))
    assert run("classify", NEW, "--mail", "--exit-code", "--quiet", given=mail).exit_code == SPAM


def test_without_evidence_the_shares_of_the_labels_are_printed(output, mailbox):
    found = json.loads(output("classify", NEW, "", "--format", "json", "--probabilities"))
    assert found["probabilities"] == pytest.approx({"ham": 0.9, "spam": 0.1})


# ---- interrupted -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", [CHOSEN, NEW])
def test_ctrl_c_while_settings_are_chosen_leaves_all_as_it_was(run, here, chosen, target, monkeypatch):
    def interrupt(search, *_):
        raise KeyboardInterrupt

    before = {path.name: path.read_bytes() for path in here.iterdir()}
    monkeypatch.setattr(TextSearch, "best", interrupt)
    result = run("train", DATA, "-o", target)
    assert result.exit_code == 130
    assert result.stderr.endswith(
        f"interrupted; {target} {'is unchanged' if target == CHOSEN else 'was not written'}\n"
    )
    assert {path.name: path.read_bytes() for path in here.iterdir()} == before
