"""Who may do what: tokens with a name and a role.

    public  classify, explain, and look at the model
    read    also see what was taught, and by whom
    teach   also learn, forget, relabel, and undo one's own lessons
    admin   also change the view, load another model, and undo the lessons of others

A file of tokens has a line for each: name, role, token. Empty lines and lines that begin with # are skipped.
"""

from __future__ import annotations

import base64
import hmac
import ipaddress
import re
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import NamedTuple

from likelier._base.errors import error

ROLES = ("nobody", "public", "read", "teach", "admin")
_RANK = {role: rank for rank, role in enumerate(ROLES)}
LEAST = 8  # characters of a token
VARIABLE = "LIKELIER_TOKENS"
OPENLY = "local"  # the name of whoever needs no token
THEIRS = b"hf_"  # a token that Hugging Face's clients send everywhere, if their user is logged in there


class Caller(NamedTuple):
    """Who asks."""

    name: str
    role: str

    def may(self, wanted: str) -> bool:
        """Whether the role is enough."""
        return _RANK[self.role] >= _RANK[wanted]


class Token(NamedTuple):
    """One line of the file."""

    name: str
    role: str
    token: bytes


def read_tokens(path: Path | None, environment: str | None) -> list[Token]:
    """The tokens of a file and of the environment."""
    found: list[Token] = []
    if path is not None:
        try:
            found += _parsed(path.read_text("utf-8").splitlines(), str(path))
        except (OSError, UnicodeDecodeError) as failure:
            reason = getattr(failure, "strerror", None) or str(failure)
            raise error("tokens-file.missing", name=path, reason=reason, line=0, least=LEAST) from failure
    found += _parsed((environment or "").splitlines(), VARIABLE)
    return found


def _parsed(lines: Iterable[str], name: str) -> list[Token]:
    found: list[Token] = []
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        parts = line.split()
        reason = _wrong(parts, found)
        if reason:
            raise error("tokens-file", name=name, line=number, reason=reason, least=LEAST)
        found.append(Token(parts[0], parts[1], parts[2].encode()))
    return found


def _wrong(parts: list[str], before: list[Token]) -> str:
    """What is wrong with a line, without the token itself."""
    if len(parts) != 3:
        return f"got {len(parts)} words"
    name, role, token = parts
    if role not in ROLES[2:]:
        return f"the role must be read, teach or admin, got {role!r:.60}"
    if len(token) < LEAST or not re.fullmatch(r"[\x21-\x7e]+", token):
        return f"the token must have at least {LEAST} ASCII characters"
    if "/" in name:  # label-studio/7 is annotator 7, for whom the token label-studio speaks
        return "the name must not have a slash"
    if name == OPENLY or any(each.token == token.encode() for each in before):
        return f"the name {OPENLY!r} is taken" if name == OPENLY else "the token is there twice"
    return ""


def _sent(authorization: str) -> bytes:
    """The token of a header: that of Bearer, or the password of Basic, whatever its user is called.

    >>> _sent("Bearer secret-1"), _sent("Basic YW5uYTpzZWNyZXQtMQ=="), _sent("Basic ?"), _sent("secret-1")
    (b'secret-1', b'secret-1', b'', b'')
    """
    kind, _, given = authorization.partition(" ")
    if kind.lower() == "bearer":
        return given.strip().encode()
    if kind.lower() == "basic":
        with suppress(ValueError):
            return base64.b64decode(given.strip(), validate=True).partition(b":")[2]
    return b""


@lru_cache(maxsize=256)
def is_loopback(host: str) -> bool:
    """Whether only this machine can reach it.

    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, True, False)
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


@dataclass(frozen=True)
class Access:
    """What is allowed with a token, and without."""

    tokens: list[Token] = field(default_factory=list)
    openly: str = "read"  # the role of whoever sends no token
    from_afar: str = "nobody"  # the same, where a proxy passes on the requests of others
    checks_host: bool = True  # without a token, only requests to this machine's own names are answered

    @cached_property
    def _openly(self) -> Caller:
        return Caller(OPENLY, self.openly)

    @classmethod
    def of(cls, host: str, tokens: list[Token], *, public: bool, teach_openly: bool) -> Access:
        """By the address that the server listens on."""
        local = is_loopback(host)
        if not local and not tokens and not public:
            raise error("tokens-needed", host=host)
        from_afar = "public" if public else "nobody"
        if not local:
            return cls(tokens, from_afar, from_afar, checks_host=False)
        role = ("teach" if tokens else "admin") if teach_openly else "read"
        return cls(tokens, role, from_afar)

    def caller(self, authorization: str | None, host: str, *, forwarded: bool = False) -> Caller:
        """Who asks, by the headers of the request.

        forwarded: whether a proxy passed it on; then it is no request of this machine, whatever it looks like.
        """
        if authorization is None and forwarded:
            return Caller(OPENLY, self.from_afar)
        if authorization is None:
            if self.checks_host and not _names_this_machine(host):
                raise error("host-refused", got=host)
            return self._openly
        sent, found = _sent(authorization), None
        for each in self.tokens:  # all of them, so that the time says nothing
            if hmac.compare_digest(each.token, sent):
                found = each
        if found is None and sent.startswith(THEIRS):
            return self.caller(None, host, forwarded=forwarded)
        if found is None:
            raise error("token-wrong")
        return Caller(found.name, found.role)

    def check(self, caller: Caller, wanted: str) -> None:
        """Whether the caller may do what needs this role."""
        if caller.may(wanted):
            return
        if caller.name == OPENLY:
            raise error("token-missing", wanted=wanted)
        raise error("role-too-low", wanted=wanted, name=caller.name, got=caller.role)


@lru_cache(maxsize=256)
def _names_this_machine(host: str) -> bool:
    """Whether a Host header names this machine.

    >>> [_names_this_machine(host) for host in ("127.0.0.1:8000", "[::1]:8000", "localhost", "example.org:80", "")]
    [True, True, True, False, False]
    """
    return is_loopback(re.sub(r":\d*$", "", host) if not host.endswith("]") else host)


class Rate:
    """How much each name may teach: a bucket for each, which fills up within a minute."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._left: dict[str, tuple[float, float]] = {}  # name → what was left, and when

    def check(self, caller: Caller, documents: int) -> None:
        """Takes that many documents out of the bucket; admins have none."""
        if caller.role == "admin" or not self.most:
            return
        now = time.monotonic()
        left, at = self._left.get(caller.name, (float(self.most), now))
        left = min(float(self.most), left + (now - at) * self.most / 60)
        if documents > left:
            self._left[caller.name] = (left, now)
            seconds = max(1, round((min(documents, self.most) - left) * 60 / self.most))
            failure = error("rate-limited", name=caller.name, most=self.most, seconds=seconds)
            failure.retry_after = seconds
            raise failure
        self._left[caller.name] = (left - documents, now)
