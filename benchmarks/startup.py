"""One answer from a cold shell: `likelier classify MODEL "text"` against Python with joblib and scikit-learn.

Both models are trained on the same texts: short messages where they are at hand, else made-up ones. scikit-learn's is a
pipeline of CountVectorizer and MultinomialNB. A time is that of the whole process, from its start to its end; modules
are compiled to bytecode before, and the files are in the system's cache.
"""

from __future__ import annotations

import argparse
import gzip
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import joblib
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline

import corpora
import likelier as lk
import report
import targets
from corpora import DATA
from environment import environment
from processes import child_environment, program

REPEAT = 11
TARGET = 4  # times as quick as scikit-learn
MESSAGES = "sms_spam.jsonl.gz"
RESULT = Path(__file__).resolve().parent / "results" / "startup.json"
OURS, THEIRS = "likelier classify", "joblib and scikit-learn"
WITH_FRAMES = "the same, with pandas"
ASK = "import sys, joblib; print(joblib.load(sys.argv[1]).predict([sys.argv[2]])[0])"
# scikit-learn imports these where they are installed, and takes longer; here it is as if they were not.
HIDE = """
import sys
class Hidden:
    def find_spec(name, path=None, target=None):
        if name in ("pandas", "polars", "pyarrow"):
            raise ModuleNotFoundError(name=name)
sys.meta_path.insert(0, Hidden)
"""


class Different(Exception):
    """The two sides give different answers, so their times must not be compared."""


def main() -> int:
    """Trains both, times all commands in turn, prints a table and writes the result file."""
    options = _options()
    about = environment()  # first, so that the load average is not our own
    corpus, part = _messages(options.data)
    with tempfile.TemporaryDirectory() as folder:
        commands = _commands(part, Path(folder))
        try:
            label = _warm_up(commands)
        except Different as error:
            print(f"error: {error}", file=sys.stderr)
            return 1
        times = _times(commands, 1 if options.quick else options.repeat)
    rows = [_row(name, times[name], times[OURS]) for name in commands]
    ratio = min(times[THEIRS]) / min(times[OURS])
    print(table(rows, ratio))
    about_corpus = {"name": corpus, **part.facts(), "text": part.texts[0], "answer": label}
    result = {**about, "corpus": about_corpus, "target": TARGET, "ratio": ratio, "rows": rows}
    print("\n".join(targets.lines("startup", result)))
    if not (options.dry or options.quick):
        report.write(RESULT, result | {"targets": targets.as_json("startup", result)})
    return 0


def _messages(data: Path) -> tuple[str, corpora.Part]:
    file = data / MESSAGES
    if not file.is_file():
        return "zipf", corpora.load("zipf", data, quick=True).train
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return MESSAGES.partition(".")[0], corpora.Part([row["text"] for row in rows], [row["label"] for row in rows])


def _commands(part: corpora.Part, folder: Path) -> dict[str, list[str]]:
    ours, theirs, text = str(folder / "model.likelier"), str(folder / "model.joblib"), part.texts[0]
    lk.train(texts=part.texts, labels=part.labels, view="textbook").save(ours)
    joblib.dump(make_pipeline(CountVectorizer(), MultinomialNB()).fit(part.texts, part.labels), theirs)
    python = [sys.executable, "-c"]
    return {
        OURS: [*program(), "classify", ours, text, "--format", "label"],
        THEIRS: [*python, HIDE + ASK, theirs, text],
        WITH_FRAMES: [*python, ASK, theirs, text],
        "likelier --version": [*program(), "--version"],
        "import likelier": [*python, "import likelier"],
        "import numpy": [*python, "import numpy"],
        "import sklearn": [*python, HIDE + "import sklearn"],
        "python -c pass": [*python, "pass"],
    }


def _warm_up(commands: dict[str, list[str]]) -> str:
    """Runs each command once, which compiles what it imports; gives the label that both sides answer."""
    answers = {name: _run(command).strip() for name, command in commands.items()}
    if answers[OURS] != answers[THEIRS]:
        raise Different(f"{OURS} says {answers[OURS]!r}, {THEIRS} {answers[THEIRS]!r}")
    return answers[OURS]


def _times(commands: dict[str, list[str]], repeat: int) -> dict[str, list[float]]:
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(repeat):
        for name, command in commands.items():
            start = time.perf_counter()
            _run(command)
            times[name].append(time.perf_counter() - start)
    return times


def _run(command: list[str]) -> str:
    done = subprocess.run(
        command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, env=child_environment()
    )
    return done.stdout


def _row(name: str, seconds: list[float], ours: list[float]) -> dict[str, Any]:
    best, median = min(seconds), statistics.median(seconds)
    ratios = {"ratio_best": best / min(ours), "ratio_median": median / statistics.median(ours)}
    return {"command": name, "best": best, "median": median, **ratios, "seconds": seconds}


def table(rows: list[dict[str, Any]], ratio: float) -> str:
    """Milliseconds of each command, how many times likelier's that is, and what became of the target."""
    lines = [f"{'':<24} {'best ms':>8} {'median':>8} {'ratio':>7} {'median':>7}"]
    for row in rows:
        times = f"{row['best'] * 1e3:>8.0f} {row['median'] * 1e3:>8.0f}"
        lines.append(f"{row['command']:<24} {times} {row['ratio_best']:>6.2f}x {row['ratio_median']:>6.2f}x")
    reached = "reached" if ratio >= TARGET else "missed"
    return "\n".join([*lines, "", f"{OURS}: {ratio:.1f}x as quick, the target of {TARGET}x is {reached}"])


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure one answer from a cold shell.")
    parser.add_argument("--quick", action="store_true", help="once, and no result file: does it run?")
    parser.add_argument("--repeat", type=report.count, default=REPEAT, metavar="N", help=f"repetitions; {REPEAT}")
    parser.add_argument("--data", type=Path, default=DATA, metavar="DIR", help=f"folder with {MESSAGES}")
    parser.add_argument("--dry", action="store_true", help="write no result file")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
