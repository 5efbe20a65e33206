"""gzip, as it arrives: one member after the other, a bounded piece at a time."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

from likelier._base.errors import error

PIECE = 1 << 16  # bytes that are decompressed at a time
LARGEST = 1 << 20  # bytes that come of it at a time
MEMBERS = 10_000  # that a body may have; programs that compress in blocks make one for each


class Gunzip:
    """Decompresses a body."""

    def __init__(self) -> None:
        self._member = zlib.decompressobj(31)
        self._members = 1

    def pieces(self, data: bytes) -> Iterator[bytes]:
        """What the next bytes of the body come to."""
        for start in range(0, len(data), PIECE):
            rest = data[start : start + PIECE]
            while rest:
                self._begin()
                try:
                    text = self._member.decompress(rest, LARGEST)
                except zlib.error:
                    raise error("body-gzip") from None
                rest = self._member.unconsumed_tail or self._member.unused_data
                yield text

    def _begin(self) -> None:
        """The next member, if there is one more."""
        if self._member.eof:
            self._members += 1
            if self._members > MEMBERS:
                raise error("body-gzip.members", most=MEMBERS)
            self._member = zlib.decompressobj(31)

    def end(self) -> None:
        """The body is complete; an error if the last member is not."""
        if not self._member.eof:
            raise error("body-gzip")
