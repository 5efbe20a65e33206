"""`likelier train --engine spark` and `classify --engine spark`: in a terminal, on the cluster."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import likelier as lk
from cluster import Cluster
from likelier.demo import documents

PAIRS = list(documents())
PATIENCE = 600  # seconds


def typed(cluster: Cluster, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """What `likelier` says to these arguments, on the cluster."""
    command = [sys.executable, "-m", "likelier", *arguments]
    engine = ["--engine", "spark", "--master", cluster.master]
    environment = {**os.environ, **cluster.environment}
    return subprocess.run(
        [*command, *engine],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )


@pytest.fixture
def mail(tmp_path: Path) -> Path:
    """A folder with two Parquet files, whose labels are integers and which have two rows that cannot be used."""
    numbers = {label: number for number, label in enumerate(sorted({label for _, label in PAIRS}))}
    rows = [{"text": text, "label": numbers[label]} for text, label in PAIRS]
    (tmp_path / "mail").mkdir()
    for name, some in (
        ("a", rows[:100]),
        ("b", [*rows[100:], {"text": None, "label": 1}, {"text": "a", "label": None}]),
    ):
        pq.write_table(pa.Table.from_pylist(some), tmp_path / "mail" / f"{name}.parquet")
    return tmp_path


def test_a_model_is_trained_and_asked_on_the_cluster_as_it_is_here(cluster: Cluster, mail: Path) -> None:
    files = "file:///" + str(mail / "mail" / "*.parquet").lstrip("/")
    options = ("--on-error", "skip", "--view", "textbook")
    said = typed(cluster, mail, "train", files, "-o", "shop.likelier", *options)
    assert said.returncode == 0, said.stderr
    assert "warning: skipped 2 rows" in said.stderr
    assert "240 documents, 6 labels" in said.stderr
    local = ["train", "mail/*.parquet", "-o", "local.likelier", *options, "--no-ledger", "--quiet"]
    subprocess.run([sys.executable, "-m", "likelier", *local], cwd=mail, check=True)
    model = lk.load(mail / "shop.likelier")
    assert model.labels == ("0", "1", "2", "3", "4", "5")
    assert model.counts == lk.load(mail / "local.likelier").counts
    said = typed(cluster, mail, "classify", "shop.likelier", "--input", "mail/a.parquet", "--output", "answers")
    assert said.returncode == 0, said.stderr
    found = pq.read_table(mail / "answers").to_pylist()
    assert [row["likelier_label"] for row in found] == model.classify_many([row["text"] for row in found]).labels


@pytest.mark.slow
def test_files_and_rows_that_the_workers_cannot_read_are_one_line_and_a_hint(cluster: Cluster, mail: Path) -> None:
    lk.train(PAIRS, view="textbook").save(mail / "shop.likelier")
    said = typed(cluster, mail, "train", "mail/missing.parquet", "-o", "new.likelier")
    check_refused(said, "error: Spark could not do it: [PATH_NOT_FOUND]")
    said = typed(cluster, mail, "classify", "shop.likelier", "-i", "mail/b.parquet", "-o", "out.jsonl")
    check_refused(said, "error: every document needs a text")


def check_refused(said: subprocess.CompletedProcess[str], words: str) -> None:
    assert said.returncode == 2
    lines = [line for line in said.stderr.splitlines() if line.startswith(("error:", "hint:", "Traceback"))]
    assert lines[0].startswith(words), said.stderr
    assert [line.partition(":")[0] for line in lines] == ["error", "hint"]
