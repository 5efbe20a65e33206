"""Where the bytes of a model file stand.

    8 bytes   n, the length of the header, little-endian
    n bytes   the header: JSON, filled up with spaces until 8 + n is a multiple of 8
    the rest  the arrays, little-endian, end to end in the order of the header

This is safetensors' layout, so its readers open the file. The header begins with the same bytes in every model file
but for one digit, the version; after them stand the 64 digits of the checksum: SHA-256 of the whole file with 64 zeros
in place of the digits. Wide numbers come first, so that every array is aligned without a gap.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

PLAIN_VERSION = 1  # a model of plain texts
COLUMNS_VERSION = 2  # a model of documents with columns
COUNTING_VERSION = 3  # either, if more is counted of a text than its analyzer says
PRUNED_VERSION = 4  # any of these, if terms were dropped on the way
REFINED_VERSION = 5  # any of these, if there is a layer of refined weights
VERSION = REFINED_VERSION  # the last one
FORMAT = b'{"__metadata__":{"format":"likelier","version":"'
STARTS = tuple(FORMAT + b'%d","sha256":"' % version for version in range(PLAIN_VERSION, VERSION + 1))
START = len(STARTS[0])  # bytes; all are of one length
DIGITS = 64
LONGEST_HEADER = 100_000_000  # bytes; safetensors reads no longer ones
DTYPES = {"U64": "<u8", "U32": "<u4", "U16": "<u2", "U8": "|u1", "F64": "<f8", "F32": "<f4"}

Array = NDArray[Any]


class Nonsense(Exception):
    """What is wrong with the content of a file."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One array: its place after the header, its type and its shape."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    begin: int
    end: int


@dataclass(frozen=True, slots=True)
class Header:
    """What a header says: texts by name, and the arrays."""

    texts: dict[str, str]
    entries: list[Entry]

    @property
    def size(self) -> int:
        """How many bytes the arrays take."""
        return self.entries[-1].end if self.entries else 0


# ---- writing -----------------------------------------------------------------------------------------------------


def narrow(array: Array) -> Array:
    """The same integers in the narrowest type that holds them; the type depends on the values alone.

    >>> narrow(np.array([1, 300], dtype=np.uint64)).dtype.str
    '<u2'
    """
    highest = int(array.max()) if array.size else 0
    width = next(width for width in (1, 2, 4, 8) if highest < 1 << 8 * width)
    return np.ascontiguousarray(array, dtype=f"<u{width}")


def in_order(arrays: Mapping[str, Array]) -> dict[str, Array]:
    """The arrays with the widest numbers first; of equal width as given."""
    return dict(sorted(arrays.items(), key=lambda named: -named[1].dtype.itemsize))


def header_bytes(version: int, texts: Mapping[str, str], arrays: Mapping[str, Array]) -> bytearray:
    """Length and header, with zeros for the checksum."""
    metadata = {"format": "likelier", "version": str(version), "sha256": "0" * DIGITS} | dict(texts)
    header: dict[str, Any] = {"__metadata__": metadata}
    end = 0
    for name, array in arrays.items():
        begin, end = end, end + array.nbytes
        header[name] = {
            "dtype": f"{array.dtype.kind.upper()}{8 * array.dtype.itemsize}",
            "shape": list(array.shape),
            "data_offsets": [begin, end],
        }
    text = json.dumps(header, separators=(",", ":")).encode()
    assert text.startswith(STARTS)
    text += b" " * (-len(text) % 8)
    return bytearray(len(text).to_bytes(8, "little") + text)


def sign(head: bytearray, arrays: Mapping[str, Array]) -> None:
    """Puts the checksum in its place."""
    import hashlib  # when it is needed: importing likelier should be quick

    digest = hashlib.sha256(head)
    for array in arrays.values():
        digest.update(array.data.cast("B") if array.size else b"")
    put_checksum(head, digest.hexdigest().encode())


def put_checksum(head: bytearray, digits: bytes) -> bytes:
    """Changes the digits of the checksum and gives those that stood there."""
    place = slice(8 + START, 8 + START + DIGITS)
    before = bytes(head[place])
    head[place] = digits
    return before


# ---- reading -----------------------------------------------------------------------------------------------------


def checksum_in(head: bytes | bytearray) -> str:
    """The digits of the checksum in a header."""
    return bytes(head[8 + START : 8 + START + DIGITS]).decode("ascii", "replace")


def parse(header: bytes) -> Header:
    """What the header says, if it can be true at all."""
    said = _plain_json(header)
    texts = said.pop("__metadata__", None) if isinstance(said, dict) else None
    if not isinstance(texts, dict) or not all(isinstance(text, str) for text in texts.values()):
        raise Nonsense("the header has no texts")
    entries = sorted((_entry(name, said[name]) for name in said), key=lambda entry: (entry.begin, entry.end))
    end = 0
    for entry in entries:
        if entry.begin != end:
            raise Nonsense("arrays overlap, or there are gaps between them")
        end = entry.end
    return Header(texts, entries)


def _entry(name: str, said: Any) -> Entry:
    if not isinstance(said, dict) or set(said) != {"dtype", "shape", "data_offsets"}:
        raise Nonsense(f"the entry of {name!r:.40} is not that of an array")
    dtype, shape, offsets = said["dtype"], said["shape"], said["data_offsets"]
    if not isinstance(dtype, str) or dtype not in DTYPES:
        raise Nonsense(f"{name!r:.40} has the unknown type {dtype!r:.40}")
    if not _are_sizes(shape) or not _are_sizes(offsets) or len(offsets) != 2 or not 1 <= len(shape) <= 2:
        raise Nonsense(f"{name!r:.40} has no shape or no place")
    begin, end = offsets
    width = int(dtype[1:]) // 8
    if end - begin != math.prod(shape) * width or begin % width:
        raise Nonsense(f"the place of {name!r:.40} does not fit its shape")
    return Entry(name, dtype, tuple(shape), begin, end)


def _are_sizes(values: Any) -> bool:
    """Numbers that an array could have on this machine."""
    return isinstance(values, list) and all(type(value) is int and 0 <= value < 1 << 62 for value in values)


def _plain_json(text: bytes | str) -> Any:
    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            raise Nonsense("a name occurs twice in the JSON")
        return found

    def constant(name: str) -> float:
        raise Nonsense(f"{name} is not JSON")

    def finite(digits: str) -> float:
        number = float(digits)
        return number if math.isfinite(number) else constant(digits)

    try:
        decoded = text.decode("utf-8") if isinstance(text, bytes) else text
        return json.loads(decoded, object_pairs_hook=unique, parse_constant=constant, parse_float=finite)
    except (ValueError, RecursionError):  # also for numbers of thousands of digits
        raise Nonsense("it is not JSON") from None


def json_of(texts: Mapping[str, str], name: str) -> Any:
    """The value of one of the header's texts, which is JSON itself."""
    if name not in texts:
        raise Nonsense(f"{name!r} is missing")
    try:
        return _plain_json(texts[name])
    except Nonsense as reason:
        raise Nonsense(f"{name!r} cannot be read: {reason}") from None
