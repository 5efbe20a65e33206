"""The model file: time to save, size, time to load and to give the first answer, against scikit-learn and joblib.

The counts are generated: a vocabulary of a given size with Zipf's frequencies, two labels. Every time is the best of
the repetitions, with the file in the system's cache. The last figure is that of a shell: start Python, import, load,
answer one text, end.
"""

from __future__ import annotations

import argparse
import gc
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import scipy.sparse
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB

import likelier as lk
import report
from environment import environment
from likelier import _storage as storage
from likelier._documents.schema import plain
from likelier._storage import load_file as reading

SIZES = (10_000, 1_000_000, 10_000_000)
SLOW_PEER = 1_000_000  # with more terms scikit-learn and joblib are measured once: that takes minutes
REPEAT = 3
SEED = 20260101
TEXT = "w17 w4 nothing w256 w99999 is known w3"
RESULTS = Path(__file__).resolve().parent / "results" / "model-file.json"
OURS = "from likelier import _storage; from likelier._model.view import View; s = _storage.load({!r}); " + (
    "print(View(s.counts, s.schema).classify({!r}).label)"
)
THEIRS = "import joblib; v, m = joblib.load({!r}); print(m.predict(v.transform([{!r}]))[0])"


def main() -> int:
    """Measures, prints a table and writes the result file."""
    options = _options()
    about = environment()
    rows = []
    for size in options.sizes:
        with tempfile.TemporaryDirectory(dir=options.folder) as folder:
            row = {"terms": size, "likelier": _likelier(size, Path(folder), options.repeat)}
            row["scikit-learn"] = _scikit_learn(size, Path(folder), options.repeat if size <= SLOW_PEER else 1)
        rows.append(row)
        _tell(row)
    if not options.dry:
        report.write(RESULTS, {**about, "seed": SEED, "rows": rows})
    return 0


def _table(size: int) -> dict[str, np.ndarray[Any, Any]]:
    """Counts of two labels: each term under one of them or both, the n-th about 1/n as often as the first."""
    random = np.random.default_rng(SEED)
    names = np.array(sorted(f"w{number}" for number in range(size)), dtype=bytes)
    lengths = np.char.str_len(names)
    terms = np.frombuffer(b"".join(names.tolist()), dtype=np.uint8)
    expected = 3 * size / (1 + random.permutation(size))
    tf = random.poisson(np.maximum(expected[:, np.newaxis] * random.dirichlet((1, 1), size), 0.3)).astype(np.uint64)
    tf[~tf.any(axis=1), 0] = 1
    there = tf > 0
    return {
        "unit": np.array([1], dtype=np.uint64),
        "documents": np.array([size, size], dtype=np.uint64),
        "terms": terms,
        "term_ends": np.cumsum(lengths).astype(np.uint64),
        "cell_ends": np.cumsum(there.sum(axis=1)).astype(np.uint64),
        "cell_labels": np.broadcast_to(np.array([0, 1], dtype=np.uint32), tf.shape)[there],
        "cell_tf": tf[there],
        "cell_df": (tf[there] + 1) // 2,
    }


def _likelier(size: int, folder: Path, repeat: int) -> dict[str, Any]:
    path = folder / "model.likelier"
    save = _save(size, path, repeat)
    return {
        "repeat": repeat,
        "save": save,
        "megabytes": path.stat().st_size / 1e6,
        "load": _best(lambda: storage.load(path), repeat),
        **_steps(path, repeat),
        "first_answer": _first_answer(path, repeat),
        "shell": _shell(OURS.format(str(path), TEXT), repeat),
    }


def _save(size: int, path: Path, repeat: int) -> float:
    counts = lk.Counts()
    counts.sizes.hold(["ham", "spam"], _table(size))
    counts.sizes.settle()
    return _best(lambda: storage.save(path, storage.Stored(counts, plain(lk.Analyzer()))), repeat)


def _first_answer(path: Path, repeat: int) -> float:
    stored = storage.load(path)
    return _best(lambda: lk.View(stored.counts, stored.schema).classify(TEXT), repeat)


def _steps(path: Path, repeat: int) -> dict[str, float]:
    """Part of the loading time, and what comes on top of it when the model changes or many texts are asked."""
    return {
        "load_read_and_checksum": _best(lambda: reading._read(str(path)), repeat),
        "load_and_number_terms": _best(lambda: storage.load(path).counts.sizes.settle(), repeat),
    }


def _scikit_learn(size: int, folder: Path, repeat: int) -> dict[str, Any]:
    path = folder / "model.joblib"
    arrays = _table(size)
    ends, joined = arrays["term_ends"].tolist(), arrays["terms"].tobytes().decode()
    names = [joined[begin:end] for begin, end in zip([0, *ends], ends, strict=False)]
    vectorizer = CountVectorizer(vocabulary={name: number for number, name in enumerate(names)})
    rows = np.repeat(np.arange(size), np.diff(arrays["cell_ends"].astype(np.int64), prepend=0))
    shape = (2, size)
    matrix = scipy.sparse.csr_matrix((arrays["cell_tf"].astype(float), (arrays["cell_labels"], rows)), shape)
    model = MultinomialNB().fit(matrix, ["ham", "spam"])
    save = _best(lambda: joblib.dump((vectorizer, model), path), repeat)
    vectorizer, model = joblib.load(path)
    return {
        "repeat": repeat,
        "save": save,
        "megabytes": path.stat().st_size / 1e6,
        "load": _best(lambda: joblib.load(path), repeat),
        "first_answer": _best(lambda: model.predict_proba(vectorizer.transform([TEXT])), repeat),
        "shell": _shell(THEIRS.format(str(path), TEXT), repeat),
    }


def _best(work: Callable[[], object], repeat: int) -> float:
    times = []
    for _ in range(repeat):
        gc.collect()
        start = time.perf_counter()
        result = work()
        times.append(time.perf_counter() - start)
        del result
    return min(times)


def _shell(program: str, repeat: int) -> float:
    command = [sys.executable, "-c", program]
    return _best(lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=os.environ), repeat)


def _tell(row: dict[str, Any]) -> None:
    for peer in ("likelier", "scikit-learn"):
        if peer in row:
            figures = "  ".join(f"{name} {value:.4g}" for name, value in row[peer].items())
            print(f"{row['terms']:>10,} terms  {peer:<12}  {figures}", flush=True)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure the model file.")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, metavar="N", help="terms")
    parser.add_argument("--repeat", type=int, default=REPEAT, metavar="N", help=f"repetitions; {REPEAT}")
    parser.add_argument("--folder", type=Path, metavar="DIR", help="where files are written; the system's for such")
    parser.add_argument("--dry", action="store_true", help="write no result file")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
