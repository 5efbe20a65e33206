"""train, learn, forget, merge and view: they change files, say what they did on stderr, and print no data."""

from __future__ import annotations

import gzip
import json
import shlex
from importlib import import_module
from pathlib import Path

import pytest
import xlsxwriter

import likelier as lk
from likelier._answer.decisions import LeastCost, Thresholds
from likelier._storage.load_file import counts_digest
from likelier.demo import documents


def test_train_gives_the_model_that_the_library_gives(run, here):
    result = run("train", "messages.tsv", "-o", "new.likelier")
    assert result.exit_code == 0
    assert lk.load("new.likelier") == lk.train(documents())


def test_train_refines_if_it_is_told_to(run, here):
    result = run("train", "messages.tsv", "--refine", "-o", "new.likelier")
    assert result.exit_code == 0, result.stderr
    said = " ".join(result.stderr.split())
    assert "fitted to 240 documents: log loss " in said
    mine, theirs = lk.load("new.likelier"), lk.train(documents(), refine=True)
    texts = [text for text, _ in documents()]
    assert mine.classify_many(texts) == theirs.classify_many(texts)
    assert "refined" in run("inspect", "new.likelier").stdout
    assert json.loads(run("inspect", "new.likelier", "--json").stdout)["refined"]["documents"] == 240


def test_refine_fits_again_what_was_learned_since(run, here):
    run("train", "messages.tsv", "--refine", "-o", "new.likelier")
    run("learn", "new.likelier", "--as", "billing", "charged twice again")
    assert "1 document behind" in " ".join(run("inspect", "new.likelier").stdout.split())
    Path("more.tsv").write_text("text\tlabel\ncharged twice again\tbilling\n", encoding="utf-8")
    result = run("refine", "new.likelier", "messages.tsv", "more.tsv")
    assert "new.likelier: refined weights of " in result.stderr
    theirs = lk.train([*documents(), ("charged twice again", "billing")], like=lk.load("new.likelier"))
    theirs.refine([*documents(), ("charged twice again", "billing")])
    mine = lk.load("new.likelier")
    assert mine.layer.behind == 0
    texts = [text for text, _ in documents()]
    assert mine.classify_many(texts) == theirs.classify_many(texts)


def test_refining_to_some_documents_is_behind_by_the_others(run, here):
    run("train", "messages.tsv", "-o", "new.likelier")
    Path("some.tsv").write_text("".join(Path("messages.tsv").read_text("utf-8").splitlines(True)[:201]), "utf-8")
    run("refine", "new.likelier", "some.tsv")
    assert (lk.load("new.likelier").layer.documents, lk.load("new.likelier").layer.behind) == (200, 40)


def test_refine_refuses_what_was_not_learned_and_keeps_the_model(run, here):
    run("train", "messages.tsv", "-o", "new.likelier")
    before = Path("new.likelier").read_bytes()
    Path("other.tsv").write_text("text\tlabel\nnobody learned this\tbilling\n", encoding="utf-8")
    both = run("refine", "new.likelier", "messages.tsv", "other.tsv")
    assert both.exit_code == 2
    assert "other.tsv line 2 was not" in " ".join(both.stderr.split())
    assert run("refine", "new.likelier").exit_code == 2
    assert Path("new.likelier").read_bytes() == before


def test_train_says_what_it_guessed_and_what_it_found_on_stderr_only(run):
    result = run("train", "messages.tsv", "-o", "new.likelier")
    assert result.stdout == ""
    assert "label column: 'label' (guessed)" in result.stderr
    assert "new.likelier: 240 documents, 6 labels, 910 terms" in result.stderr
    assert "unknown words: ignore; calibrated by " in " ".join(result.stderr.split())
    assert "parcel, carrier, delivery" in result.stderr


def test_the_label_of_a_small_table_is_the_column_that_repeats(run, here):
    texts = [f"{n},please help me with number {n},{'abcde'[n % 5]}x\n" for n in range(20)]
    Path("small.csv").write_text("id,message,team\n" + "".join(texts))
    assert "label column: 'team' (guessed)\n" in run("train", "small.csv", "-o", "small.likelier").stderr


def test_columns_that_are_named_are_not_guessed(run):
    result = run("train", "messages.tsv", "--text", "text", "--label", "label", "-o", "new.likelier")
    assert "guessed" not in result.stderr


def test_quiet_is_silent(run):
    result = run("train", "messages.tsv", "-o", "new.likelier", "--quiet")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")


