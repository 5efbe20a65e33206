"""The text of mails, whole and broken ones; and mailboxes."""

from __future__ import annotations

import base64
import random
from binascii import b2a_qp
from email import message_from_bytes, policy
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from likelier._read.entries import mbox
from likelier._read.mail import text_of


def mail(body: bytes = b"the body", **headers: str) -> bytes:
    lines = [
        f"{name.replace('_', '-')}: {value}\n".encode("utf-8", "surrogateescape") for name, value in headers.items()
    ]
    return b"".join(lines) + b"\n" + body


def multipart(kind: str, *parts: bytes, boundary: str = "cut") -> bytes:
    inner = b"".join(b"--%s\n%s\n" % (boundary.encode(), part) for part in parts)
    return mail(
        inner + b"--%s--\nepilogue" % boundary.encode(), Content_Type=f'multipart/{kind}; boundary="{boundary}"'
    )


PLAIN = mail(b"plain words", Content_Type="text/plain")
HTML = mail(b"<p>rich <b>words</b>", Content_Type="text/html")
FILE = mail(b"secret", Content_Type="text/plain", Content_Disposition='attachment; filename="a.txt"')

# Headers


def test_subject_and_sender_count_and_the_trace_of_the_way_does_not():
    raw = mail(From="Ann <a@b.c>", Received="by mx.example", X_Spam_Status="Yes", List_Id="x", Subject="Hello")
    assert text_of(raw) == "Hello\nAnn <a@b.c>\nthe body"


def test_the_headers_that_count_can_be_named():
    assert text_of(mail(Subject="Hello", To="me@b.c"), headers=("To",)) == "me@b.c\nthe body"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("=?utf-8?q?Gr=C3=BC=C3=9Fe_an?= =?utf-8?b?YWxsZQ==?=", "Grüße analle"),
        ("=?koi8-r?B?8NLJ18XU?= you", "Привет you"),
        ("=?no-such-charset?q?caf=C3=A9?=", "café"),
        ("=?utf-8?b?8J+Y?= broken", "ðŸ˜ broken"),
        ("=?utf-8?b?a?=", ""),
        ("=?utf-8*de?q?Sprache?=", "Sprache"),
        ("folded\n over\n\tlines", "folded over lines"),
        ("caf\udce9", "café"),
        ("=?utf-8?q?never closed", "=?utf-8?q?never closed"),
        ("=?utf-8?q?never closed =?utf-8?q?closed?=", "=?utf-8?q?never closed closed"),
        ("=?utf-8?q?with blanks?= =?utf-8?q?_and_all?=", "with blanks and all"),
        ("=?utf-8?q?really??= yes", "really? yes"),
        ("=?utf-8?b?bWFu eQ==?=", "many"),
        ("=?utf-8?b?bWFueQ==?==?utf-8?b?IG1vcmU=?=", "many more"),
    ],
)
def test_a_header_is_decoded(value, text):
    assert text_of(mail(b"", Subject=value)) == text


def test_a_raw_byte_in_an_encoded_word_is_in_its_charset():
    assert text_of(b"Subject: =?iso-8859-5?Q?\xbf=E0\xd8=D2\xd5=E2?=\n\n") == "Привет"


@pytest.mark.parametrize("charset", ["utf-8", "gb2312", "shift_jis"])
@pytest.mark.parametrize("cut", [1, 2, 3])
def test_a_character_may_begin_in_one_encoded_word_and_end_in_the_next(charset, cut):
    raw = "表示".encode(charset)
    words = [base64.b64encode(raw[:cut]).decode(), base64.b64encode(raw[cut:]).decode()]
    assert text_of(mail(b"", Subject=f"=?{charset}?B?{words[0]}?=\n =?{charset.upper()}?B?{words[1]}?=")) == "表示"


def test_a_broken_encoded_word_does_not_break_the_next():
    assert text_of(mail(b"", Subject="=?utf-8?b?8J+Y?= =?utf-8?q?Gr=C3=BC=C3=9Fe?=")) == "ðŸ˜Grüße"


