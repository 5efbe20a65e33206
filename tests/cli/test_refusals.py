"""What is refused: status 2, `error:` and `hint:` on stderr, nothing on stdout, no traceback, no file touched."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import likelier as lk
from likelier._base.errors import LikelierError, catalog
from likelier._cli.shared.hints import for_the_shell
from likelier.demo import documents

SHOP = "shop.likelier"
TICKETS = "tickets.likelier"
TABLE = ["train", "tickets.csv", "--label", "team", "-o", "new.likelier"]
ODD = ["train", "odd.csv", "--label", "team", "-o", "new.likelier"]
SPAM = next(text for text, label in documents() if label == "spam")
TRAIN = ["train", "messages.tsv", "-o", "new.likelier"]

CASES = {
    "no such command 'classfy'": (["classfy"], "did you mean classify?"),
    "--master requires --engine spark": ([*TRAIN, "--master", "local[2]"], "--engine spark --master"),
    "--engine spark reads files of one kind": (["train", "x.mbox", "--engine", "spark", "-o", "x.likelier"], "--kind"),
    "--engine spark requires --input": (["classify", SHOP, "a text", "--engine", "spark"], "--output answers"),
    "no such command 'xyz'": (["xyz"], "see likelier --help"),
    "no such option '--thresh'": (["classify", SHOP, "--thresh"], "did you mean --threshold"),
    "missing argument 'FILE...'": (["train"], "likelier train FILE... -o MODEL"),
    "missing option '--output' / '-o'": (["train", "x"], "likelier train FILE... -o MODEL"),
    "there is no file nope": (["inspect", "nope"], "likelier train FILE -o MODEL makes a model"),
    "messages.tsv is not a likelier model": (["view", "messages.tsv"], "likelier train FILE -o MODEL makes a model"),
    "'messages.tsv' is a file": (["classify", SHOP, "messages.tsv"], f"likelier classify {SHOP} --input messages.tsv"),
    "'mail.eml' is a file": (["learn", SHOP, "--as", "spam", "mail.eml"], f"likelier learn {SHOP} spam=mail.eml"),
    "expected a text, but 'mail.eml' is a file": (["explain", SHOP, "mail.eml"], f"likelier explain {SHOP} < mail.eml"),
    "'new_messages.txt' is a file": (["classify", SHOP, "new_messages.txt"], f"classify {SHOP} < new_messages.txt"),
    "no such file: 'nope.csv'": (
        ["learn", SHOP, "--as", "spam", "nope.csv"], f"echo nope.csv | likelier learn {SHOP} --as spam",
    ),
    "no such file: 'nope.txt.gz'": (
        ["forget", SHOP, "--as", "spam", "a text", "nope.txt.gz"], f"echo nope.txt.gz | likelier forget {SHOP}",
    ),
    "expected a text that is not empty, got ''": (
        ["learn", SHOP, "--as", "ham"], f'likelier learn {SHOP} --as ham "text"',
    ),
    "expected a text that is not empty, got ' '": (["learn", SHOP, "--as", "ham", "a", " "], "--as ham"),
    "a text that is not empty, got ''": (
        ["forget", SHOP, "--as", "spam", ""], f'likelier forget {SHOP} --as spam "text"',
    ),
    "expected one text, got 3": (
        ["explain", SHOP, "where", "is", "it?"], f"in quotes: likelier explain {SHOP} 'where is it?'",
    ),
    "unexpected extra argument (parcel)": (["inspect", SHOP, "--term", "my", "parcel"], "put quotes around arguments"),
    "read as one txt without a label": (
        ["learn", SHOP, "new_messages.txt"], "a table is --kind csv, --kind tsv or --kind jsonl",
    ),
    "TEXT, --input and --mail are mutually exclusive": (
        ["classify", SHOP, "text", "--input", "messages.tsv"], "--input FILE",
    ),
    "is not a number": (["classify", SHOP, "text", "--alpha", "x"], "see likelier classify --help"),
    "--alpha must be a number of 0 or more, got -1": ([*TRAIN, "--alpha", "-1"], "1 is Laplace smoothing"),
    "--alpha and --smoothing are mutually exclusive": (
        [*TRAIN, "--alpha", "1", "--smoothing", "additive"], "--alpha 0.5 is",
    ),
    "--smoothing takes RULE:NUMBER, got": ([*TRAIN, "--smoothing", "laplace"], "one of additive:1, m-estimate:2"),
    "takes RULE:NUMBER, got 'additive:x'": ([*TRAIN, "--smoothing", "additive:x"], "one of additive:1"),
    "--threshold takes LABEL=NUMBER": ([*TRAIN, "--threshold", "spam"], "--threshold spam=0.8"),
    "a threshold must be a probability from 0 to 1": ([*TRAIN, "--threshold", "2"], "0.8 means"),
    "the labels are 'billing', 'delivery'": ([*TRAIN, "--threshold", "spma=0.8"], "did you mean 'spam'?"),
    "--fallback requires a threshold": ([*TRAIN, "--fallback", "spam"], "--threshold 0.9 --fallback spam"),
    "thresholds, costs and --most-probable are": (
        [*TRAIN, "--threshold", "0.8", "--most-probable"], "choose one of them",
    ),
    "--normalize is a setting of the complement": ([*TRAIN, "--normalize"], "--event complement, or --no-normalize"),
    "the probabilities of a prior must sum to 1": ([*TRAIN, "--prior", "spam=0.5"], "--prior spam=0.2 --prior ham=0.8"),
    "--prior must be 'fitted', 'uniform'": ([*TRAIN, "--prior", "flat"], "--prior uniform"),
    "need a language": ([*TRAIN, "--lemmatize"], "--language de"),
    "leaves nothing to count": ([*TRAIN, "--no-words"], "--no-words --char-ngrams 2-4"),
    "is neither an integer nor a range such as": ([*TRAIN, "--ngrams", "a-b"], "see likelier train --help"),
    "--ngrams must be": ([*TRAIN, "--ngrams", "9"], "2 counts words and pairs of words"),
    "--replace takes WORD=TERM": ([*TRAIN, "--replace", "NYC"], '--replace "New York=new_york"'),
    "the stop words in 'nope' cannot be read": ([*TRAIN, "--stop-words", "file:nope"], "one word a line"),
    "nope: no such file": ([*TRAIN, "--replace", "file:nope"], "check the path"),
    "--kind must be one of": ([*TRAIN, "--kind", "exel"], "leave it out"),
    "--delimiter must be one ASCII character": ([*TRAIN, "--delimiter", ";;"], "--delimiter ';'"),
    "--rejects requires --on-error skip": ([*TRAIN, "--rejects", "r.csv"], "--on-error skip --rejects r.csv"),
    "has the columns 'label', 'text', got 'txt'": ([*TRAIN, "--text", "txt"], "did you mean 'text'?"),
    "there is no folder ": (["train", "messages.tsv", "-o", "nope/x.likelier"], "mkdir -p nope"),
    "mail.eml already exists": (["train", "messages.tsv", "-o", "mail.eml"], "choose another name"),
    "expected FILE or --as LABEL": (["learn", SHOP], f"likelier learn {SHOP} FILE, or"),
    "--mail requires --as LABEL": (["learn", SHOP, "--mail"], f"likelier learn {SHOP} --as spam --mail < FILE"),
    "--mail reads standard input and takes no TEXT": (
        ["explain", SHOP, "text", "--mail"], f"likelier explain {SHOP} --mail < FILE",
    ),
    "argument 2 was not, or not with this label; nothing": (
        ["forget", SHOP, "--as", "spam", SPAM, "never learned"], "exactly as they were learned",
    ),
    "only a document that": (["forget", SHOP, "--as", "spam", "never learned"], "exactly as they were learned"),
    "expected at least two models, got one": (
        ["merge", SHOP, "-o", "x.likelier"], f"likelier merge {SHOP} OTHER -o x.likelier",
    ),
    "--exit-code requires one document, got more": (["classify", SHOP, "a", "b", "--exit-code"], "give one text"),
    "--exit-code requires one document, got none": (["classify", SHOP, "--exit-code"], "give one text"),
    "--code requires --exit-code": (["classify", SHOP, "a", "--code", "spam=0"], "--exit-code --code spam=0"),
    "an exit status is an integer": (["classify", SHOP, "a", "--exit-code", "--code", "spam=2"], "--code spam=0"),
    "--explain does not work with --format csv": (
        ["classify", SHOP, "a", "--explain", "--format", "csv"], "--format json",
    ),
    "unknown term 'zzz'; this model has 910 terms": (["inspect", SHOP, "--term", "zzz"], "--unknown smooth"),
    "--ratio takes two different labels": (["inspect", SHOP, "--ratio", "spam", "spam"], "--ratio A B"),
    "unknown label 'nope'; the labels are 'billing'": (
        ["inspect", SHOP, "--ratio", "spam", "nope"], "label names are case-sensitive",
    ),
    "--term, --ratio and --export are mutually exclusive": (
        ["inspect", SHOP, "--term", "a", "--export", "b"], f"likelier inspect {SHOP} --term WORD",
    ),
    "no such folder": (["inspect", SHOP, "--export", "nope/counts.csv"], "check the path"),
    "a column is of one kind, got 'days' twice": (
        [*TABLE, "--numeric", "days", "--binary", "days"], "name it under one",
    ),
    "'days', 'amount', 'team', got 'day'": ([*TABLE, "--categorical", "day"], "did you mean 'days'?"),
    "'amount', 'team', got 'channels'": ([*TABLE, "--ignore", "channels"], "did you mean 'channel'?"),
    "must be two columns, got 'team' for both": ([*TABLE, "--categorical", "team"], "--label folder"),
    "got 'phone' in column 'channel' of tickets.csv line 2": (
        [*TABLE, "--binary", "channel"], "with more than two values it is --categorical channel;",
    ),
    "a numeric column holds numbers, got 'phone' in column 'channel' of tickets.csv line 2": (
        [*TABLE, "--numeric", "channel"],
        "likelier train --missing-value TEXT; such rows can be skipped: --on-error skip",
    ),
    "a number must be finite, got 'inf' in column 'days' of odd.csv line 3": (
        [*ODD, "--numeric", "days"], "leave the value empty where there is none",
    ),
    "got '3,5' in column 'size' of odd.csv line 3": ([*ODD, "--numeric", "size"], "with a decimal point"),
    "column 'none' is missing in every document": ([*ODD, "--categorical", "none"], "leave it out with --ignore"),
    "got ('channel', 'days')": ([*TABLE, "--bind", "channel", "days"], "--bind city country"),
    "or with cut points, got 'gausian'": ([*TABLE, "--numeric", "days=gausian"], "--numbers equal-width:5 makes 5"),
    "cut points must increase, got 4.0 after 5.0": (["view", TICKETS, "--numbers", "5,4"], "--numbers 20,35,50"),
    "the number of intervals must be an integer from 2": (
        ["view", TICKETS, "--numbers", "equal-width:1"], "--numbers equal-width:5",
    ),
    "the least variance must be": (["view", TICKETS, "--numbers", "gaussian:2"], "--numbers gaussian:0.0001"),
    "--numbers takes one rule for all columns, got gaussian, information": (
        ["view", TICKETS, "--numbers", "gaussian", "--numbers", "information"], "--numbers COLUMN=information",
    ),
    "the view has settings for 'day'": (["view", TICKETS, "--numbers", "day=3"], "did you mean 'days'?"),
    "got 'numeric' for 'subject'": (
        ["view", TICKETS, "--numbers", "subject=3"], "likelier inspect MODEL shows the kinds",
    ),
    "'refus' is not one of 'skip', 'refuse'": (["view", TICKETS, "--missing", "refus"], "likelier view --help"),
    "'subject' is missing in this document": (
        ["classify", TICKETS, "days=3", "--missing", "refuse"], "--missing skip judges",
    ),
    "unknown column 'Days'; the columns are 'subject', 'channel', 'member', 'days', 'amount'": (
        ["classify", TICKETS, "Days=3"], "did you mean 'days'?",
    ),
    "unknown column 'weight'; the columns are 'subject'": (
        ["explain", TICKETS, "weight=3"], "column names are case-sensitive",
    ),
    "got 'soon' in column 'days' of this document": (
        ["classify", TICKETS, "days=soon"], "likelier train --missing-value",
    ),
    "got 'parcel' as well": (["classify", TICKETS, "parcel", "days=3"], "name its column: subject=parcel"),
    "got two values for the column 'days'": (
        ["classify", TICKETS, "days=3", "days=4"], f"likelier classify {TICKETS} --input FILE",
    ),
    "this model has no text column; got 'parcel'": (
        ["classify", "days.likelier", "parcel"], "likelier classify days.likelier days=",
    ),
    "this model has no text column; got '--mail'": (
        ["explain", "days.likelier", "--mail"], "likelier explain days.likelier days=",
    ),
    "has the text columns 'subject', 'channel'; got 'parcel'": (
        ["learn", "texts.likelier", "--as", "billing", "parcel"], "--as billing subject=VALUE",
    ),
    "standard input must be a JSON object with the columns 'days'; got ''": (
        ["learn", "days.likelier", "--as", "billing"], '{"days": "..."}, one per line',
    ),
    "--text names the column of plain texts": (
        ["learn", TICKETS, "tickets.csv", "--text", "subject"], "omit --text",
    ),
    "but this model has columns": (
        ["classify", TICKETS, "-i", "odd.csv", "--text", "size"], "omit --text",
    ),
    "messages.tsv has none of the columns 'subject'": (["learn", TICKETS, "messages.tsv"], "'Age' is not 'age'"),
    "and this document was not, or not with this label": (
        ["forget", TICKETS, "--as", "billing", "days=3"], "exactly as they were learned",
    ),
    "columns, kinds and analyzers are equal": (
        ["merge", TICKETS, "days.likelier", "-o", "x.likelier"], "likelier train FILE --like MODEL",
    ),
    "text text; 'subject' differs": (["merge", TICKETS, SHOP, "-o", "x.likelier"], "likelier train FILE --like MODEL"),
    "unknown column 'dais'; the columns are 'subject', 'channel', 'member', 'days', 'amount'": (
        ["inspect", TICKETS, "--column", "dais"], "did you mean 'days'?",
    ),
    "--term requires --column, one of 'subject'": (
        ["inspect", TICKETS, "--term", "fax"], f"likelier inspect {TICKETS} --column subject --term fax",
    ),
    "unknown value 'fax'; 'channel' has 3 values": (
        ["inspect", TICKETS, "--term", "fax", "--column", "channel"], "the likelihood of an unknown value",
    ),
    "read under a normal distribution, which has": (
        ["inspect", TICKETS, "--term", "3", "--column", "days"], "--numbers information reads numeric columns",
    ),
    "--prior must be a probability from 0 to 1, got 2": (["rule", "--prior", "2"], "80 % is 0.8"),
    "--prior is not a probability such as": (["rule", "--prior", "x"], "80 % is 0.8"),
    "--count-both cannot be more than --count-a, got 4 and 3": (
        ["rule", "--count-a", "3", "--count-both", "4"], "--total is the number of all cases",
    ),
    "--names must be two different names": (["rule", "--names", "a", "a", "--prior", "1/2"], "--names positive"),
    "--document makes a LaTeX document, and the format is html": (
        ["rule", "--prior", "1/2", "--document", "--output", "rule.html"], "--document --output board.tex",
    ),
    "--json, and the format is html": (
        ["rule", "--prior", "1/2", "--json", "--output", "rule.html"], "--json, or --output rule.json",
    ),
    "the picture needs P(A), P(B) and P(A and B)": (
        ["rule", "--joint", "0.1", "--evidence", "0.2", "--output", "rule.svg"], "--total 100 --output rule.svg",
    ),
    "Bayes' rule needs prior": (["rule"], "likelier rule --prior 0.01 --likelihood 0.9 --evidence 0.1"),
    "is not one of 'bash', 'zsh', 'fish'": (["completion", "csh"], "see likelier completion --help"),
}  # fmt: skip


@pytest.fixture
def tables(here: Path) -> None:
    Path("odd.csv").write_text('team,days,size,none\na,3,3.5,?\nb,inf,"3,5",\n')
    lk.train("tickets.csv", label="team", numeric="days").save("days.likelier")
    lk.train("tickets.csv", label="team", text=["subject", "channel"]).save("texts.likelier")


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@pytest.mark.parametrize("message", CASES)
def test_a_mistake_is_an_error_with_a_hint_and_changes_nothing(run, here, tables, message):
    arguments, hint = CASES[message]
    before = content(here)
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    error, helps = result.stderr.splitlines()[-2:]
    assert error.startswith("error: ")
    assert message in error
    assert helps.startswith("hint: ")
    assert hint in helps
    assert "Traceback" not in result.stderr
    assert content(here) == before


def test_a_byte_that_is_no_utf8_is_named_with_its_line(run):
    result = run("classify", SHOP, given=b"good\nbad \xff\n")
    assert result.exit_code == 2
    assert "got the byte 0xFF in line 2" in result.stderr
    assert "--encoding cp1252" in result.stderr


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"days": "soon"}', "got 'soon' in column 'days' of line 2 of standard input"),
        ('{"days": 1e999}', "a number must be finite, got '1e999' in column 'days' of line 2 of standard input"),
        ('{"days": [3]}', "got [3] in column 'days' of line 2 of standard input"),
        ('{"days": 3', "line 2 of standard input is not a valid JSON object: expecting"),
        ("{days: 3}", "enclosed in double quotes at character 2"),
        ('{"days": NaN}', "line 2 of standard input is not a valid JSON object: there is no NaN in JSON"),
        ('{"days": ' + "[" * 5000, "line 2 of standard input is not a valid JSON object: expecting"),
        ('{"days": ' + "[" * 5000 + "]" * 5000 + "}", "in column 'days' of line 2 of standard input"),
        ('{"days": ' + "9" * 5000 + "}", "a number must be finite, got '999"),
    ],
)
def test_a_line_that_cannot_be_used_is_named(run, line, message):
    result = run("classify", TICKETS, given=f'{{"days": 3}}\n{line}\n')
    assert result.exit_code == 2
    assert message in result.stderr


@pytest.mark.parametrize("number", ["1e-999999999", "1e999999999%", "9" * 5000, f"1/{'9' * 5000}", "0." + "1" * 5000])
def test_a_probability_has_a_bounded_number_of_digits(run, number):
    result = run("rule", "--prior", number, "--likelihood", "0.9", "--evidence", "0.5")
    assert result.exit_code == 2
    assert "has too many digits, at most 150 are allowed" in result.stderr


@pytest.mark.parametrize("number", ["1e400", "1e999999999", "9" * 400, "9" * 5000])
@pytest.mark.parametrize(
    "options",
    [
        ["classify", SHOP, "x", "--alpha", "{}"],
        ["classify", SHOP, "x", "--smoothing", "m-estimate:{}"],
        ["classify", SHOP, "x", "--threshold", "{}"],
        ["classify", SHOP, "x", "--threshold", "delivery={}"],
        ["classify", SHOP, "x", "--prior", "delivery={}"],
        ["classify", SHOP, "x", "--cost", "delivery", "billing", "{}"],
        ["classify", SHOP, "x", "--min-count", "{}"],
        ["classify", TICKETS, "days=3", "--numbers", "equal-width:{}"],
        ["classify", TICKETS, "days=3", "--numbers", "1,{}"],
        ["classify", TICKETS, "days={}"],
        ["train", "messages.tsv", "-o", "new.likelier", "--ngrams", "{}"],
    ],
    ids=lambda options: " ".join(options[2:]),
)
def test_a_number_that_is_too_large_is_refused(run, options, number):
    result = run(*(each.format(number) for each in options))
    assert result.exit_code == 2
    assert result.stderr.splitlines()[-1].startswith("hint: ")


def test_a_number_of_stop_words_that_is_too_large_is_refused(run):
    result = run("train", "messages.tsv", "-o", "new.likelier", "--stop-words", "9" * 5000)
    assert result.exit_code == 2
    assert "error: " in result.stderr


def test_rows_with_other_columns_do_not_fit_into_csv(run, here):
    Path("a.csv").write_text("id,text\n1,parcel\n")
    Path("b.csv").write_text("text,number\nparcel,2\n")
    result = run("classify", SHOP, "-i", "a.csv", "-i", "b.csv", "--format", "csv", "-o", "out.csv")
    assert result.exit_code == 2
    assert "hint: --format json allows rows with different columns" in result.stderr
    assert not Path("out.csv").exists()


def test_control_characters_do_not_reach_the_terminal(run, here):
    result = run("inspect", "evil\x1b[31m.likelier")
    assert "\x1b" not in result.stderr
    assert r"\x1b[31m" in result.stderr


def test_an_error_in_a_file_names_the_option_that_helps(run, here):
    Path("bad.csv").write_text("label,text\na,b\nc\n")
    result = run("train", "bad.csv", "-o", "new.likelier")
    assert "bad.csv line 3" in result.stderr
    assert result.stderr.rstrip().endswith("or skip such rows: --on-error skip")


# ---- hints -------------------------------------------------------------------------------------------------------

# Errors of calls that no command makes, or of settings that no option sets.
LIBRARY_ONLY = {
    "analyzer-kind", "column-kind", "column-name-kind", "column-setting-unknown", "column-without-cuts",
    "column-without-mean", "columns-kind", "columns-without-names", "count-range", "density-not-exact",
    "document-kind", "documents-mapping", "frame-kind", "row-keys", "stored-columns", "text-analyzers",
    "spark-documents-away", "spark-frame-changed", "spark-frame-kind", "spark-model-kind", "spark-stream-unknown",
    "spark-streaming", "text-column-needed", "values-not-a-list", "counts-changed", "counts-kind", "decide-kind",
    "decision-not-storable", "document-not-a-pair", "documents-exceed-label",
    "documents-exceed-tokens", "documents-kind", "documents-missing", "documents-or-columns",
    "flag-kind", "k-range", "labels-not-a-list", "lengths-differ", "p-range", "path-kind", "smoothing-kind",
    "smoothing-not-storable", "source-kind", "stop-words-open", "stored-kind", "table-kind", "term-kind",
    "term-without-counts", "texts-not-a-list", "thresholds-kind", "text-kind", "train-settings",
    "calibration-not-storable", "evaluation-settings", "figures-column", "groups-kind", "groups-need-folds",
    "isotonic-points",
    "top-label-platt", "reliability-binning", "scores-shape",
    "counts-weighting", "nothing-weighted", "weighted-not-exact", "choose-by-unknown", "view-unknown",
    "bind-not-neighbours", "bind-numeric", "cell-unknown", "dependence-documents", "dependence-kinds",
    "dependence-needs-documents", "dependence-size", "dependence-view",
    "calibration-kind", "json-not-lines",  # the latter shows a program to type
    "analyzer-and-schema", "content-kind", "counts-unlike", "ledger-missing", "progress-kind", "schema-kind",
    "schema-of-other-counts", "joint-distribution", "words-kind",
}  # fmt: skip
PYTHON = re.compile(r"\b[a-z_]\w+\((?!s\))|\b\w+=['\"{\[(]|=(True|False|None)\b|\bread\(|\.\w+\(|`\w+`")


def hints() -> list[tuple[str, str]]:
    """Each code with its hints, those of its cases too."""
    return [
        (code, re.sub(r"(?<!\{)\{\w[^{}]*\}", "x", said["hint"]).replace("{{", "{").replace("}}", "}"))
        for code, entry in catalog().items()
        if entry.get("group") not in ("scikit-learn", "Requests")  # hints of requests are for those who send them
        for said in (entry, *(case for case in entry.values() if isinstance(case, dict)))
        if "hint" in said
    ]


@pytest.mark.parametrize(("code", "hint"), hints())
def test_hints_on_the_command_line_speak_no_python(code, hint):
    if code not in LIBRARY_ONLY:
        _, shown = for_the_shell(LikelierError(code=code, message="x", hint=hint))
        assert not PYTHON.search(shown), shown
