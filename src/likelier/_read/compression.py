"""Compressed files: gzip, Zstandard, bzip2 and xz, with several members one after the other, in bounded memory.

A file that ends too early or is damaged is an error, never a short text.
"""

from __future__ import annotations

import sys
import zlib
from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Protocol

from likelier._base.errors import error

HEAD_BYTES = 1 << 16  # of a file, for a look at what it is
MOST_MEMORY = 128 << 20  # bytes, as zstd has it of itself; `xz -9` asks for 65 MB

_FIRST_BYTES = (
    (b"\x1f\x8b", "gzip"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"\xfd7zXZ\x00", "xz"),
    *((b"BZh%d1AY&SY" % level, "bz2") for level in range(1, 10)),
    *((bytes([low]) + b"\x2a\x4d\x18", "zstd") for low in range(0x50, 0x60)),  # a frame to be skipped comes first
)


class Decompressor(Protocol):
    """What the modules of the standard library have in common."""

    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int) -> bytes: ...


class _Gzip:
    """zlib's decompressor with the manners of the others: it keeps what it could not yet use."""

    def __init__(self) -> None:
        self._inner = zlib.decompressobj(wbits=31)

    @property
    def eof(self) -> bool:
        return self._inner.eof

    @property
    def unused_data(self) -> bytes:
        return self._inner.unused_data

    @property
    def needs_input(self) -> bool:
        return not self._inner.unconsumed_tail

    def decompress(self, data: bytes, max_length: int) -> bytes:
        return self._inner.decompress(self._inner.unconsumed_tail + data, max_length)


def compression_of(head: bytes) -> str | None:
    """The compression that the first bytes show."""
    return next((name for first, name in _FIRST_BYTES if head.startswith(first)), None)


def _decompressor(compression: str) -> Decompressor:
    found: Decompressor
    if compression == "gzip":
        found = _Gzip()
    elif compression == "bz2":
        found = import_module("bz2").BZ2Decompressor()
    elif compression == "xz":
        found = import_module("lzma").LZMADecompressor(memlimit=MOST_MEMORY)
    else:
        found = import_module(
            "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
        ).ZstdDecompressor()
    return found


def decompressed_head(head: bytes) -> bytes:
    """As much as the first bytes of a file yield, for a look inside; as they are if it is not compressed."""
    compression = compression_of(head)
    try:
        return _decompressor(compression).decompress(head, HEAD_BYTES) if compression else head
    except Exception:
        return b""  # reading will tell what is wrong


def decompressed(pieces: Iterable[bytes], compression: str, name: str, size: int) -> Iterator[bytes]:
    """The text of a compressed file, in blocks of at most `size` bytes."""
    decompressor: Decompressor | None = _decompressor(compression)
    for piece in pieces:
        rest = piece
        while rest or not (decompressor is None or decompressor.needs_input or decompressor.eof):
            if decompressor is None:
                rest = rest.lstrip(b"\0") if compression == "gzip" else rest  # tapes pad gzip with zeros
                if not rest:
                    break
                decompressor = _decompressor(compression)
            block = _next(decompressor, rest, name, size)
            rest = decompressor.unused_data if decompressor.eof else b""
            decompressor = None if decompressor.eof else decompressor
            if block:
                yield block
    if decompressor is not None:
        raise error("file-truncated", name=name, compression=compression)


def _next(decompressor: Decompressor, data: bytes, name: str, size: int) -> bytes:
    try:
        return decompressor.decompress(data, size)
    except Exception as failure:  # the modules have no common error, and nothing else happens here
        if isinstance(failure, MemoryError) or "memory" in str(failure).lower():
            raise error("file-window", most=MOST_MEMORY >> 20, name=name, reason=failure) from None
        raise error("file-damaged", name=name, reason=failure) from None