@pytest.mark.parametrize(
    "line", [b" \t\r\n\tc@d.e\r\n", b" \n", b": nameless\r\n", b"x" * 1000 + b": long\r\n", b"From x\r\n"]
)
def test_a_line_of_blanks_or_an_odd_header_does_not_end_the_headers(line):
    headers = b"Subject: Cheap\r\n" + line + b"Content-Transfer-Encoding: base64\r\n\r\n"
    assert text_of(headers + base64.b64encode(b"hello"), headers=()) == "hello"


def test_a_from_line_among_the_headers_belongs_to_none():
    assert text_of(b"Subject: Hello\nFrom a@b Thu Aug 22\nTo: me\n\nwords") == "Hello\nwords"


def test_the_line_of_an_mbox_before_the_headers_is_left_out():
    assert text_of(b"From a@b Thu Aug 22 12:36:23 2002\n" + mail(Subject="Hello")) == "Hello\nthe body"


def test_a_text_without_headers_is_all_body():
    assert text_of(b"just words\nand more") == "just words\nand more"


def test_headers_without_a_body_are_enough():
    assert text_of(b"Subject: alone") == "alone"


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n", b"\r"])
def test_any_line_end_will_do(line_end):
    raw = b"Subject: Hello\n" + multipart("mixed", PLAIN, FILE, PLAIN)
    assert text_of(raw.replace(b"\n", line_end)).splitlines() == ["Hello", "plain words", "plain words"]


# Parts


def test_of_alternatives_the_plain_text_is_taken():
    assert text_of(multipart("alternative", PLAIN, HTML)) == "plain words"


def test_html_is_taken_where_the_plain_text_is_empty():
    assert text_of(multipart("alternative", mail(b" \n"), HTML)) == "rich words"


def test_html_is_taken_where_the_plain_text_is_a_stub():
    rich = mail(b"<p>" + b"word " * 50, Content_Type="text/html")
    assert text_of(multipart("alternative", mail(b"see it in a browser"), rich)).startswith("word word")


def test_a_short_plain_text_is_kept_beside_html_of_the_same_length():
    assert text_of(multipart("alternative", mail(b"see you then"), HTML)) == "see you then"


def test_attachments_and_their_names_are_left_out():
    image = mail(b"R0lGODlh", Content_Type='image/gif; name="pic.gif"', Content_Transfer_Encoding="base64")
    assert text_of(multipart("mixed", PLAIN, FILE, image)) == "plain words"


def test_a_mail_within_the_mail_is_read_like_it():
    inner = b"Content-Type: message/rfc822\n\nSubject: inner\nReceived: from x\n\ninner words"
    assert text_of(multipart("mixed", PLAIN, inner)) == "plain words\ninner\ninner words"


def test_a_boundary_that_begins_like_another_is_told_apart():
    inner = multipart("alternative", PLAIN, HTML, boundary="cut-here")
    assert text_of(multipart("mixed", inner, mail(b"footer"))) == "plain words\nfooter"


def test_a_boundary_within_a_line_is_text():
    assert text_of(multipart("mixed", mail(b"cut here: --cut\nmore"))) == "cut here: --cut\nmore"


def test_the_last_part_may_lack_its_end():
    assert text_of(multipart("mixed", PLAIN, PLAIN).rpartition(b"--cut--")[0]) == "plain words\nplain words"


@pytest.mark.parametrize(
    "content_type", ["multipart/mixed", 'multipart/mixed; boundary="absent"', "multipart/mixed; boundary="]
)
def test_parts_without_a_boundary_are_read_as_text(content_type):
    assert text_of(mail(Content_Type=content_type)) == "the body"


def test_html_that_is_declared_as_plain_text_is_seen_by_its_first_tag():
    assert text_of(mail(b"\n<HTML><p>words", Content_Type="text/plain")) == "words"


# Parameters