def test_all_options_of_the_analyzer_arrive(run, here):
    Path("words.txt").write_text("the\nof\n")
    Path("synonyms.txt").write_text("# cities\nNYC=new_york\nbig apple=new_york\n")
    options = ["--language", "en", "--stop-words", "file:words.txt", "--lemmatize", "--ngrams", "2"]
    options += ["--char-ngrams", "2-4", "--keep-case", "--keep-punctuation", "--min-length", "2"]
    options += ["--replace", "New York=new_york", "--replace", "file:synonyms.txt"]
    assert run("train", "messages.tsv", "-o", "new.likelier", *options).exit_code == 0
    assert lk.load("new.likelier").analyzer == lk.Analyzer(
        language="en",
        stop_words=["the", "of"],
        lemmatize=True,
        ngrams=2,
        char_ngrams=(2, 4),
        lowercase=False,
        punctuation="keep",
        min_length=2,
        replace={"New York": "new_york", "NYC": "new_york", "big apple": "new_york"},
    )


def test_stems_and_pieces_alone(run, here):
    assert run("train", "messages.tsv", "-o", "a.likelier", "--language", "en", "--stem").exit_code == 0
    assert run("train", "messages.tsv", "-o", "b.likelier", "--no-words", "--char-ngrams", "3").exit_code == 0
    assert lk.load("a.likelier").analyzer == lk.Analyzer(language="en", stem=True)
    assert lk.load("b.likelier").analyzer == lk.Analyzer(words=False, char_ngrams=3)


def test_a_number_of_stop_words_is_the_most_frequent_ones(run, here):
    assert run("train", "messages.tsv", "-o", "new.likelier", "--stop-words", "3").exit_code == 0
    assert len(lk.load("new.likelier").analyzer.stop_words) == 3


def test_without_a_ledger_there_are_no_fingerprints(run, here):
    assert run("train", "messages.tsv", "-o", "new.likelier", "--no-ledger", "--threads", "1").exit_code == 0
    assert lk.load("new.likelier").ledger is None


def test_a_limit_to_the_vocabulary_is_kept_and_said(run, output, here):
    result = run("train", "messages.tsv", "-o", "new.likelier", "--view", "textbook", "--most-terms", "100")
    assert result.exit_code == 0, result.stderr
    lost = lk.load("new.likelier").pruned
    said = f"{lost.terms} terms with {lost.tokens:,} tokens; counts may be too low by at most {lost.bound}"
    assert f"dropped rare terms: {said}" in " ".join(result.stderr.split())
    assert f"dropped   {said}" in output("inspect", "new.likelier")
    plain = json.loads(output("inspect", "new.likelier", "--json"))["pruned"]
    assert plain == {"terms": lost.terms, "tokens": lost.tokens, "bound": lost.bound}


def test_what_has_lost_terms_cannot_forget(run, here):
    run("train", "messages.tsv", "-o", "new.likelier", "--view", "textbook", "--most-terms", "100")
    result = run("forget", "new.likelier", "messages.tsv")
    assert result.exit_code == 2
    assert "rare terms were dropped" in " ".join(result.stderr.split())
    assert "train without --most-terms" in " ".join(result.stderr.split())


def test_who_has_very_many_documents_hears_of_the_ledger(run, here, monkeypatch):
    said = "240 fingerprints of documents; --no-ledger saves"
    options = ["train", "messages.tsv", "-o", "new.likelier", "--view", "textbook"]
    assert said not in run(*options).stderr
    monkeypatch.setattr(import_module("likelier._cli.commands.train"), "MANY", 240)
    assert said in run(*options).stderr
    assert said not in run(*options, "--no-ledger").stderr


def test_reading_options_arrive(run, here):
    Path("odd.txt").write_bytes("a;'b;ü'\nc;d\n".encode("cp1252"))
    options = ["--kind", "csv", "--encoding", "cp1252", "--delimiter", ";", "--quote", "'", "--no-header"]
    result = run("train", "odd.txt", "-o", "new.likelier", *options, "--text", "2", "--label", "1")
    assert result.exit_code == 0, result.stderr
    assert lk.load("new.likelier") == lk.train([("b;ü", "a"), ("d", "c")])


def test_a_western_file_loses_no_row_and_the_encoding_is_a_warning(run, here):
    Path("export.csv").write_bytes(("label;text\r\n" + "a;Größe fällig\r\nb;Paket\r\n" * 150).encode("cp1252"))
    result = run("train", "export.csv", "-o", "new.likelier", "--view", "textbook", "--on-error", "skip", "--quiet")
    assert result.stderr == (
        "warning: export.csv is not UTF-8; likelier reads it as cp1252."
        " If that is wrong, name the encoding, such as --encoding cp1250\n"
    )
    assert (lk.load("new.likelier").documents, lk.load("new.likelier").counts.vocabulary) == (
        300,
        ["fällig", "größe", "paket"],
    )


