"""`likelier serve`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from likelier._base.errors import error
from likelier._cli.commands.classify import classify_file
from likelier._cli.shared.options import model_argument
from likelier._cli.shared.program import command, option


@command(
    usage="MODEL [OPTIONS]",
    examples=[
        "likelier serve shop.likelier --teach-openly",
        "likelier serve shop.likelier --tokens tokens.txt --host 0.0.0.0",
        "likelier serve shop.likelier --log postgresql://likelier@db/shop --tokens tokens.txt",
        "likelier serve shop.likelier --read-only --port 0",
    ],
)
@model_argument
@option(
    "--host",
    default="127.0.0.1",
    metavar="ADDRESS",
    group="Address",
    help="Address to listen on. Default: 127.0.0.1, this machine only.",
)
@option(
    "--port",
    default=8000,
    type=click.IntRange(0, 65535),
    metavar="N",
    group="Address",
    help="Port to listen on; 0 takes any free one. Default: 8000.",
)
@option(
    "--tokens",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    group="Access",
    help="File with a line NAME ROLE TOKEN for each token; roles: read, teach, admin. The environment variable "
    "LIKELIER_TOKENS may hold such lines too.",
)
@option("--teach-openly", is_flag=True, group="Access", help="Allow teaching without a token, from this machine only.")
@option(
    "--public",
    is_flag=True,
    group="Access",
    help="Allow everybody to classify and explain when listening on other addresses.",
)
@option(
    "--lessons-per-minute",
    default=60_000,
    type=click.IntRange(0),
    metavar="N",
    group="Access",
    help="Documents that one name may teach in a minute; admins have no limit, 0 is no limit. Default: 60000.",
)
@option(
    "--log",
    metavar="PATH|URL",
    group="Learning",
    help="Log of lessons: a file, or postgresql://... to share it. Default: MODEL.log.sqlite.",
)
@option("--read-only", is_flag=True, group="Learning", help="Serve without a log; nothing can be taught.")
@option(
    "--without-texts",
    is_flag=True,
    group="Learning",
    help="Erase texts from the log once a snapshot contains them. Undoing, evaluating and exporting documents are "
    "then not possible.",
)
@option(
    "--adopt",
    is_flag=True,
    group="Learning",
    help="Serve MODEL although the log does not know this file; the log goes on from there.",
)
@option(
    "--snapshot-lessons",
    default=10_000,
    type=click.IntRange(1),
    metavar="N",
    group="Learning",
    help="Write the model file after N lessons. Default: 10000.",
)
@option(
    "--snapshot-seconds",
    default=300.0,
    type=click.FloatRange(0, min_open=True),
    metavar="N",
    group="Learning",
    help="Write the model file at most N seconds after a lesson. Default: 300.",
)
@option(
    "--max-body",
    default=16 << 20,
    type=click.IntRange(1),
    metavar="BYTES",
    group="Limits",
    help="Largest request body. Default: 16777216.",
)
@option(
    "--max-text",
    default=1_000_000,
    type=click.IntRange(1),
    metavar="N",
    group="Limits",
    help="Most characters of a text. Default: 1000000.",
)
@option(
    "--max-batch",
    default=10_000,
    type=click.IntRange(1),
    metavar="N",
    group="Limits",
    help="Most documents in a request. Default: 10000.",
)
@option("--report-requests", is_flag=True, group="Output", help="Report every request on stderr, without texts.")
def serve(model: Path, max_body: int, max_text: int, max_batch: int, **given: Any) -> None:
    """Serve a model over HTTP: classify, explain, learn, forget, undo.

    Every lesson is written to a log before it is acknowledged, so nothing that was
    acknowledged is lost. The model file is a snapshot; the server rewrites it from time to
    time and when it stops, and replays the rest of the log when it starts.

    Without tokens, everybody on this machine can read, and nobody can teach; see
    --teach-openly. Listening on other addresses needs tokens or --public. Send SIGHUP to
    load the model file again, and SIGTERM to stop. GET /openapi.json describes the API.
    """
    try:
        from likelier._serve.run import Options
        from likelier._serve.service import Limits
        from likelier._workbench.start import serve
    except ModuleNotFoundError as failure:
        raise error("serve-extra", package=failure.name, extra="serve") from failure
    serve(Options(model, limits=Limits(max_body, max_text, max_batch), **given), classify_file)