@pytest.mark.parametrize(
    "parameter",
    [
        "charset*=us-ascii'en'iso-8859-5",
        "charset*0=iso-; charset*1=8859-5",
        "charset*1*=%388%359-5; charset*0*=''iso-",
        'charset="iso\\-8859-5"',
        "charset=iso-8859-5; charset=utf-16",
        "format=flowed; CHARSET = iso-8859-5 (Cyrillic)",
    ],
)
def test_a_parameter_may_be_written_in_many_ways(parameter):
    assert text_of(mail("Привет".encode("iso-8859-5"), Content_Type=f"text/plain; {parameter}")) == "Привет"


def test_a_boundary_may_come_in_pieces():
    raw = mail(b"--ab cd\n" + HTML + b"\n--ab cd--", Content_Type="multipart/mixed; boundary*0=ab;\n boundary*1*=%20cd")
    assert text_of(raw) == "rich words"


@pytest.mark.parametrize("value", ["text/html (no text)", "text/html(x); charset=utf-8", " TEXT/HTML ; x"])
def test_a_comment_behind_the_kind_of_content_does_not_count(value):
    assert text_of(mail(b"one <b>word</b>", Content_Type=value)) == "one word"


@pytest.mark.parametrize("value", ["base64 (of course)", "base64; x=y", "\n\tBase64"])
def test_a_comment_behind_the_transfer_encoding_does_not_count(value):
    assert text_of(mail(base64.b64encode(b"words"), Content_Transfer_Encoding=value)) == "words"


# Charsets and transfer encodings


@pytest.mark.parametrize(
    ("charset", "raw", "text"),
    [
        ("iso-8859-1", b"\x93caf\xe9\x94", "“café”"),
        ("us-ascii", "café".encode(), "café"),
        ("us-ascii", b"caf\xe9", "café"),
        ("utf-8", b"caf\xe9", "café"),
        ("koi8-r", "привет".encode("koi8-r"), "привет"),
        ("gb2312", "镕".encode("gb18030"), "镕"),
        ("no-such", "привет".encode(), "привет"),
        ("zlib", b"caf\xe9", "café"),
        ("punycode", b"caf\xe9", "café"),
        ("../../etc", b"caf\xe9", "café"),
        ("iso-2022-jp", "日本".encode("iso-2022-jp"), "日本"),
    ],
)
def test_a_charset_is_taken_for_what_was_meant(charset, raw, text):
    assert text_of(mail(raw, Content_Type=f"text/plain; charset={charset}")) == text


def test_undeclared_text_is_in_the_fallback_if_it_is_not_utf_8():
    assert text_of(mail("привет".encode("cp1251")), fallback="cp1251") == "привет"


def test_half_characters_of_utf_7_do_not_come_through():
    assert text_of(mail(b"+2AA-", Content_Type="text/plain; charset=utf-7")).encode()


def test_the_charset_of_html_may_stand_in_the_html():
    raw = b"<html><meta charset=koi8-r><p>" + "привет".encode("koi8-r")
    assert text_of(mail(raw, Content_Type="text/html")) == "привет"


def test_quoted_printable_is_undone_and_what_is_broken_stays():
    assert text_of(mail(b"caf=C3=A9 =ZZ so=\nft", Content_Transfer_Encoding="Quoted-Printable")) == "café =ZZ soft"


@pytest.mark.parametrize("cut", [0, 1, 2, 3])
def test_base64_without_its_end_gives_what_there_is(cut):
    whole = base64.b64encode(b"many words in a row")
    assert text_of(mail(whole[: len(whole) - cut], Content_Transfer_Encoding="base64")).startswith("many words in a r")


def test_a_footer_behind_base64_is_not_decoded_to_garbage():
    raw = base64.b64encode(b"many words") + b"\n\nTo unsubscribe send a mail\n"
    assert text_of(mail(raw, Content_Transfer_Encoding="base64")) == "many words"