def test_skipped_rows_are_summarized_by_reason_the_most_frequent_first(run, here):
    Path("bad.csv").write_text("label,text\na,hello\nb,c,d\n,world\nc\n")
    result = run("train", "bad.csv", "-o", "new.likelier", "--on-error", "skip", "--quiet")
    assert [line.split(":")[0] for line in result.stderr.splitlines() if "like this" in line] == [
        "  2 like this",
        "  1 like this",
    ]
    assert "bad.csv line 3 column" in " ".join(result.stderr.split())
    assert "'label' is empty in bad.csv line 4" in " ".join(result.stderr.split())


def test_a_spreadsheet_is_read_by_train_learn_classify_and_evaluate(run, here):
    with xlsxwriter.Workbook("messages.xlsx") as book:
        book.add_worksheet("Notes").write(0, 0, "not here")
        sheet = book.add_worksheet("Data")
        for number, row in enumerate([["text", "label"], ["my parcel", "delivery"], ["the invoice", "billing"]]):
            sheet.write_row(number, 0, row)
    sheet = ["--sheet", "Data"]
    assert run("train", "messages.xlsx", "-o", "new.likelier", *sheet).exit_code == 0
    assert run("learn", "new.likelier", "messages.xlsx", *sheet).exit_code == 0
    assert lk.load("new.likelier").documents == 4
    assert run("evaluate", "new.likelier", "messages.xlsx", *sheet).exit_code == 0
    assert (
        run("classify", "new.likelier", "-i", "messages.xlsx", *sheet, "--format", "label").stdout
        == "delivery\nbilling\n"
    )
    missing = run("train", "messages.xlsx", "-o", "new.likelier", "--sheet", "Dat")
    assert missing.stderr.endswith("hint: --sheet Data\n")


def test_tab_is_a_delimiter_by_its_name(run, here):
    Path("odd.csv").write_text("label\ttext\na\tb\n")
    assert run("train", "odd.csv", "-o", "new.likelier", "--delimiter", "tab").exit_code == 0


def test_broken_rows_are_skipped_counted_and_written_down(run, here):
    Path("bad.csv").write_text("label,text\na,hello\nb\nc,world\n")
    options = ["--on-error", "skip", "--rejects", "rejects.csv", "--quiet"]
    result = run("train", "bad.csv", "-o", "new.likelier", *options)
    warning, *reasons = result.stderr.splitlines()
    assert warning == "warning: skipped 1 malformed row; see rejects.csv"
    assert " ".join(" ".join(reasons).split()).startswith("1 like this: every row must have as many fields")
    assert reasons[-1].endswith("in bad.csv line 3 column 2")
    assert Path("rejects.csv").read_text().splitlines()[1].startswith("bad.csv,3,")
    assert lk.load("new.likelier").documents == 2


def test_more_than_twenty_labels_are_not_all_shown(run, here):
    Path("many.csv").write_text("label,text\n" + "".join(f"l{n},text {n}\n" for n in range(113)))
    result = run("train", "many.csv", "-o", "new.likelier", "--label", "label", "--text", "text")
    assert "and 93 smaller labels; likelier inspect new.likelier shows all of them" in result.stderr


# ---- the stored view ---------------------------------------------------------------------------------------------


def test_train_stores_the_view(run, here):
    options = ["--event", "bernoulli", "--alpha", "0.5", "--unknown", "smooth", "--min-count", "2"]
    options += ["--without-evidence", "none", "--threshold", "spam=0.8", "--fallback", "praise", "--prior", "uniform"]
    assert run("train", "messages.tsv", "-o", "new.likelier", *options).exit_code == 0
    settings = lk.load("new.likelier").settings
    assert (settings.event, settings.smoothing.alpha, settings.unknown) == ("bernoulli", 0.5, "smooth")
    assert (settings.min_count, settings.without_evidence, settings.prior) == (2, "none", "uniform")
    assert settings.decide == Thresholds({"spam": 0.8}, otherwise="praise")


