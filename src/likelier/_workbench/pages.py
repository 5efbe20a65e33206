"""The pages of the workbench, as HTML, and the files that they need. They hold no data: their scripts ask for it.

So a page is the same for everybody and needs no role; what it shows needs one. Nothing comes from outside, and nothing
is written into the page, which the content security policy makes sure of.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.responses import Response

from likelier._base.errors import error
from likelier._base.version import VERSION
from likelier._serve.answers import Problem
from likelier._serve.calls import Call
from likelier._serve.door import Endpoint, Handler, Routes
from likelier._serve.replies import HTML, Reply
from likelier._show.html_words import STYLE

FOLDER = Path(__file__).with_name("page")
SCREENS = {
    "start": "Start",
    "label": "Label",
    "check": "Check",
    "words": "Words",
    "classify": "Classify",
    "history": "History",
    "export": "Export",
}
POLICY = (
    b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
    b" form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
MEDIA = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}
FOREVER = b"public, max-age=31536000, immutable"  # the address of a file changes with what is in it


def routes() -> Routes:
    """All of them; the start is at / and the others are at their names."""
    file = Endpoint(static, "nobody", answers=dict.fromkeys(MEDIA.values()), others={404: Problem})
    shown = {address(name): {"GET": Endpoint(_screen(name), "nobody", answers={HTML: None})} for name in SCREENS}
    return {**shown, "/static/*": {"GET": file}}


def address(name: str) -> str:
    """Where a screen is.

    >>> address("start"), address("label")
    ('/', '/label')
    """
    return "/" if name == "start" else f"/{name}"


def _screen(name: str) -> Handler:
    async def screen(call: Call) -> Response:
        reply = Reply(page(name), HTML)
        reply.add(b"content-security-policy", POLICY)
        reply.add(b"referrer-policy", b"no-referrer")
        reply.add(b"cache-control", b"no-cache")
        return reply

    screen.__name__, screen.__doc__ = f"{name}_screen", f"The screen {SCREENS[name]} of the workbench, as a page."
    return screen


async def static(call: Call) -> Response:
    """A script, style or picture of the pages."""
    version, _, name = call.rest.partition("/")
    if version != digest() or name not in files():
        raise error("route-missing", path=call.scope["path"])
    reply = Reply(files()[name], MEDIA[Path(name).suffix])
    reply.add(b"cache-control", FOREVER)
    return reply


@cache
def page(name: str) -> bytes:
    """A screen as HTML."""
    loader = FileSystemLoader(FOLDER)
    environment = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    screens = [(each, address(each), title) for each, title in SCREENS.items()]
    found = environment.get_template(f"{name}.html")
    return found.render(
        name=name, title=SCREENS[name], screens=screens, files=f"/static/{digest()}", version=VERSION
    ).encode()


@cache
def files() -> Mapping[str, bytes]:
    """What lies under /static: ours, and the library's style for explanations."""
    own = {path.name: path.read_bytes() for path in sorted(FOLDER.iterdir()) if path.suffix in MEDIA}
    return MappingProxyType({**own, "likelier.css": STYLE.encode()})


@cache
def digest() -> str:
    """Names the content of all files, so that browsers may keep them as long as they like."""
    joined = b"\0".join(part for name, body in files().items() for part in (name.encode(), body))
    return hashlib.sha256(joined).hexdigest()[:16]