def test_text_that_is_declared_as_base64_but_is_none_stays():
    assert text_of(mail(b"these are words", Content_Transfer_Encoding="base64")) == "these are words"


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_a_lone_carriage_return_ends_a_header_and_nothing_in_the_body(end):
    headers = b"Subject: x\rContent-Type: text/plain; charset=utf-16-le\rFrom: a@b.c"
    assert text_of(headers + end * 2 + "č".encode("utf-16-le")) == "x\na@b.c\nč"


def test_a_part_of_a_digest_whose_type_makes_no_sense_is_text_and_no_mail():
    raw = multipart("digest", mail("привет".encode("koi8-r"), Content_Type="text; charset=koi8-r"))
    assert text_of(raw) == "привет"


# Nasty input


def test_parts_in_parts_ten_thousand_deep_are_read_without_falling():
    levels = (b'Content-Type: multipart/mixed; boundary="b%d"\n\n--b%d\n' % (level, level) for level in range(10_000))
    assert text_of(b"Subject: deep\n" + b"".join(levels)).startswith("deep\n")


@pytest.mark.parametrize(
    "level", [b"Content-Type: message/rfc822\n\n", b"Content-Type: multipart/digest; boundary=a\n\n--a\n"]
)
def test_mails_in_mails_ten_thousand_deep_are_read_without_falling(level):
    assert text_of(level * 10_000 + b"Subject: x\n\nhello").endswith("hello")


def test_encoded_mails_in_encoded_mails_are_read_as_far_as_they_are_decoded():
    raw = mail(b"hello", Subject="x")
    for _ in range(30):
        raw = mail(b2a_qp(raw), Content_Type="message/rfc822", Content_Transfer_Encoding="quoted-printable")
    assert text_of(raw).endswith("hello")


def test_what_follows_ten_thousand_parts_is_read_as_text():
    assert (
        text_of(multipart("mixed", *[PLAIN] * 20_000, mail(b"last words"))).rpartition("--cut--")[0].endswith("words\n")
    )


NASTY = [
    b"Subject: " + b"=?utf-8?q?" * 100_000,
    b"Subject: ?=" + b" " * 1_000_000 + b"x",
    b"Subject: x" + b"\n " * 100_000,
    b"Content-Type: text/plain" + b';a="\\' * 100_000,
    b"Content-Type: multipart/mixed; boundary=a\n\n" + b"--a" * 200_000,
    b"Content-Transfer-Encoding: base64\n\n" + b"=" * 1_000_000,
    b"Content-Transfer-Encoding: base64\n\n" + b"a \t" * 300_000,
    b"Subject: " + b"=?utf-8?q?a? " * 100_000,
    b"Subject: " + b"=?utf-8?b?8J+Y?= " * 100_000,
    b"Subject: " + b"= ? " * 300_000 + b"=?",
    b"a:\n" * 300_000,
    b"Subject:a\n \n" * 100_000,
    b"Content-Type: multipart/mixed; boundary=a\n\n" + b"--a\n" * 300_000,
    b"Content-Type: text/plain" + b"; a*0*=%41" * 100_000,
    b"Content-Type: text/html\n\n" + b"<i>" * 300_000,
    b"Content-Type: text/html\n\n<img " + b"a=b " * 300_000 + b">",
    b"Content-Type: text/html\n\n" + b"ab&lt;" * 100_000,
    b"Content-Type: text/plain; charset=punycode\n\n" + b"a-" * 300_000,
    b"a" * 1_000_000 + b":",
]


@pytest.mark.parametrize("raw", NASTY, ids=range(len(NASTY)))
def test_a_long_nasty_mail_is_read_soon(raw):
    assert isinstance(text_of(raw), str)  # with quadratic time this takes minutes


@given(st.binary(max_size=300))
def test_any_bytes_give_text(raw):
    text_of(raw).encode()


