"""Another process that changes a model file: `worker.py PATH FIRST NUMBER` learns documents one by one.

Each is learned under the lock and saved, and its number is printed when it is on the disk.
"""

from __future__ import annotations

import sys

import likelier as lk

TOKENS = 3  # of each document, all of them the same word


def learn(path: str, number: int) -> None:
    """Counts one document that has a word of its own, three times, and notes it in the ledger."""
    with lk.updating(path) as model:
        model.learn(" ".join([f"word{number}"] * TOKENS), "ham")


if __name__ == "__main__":
    path, first, number = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    for document in range(first, first + number):
        learn(path, document)
        print(document, flush=True)
