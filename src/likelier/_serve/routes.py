"""Every address of the server, with its methods, what answers them, and the role they need."""

from __future__ import annotations

from likelier._serve import asking, operations, taught, teaching
from likelier._serve.door import Endpoint, Routes


def routes() -> Routes:
    """All of them."""
    return {
        "/v1/classify": {"POST": Endpoint(asking.classify, "public")},
        "/v1/explain": {"POST": Endpoint(asking.explain, "public")},
        "/v1/model": {"GET": Endpoint(asking.model, "public")},
        "/v1/terms": {"GET": Endpoint(asking.terms, "public")},
        "/v1/view": {
            "GET": Endpoint(asking.view, "public"),
            "PATCH": Endpoint(teaching.change_view, "admin"),
            "POST": Endpoint(teaching.change_view, "admin"),
            "DELETE": Endpoint(teaching.reset_view, "admin"),
        },
        "/v1/learn": {"POST": Endpoint(teaching.learn, "teach")},
        "/v1/forget": {"POST": Endpoint(teaching.forget, "teach")},
        "/v1/relabel": {"POST": Endpoint(teaching.relabel, "teach")},
        "/v1/undo": {"POST": Endpoint(teaching.undo, "teach")},
        "/v1/load": {"POST": Endpoint(teaching.load, "admin")},
        "/v1/documents": {"GET": Endpoint(taught.documents, "read")},
        "/v1/lessons": {"GET": Endpoint(taught.lessons, "read")},
        "/v1/teachers": {"GET": Endpoint(taught.teachers, "read")},
        "/v1/evaluate": {"GET": Endpoint(taught.evaluate, "read"), "POST": Endpoint(taught.evaluate, "read")},
        "/v1/export/model": {"GET": Endpoint(taught.export_model, "read")},
        "/v1/export/documents": {"GET": Endpoint(taught.export_documents, "read")},
        "/openapi.json": {"GET": Endpoint(operations.openapi, "nobody")},
        "/healthz": {"GET": Endpoint(operations.healthz, "nobody")},
        "/readyz": {"GET": Endpoint(operations.readyz, "nobody")},
        "/metrics": {"GET": Endpoint(operations.metrics, "read")},
    }