@given(st.randoms(use_true_random=False))
def test_broken_mails_give_text(chance: random.Random):
    raw = bytearray(multipart("mixed", multipart("alternative", PLAIN, HTML, boundary="in"), FILE, mail(b"=C3=A9")))
    pieces = [
        b"\n\n",
        b"--cut",
        b"=?utf-8?b?",
        b"\r",
        b"\0",
        b"charset=utf-7;",
        b'"',
        b"<!--",
        b"Content-Type: message/rfc822\n",
    ]
    for _ in range(chance.randint(1, 20)):
        place = chance.randrange(len(raw) + 1)
        raw[place : place + chance.randint(0, 9)] = chance.choice([*pieces, bytes([chance.randrange(256)])])
    text_of(bytes(raw)).encode()


# Against Python's email package, where both are defined

CHARSETS = {
    "utf-8": "abcäöüßПриветéあ表示한국어🙂",
    "iso-8859-1": "abcäöüßéñ",
    "koi8-r": "abcПривет",
    "shift_jis": "abcあ表示ソ",
    "iso-2022-jp": "abcあ表示",
}
FOLDS = [" ", "\n ", "\r\n\t", "\n \t\n ", "  "]


def encoded(text: str, charset: str, how: str) -> bytes:
    raw = text.encode(charset)
    content = base64.b64encode(raw) if how == "B" else b"".join(b"=%02X" % byte for byte in raw)
    return b"=?%s?%s?%s?=" % (charset.encode(), how.encode(), content)


@st.composite
def subjects(draw) -> bytes:
    words = []
    for _ in range(draw(st.integers(1, 5))):
        charset = draw(st.sampled_from(list(CHARSETS)))
        text = draw(st.text(CHARSETS[charset], min_size=1, max_size=8))
        plain = st.text("abcxyz019.,!:", min_size=1, max_size=8).map(str.encode)
        words += [draw(st.one_of(plain, st.sampled_from("BQ").map(partial(encoded, text, charset))))]
        words += [draw(st.sampled_from(FOLDS)).encode()]
    return b"".join(words[:-1])


def spelled(name: str, value: str, chance: random.Random) -> str:
    """A parameter in one of the ways in which it may be written."""
    half = chance.randrange(1, len(value))
    percent = "".join(f"%{ord(character):02x}" for character in value[half:])
    return chance.choice(
        [
            f'{name}="{value}"',
            f"{name.upper()}={value}",
            f"{name}*=utf-8'en'{value[:half]}{percent}",
            f"{name}*0={value[:half]};\n\t{name}*1={value[half:]}",
            f"{name}*1*={percent};\r\n {name}*0*=utf-8''{value[:half]}",
        ]
    )


def body_of(text: str, charset: str, chance: random.Random) -> bytes:
    """The headers and the body of a text."""
    how, raw = chance.choice([("8bit", bytes), ("base64", base64.encodebytes), ("quoted-printable", b2a_qp)])
    head = f"Content-Type: text/plain; {spelled('charset', charset, chance)}\nContent-Transfer-Encoding: {how}\n\n"
    return head.encode() + raw(text.encode(charset))


@given(subjects(), st.data(), st.randoms(use_true_random=False))
def test_subject_and_text_are_what_the_email_package_reads(subject, data, chance):
    charset = chance.choice(list(CHARSETS))
    words = st.text(CHARSETS[charset], min_size=1, max_size=20)
    text = " ".join(data.draw(st.lists(words, min_size=1, max_size=9)))
    raw = body_of(text, charset, chance)
    if chance.random() < 0.5:
        file = b"Content-Type: image/gif\nContent-Disposition: attachment\nContent-Transfer-Encoding: base64\n\nR0lG"
        head = f"Content-Type: multipart/mixed; {spelled('boundary', 'a-boundary', chance)}\n\npreamble\n"
        raw = head.encode() + b"--a-boundary\n%s\n--a-boundary\n%s\n--a-boundary--\n" % (raw, file)
    raw = b"Received: from x\n" + b"Subject: " + subject + b"\nMIME-Version: 1.0\n" + raw
    read = message_from_bytes(raw, policy=policy.default)
    body = read.get_body(("plain",))
    assert body is not None
    expected = [" ".join(str(read["subject"]).split()), body.get_content().strip()]
    assert text_of(raw) == "\n".join(filter(None, expected))
    assert expected[1] == text