@pytest.mark.parametrize(
    ("written", "rule"),
    [
        ("additive:0.5", lk.Additive(0.5)),
        ("m-estimate:2", lk.MEstimate(2)),
        ("m-estimate", lk.MEstimate()),
        ("dirichlet:2000", lk.MEstimate(2000, p="background")),
        ("jelinek-mercer:0.6", lk.JelinekMercer(0.6)),
        ("absolute-discounting:0.4", lk.AbsoluteDiscounting(0.4)),
    ],
)
def test_smoothing_rules_have_names_and_are_shown_by_them(run, output, written, rule):
    assert written in output("view", "shop.likelier", "--smoothing", written)
    assert lk.load("shop.likelier").settings.smoothing == rule


def test_view_changes_what_is_given_and_keeps_the_rest(run, output):
    output("view", "shop.likelier", "--event", "complement", "--normalize")
    shown = output("view", "shop.likelier", "--alpha", "0.5")
    assert "complement" in shown
    assert "additive:0.5" in shown
    assert lk.load("shop.likelier").settings.normalize
    output("view", "shop.likelier", "--no-normalize")
    assert not lk.load("shop.likelier").settings.normalize


def test_view_without_options_shows_and_changes_nothing(output, here):
    before = Path("shop.likelier").read_bytes()
    assert output("view", "shop.likelier").splitlines()[1] == "event             multinomial"
    assert Path("shop.likelier").read_bytes() == before


def test_view_shows_the_textbook_where_it_differs(output):
    assert "(textbook: multinomial)" in output("view", "shop.likelier", "--event", "binary")


def test_a_threshold_for_all_is_said_as_such(output):
    assert "any label ≥ 0.8; otherwise no label" in output("view", "shop.likelier", "--threshold", "0.8")
    shown = output("view", "shop.likelier", "--threshold", "spam=0.9", "--threshold", "0.8")
    assert "spam ≥ 0.9, any other label ≥ 0.8" in " ".join(shown.split())


@pytest.mark.parametrize("cells", ["40", "80"])
def test_a_long_decision_is_wrapped_and_the_textbook_stands_below(run, cells):
    options = ["--threshold", "billing=0.8", "--threshold", "delivery=0.9", "--fallback", "technical"]
    result = run("view", "shop.likelier", *options, environment={"COLUMNS": cells})
    decision = "decision billing ≥ 0.8, delivery ≥ 0.9; otherwise technical (textbook: most probable)"
    assert decision in " ".join(result.stdout.split())
    assert max(map(len, result.stdout.splitlines())) <= int(cells)
    assert "\n                  (textbook: most" in result.stdout


def test_reset_goes_back_to_the_textbook_before_the_other_options(output):
    output("view", "shop.likelier", "--event", "binary", "--alpha", "3")
    output("view", "shop.likelier", "--reset", "--alpha", "2")
    settings = lk.load("shop.likelier").settings
    assert (settings.event, settings.smoothing.alpha) == ("multinomial", 2)


def test_view_as_json_is_what_the_library_stores(output):
    assert json.loads(output("view", "shop.likelier", "--json")) == lk.load("shop.likelier").settings.to_dict()


def test_a_prior_by_label_and_costs(output):
    labels = lk.load("shop.likelier").labels
    prior = [option for label in labels for option in ("--prior", f"{label}={1 / len(labels)!r}")]
    output("view", "shop.likelier", *prior)
    costs = [c for a in labels for b in labels if a != b for c in ("--cost", a, b, "1")]
    shown = output("view", "shop.likelier", *costs, "--cost", "-", labels[0], "0.5", *[
        c for label in labels[1:] for c in ("--cost", "-", label, "0.5")
    ])  # fmt: skip
    assert "no label for billing 0.5" in shown
    assert isinstance(lk.load("shop.likelier").settings.decide, LeastCost)
    output("view", "shop.likelier", "--most-probable")
    assert lk.load("shop.likelier").settings.decide == lk.MostProbable()


def test_a_new_threshold_keeps_the_fallback_and_a_new_fallback_the_threshold(output):
    output("view", "shop.likelier", "--threshold", "0.9", "--fallback", "spam")
    output("view", "shop.likelier", "--threshold", "billing=0.7")
    assert lk.load("shop.likelier").settings.decide == Thresholds({"billing": 0.7}, "spam")
    output("view", "shop.likelier", "--fallback", "praise")
    assert lk.load("shop.likelier").settings.decide == Thresholds({"billing": 0.7}, "praise")


# ---- learn, forget, merge ----------------------------------------------------------------------------------------


