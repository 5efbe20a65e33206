"""classify, explain, inspect and rule: their answers on stdout."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
from pathlib import Path

import pytest

import likelier as lk
from likelier._cli.shared.view_options import ViewOptions
from likelier._documents.kinds import Categorical, Text
from likelier._documents.schema import Schema, plain
from likelier._read.lines import arriving_lines
from likelier._show.cells import width

PARCEL = "Where is my parcel?"


def rows(text: str, delimiter: str = "\t") -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text), delimiter=delimiter))


# ---- classify ----------------------------------------------------------------------------------------------------


def test_without_a_terminal_the_answer_is_tab_separated_with_six_decimals(output):
    verdict = lk.load("shop.likelier").classify(PARCEL)
    (row,) = rows(output("classify", "shop.likelier", PARCEL))
    assert row == {
        "label": "delivery",
        "probability": repr(round(verdict.probability, 6)),
        "unknown_share": "0.0",
        "reason": "",
        "text": PARCEL,
    }


@pytest.mark.parametrize("form", ["csv", "json"])
def test_digits_gives_as_many_decimals(output, form):
    verdict = lk.load("shop.likelier").classify(PARCEL)
    shown = output("classify", "shop.likelier", PARCEL, "--format", form, "--digits", "2")
    found = json.loads(shown) if form == "json" else rows(shown, ",")[0]
    assert float(found["probability"]) == round(verdict.probability, 2)
    exact = json.loads(output("classify", "shop.likelier", PARCEL, "--format", "json", "--digits", "17"))
    assert exact["probability"] == verdict.probability


def test_small_probabilities_have_no_exponent_in_csv(output):
    found = output("classify", "shop.likelier", PARCEL * 4, "--format", "csv", "--probabilities", "--digits", "12")
    assert "e-" not in found.splitlines()[1].partition("Where")[0]


def test_every_line_of_standard_input_has_its_row_also_an_empty_one(output):
    found = rows(output("classify", "shop.likelier", given="my parcel\n\nmy invoice"))
    assert [row["label"] for row in found] == ["delivery", "billing", "billing"]
    assert found[1]["reason"] == "no known term in this text: the prior alone decides"


def test_windows_line_ends_and_a_byte_order_mark_are_no_text(output):
    found = rows(output("classify", "shop.likelier", given="\ufeffmy parcel\r\nmy invoice\r\n"))
    assert [row["text"] for row in found] == ["my parcel", "my invoice"]


def test_standard_input_in_another_encoding(run):
    result = run("classify", "shop.likelier", "--encoding", "cp1252", given="Größe\n".encode("cp1252"))
    assert rows(result.stdout)[0]["text"] == "Größe"


@pytest.mark.parametrize(
    "command", [["classify", "shop.likelier"], ["explain", "shop.likelier"], ["learn", "shop.likelier", "--as", "spam"]]
)
def test_a_mail_on_standard_input_has_a_limit_that_the_hint_raises(run, command):
    mail = gzip.compress(b"Subject: my parcel\n\n" + b"long " * 100_000)
    result = run(*command, "--mail", "--max-document", "100KB", given=mail)
    assert result.exit_code == 2
    assert "error: a document may have 100 KB at most, got more in standard input\n" in result.stderr
    assert "hint: allow more if it is meant to be that long: --max-document 1GB\n" in result.stderr
    assert run(*command, "--mail", "--max-document", "1GB", given=mail).exit_code == 0


@pytest.mark.parametrize("command", [["explain", "shop.likelier"], ["learn", "shop.likelier", "--as", "spam"]])
def test_a_text_on_standard_input_has_the_same_limit(run, command):
    result = run(*command, "--max-document", "1KB", given="long " * 1000)
    assert "error: a document may have 1 KB at most, got more in standard input\n" in result.stderr


def test_a_limit_that_is_no_size_is_refused(run):
    result = run("train", "messages.tsv", "-o", "new.likelier", "--max-document", "much")
    assert "error: --max-document must be a size from 1 byte to 2 GB, got 'much'\n" in result.stderr
    assert "hint: a number of bytes, or a number with a unit: --max-document 256MB\n" in result.stderr


def test_reasons_are_the_same_as_one_by_one(output, here):
    texts = ["zzz", "", PARCEL, "my invoice", "zzz yyy", "the", "lunch"]
    lk.train([("lunch the", "a"), ("lunch my", "b")]).save("even.likelier")
    lk.train([("lunch the", "a"), ("lunch", "a"), ("my lunch", "b")]).save("odd.likelier")
    for model in ("shop.likelier", "even.likelier", "odd.likelier"):
        for options in ([], ["--threshold", "0.6"], ["--without-evidence", "none"], ["--alpha", "0"]):
            found = rows(output("classify", model, *options, given="\n".join(texts)))
            view = lk.load(model)
            if options:
                name = options[0].removeprefix("--").replace("-", "_")
                setting = {"threshold": {"decide": lk.Thresholds({"*": 0.6})}, "alpha": {"alpha": 0}}
                view = view.view(**setting.get(name, {"without_evidence": "none"}))
            assert [row["reason"] for row in found] == [view.classify(text).reason or "" for text in texts]


def test_json_has_one_object_a_line(output):
    found = [
        json.loads(line)
        for line in output("classify", "shop.likelier", "--format", "json", PARCEL, "zzz").split("\n")[:-1]
    ]
    assert [record["label"] for record in found] == ["delivery", "billing"]
    assert found[0]["reason"] is None
    assert found[1]["unknown_share"] == 1


def test_label_is_nothing_but_the_label(output):
    assert (
        output("classify", "shop.likelier", "--format", "label", PARCEL, "zzz", "--threshold", "0.5") == "delivery\n\n"
    )


def test_probabilities_of_all_labels(output):
    (row,) = rows(output("classify", "shop.likelier", "--format", "csv", "--probabilities", PARCEL), ",")
    assert sum(float(row[f"P({label})"]) for label in lk.load("shop.likelier").labels) == pytest.approx(1)
    (record,) = map(
        json.loads, output("classify", "shop.likelier", "--format", "json", "--probabilities", PARCEL).splitlines()
    )
    assert record["probabilities"]["delivery"] == float(row["P(delivery)"])


def test_results_are_added_to_the_rows_of_a_file_under_free_names(run):
    result = run("classify", "shop.likelier", "--input", "messages.tsv")
    first = rows(result.stdout)[0]
    assert list(first) == [
        "label", "text", "likelier_label", "likelier_probability", "likelier_unknown_share", "likelier_reason",
    ]  # fmt: skip
    assert len(rows(result.stdout)) == 240
    assert "the file already has a column 'label'" in result.stderr


def test_what_was_guessed_is_said_before_the_rows_and_once(run, here):
    Path("mails.csv").write_text("id,text\n7,my parcel\n")
    result = run("classify", "shop.likelier", "-i", "mails.csv")
    assert result.output.index("text column: 'text' (guessed)") < result.output.index("my parcel")
    assert result.stderr.count("guessed") == 1


def test_other_columns_of_a_file_stay(output, here):
    Path("mails.csv").write_text("id,text\n7,my parcel\n8,my invoice\n")
    found = rows(output("classify", "shop.likelier", "-i", "mails.csv", "--text", "text", "--format", "csv"), ",")
    assert [(row["id"], row["label"]) for row in found] == [("7", "delivery"), ("8", "billing")]


def test_the_name_of_the_output_says_the_format(output, here):
    for name in ("out.csv", "out.json", "out.tsv"):
        assert output("classify", "shop.likelier", PARCEL, "--output", name) == ""
    assert Path("out.csv").read_text().startswith("label,probability")
    assert json.loads(Path("out.json").read_text())["label"] == "delivery"
    assert Path("out.tsv").read_text().startswith("label\tprobability")


def test_after_an_error_the_old_output_is_there_and_nothing_else(run, here):
    Path("out.csv").write_text("old")
    before = sorted(path.name for path in here.iterdir())
    result = run("classify", "shop.likelier", "--output", "out.csv", given=b"my parcel\n\xff\n")
    assert result.exit_code == 2
    assert Path("out.csv").read_text() == "old"
    assert sorted(path.name for path in here.iterdir()) == before


ODD = 'a\ttab,\r\nthen a "quote"'


def test_tsv_has_spaces_for_tabs_and_line_breaks_and_quotes_as_they_are(output, here):
    Path("odd.jsonl").write_text(json.dumps({"a\tb": ODD, "text": 'my "parcel"'}) + "\n")
    lines = output("classify", "shop.likelier", "-i", "odd.jsonl", "--text", "text").splitlines()
    assert [line.split("\t")[:2] for line in lines] == [["a b", "text"], ['a tab,  then a "quote"', 'my "parcel"']]


def test_likelier_reads_its_own_tsv_as_it_was_written(output, here):
    lk.train([(ODD, '"x"'), ("other", "y")]).save("odd.likelier")
    output("classify", "odd.likelier", ODD, "--output", "out.tsv")
    (batch,) = lk.read("out.tsv", text="text", label="label")
    assert batch.texts.to_list() == ['a tab,  then a "quote"']
    assert lk.train(lk.read("out.tsv", text="text", label="label")).labels == ('"x"',)
    output("inspect", "odd.likelier", "--export", "counts.tsv")
    assert '\t"x"\t1\t1\n' in Path("counts.tsv").read_text()


@pytest.mark.parametrize("name", ["out.csv", "out.json"])
def test_csv_and_json_keep_values_as_they_are(output, here, name):
    output("classify", "shop.likelier", ODD, "--output", name)
    with open(name, newline="") as file:
        text = next(csv.DictReader(file))["text"] if name == "out.csv" else json.load(file)["text"]
    assert text == ODD


def test_a_label_alone_takes_one_line(output, here):
    lk.train([("a", "one\ntwo"), ("b", "three")]).save("odd.likelier")
    assert output("classify", "odd.likelier", "--format", "label", "a") == "one two\n"


@pytest.mark.parametrize("command", ["classify", "explain"])
def test_a_text_that_looks_like_a_missing_file_is_answered_with_a_warning(run, command):
    result = run(command, "shop.likelier", "nope.csv")
    assert result.exit_code == 0
    assert result.stderr == "warning: no such file: 'nope.csv'; treating it as a text\n"
    for text in ("see nope.csv", "https://example.org/nope.html", "e.g."):
        assert run(command, "shop.likelier", text).stderr == ""


def test_a_table_is_for_people(output):
    heading, first, *_ = output("classify", "shop.likelier", "--format", "table", PARCEL, "zzz").splitlines()
    assert heading.split() == ["label", "probability", "text"]
    assert first.split() == ["delivery", "0.7916", *PARCEL.split()]


def test_explanations_below_each_other_and_in_json(output):
    assert output("classify", "shop.likelier", "--explain", PARCEL, "my invoice").count("log score") == 4
    (record,) = map(
        json.loads, output("classify", "shop.likelier", "--explain", "--format", "json", PARCEL).splitlines()
    )
    assert record["explanation"]["winner"] == "delivery"


def test_a_threshold_for_this_question_is_not_stored(output, here):
    before = Path("shop.likelier").read_bytes()
    assert output("classify", "shop.likelier", PARCEL, "--threshold", "delivery=0.8", "--format", "label") == "\n"
    assert Path("shop.likelier").read_bytes() == before


def test_colors_only_if_asked(output):
    assert "\x1b[" not in output("classify", "shop.likelier", "--format", "table", PARCEL)
    assert "\x1b[" in output("classify", "shop.likelier", "--format", "table", "--color", PARCEL)
    assert "\x1b[" not in output("explain", "shop.likelier", "--no-color", PARCEL)


def test_force_color_and_no_color(run):
    forced = run("explain", "shop.likelier", PARCEL, environment={"FORCE_COLOR": "1"})
    assert "\x1b[" in forced.stdout
    both = run("explain", "shop.likelier", PARCEL, environment={"FORCE_COLOR": "1", "NO_COLOR": "1"})
    assert "\x1b[" not in both.stdout


# ---- exit codes --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "status"),
    [
        ([], 11),
        (["--code", "delivery=0"], 0),
        (["--code", "spam=0"], 11),
        (["--threshold", "0.99"], 1),
    ],
)
def test_exit_codes_are_those_of_the_labels(run, options, status):
    assert run("classify", "shop.likelier", PARCEL, "--exit-code", *options).exit_code == status


def test_with_quiet_an_exit_code_is_all(run):
    result = run("classify", "shop.likelier", PARCEL, "--exit-code", "--quiet")
    assert (result.exit_code, result.stdout, result.stderr) == (11, "", "")


def test_more_than_200_labels_have_no_exit_codes(run, here):
    lk.train([(f"word{n}", f"label{n}") for n in range(201)]).save("many.likelier")
    result = run("classify", "many.likelier", "word3", "--exit-code")
    assert result.exit_code == 2
    assert "at most 200 labels, the model has 201" in result.stderr


# ---- explain -----------------------------------------------------------------------------------------------------


def test_an_explanation_is_that_of_the_library(output):
    assert output("explain", "shop.likelier", PARCEL) == lk.load("shop.likelier").explain(PARCEL).to_text() + "\n"


def test_explain_reads_standard_input(output):
    assert output("explain", "shop.likelier", given=f"{PARCEL}\n") == output("explain", "shop.likelier", PARCEL)
    assert output("explain", "shop.likelier", "--encoding", "cp1252", given="x\n").startswith("billing")


def test_html_is_a_page_and_latex_a_derivation(output, here):
    page = output("explain", "shop.likelier", PARCEL, "--format", "html")
    assert page.startswith('<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">')
    assert '<meta name="viewport" content="width=device-width, initial-scale=1">' in page
    assert re.search(r"body \{ background: #0d1117; \}", page)  # no white around it on a dark screen
    assert re.search(r"<footer>shop.likelier, \d{4}-\d\d-\d\d, likelier</footer>", page)
    assert r"\begin{align*}" in output("explain", "shop.likelier", PARCEL, "--format", "latex")
    output("explain", "shop.likelier", PARCEL, "--output", "why.html")
    assert Path("why.html").read_text("utf-8").rstrip().endswith("</html>")


def test_explain_against_a_label_answers_why_not(output, run):
    shown = output("explain", "shop.likelier", PARCEL, "--against", "returns")
    assert shown == lk.load("shop.likelier").explain(PARCEL, against="returns").to_text() + "\n"
    assert "delivery against returns" in shown
    result = run("explain", "shop.likelier", PARCEL, "--against", "return")
    assert result.exit_code == 2
    assert "unknown label 'return'" in result.stderr
    assert "did you mean 'returns'?" in result.stderr


def test_explain_in_full_has_fractions(output):
    shown = output("explain", "shop.likelier", PARCEL, "--full")
    assert shown == lk.load("shop.likelier").explain(PARCEL).to_text(full=True) + "\n"
    assert "times" in shown
    assert "11/1407" not in output("explain", "shop.likelier", PARCEL)
    assert "<td" in output("explain", "shop.likelier", PARCEL, "--full", "--format", "html")


def test_explain_as_json(output):
    assert json.loads(output("explain", "shop.likelier", PARCEL, "--format", "json"))["winner"] == "delivery"


@pytest.mark.parametrize("cells", [60, 80, 200])
def test_columns_sets_the_width(run, cells):
    long = "parcel " * 40
    for arguments in (["explain", "shop.likelier", long], ["classify", "shop.likelier", long, "--format", "table"]):
        result = run(*arguments, environment={"COLUMNS": str(cells)})
        assert max(map(width, result.stdout.splitlines())) <= cells
    result = run("inspect", "shop.likelier", environment={"COLUMNS": str(cells)})
    assert max(map(width, result.stdout.splitlines())) <= cells


# ---- inspect -----------------------------------------------------------------------------------------------------


@pytest.fixture
def wide(here):
    """A model that counts more than its analyzer says, with a view that reads it."""
    model = lk.Model(schema=plain(lk.Analyzer(), ngrams=2, weighting="log-length"))
    model.learn_many([("the goat eats", "ham"), ("the wolf eats the goat", "spam")])
    model.set_view(weighting="log-length", ngrams=2, idf=True, stop_words=["a", "an", "it", "of", "the", "to"])
    model.save("wide.likelier")


def test_what_is_counted_beside_the_analyzers_terms_is_shown(wide, output):
    assert "lowercased words; also counted: n-grams 1-2, weighting log-length" in output("inspect", "wide.likelier")
    found = json.loads(output("inspect", "wide.likelier", "--json"))
    assert found["counting"] == {"ngrams": [1, 2], "weighting": "log-length"}
    assert "counting" not in json.loads(output("inspect", "shop.likelier", "--json"))


def test_how_a_view_weighs_terms_is_shown_where_it_is_not_the_textbooks_way(wide, output):
    shown = [" ".join(line.split()) for line in output("view", "wide.likelier").splitlines()]
    assert shown[-4:] == [
        "weighting log-length (textbook: count)",
        "idf yes (textbook: no)",
        "ngrams 1-2 (textbook: the analyzer's)",
        "stop-words a an it of the and 1 more (textbook: none)",
    ]
    assert "weighting" not in output("view", "shop.likelier")


def test_how_a_column_weighs_its_terms_is_shown(here, output):
    model = lk.Model(schema=Schema({"note": Text(ngrams=2, weighting="log"), "color": Categorical()}))
    model.learn({"note": "goat wolf", "color": "red"}, "ham")
    own = {"weighting": "count", "idf": True, "ngrams": (2, 2), "stop_words": []}
    model.set_view(columns={"note": own})
    model.save("columns.likelier")
    shown = [" ".join(line.split()) for line in output("view", "columns.likelier").splitlines()]
    assert shown[-4:] == [
        "weighting of note count",
        "idf of note yes",
        "ngrams of note 2",
        "stop-words of note none",
    ]
    assert "also counted: n-grams 1-2, weighting log" in output("inspect", "columns.likelier", "--json")


def test_the_overview_has_size_settings_provenance_and_terms(output):
    shown = output("inspect", "shop.likelier")
    for words in (
        "240 documents, 6 labels, 910 terms",
        "lowercased words",
        "additive:1",
        "UTC, train",
        "parcel, carrier",
    ):
        assert words in shown


def test_the_overview_as_json(output):
    found = json.loads(output("inspect", "shop.likelier", "--json", "--top", "2"))
    assert found["documents"] == 240
    assert [entry["label"] for entry in found["labels"]] == list(lk.load("shop.likelier").labels)
    assert len(found["labels"][0]["top_terms"]) == 2


def test_a_term_has_exact_likelihoods(output):
    shown = output("inspect", "shop.likelier", "--term", "Parcel")  # as the analyzer makes it: parcel
    assert ["delivery", "10", "10", "0.0078", "11/1407"] in [line.split() for line in shown.splitlines()]
    found = json.loads(output("inspect", "shop.likelier", "--term", "parcel", "--json"))
    assert found["labels"][1] == {"label": "delivery", "tf": 10, "df": 10, "likelihood": 11 / 1407, "exact": "11/1407"}


def test_an_unknown_term_has_what_the_policy_gives_it(output):
    assert "1/1407" in output("inspect", "shop.likelier", "--term", "zzz", "--unknown", "smooth")


def test_a_term_that_the_view_leaves_out(output):
    assert "ignored" in output("inspect", "shop.likelier", "--term", "twice", "--min-count", "50")


def test_ratios_speak_for_both_labels(output):
    shown = output("inspect", "shop.likelier", "--ratio", "delivery", "returns", "--top", "3")
    ratios = lk.load("shop.likelier").view().log_ratios("delivery", "returns")
    first, *_, last = ratios
    one, _, two = shown.partition("evidence for returns")
    assert one.splitlines()[4].endswith(f"  {first}")
    assert two.splitlines()[1].endswith(f"  {last}")
    assert shown.count("\n") == 12
    found = json.loads(output("inspect", "shop.likelier", "--ratio", "delivery", "returns", "--json"))
    assert found["for_first"][0]["log_ratio"] == max(ratios.values())


def test_exported_counts_make_the_same_model(output, here):
    output("inspect", "shop.likelier", "--export", "counts.csv", "--quiet")
    table: dict[str, dict[str, int]] = {}
    for row in rows(Path("counts.csv").read_text("utf-8"), ","):
        table.setdefault(row["term"], {})[row["label"]] = int(row["tf"])
    counts = lk.load("shop.likelier").counts
    assert lk.Counts.from_table(table).tokens_per_label == counts.tokens_per_label
    assert list(table) == sorted(table, key=str.encode)
    assert output("inspect", "shop.likelier", "--export", "-") == Path("counts.csv").read_text("utf-8")


# ---- JSON that Python cannot hold ---------------------------------------------------------------------------------


VALUES = {"deep": "[" * 2000 + "]" * 2000, "digits": "9" * 5000, "surrogate": r'"\ud800"', "exponent": "1e400"}


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("form", ["json", "csv", "tsv", "table", "label"])
def test_a_row_is_answered_whatever_its_other_columns_hold(output, here, value, form):
    Path("a.jsonl").write_text(f'{{"text": "Where is my parcel?", "z": {VALUES[value]}}}\n')
    output("classify", "shop.likelier", "--input", "a.jsonl", "--format", form, "-o", "out")
    assert "delivery" in Path("out").read_text()


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("command", [["classify"], ["explain"], ["learn", "--as", "billing"]])
def test_a_line_of_json_is_a_document_whatever_its_other_columns_hold(run, value, command):
    result = run(command[0], "tickets.likelier", *command[1:], given=f'{{"days": 3, "z": {VALUES[value]}}}\n')
    assert result.exit_code == 0, result.stderr


def test_a_lone_surrogate_is_written_as_it_was_spelled(output, here):
    Path("a.jsonl").write_text('{"text": "parcel", "z": "\\ud800"}\n')
    output("classify", "shop.likelier", "--input", "a.jsonl", "-o", "out.jsonl")
    assert json.loads(Path("out.jsonl").read_text())["z"] == "\ud800"


# ---- rule, demo, completion --------------------------------------------------------------------------------------


def test_the_rule_shows_every_step(output):
    shown = output("rule", "--prior", "0.01", "--likelihood", "0.9", "--likelihood-otherwise", "0.05")
    for step in ("0.9 · 0.01 = 0.009", "0.009 + 0.0495 = 0.0585", "0.9 · 0.01 / 0.0585 = 2/13 ≈ 0.1538", "15.4 times"):
        assert step in shown


def test_numbers_are_decimals_fractions_or_percentages(output):
    for joint, evidence in (("0.04", "0.05"), ("1/25", "1/20"), ("4%", "5%")):
        found = json.loads(output("rule", "--joint", joint, "--evidence", evidence, "--json"))
        assert (found["posterior"], found["exact"], found["names"]) == (0.8, "4/5", ["A", "B"])


COUNTED = ["rule", "--names", "positive", "amazing", "--count-a", "35", "--count-b", "5", "--count-both", "4"]


def test_the_rule_takes_counts_and_names(output):
    shown = output(*COUNTED, "--total", "100")
    assert "P(positive) = N(positive) / N = 35/100 = 0.35" in shown
    assert "given amazing, positive is 2.29 times as probable as before" in shown


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("rule.txt", "P(positive|amazing) = P(positive and amazing) / P(amazing)"),
        ("rule.html", "<math"),
        ("rule.tex", r"P(\text{positive} \mid \text{amazing})"),
        ("rule.md", r"| P(positive\|amazing) |"),
        ("rule.csv", "probability,formula,numbers,result"),
        ("rule.json", '"exact": "4/5"'),
        ("rule.svg", "<svg"),
    ],
)
def test_the_name_of_the_file_says_how_the_rule_is_written(output, here, name, expected):
    assert output(*COUNTED, "--total", "100", "--output", name) == ""
    assert expected in Path(name).read_text("utf-8")


def test_the_rule_is_a_complete_document_on_request(output, here):
    assert r"\documentclass" in output(*COUNTED, "--total", "100", "--document")
    output(*COUNTED, "--total", "100", "--document", "--output", "rule.tex")
    assert r"\documentclass" in Path("rule.tex").read_text("utf-8")


def test_the_demo_runs_and_writes_its_files(output, here):
    assert "1. Train" in output("demo")
    output("demo", "--files", "data")
    assert lk.train(lk.read("data/messages.tsv")).documents == 240


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(output, shell):
    assert f"_LIKELIER_COMPLETE={shell}_complete" in output("completion", shell)


def test_the_version(output):
    assert output("--version") == f"likelier {lk.__version__}\n"


class Trickle(io.BytesIO):
    """Standard input that comes in small pieces."""

    def read1(self, size: int = -1, /) -> bytes:
        return super().read1(100)


def test_a_long_line_takes_time_by_its_length_and_not_its_square():
    line = "päckchen " * 2_000_000  # 200,000 pieces
    assert list(arriving_lines(Trickle(f"one\n{line}\nthree".encode()))) == [["one"], [line], ["three"]]


def test_lines_that_are_not_in_their_encoding_are_told_by_line():
    with pytest.raises(lk.InputError, match="got the byte 0xE9 in line 2") as caught:
        list(arriving_lines(io.BytesIO(b"one\ncaf\xe9\n"), "utf-8"))
    assert caught.value.code == "input-encoding"


def test_utf_16_without_its_mark_is_told_too():
    with pytest.raises(lk.InputError, match="standard input must be UTF-16, but line 1 is not"):
        list(arriving_lines(io.BytesIO(b"hello\n"), "utf-16"))


@pytest.mark.parametrize("name", ["zlib", "rot13", "base64", "punycode", "undefined", "x\0y"])
def test_what_is_no_encoding_of_texts_is_refused_for_lines(name):
    with pytest.raises(lk.SettingError, match="must be a text encoding"):
        list(arriving_lines(io.BytesIO(b"hello\n"), name))


@pytest.mark.parametrize("after", [b"", b"\n", b"\nlast"])
@pytest.mark.parametrize("size", [99, 100, 101, 50_000])
def test_a_line_may_be_as_long_as_a_document(size, after):
    stream = Trickle(b"one\n" + b"x" * (size - 2) + "é".encode() + after)
    if size > 100:
        with pytest.raises(lk.InputError, match="100 bytes at most, got more in line 2 of standard input"):
            list(arriving_lines(stream, longest=100))
    else:
        lines = [line for some in arriving_lines(stream, longest=100) for line in some]
        assert lines[1] == "x" * (size - 2) + "é"


def test_lines_of_standard_input_keep_to_the_longest_document(run):
    result = run("classify", "shop.likelier", "--max-document", "8", given="a b\nmy parcel\n")
    assert result.stderr.startswith("error: a document may have 8 bytes at most, got more in line 2 of standard input")


@pytest.mark.parametrize(
    "option", [("--kind", "csv"), ("--on-error", "skip"), ("--delimiter", ";"), ("--text", "text"), ("--no-header",)]
)
def test_what_is_said_about_files_needs_one(run, option):
    result = run("classify", "shop.likelier", *option, given="text,id\nmy parcel,1\n")
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"{option[0]} requires --input" in result.stderr


def test_a_mail_on_standard_input_may_name_its_encoding_like_a_file(run, here):
    lk.train([("привет", "ru"), ("hello", "en")]).save("two.likelier")
    raw = b"Subject: x\n\n" + "привет".encode("koi8-r")
    Path("x.eml").write_bytes(raw)
    asked = ["classify", "two.likelier", "--format", "label", "--encoding", "koi8-r"]
    assert run(*asked, "--mail", given=raw).stdout == run(*asked, "--input", "x.eml").stdout == "ru\n"


def test_no_smoothing_as_the_only_option_is_one():
    assert ViewOptions(alpha=0)
    assert not ViewOptions()


# ---- explain --derivation ----------------------------------------------------------------------------------------


def test_a_derivation_is_that_of_the_library(output):
    model = lk.load("shop.likelier")
    assert output("explain", "shop.likelier", PARCEL, "--derivation") == f"{model.derivation(PARCEL)}\n"
    shown = output("explain", "shop.likelier", PARCEL, "--derivation", "--by", "odds", "--against", "spam")
    assert shown == f"{model.derivation(PARCEL, form='odds', labels=['delivery', 'spam'])}\n"
    rounded = output("explain", "shop.likelier", PARCEL, "--derivation", "--rounded", "3", "--whole-vocabulary")
    assert rounded == f"{model.derivation(PARCEL, rounded=3, whole_vocabulary=True)}\n"


def test_the_name_of_the_file_says_the_form_of_a_derivation(output):
    model = lk.load("shop.likelier")
    found = model.derivation(PARCEL)
    expected = {
        "txt": found.to_text(),
        "md": found.to_markdown(),
        "tex": found.to_latex(),
        "csv": found.to_csv().rstrip("\n"),
        "json": json.dumps(found.to_dict(), ensure_ascii=False, indent=2),
        "svg": found.to_svg(),
    }
    for ending, content in expected.items():
        output("explain", "shop.likelier", PARCEL, "--derivation", "--output", f"why.{ending}")
        assert Path(f"why.{ending}").read_text("utf-8") == f"{content}\n"
    output("explain", "shop.likelier", PARCEL, "--derivation", "--output", "why.html")
    assert found.to_html() in Path("why.html").read_text("utf-8")
    output("explain", "shop.likelier", PARCEL, "--output", "picture.svg")
    assert Path("picture.svg").read_text("utf-8") == f"{model.explain(PARCEL).to_svg()}\n"


def test_document_makes_a_complete_latex_document(output):
    found = lk.load("shop.likelier").derivation(PARCEL)
    assert output("explain", "shop.likelier", PARCEL, "--derivation", "--document") == (found.to_latex(document=True))
    assert r"\documentclass" in output("explain", "shop.likelier", PARCEL, "--document")


def test_expanded_names_the_file_that_was_counted(output, run):
    Path("few.csv").write_text("text,label\na a b,x\na c,y\n", encoding="utf-8")
    output("train", "few.csv", "--view", "textbook", "-o", "few.likelier")
    shown = output("explain", "few.likelier", "a b", "--derivation", "--expanded", "few.csv")
    assert "(2+1)/(2+1+3)" in shown
    Path("other.csv").write_text("text,label\na,x\na c,y\n", encoding="utf-8")
    result = run("explain", "few.likelier", "a b", "--derivation", "--expanded", "other.csv")
    assert result.exit_code == 2
    assert "must be those that were counted" in result.stderr
    assert "--expanded takes the file that the model was trained on" in result.stderr


@pytest.mark.parametrize(
    ("options", "message", "hint"),
    [
        (["--by", "odds"], "--by is for derivations", "add --derivation"),
        (["--rounded", "0"], "--rounded is for derivations", "add --derivation"),
        (["--whole-vocabulary"], "--whole-vocabulary is for derivations", "add --derivation"),
        (["--expanded", "messages.tsv"], "--expanded is for derivations", "add --derivation"),
        (["-o", "why.md"], "the format markdown is for derivations", "add --derivation"),
        (["--derivation", "--full"], "--full and --derivation are mutually exclusive", "leave out --full"),
        (
            ["--document", "-o", "why.html"],
            "--document makes a LaTeX document, and the format is html",
            "--document --output",
        ),
        (["--derivation", "--rounded", "0"], "--rounded must be a number of decimals from 1 to 15", "--rounded 3"),
        (["--derivation", "--expanded", "absent.csv"], "there is no file or folder 'absent.csv'", ""),
    ],
)
def test_options_of_derivations_that_do_not_fit_are_refused(run, options, message, hint):
    result = run("explain", "shop.likelier", PARCEL, *options)
    assert result.exit_code == 2
    assert message in result.stderr
    assert hint in result.stderr
