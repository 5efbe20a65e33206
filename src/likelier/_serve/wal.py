"""Whether a write-ahead log of SQLite was damaged in the middle.

SQLite takes the frames of such a file up to the first one whose checksum is wrong, and drops the rest without a word:
at the end, that is a commit that a power failure cut short. But every commit is on the disk before the next one begins;
so if more than one follows, the file was damaged, and lessons that were acknowledged are among what was dropped.

    file    header (32 bytes), frames
    header  magic, version, page size, number, salt (8 bytes), checksum (8 bytes) of what is before
    frame   page number, size of the database if it ends a commit and else 0, salt, checksum, page

Source: https://www.sqlite.org/fileformat2.html#walformat
"""

from __future__ import annotations

import struct
from pathlib import Path

_HEADER, _FRAME = 32, 24  # bytes
_BIG_ENDIAN = 0x377F0683  # magic of files whose checksums are made of big-endian words


def dropped_commits(path: Path, taken: int) -> int:
    """How many commits the file has after the frames that SQLite takes; one can have been cut short.

    taken: the number of those frames.
    """
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return 0
    if len(content) <= _HEADER:
        return 0
    page = int.from_bytes(content[8:12], "big")
    page = page if page.bit_count() == 1 and 512 <= page <= 65536 else 4096
    frames = range(_HEADER, len(content) - _FRAME - page + 1, _FRAME + page)
    heads = [struct.unpack_from(">II8s", content, start) for start in frames]
    if not heads:
        return 0
    salt = content[16:24] if _is_whole(content) else heads[0][2]  # frames with another one are left from before
    return sum(size > 0 and each == salt for _, size, each in heads[taken:])


def _is_whole(content: bytes) -> bool:
    """Whether the header has the right checksum."""
    order = ">" if int.from_bytes(content[:4], "big") == _BIG_ENDIAN else "<"
    words, one, two = struct.unpack(f"{order}6I", content[:24]), 0, 0
    for even, odd in zip(words[::2], words[1::2], strict=True):
        one = (one + even + two) & 0xFFFFFFFF
        two = (two + odd + one) & 0xFFFFFFFF
    return struct.pack(">II", one, two) == content[24:32]
