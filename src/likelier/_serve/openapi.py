"""The OpenAPI document."""

from __future__ import annotations

from typing import Any


def document() -> dict[str, Any]:
    return {}