def test_learn_then_forget_brings_the_same_counts_back(run, here):
    before = lk.load("shop.likelier").counts.digest()
    assert run("learn", "shop.likelier", "messages.tsv").exit_code == 0
    assert lk.load("shop.likelier").documents == 480
    assert run("forget", "shop.likelier", "messages.tsv").exit_code == 0
    assert lk.load("shop.likelier").counts.digest() == before


def test_learn_says_how_many_were_there_already(run):
    first = run("learn", "shop.likelier", "--as", "returns", "a new text", "My parcel is broken")
    assert first.stderr == "learned 2 documents; shop.likelier now has 242 documents\n"
    again = run("learn", "shop.likelier", "--as", "returns", "a new text", "another")
    assert "learned 2 documents, 1 of which was learned before and counts again" in again.stderr
    once = run("learn", "shop.likelier", "--as", "returns", "another")
    assert "learned 1 document, which was learned before and counts again" in once.stderr


def test_a_text_comes_from_standard_input_too(run, here):
    assert run("learn", "shop.likelier", "--as", "returns", given="two\nlines\n").exit_code == 0
    assert run("forget", "shop.likelier", "--as", "returns", "two\nlines").exit_code == 0


def test_a_new_label_can_be_learned_but_not_forgotten(run, here):
    assert run("learn", "shop.likelier", "--as", "new", "text").exit_code == 0
    assert "new" in lk.load("shop.likelier").labels
    result = run("forget", "shop.likelier", "--as", "newer", "text")
    assert result.exit_code == 2
    assert "did you mean 'new'?" in result.stderr


def test_a_new_label_is_said(run, here):
    Path("more.csv").write_text("label,text\nwarranty,it broke\nspam,buy\ncareer,a job\n")
    result = run("learn", "shop.likelier", "more.csv")
    assert "new labels: 'career', 'warranty'\n" in result.stderr
    assert "new label" not in run("learn", "shop.likelier", "more.csv").stderr
    assert run("learn", "shop.likelier", "--as", "returns2", "text", "--quiet").stderr == ""


def test_of_many_new_labels_ten_are_named(run, here):
    Path("more.csv").write_text("label,text\n" + "".join(f"{n},text {n}\n" for n in range(100, 113)))
    result = run("learn", "shop.likelier", "more.csv", "--label", "label", "--text", "text")
    assert "'109' and 3 more " in result.stderr.replace("\n", " ")


def test_in_an_empty_model_no_label_is_new(run, here):
    lk.Model().save("empty.likelier")
    assert "new label" not in run("learn", "empty.likelier", "messages.tsv").stderr


@pytest.mark.parametrize("label", ["delivry", "Delivery", "delivery "])
def test_a_label_that_is_much_like_another_is_a_warning_with_the_way_back(run, here, label):
    before = lk.load("shop.likelier").counts.digest()
    Path("more.jsonl").write_text(json.dumps({"folder": label, "message": "too late"}) + "\n")
    for source in (
        ["--as", label, "too late"],
        ["--as", label, "too late", "--once"],
        ["more.jsonl", "--text", "message", "--label", "folder"],
    ):
        result = run("learn", "shop.likelier", *source, "--quiet")
        warning, hint = result.stderr.splitlines()
        assert warning == f"warning: new label: {label!r} (did you mean 'delivery'?)"
        back = hint.removeprefix("hint: to undo: likelier ")
        assert run(*shlex.split(back)).exit_code == 0
        assert lk.load("shop.likelier").counts.digest() == before


def test_what_looks_like_a_missing_file_is_learned_from_standard_input(run, here):
    assert run("learn", "shop.likelier", "--as", "spam", given="nope.csv\n").exit_code == 0
    assert lk.load("shop.likelier").counts.sizes.find("nope.csv") is not None


def test_what_was_never_learned_is_not_forgotten(run, here):
    before = Path("shop.likelier").read_bytes()
    Path("more.tsv").write_text("label\ttext\nspam\tnever learned\n")
    result = run("forget", "shop.likelier", "more.tsv")
    assert result.exit_code == 2
    assert "more.tsv line 2 was not" in result.stderr
    assert Path("shop.likelier").read_bytes() == before


def test_labels_may_be_numbers(run, here):
    lk.train([("good film", 1), ("bad film", 0)]).save("film.likelier")
    assert run("learn", "film.likelier", "--as", "1", "fine film").exit_code == 0
    assert run("learn", "film.likelier", "--as", "2", "so so").exit_code == 0
    assert lk.load("film.likelier").labels == (0, 1, 2)
    assert run("classify", "film.likelier", "bad", "--format", "label").stdout == "0\n"


