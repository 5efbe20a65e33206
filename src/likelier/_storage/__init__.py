"""The model file: counts, schema, view, ledger and provenance in one file that other tools can open.

    layout      where the bytes are: safetensors' layout, a format version and a checksum over everything
    parts       what they mean: a stored model as arrays and texts, and back
    tables      one table of counts, of a model of plain texts or of a column
    columns     the tables and sums of all columns
    refined     a layer of refined weights
    load_file   from a path to a stored model; nothing in the file is trusted
    save_file   all or nothing, durable
    locking     one at a time may change a file
    provenance  what a model was made from, and when

`docs/model-file.md` describes the file byte by byte.
"""

from likelier._storage.load_file import checksum_of, counts_digest, from_bytes, load
from likelier._storage.locking import locked
from likelier._storage.parts import Stored, StoredLedger
from likelier._storage.provenance import event
from likelier._storage.save_file import check_target, checksum, content, is_model, save, to_bytes, write

__all__ = [
    "Stored",
    "StoredLedger",
    "check_target",
    "checksum",
    "checksum_of",
    "content",
    "counts_digest",
    "event",
    "from_bytes",
    "is_model",
    "load",
    "locked",
    "save",
    "to_bytes",
    "write",
]
