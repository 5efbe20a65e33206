"""Tests write thousands of files; only those about durability wait for the disk."""

from __future__ import annotations

import os

import pytest


@pytest.fixture(autouse=True, scope="package")
def no_waiting_for_the_disk():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda file: None)
        yield