# Mailboxes

FROM = b"From a@b.c Thu Aug 22 12:36:23 2002\n"


def mails(box: bytes, size: int = 1 << 20, limit: int = 1 << 20) -> list[tuple[int, bytes]]:
    pieces = (box[start : start + size] for start in range(0, len(box), size))
    return [tuple(each) for each in mbox(pieces, limit)]


def test_an_mbox_is_cut_at_its_from_lines_and_each_mail_has_its_line():
    box = FROM + b"Subject: one\n\nfirst\n\n" + FROM + b"Subject: two\n\nsecond\n\n"
    assert mails(box) == [(1, b"Subject: one\n\nfirst\n"), (6, b"Subject: two\n\nsecond\n")]


def test_a_from_line_that_is_text_does_not_begin_a_mail():
    box = FROM + b"Subject: one\n\nfirst\n\nFrom the team\nwith love\nFrom x 10:00 2002\n"
    assert len(mails(box)) == 1


def test_a_from_line_without_a_date_begins_a_mail_if_a_header_follows():
    assert len(mails(b"From nobody\nSubject: one\n\nfirst\n\nFrom nobody\nSubject: two\n\n")) == 2


def test_an_escaped_from_line_loses_one_mark():
    assert (
        mails(FROM + b"A: b\n\n>From here\n>>From there\n> From\n")[0][1] == b"A: b\n\nFrom here\n>From there\n> From"
    )


def test_windows_line_ends_do_not_matter_to_an_mbox():
    box = (FROM + b"A: b\n\nfirst\n\n" + FROM + b"A: b\n\nsecond\nFrom x 10:00 2002\n").replace(b"\n", b"\r\n")
    assert len(mails(box)) == 2


@pytest.mark.parametrize("size", [1, 7, 100, 2047, 5000])
def test_the_size_of_the_pieces_does_not_change_the_mails(size):
    box = b"".join(FROM + b"Subject: %d\n\n" % each + b"words\n" * (each % 70) + b"\n" for each in range(40))
    assert mails(box, size) == mails(box)
    assert len(mails(box)) == 40


@pytest.mark.parametrize("size", [1, 100, 2047, 5000])
@pytest.mark.parametrize("line", [b"words\n", b"words "])
def test_a_mail_beyond_the_limit_is_cut_and_the_next_mail_has_its_line(size, line):
    long = FROM + b"Subject: long\n\n" + line * 5000 + b"\n\n"
    box = FROM + b"A: b\n\nfirst\n\n" + long * 2 + FROM + b"A: b\n\nlast\n"
    found = mails(box, size, 1000)
    assert [len(raw) for _, raw in found] == [12, 1001, 1001, 10]
    assert found[1] == (6, long[:1001])
    assert found[3][0] == 6 + 2 * long.count(b"\n")


def test_an_empty_mbox_has_no_mails():
    assert mails(b"") == mails(b"\n") == []


@pytest.mark.parametrize("header", [b"", b'Content-Type: multipart/alternative; boundary="=Part 1"\n'])
def test_parts_are_found_also_where_the_headers_do_not_tell_them_apart(header):
    body = b"\n--= Part 1\nContent-Type: text/plain\n\n" + b"plain words of some length, more than a stub has " * 3
    raw = b"Subject: s\n" + header + body + b"\n--= Part 1\nContent-Type: text/html\n\n<b>rich</b>\n--= Part 1--\n"
    assert text_of(raw).split()[:3] == ["s", "plain", "words"]
    assert "rich" not in text_of(raw)
    assert "Content-Type" not in text_of(raw)


@pytest.mark.parametrize(
    "start", ["<head><title></title></head><body>", "<x-html>\n<html>", "<table width=7><td>", "<p>"]
)
def test_html_that_is_called_plain_text_is_read_as_html(start):
    raw = f"Subject: s\nContent-Type: text/plain\n\n{start}two <font color=red>words</font>".encode()
    assert text_of(raw).split() == ["s", "two", "words"]
