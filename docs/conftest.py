"""Examples may write files: each page runs in a new folder."""

from __future__ import annotations

from pathlib import Path

import pytest

collect_ignore = ["guides/spark.md"]  # its examples are run on a cluster, by `tests/spark/test_guide.py`


@pytest.fixture(autouse=True)
def new_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
