"""What a file is that is not a model: by its first bytes."""

from __future__ import annotations

_BEGINNINGS = {
    b"\x1f\x8b": "a gzip file",
    b"\x28\xb5\x2f\xfd": "a zstd file",
    b"BZh": "a bzip2 file",
    b"\xfd7zXZ": "an xz file",
    b"PK\x03\x04": "a zip file",
    b"PAR1": "a Parquet file",
    b"ARROW1": "an Arrow file",
    b"\x93NUMPY": "a NumPy array",
    b"\x89HDF": "an HDF5 file",
    b"SQLite format 3\x00": "an SQLite database",
    b"\x80\x02": "a pickle",
    b"\x80\x03": "a pickle",
    b"\x80\x04": "a pickle",
    b"\x80\x05": "a pickle",
    b"%PDF": "a PDF",
    b"From ": "a mail box",
    b"{": "JSON",
    b"[": "JSON",
}


def looks_like(start: bytes) -> str | None:
    r"""What the first bytes of a file look like, if that is easy to tell.

    >>> looks_like(b"PK\x03\x04..."), looks_like(b"label,text\nspam,buy now\n")
    ('a zip file', 'text')
    """
    for beginning, name in _BEGINNINGS.items():
        if start.startswith(beginning):
            return name
    if start[8:9] == b"{":
        return "a safetensors file of something else"
    return "text" if _is_text(start) else None


def _is_text(start: bytes) -> bool:
    try:
        text = start[: max(len(start) - 3, 1)].decode("utf-8", "strict")  # a character may be cut in two at the end
    except UnicodeDecodeError as error:
        text = start[: error.start].decode() if error.start >= len(start) - 6 else "\x00"
    return all(character.isprintable() or character in "\t\r\n\ufeff" for character in text)
