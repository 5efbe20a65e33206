"""Reading ahead gives the same items, in the same order, and ends when either side ends."""

from __future__ import annotations

import threading

import pytest

from likelier._read.reader import ahead


def reading_threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "likelier reading ahead"]


def test_an_error_comes_after_the_items_before_it():
    def items():
        yield 1
        raise ValueError("broken here")

    read = ahead(items())
    assert next(read) == 1
    with pytest.raises(ValueError, match="broken here"):
        next(read)
    assert reading_threads() == []


def test_who_stops_early_leaves_no_thread_behind():
    read = ahead(iter(range(1000)))
    assert next(read) == 0
    read.close()
    assert reading_threads() == []


def test_a_source_in_which_nothing_comes_does_not_keep_the_user():
    nothing = threading.Event()

    def items():
        yield 1
        nothing.wait()

    read = ahead(items())
    assert next(read) == 1
    read.close()  # would never return if it waited for the source
    nothing.set()


def test_the_next_item_is_made_while_the_last_one_is_used():
    made = threading.Semaphore(0)

    def items():
        for number in range(3):
            yield number
            made.release()

    read = ahead(items())
    assert next(read) == 0
    assert made.acquire(timeout=10)  # the first was passed on, so the second is being made
    assert list(read) == [1, 2]
