"""A lesson and the one that takes it back, both undone in one step: the document is neither in the model nor listed."""

from __future__ import annotations

from serving import Served

DOCUMENT = {"text": "a watch", "label": "spam"}


def _both_undone(shop: Served) -> None:
    shop.post("/v1/learn", DOCUMENT)
    shop.post("/v1/forget", DOCUMENT)
    assert shop.post("/v1/undo", {"by": "local"})["undone"] == [1, 2]


def test_a_document_that_was_learned_and_forgotten_is_not_listed_when_both_are_undone(shop: Served) -> None:
    _both_undone(shop)
    assert shop.get("/v1/documents")["documents"] == []


def test_the_audit_works_when_both_are_undone(shop: Served) -> None:
    _both_undone(shop)
    assert shop.get("/v1/teachers")["teachers"] == []