def test_merge_is_the_model_of_all_documents(run, here):
    result = run("merge", "shop.likelier", "shop2.likelier", "-o", "both.likelier")
    assert result.exit_code == 0
    assert lk.load("both.likelier") == lk.train(documents() + documents()[:50], view="textbook")


def test_merge_says_what_counts_twice(run, here):
    result = run("merge", "shop.likelier", "shop2.likelier", "-o", "both.likelier", "--quiet")
    said = "warning: 50 documents of shop2.likelier count twice: also in an earlier model\n"
    assert result.stderr == said
    lk.train([("a new text", "spam")]).save("other.likelier")
    assert run("merge", "shop.likelier", "other.likelier", "-o", "both.likelier", "--quiet").stderr == ""
    lk.train([("a new text", "spam")], ledger=False).save("other.likelier")
    assert run("merge", "shop.likelier", "other.likelier", "-o", "both.likelier", "--quiet").stderr == ""


def test_a_merged_model_names_the_models_it_is_made_of(run, here):
    lk.train([("a new text", "spam")]).save("other.likelier")
    run("merge", "shop.likelier", "shop2.likelier", "other.likelier", "-o", "all.likelier")
    *_, last = lk.load("all.likelier").provenance
    assert (last["what"], last["documents"]) == ("merge", 291)
    assert last["sources"] == ["shop.likelier", "shop2.likelier", "other.likelier"]


def test_merge_keeps_the_first_view_and_says_so(run, output):
    output("view", "shop2.likelier", "--alpha", "3")
    result = run("merge", "shop.likelier", "shop2.likelier", "-o", "both.likelier")
    assert "using that of shop.likelier" in " ".join(result.stderr.split())


def test_counts_in_the_file_are_the_same_bytes_whatever_the_way_and_the_kind_of_files(run, here):
    pyarrow = pytest.importorskip("pyarrow")
    first = [("ham", "one two two"), ("spam", 'a "quoted", text'), ("ham", "")]
    second = [("spam", "two three"), ("news", "молоко"), ("ham", "one two two")]
    Path("a.csv").write_text('label,text\nham,one two two\nspam,"a ""quoted"", text"\nham,\n', encoding="utf-8")
    lines = [json.dumps({"label": label, "text": text}) for label, text in second]
    Path("b.jsonl.gz").write_bytes(gzip.compress("\n".join(lines).encode()))
    columns = {"label": [label for label, _ in second], "text": [text for _, text in second]}
    pytest.importorskip("pyarrow.parquet").write_table(pyarrow.table(columns), "b.parquet")

    def digest(name: str) -> str:
        return counts_digest(f"{name}.likelier")

    for command in (
        "train a.csv -o only-a.likelier",
        "train a.csv b.parquet -o both.likelier",
        "train b.jsonl.gz -o only-b.likelier",
        "train a.csv -o learned.likelier",
        "learn learned.likelier b.jsonl.gz",
        "merge only-b.likelier only-a.likelier -o merged.likelier",
    ):
        assert run(*command.split()).exit_code == 0, command
    assert digest("learned") == digest("merged") == digest("both") != digest("only-a")
    assert lk.load("both.likelier") == lk.train([(text, label) for label, text in first + second])
    assert run("forget", "learned.likelier", "b.parquet").exit_code == 0
    assert digest("learned") == digest("only-a")


def test_notes_name_options_and_not_arguments(run, here):
    for name in ("c/ham/1", "c/spam/1"):
        Path(name).parent.mkdir(parents=True)
        Path(name).write_text("From: a@b.c\nSubject: words\nDate: today\n\nmore words\n")
    result = run("train", "c", "-o", "new.likelier")
    assert "read as mails (guessed by their headers; --kind txt reads them" in " ".join(result.stderr.split())


def write_spellings(here):
    rows = [("Login", "cannot log in"), ("login", "wrong password"), ("login", "locked out"), ("login ", "no access")]
    text = "".join(f'"{label}","{words} of mine"\n' for label, words in [*rows, ("refund", "money back")])
    here.joinpath("spellings.csv").write_text("label,text\n" + text)


def test_train_warns_of_labels_that_differ_only_in_case_or_blanks(run, here):
    write_spellings(here)
    result = run("train", "spellings.csv", "-o", "new.likelier", "--quiet")
    assert result.stderr.splitlines() == [
        "warning: 3 labels differ only in case or blanks: 'Login', 'login' and 'login '",
        "hint: --clean-labels joins them",
    ]


