"""From files to blocks of UTF-8: compression, encodings, damage, and how far the reading has come."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from likelier._base.errors import FileError, InputError, SettingError
from likelier._read.compression import decompressed
from likelier._read.encodings import guess_encoding, to_utf8
from likelier._read.sources import find
from likelier._read.streams import TextBlocks

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

PACK = {"gz": gzip.compress, "zst": zstd.compress, "bz2": bz2.compress, "xz": lzma.compress}
TABLE = b"label,text\n" + b"".join(b"ham,words number %d\n" % row for row in range(5000))


def written(folder: Path, content: bytes, name: str = "a.csv") -> str:
    (folder / name).write_bytes(content)
    return str(folder / name)


def read(path: str, **settings) -> bytes:
    (source,) = find(path)
    return b"".join(TextBlocks(source, **settings))


# Compression


@pytest.mark.parametrize("ending", PACK)
@pytest.mark.parametrize("size", [1000, 1 << 20])
def test_compressed_files_with_several_members_are_read_whole(tmp_path, ending, size):
    packed = PACK[ending](TABLE) + PACK[ending](b"") + PACK[ending](TABLE)
    assert read(written(tmp_path, packed, f"a.csv.{ending}"), size=size) == TABLE + TABLE


@pytest.mark.parametrize("ending", PACK)
def test_compression_is_seen_by_content_where_the_name_lies(tmp_path, ending):
    assert read(written(tmp_path, PACK[ending](TABLE))) == TABLE


def test_a_plain_file_that_is_named_like_a_compressed_one_is_read(tmp_path):
    assert read(written(tmp_path, TABLE, "a.csv.gz")) == TABLE


@pytest.mark.parametrize("ending", PACK)
@pytest.mark.parametrize("cut", [1, 5, 30])
def test_a_file_that_ends_too_early_is_an_error_and_no_short_read(tmp_path, ending, cut):
    with pytest.raises(FileError, match=r"a\.csv\.\w+ ends too early"):
        read(written(tmp_path, PACK[ending](TABLE)[:-cut], f"a.csv.{ending}"))


@pytest.mark.parametrize("ending", ["gz", "bz2", "xz"])
def test_a_changed_byte_in_a_compressed_file_is_an_error(tmp_path, ending):
    packed = bytearray(PACK[ending](TABLE))
    packed[len(packed) // 2] ^= 0xFF
    with pytest.raises(FileError, match=r"damaged|too early"):
        read(written(tmp_path, bytes(packed), f"a.csv.{ending}"))


def test_junk_behind_gzip_data_is_an_error(tmp_path):
    with pytest.raises(FileError, match="damaged"):
        read(written(tmp_path, gzip.compress(TABLE) + b"junk", "a.csv.gz"))


def test_zeros_behind_gzip_data_are_padding(tmp_path):
    assert read(written(tmp_path, gzip.compress(TABLE) + bytes(512), "a.csv.gz")) == TABLE


def test_the_first_byte_of_a_gzip_file_alone_is_damage_and_no_table(tmp_path):
    with pytest.raises(FileError, match="is damaged"):
        find(written(tmp_path, b"\x1f", "a.csv.gz"))


def test_a_zstandard_frame_to_be_skipped_is_skipped(tmp_path):
    skipped = b"\x50\x2a\x4d\x18\x04\x00\x00\x00abcd"
    assert read(written(tmp_path, skipped + zstd.compress(TABLE), "a.csv.zst")) == TABLE


def test_a_block_of_decompressed_data_is_never_larger_than_asked():
    packed = gzip.compress(bytes(1 << 20))
    assert max(map(len, decompressed([packed], "gzip", "a", 1000))) <= 1000


# Encodings


def test_utf_8_passes_through_even_where_it_is_broken(tmp_path):
    assert read(written(tmp_path, b"a,b\n\xff,\xc3")) == b"a,b\n\xff,\xc3"


@pytest.mark.parametrize("encoding", ["utf-8", "UTF8", "utf-8-sig"])
def test_a_byte_order_mark_is_taken_off(tmp_path, encoding):
    assert read(written(tmp_path, b"\xef\xbb\xbfa,b\n"), encoding=encoding) == b"a,b\n"


@pytest.mark.parametrize(
    "encoding", ["latin-1", "cp1252", "utf-16", "utf-16-be", "utf-32", "shift_jis", "utf-7", "gb18030"]
)
@pytest.mark.parametrize("size", [1, 3, 1000])
def test_other_encodings_become_utf_8_wherever_the_blocks_are_cut(encoding, size):
    text = "日本,ね\n" * 9 if encoding in ("shift_jis", "gb18030", "utf-16") else "größe,é\n" * 9
    raw = text.encode(encoding)
    assert b"".join(to_utf8((raw[at : at + size] for at in range(0, len(raw), size)), encoding, "a")) == text.encode()


def test_the_mark_of_utf_16_is_taken_off_where_the_byte_order_is_given(tmp_path):
    assert read(written(tmp_path, "\ufeffa,b".encode("utf-16-le")), encoding="utf-16-le") == b"a,b"


@pytest.mark.parametrize("size", [1, 2, 5, 1000])
def test_a_byte_that_does_not_decode_is_told_with_line_and_column(tmp_path, size):
    path = written(tmp_path, b"a,b\nx,\xe9t\xe9\x81z\n")
    with pytest.raises(InputError, match=r"a\.csv line 2 column 6: byte 0x81 is not valid in cp1252"):
        read(path, encoding="cp1252", size=size)


@pytest.mark.parametrize("size", [1, 3, 1000])
def test_half_a_pair_in_utf_16_is_told_with_line_and_column(tmp_path, size):
    raw = "日本\nab".encode("utf-16") + b"\x00\xdc" + "c\n".encode("utf-16-le")
    with pytest.raises(InputError, match="line 2 column 3: byte 0x00 is not valid in utf-16"):
        read(written(tmp_path, raw), encoding="utf-16", size=size)


def test_a_text_that_ends_within_a_character_is_told(tmp_path):
    with pytest.raises(InputError, match="line 2 column 1: the text ends within a character"):
        read(written(tmp_path, "a\n日".encode("utf-16-le")[:-1]), encoding="utf-16-le")


def test_half_a_character_in_utf_7_is_told(tmp_path):
    with pytest.raises(InputError, match="encoding"):
        read(written(tmp_path, b"a,b\n+2AA-"), encoding="utf-7")


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark_that_is_read_as_utf_8_is_refused_with_its_name(tmp_path, encoding):
    with pytest.raises(InputError, match=f"encoding='{encoding}'"):
        read(written(tmp_path, "label,text\nham,words\n".encode(encoding)))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_utf_16_is_refused_where_utf_8_is_named(tmp_path, encoding):
    with pytest.raises(InputError, match=f"encoding='{encoding}'"):
        read(written(tmp_path, "label,text\nham,words\n".encode(encoding)), encoding="utf-8")


GERMAN = "label,text\n" + "ham,plain words\n" * 20 + "ham,Schöne Grüße\nspam,Größe\n"


def blocks_of(path: str, **settings) -> TextBlocks:
    (source,) = find(path)
    return TextBlocks(source, **settings)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "cp1252"])
@pytest.mark.parametrize("size", [12, 1 << 20])
def test_without_a_name_the_encoding_is_detected(tmp_path, encoding, size):
    blocks = blocks_of(written(tmp_path, GERMAN.encode(encoding)), size=size)
    assert b"".join(blocks).decode() == GERMAN
    said = {"cp1252": ["Caution"], "utf-16": ["str"], "utf-32": ["str"]}.get(encoding, [])
    assert [type(each).__name__ for each in blocks.found.cautions] == said


@pytest.mark.parametrize("size", range(6, 20))
@pytest.mark.parametrize("text", ["caf\né", "many a café", "label,text\nham,déjà vu"])
@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
def test_a_character_that_is_cut_by_a_block_is_detected_too(tmp_path, text, encoding, size):
    text = f"plain {text}"
    assert read(written(tmp_path, text.encode(encoding)), size=size).decode() == text


def test_a_broken_byte_does_not_make_a_file_western(tmp_path):
    broken = "Schöne Grüße, größer".encode() + b" \xe9"
    assert read(written(tmp_path, broken)) == broken


def test_an_undefined_byte_of_a_western_file_has_its_line(tmp_path):
    content = b"a\n" * 30 + b"caf\xe9\n" * 9 + b"\x81"
    with pytest.raises(InputError, match="line 40 column 1: byte 0x81 is not valid in cp1252"):
        read(written(tmp_path, content), size=16)


def test_an_unknown_encoding_is_refused_with_close_names(tmp_path):
    with pytest.raises(SettingError, match="did you mean latin-1 or"):
        read(written(tmp_path, b"a"), encoding="lattin-1")


@pytest.mark.parametrize("encoding", ["rot13", "zlib", "punycode", "", "a\0b", "../x"])
def test_what_is_no_text_encoding_is_refused(tmp_path, encoding):
    with pytest.raises(SettingError, match="must be a text encoding"):
        read(written(tmp_path, b"a"), encoding=encoding)


GUESSES = {
    "cp1252": "Die Größe der Bäume überraschte",
    "cp1251": "надо купить молоко и сигареты",
    "koi8-r": "надо купить молоко и сигареты",
    "cp866": "надо купить молоко и сигареты",
    "utf-16-le": "plain words",
    "utf-8": "größe",
}


@pytest.mark.parametrize("encoding", GUESSES)
def test_the_encoding_is_guessed_from_usual_text(encoding):
    assert guess_encoding(GUESSES[encoding].encode(encoding)) == encoding


@given(st.binary())
def test_the_guess_for_any_bytes_is_an_encoding(raw):
    raw.decode(guess_encoding(raw), errors="replace")


# Progress and pipes


@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz"])
def test_the_position_goes_up_to_the_size_of_the_file(tmp_path, name):
    path = written(tmp_path, gzip.compress(TABLE) if name.endswith("gz") else TABLE, name)
    stream = TextBlocks(find(path)[0], size=1 << 14)
    positions = [stream.position for _ in stream]
    assert positions == sorted(positions)
    assert stream.position == stream.total == Path(path).stat().st_size
    assert positions[0] < stream.total


def test_standard_input_is_looked_into_and_read_whole_and_only_once(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(TABLE))))
    (source,) = find("-", kind="csv")
    assert (source.once, source.compression) == (True, "gzip")
    stream = TextBlocks(source)
    assert (b"".join(stream), stream.total) == (TABLE, None)
    with pytest.raises(InputError, match="only once"):
        TextBlocks(source)


def test_without_standard_input_there_is_a_clear_error(monkeypatch):
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(FileError, match="no standard input"):
        find("-")
