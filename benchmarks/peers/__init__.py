"""Everybody who is measured on the same texts: likelier, and those it is compared with."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from peers.base import CLASSIFY, ONE_TEXT, PAIRS, TASKS, WORDS, Peer
from peers.engines import Polars, Spark
from peers.linear import FastText, VowpalWabbit
from peers.ours import Likelier
from peers.plain import Nltk, River
from peers.scikit import ScikitLearn

__all__ = ["CLASSIFY", "ONE_TEXT", "PAIRS", "TASKS", "WORDS", "Likelier", "Peer", "ScikitLearn", "found"]

OTHERS: tuple[Callable[[], Peer], ...] = (River, Nltk, FastText, VowpalWabbit, Polars, Spark)
INSTALLATION = Path(sys.prefix) / "stamps" / "peers"  # what `install_peers.py` could not install, and why


def found(names: list[str] | None = None) -> tuple[list[Peer], dict[str, str]]:
    """The peers beside scikit-learn that can be imported, and why the others cannot; only some, if names are given."""
    there: list[Peer] = []
    left_out: dict[str, str] = {}
    refused = json.loads(INSTALLATION.read_text("utf-8")) if INSTALLATION.is_file() else {}
    for make in OTHERS:
        if names is not None and make.name not in names:  # type: ignore[attr-defined]
            continue
        try:
            there.append(make())
        except Exception as error:  # a package may fail in any way when it is imported
            package = make.package  # type: ignore[attr-defined]
            left_out[make.name] = refused.get(package, f"{type(error).__name__}: {error}")  # type: ignore[attr-defined]
    return there, left_out


def versions(peers: list[Peer]) -> dict[str, str]:
    """Of the packages behind them."""
    return {peer.package: _version(peer.package) for peer in peers}


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"
