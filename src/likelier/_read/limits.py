"""How long one document may be: a row, a text file, a mail.

More is a mistake, such as a quote that is never closed, or an attack: a few hundred kilobytes can unpack to gigabytes.
Bytes count as they are read: unpacked, and not yet decoded.
"""

from __future__ import annotations

import re

from likelier._base.checks import whole_number
from likelier._base.errors import InputError, SettingError

MAX_DOCUMENT = 64 << 20  # bytes
LARGEST = 2 << 30  # the kernel has 32 bits for the length of a text
_UNITS = {"GB": 1 << 30, "MB": 1 << 20, "KB": 1 << 10}
_SIZE = re.compile(rf"([0-9]{{1,15}})\s*({'|'.join(_UNITS)})?", re.IGNORECASE)


def checked_limit(value: object) -> int:
    """The limit in bytes, from a number or a text with a unit.

    >>> checked_limit(1000), checked_limit("64MB")
    (1000, 67108864)
    """
    written = _SIZE.fullmatch(value.strip()) if isinstance(value, str) else None
    size = int(written[1]) * _UNITS.get((written[2] or "").upper(), 1) if written else whole_number(value)
    if size is None or not 1 <= size <= LARGEST:
        raise SettingError(
            code="max-document-range",
            message=f"`max_document` must be a size from 1 byte to {size_in_words(LARGEST)}, got {value!r}",
            hint="a number of bytes, or a number with a unit: max_document='256MB'",
        )
    return size


def size_in_words(size: int) -> str:
    """A number of bytes, exactly.

    >>> size_in_words(64 << 20), size_in_words(1000)
    ('64 MB', '1,000 bytes')
    """
    unit = next((unit for unit, length in _UNITS.items() if size >= length and size % length == 0), None)
    return f"{size // _UNITS[unit]} {unit}" if unit else f"{size:,} byte{'s' * (size != 1)}"


def too_long(where: str, limit: int, *, row: bool = False, skip: bool = True) -> InputError:
    """The error for a document beyond the limit."""
    unit = "row" if row else "document"
    hint = "allow more if it is meant to be that long: max_document='1GB'"
    return InputError(
        code="row-too-long" if row else "document-too-long",
        message=f"a {unit} may have {size_in_words(limit)} at most, got more in {where}",
        hint=f"{hint}; or skip such {unit}s: on_error='skip'" if skip else hint,
    )