@pytest.mark.parametrize("view", ["auto", "textbook"])
def test_train_joins_labels_that_differ_only_in_case_or_blanks(run, here, view):
    write_spellings(here)
    result = run("train", "spellings.csv", "-o", "new.likelier", "--clean-labels", "--view", view)
    assert "cleaned labels: 'Login' → 'login', 'login ' → 'login'" in result.stderr
    assert "warning" not in result.stderr
    assert lk.load("new.likelier").counts.documents_per_label == {"login": 4, "refund": 1}


def test_labels_from_standard_input_are_cleaned_too(run, here):
    write_spellings(here)
    rows = here.joinpath("spellings.csv").read_text()
    result = run("train", "-", "--kind", "csv", "-o", "new.likelier", "--clean-labels", given=rows)
    assert result.exit_code == 0
    assert lk.load("new.likelier").labels == ("login", "refund")


def test_train_warns_of_a_file_with_one_label(run, here):
    here.joinpath("one.csv").write_text("label,text\nspam,buy now and here\nspam,cheap watches for you\n")
    result = run("train", "one.csv", "-o", "new.likelier", "--quiet")
    assert result.stderr.startswith("warning: all documents have the label 'spam'; the model cannot assign any other\n")


def test_learning_once_counts_only_new_documents(run, here):
    new = "delivery\tThe parcel is on its way to Mars\n"
    here.joinpath("new.tsv").write_text("label\ttext\n" + new + new)
    both = here.joinpath("messages.tsv").read_text() + new
    here.joinpath("both.tsv").write_text(both)
    result = run("learn", "shop.likelier", "new.tsv", "--once")
    assert "learned 1 new document, 1 was learned before; shop.likelier now has 241 documents" in flat(result.stderr)
    result = run("learn", "shop.likelier", "both.tsv", "--once")
    assert "learned 0 new documents, 241 were learned before; shop.likelier now has 241" in flat(result.stderr)
    assert lk.load("shop.likelier") == lk.train("both.tsv", view="textbook")


def test_a_maildir_is_learned_every_night(run, here):
    for name in ("cur", "new", "tmp"):
        here.joinpath("inbox", name).mkdir(parents=True)
    here.joinpath("inbox", "cur", "1").write_text("Subject: parcel\n\nWhere is it?\n")
    run("learn", "shop.likelier", "delivery=inbox", "--once")
    here.joinpath("inbox", "new", "2").write_text("Subject: order\n\nIt has not come.\n")
    result = run("learn", "shop.likelier", "delivery=inbox", "--once")
    assert "learned 1 new document, 1 was learned before; shop.likelier now has 242 documents" in flat(result.stderr)


def test_learning_once_needs_a_ledger(run):
    run("train", "messages.tsv", "--no-ledger", "--view", "textbook", "-o", "new.likelier")
    result = run("learn", "new.likelier", "messages.tsv", "--once")
    assert result.exit_code == 2
    assert "ledger, and this one has none" in result.stderr
    assert "hint: train the model again without --no-ledger" in result.stderr


def test_relabel_is_forget_and_learn_in_one_step(run, here):
    text, old = documents()[0]
    result = run("relabel", "shop.likelier", text, "--as", "praise", "--by", "Anna")
    assert "relabeled 1 document as 'praise'; shop.likelier has 240 documents" in flat(result.stderr)
    wanted = lk.train(documents(), view="textbook")
    wanted.forget(text, old)
    wanted.learn(text, "praise")
    found = lk.load("shop.likelier")
    assert found == wanted
    *_, last = found.provenance
    assert (last["what"], last["documents"], last["by"]) == ("relabel", 1, "Anna")


def test_relabel_takes_files_and_leaves_documents_that_have_the_label(run, here):
    run("learn", "shop.likelier", "billing=mail.eml")
    assert run("relabel", "shop.likelier", "mail.eml", "--as", "delivery").exit_code == 0
    result = run("relabel", "shop.likelier", "mail.eml", "--as", "delivery")
    assert "relabeled 0 documents as 'delivery'; 1 had this label already" in flat(result.stderr)
    assert lk.load("shop.likelier").provenance[-1]["sources"] == ["mail.eml"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("never learned", "--as", "billing"), "only a document that was learned can be relabeled, and this document"),
        (("mail.eml", "--as", "billing"), "only a document that was learned can be relabeled, and mail.eml was not"),
        (("letter.eml", "--as", "billing"), "no such file: 'letter.eml'"),
        (("never learned", "--as", "billing", "--from", "joy"), "unknown label 'joy'"),
    ],
)
def test_relabel_refuses_what_was_not_learned(run, here, arguments, message):
    before = here.joinpath("shop.likelier").read_bytes()
    result = run("relabel", "shop.likelier", *arguments)
    assert result.exit_code == 2
    assert message in flat(result.stderr)
    assert here.joinpath("shop.likelier").read_bytes() == before


