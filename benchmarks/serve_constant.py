"""The peer of the server: the same framework, which reads a request and answers a constant of the same form.

`uvicorn serve_constant:app`; `/v1/classify` answers one verdict, `/v1/batch` a hundred.
"""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

VERDICT = {
    "label": "spam",
    "probability": 0.9665575610365335,
    "probabilities": {"ham": 0.03344243896346659, "spam": 0.9665575610365335},
    "unknown_share": 0.0,
    "reason": None,
}
STANDS = {"position": 0, "digest": "0" * 64}


async def one(request: Request) -> JSONResponse:
    """One verdict."""
    await request.body()
    return JSONResponse({**VERDICT, **STANDS})


async def batch(request: Request) -> JSONResponse:
    """A hundred verdicts."""
    await request.body()
    return JSONResponse({"verdicts": [VERDICT] * 100, **STANDS})


app = Starlette(routes=[Route("/v1/classify", one, methods=["POST"]), Route("/v1/batch", batch, methods=["POST"])])
