"""Accuracy of likelier with no option given against scikit-learn's naive Bayes, on text sets; and calibration.

A set is a run of its own: its result goes to results/<set>.json as soon as it is there. See ../README.md.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[1]))

import report
from accuracy import auto, scikit, sets
from environment import ROOT, environment

DATA = ROOT.parent / "shared" / "data" / "text"
RESULTS = Path(__file__).resolve().parent / "results"
MOST_BEHIND = 0.002  # of accuracy, on every set
MOST_ERROR_LEFT = 1 / 3  # of the calibration error
LEAST_SETS = 8  # that beat the best of scikit-learn, and whose calibration error is reduced to MOST_ERROR_LEFT
ROUNDING = 1e-9


def main() -> int:
    """Runs the sets one after the other; prints the table of all results that are stored."""
    options = _options()
    missing = [name for name in options.names if not sets.is_there(name, options.data)]
    if missing:
        report.tell(f"error: {', '.join(missing)} not found in {options.data} (as .jsonl.gz)")
        report.tell("hint: --data DIR says where the sets are")
        return 2
    results = {}
    for name in options.names:
        report.tell(f"{name}:")
        about = environment()
        results[name] = {"command": command(name), **about, **_result(sets.load(name, options.data), options.only)}
        if not options.dry:
            report.write(RESULTS / f"{name}.json", results[name])
    print("\n\n".join(_table(found) for found in (results, {} if options.dry else _stored(results)) if found))
    return 0


def command(name: str) -> str:
    """What measures one set again."""
    return f"make bench BENCH=accuracy/run ARGS={name}"


def _result(found: sets.TextSet, only: str | None) -> dict[str, Any]:
    result: dict[str, Any] = {"set": found.facts()}
    if only != "likelier":
        result["peers"] = scikit.judged(found.splits, report.tell)
    if only != "peers":
        result["likelier"] = auto.judged(found.splits, report.tell)
    return result if only else {**result, "summary": summary(result["peers"], result["likelier"])}


def summary(peers: list[dict[str, Any]], likelier: dict[str, Any]) -> dict[str, Any]:
    """The row of the table, and which targets it reaches."""
    best = max(peers, key=lambda row: row["right"])
    ours, before = (likelier["figures"][name] for name in (auto.AUTO, auto.AUTO_PLAIN))
    ahead = ours["right"] - best["right"]
    error_before, error_after = before["calibration_error"], ours["calibration_error"]
    return {
        "best": f"{best['model']}, n-grams {best['ngrams']}",
        "best_accuracy": best["accuracy"],
        "accuracy": ours["accuracy"],
        "difference": ahead / ours["documents"],
        "documents_ahead": ahead,
        **chosen([run["settings"] for run in likelier["runs"]]),
        "seconds": sum(run["training_seconds"] + run["classification_seconds"] for run in likelier["runs"]),
        "error_before": error_before,
        "error_after": error_after,
        "near": ahead / ours["documents"] >= -MOST_BEHIND - ROUNDING,
        "ahead": ahead > 0,
        "honest": error_after <= error_before * MOST_ERROR_LEFT,
    }


def chosen(settings: list[str]) -> dict[str, Any]:
    """The settings that were chosen most often, and in how many of how many splits."""
    (words, times), *_ = Counter(settings).most_common()
    return {"settings": words, "times": times, "splits": len(settings)}


# ---- for people ------------------------------------------------------------------------------------------------------


def _table(results: dict[str, Any]) -> str:
    lines = []
    for name, result in results.items():
        if "summary" in result:
            lines.append(_line(name, result["summary"]))
            continue
        lines += [
            f"{name:<20} {row['model']}, n-grams {row['ngrams']}: {row['accuracy']:.2%}, {row['seconds']:.1f} s"
            for row in result.get("peers", ())
        ]
        figures = result.get("likelier", {"figures": {}})["figures"]
        lines += [
            f"{name:<20} {which}: {row['accuracy']:.2%}, calibration error {row['calibration_error']:.2%}"
            for which, row in figures.items()
        ]
    summaries = [result["summary"] for result in results.values() if "summary" in result]
    return "\n".join([*lines, *(targets(summaries) if summaries else [])])


def _line(name: str, row: dict[str, Any]) -> str:
    best = f"{row['best']} {row['best_accuracy']:.2%}"
    errors = f"ECE {row['error_before']:.2%} → {row['error_after']:.2%}"
    figures = f"likelier {row['accuracy']:.2%} {row['difference'] * 100:+.2f}   {errors}   {row['seconds']:.1f} s"
    return f"{name:<20} {best:<32} {figures}   {row['settings']} ({row['times']} of {row['splits']})"


def targets(rows: list[dict[str, Any]]) -> list[str]:
    """Whether they are met."""
    near, ahead, calibrated = (sum(row[name] for row in rows) for name in ("near", "ahead", "honest"))
    return [
        f"at most {MOST_BEHIND * 100:.1f} behind the best of scikit-learn: {near} of {len(rows)}, all are needed",
        f"ahead of it: {ahead} of {len(rows)}, {LEAST_SETS} are needed",
        f"calibration error at most a third of before: {calibrated} of {len(rows)}, {LEAST_SETS} are needed",
    ]


def _stored(just_run: dict[str, Any]) -> dict[str, Any]:
    """All results that are there, if some are not of this run."""
    files = {name: RESULTS / f"{name}.json" for name in sets.NAMES}
    found = {name: json.loads(file.read_text("utf-8")) for name, file in files.items() if file.is_file()}
    return found if found.keys() - just_run.keys() else {}


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Compare the accuracy of likelier with that of scikit-learn.")
    parser.add_argument("names", nargs="*", metavar="SET", help=f"all if none is given; {', '.join(sets.NAMES)}")
    parser.add_argument("--data", type=Path, default=DATA, metavar="DIR", help="folder with the sets")
    parser.add_argument("--only", choices=("peers", "likelier"), help="one side; writes no result")
    parser.add_argument("--dry", action="store_true", help="write no result")
    options = parser.parse_args()
    unknown = [name for name in options.names if name not in sets.NAMES]
    if unknown:
        parser.error(f"{unknown[0]!r} is none of the sets: {', '.join(sets.NAMES)}")
    options.names = list(dict.fromkeys(options.names)) or list(sets.NAMES)
    options.dry = options.dry or options.only is not None
    return options


if __name__ == "__main__":
    sys.exit(main())