def test_inspect_shows_the_last_changes_and_who_made_them(run, output):
    run("train", "messages.tsv", "--view", "textbook", "-o", "new.likelier", "--by", "Anna")
    for number in range(7):
        run("learn", "new.likelier", "--as", "billing", f"bill number {number}", "--by", f"clerk {number}")
    lines = output("inspect", "new.likelier", environment={"COLUMNS": "200"}).splitlines()
    start = next(place for place, line in enumerate(lines) if line.startswith("created"))
    assert "train from messages.tsv, 240 documents, by Anna, likelier" in lines[start]
    assert lines[start + 1] == "changed   ... 2 earlier events; --json shows all"
    assert [line.split("by ")[1].split(",")[0] for line in lines[start + 2 : start + 7]] == [
        f"clerk {number}" for number in range(2, 7)
    ]


def flat(text):
    return " ".join(text.split())


@pytest.fixture
def halves(here):
    """Two files with half of the messages each."""
    head, *rows = here.joinpath("messages.tsv").read_text().splitlines()
    for name, some in (("one.tsv", rows[:120]), ("two.tsv", rows[120:])):
        here.joinpath(name).write_text("\n".join([head, *some]) + "\n")
    return here


def test_models_with_different_settings_merge_on_what_both_count(run, halves):
    run("train", "one.tsv", "--weighting", "log-length", "-o", "one.likelier")
    run("train", "two.tsv", "--view", "textbook", "-o", "two.likelier")
    result = run("merge", "one.likelier", "two.likelier", "-o", "all.likelier", "--by", "Anna")
    assert result.exit_code == 0
    said = flat(result.stderr)
    assert "warning: merging two.likelier: only one of the models counts these, so they were dropped:" in said
    assert "weighting once in place of log-length" in said
    assert "to lose nothing, train one like the other: likelier train FILE --like one.likelier -o MODEL" in said
    found = lk.load("all.likelier")
    assert found.learned_many("messages.tsv").every
    assert found.provenance[-1]["by"] == "Anna"
    assert run("classify", "all.likelier", "Where is my parcel?").exit_code == 0


def test_default_models_merge(run, halves):
    for name in ("one", "two"):
        run("train", f"{name}.tsv", "-o", f"{name}.likelier")
    assert run("merge", "one.likelier", "two.likelier", "-o", "all.likelier").exit_code == 0
    assert lk.load("all.likelier").documents == 240


def test_a_model_like_another_merges_without_a_loss(run, halves):
    run("train", "one.tsv", "--weighting", "log-length", "--alpha", "0.1", "-o", "one.likelier")
    assert run("train", "two.tsv", "--like", "one.likelier", "-o", "two.likelier").exit_code == 0
    result = run("merge", "one.likelier", "two.likelier", "-o", "all.likelier")
    assert "warning" not in result.stderr
    assert "different views" not in result.stderr
    found = lk.load("all.likelier")
    assert found.settings == lk.load("one.likelier").settings
    assert found == lk.train("messages.tsv", view={"weighting": "log-length"})


@pytest.mark.parametrize(
    ("options", "what"),
    [
        (("--alpha", "3"), "the options of the view"),
        (("--view", "auto"), "the options of the view"),
        (("--stem", "--language", "en"), "the options for words"),
        (("--numeric", "days"), "the options for columns"),
        (("--bind", "a", "b"), "the options for columns"),
    ],
)
def test_options_for_what_is_taken_from_another_model_are_refused(run, options, what):
    result = run("train", "messages.tsv", "--like", "shop.likelier", "-o", "new.likelier", *options)
    assert result.exit_code == 2
    assert f"error: --like and {what} are mutually exclusive" in result.stderr


def test_the_model_to_be_like_must_exist(run):
    result = run("train", "messages.tsv", "--like", "missing.likelier", "-o", "new.likelier")
    assert "error: there is no file missing.likelier" in result.stderr


def test_a_model_with_columns_is_trained_like_another(run, here):
    assert run("train", "tickets.csv", "--like", "tickets.likelier", "-o", "new.likelier").exit_code == 0
    assert lk.load("new.likelier") == lk.load("tickets.likelier")
