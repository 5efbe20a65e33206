"""Text to words and terms: the kernel and the plain reference give the same, and no word is lost or cut."""

from __future__ import annotations

import re
import sys
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import reference
from kernel.generated import ALPHABETS, PLAIN, QUICK, THOROUGH, analyses, is_settled, mapped_by, sentences, texts
from likelier._kernel import Analysis, words
from reference import Settings


def check_words(text: str, lowercase: bool, keep_punctuation: bool) -> None:
    assert words(text, lowercase, keep_punctuation) == reference.words(text, lowercase, keep_punctuation)


def check_terms(text: str, settings: Settings) -> None:
    assert Analysis(**settings).locate(text) == reference.locate(text, **settings)


# ---- the kernel and the reference ------------------------------------------------------------------------------------


@QUICK
@given(texts, st.booleans(), st.booleans())
@example("a  \u0308", True, True)
@example("\u3000  \u0308", True, True)
@example("ΑΣ ΑΣ.Α ΑΣ\u0301", True, False)
def test_words_are_those_of_the_reference(text: str, lowercase: bool, keep_punctuation: bool) -> None:
    check_words(text, lowercase, keep_punctuation)


@pytest.mark.slow
@THOROUGH
@given(texts, st.booleans(), st.booleans())
def test_words_are_those_of_the_reference_on_many_texts(text: str, lowercase: bool, keep_punctuation: bool) -> None:
    check_words(text, lowercase, keep_punctuation)


@pytest.mark.parametrize("alphabet", ALPHABETS.values(), ids=list(ALPHABETS))
def test_words_are_those_of_the_reference_for_all_sequences_of_three_characters_of_an_alphabet(alphabet: str) -> None:
    sequences = [a + b + c for a in alphabet for b in alphabet for c in alphabet]
    for text in sequences:
        check_words(text, True, False)
        check_words(text, True, True)


@pytest.mark.slow
def test_words_are_those_of_the_reference_around_each_character_of_unicode() -> None:
    alike = "[\u4e10-\u9f00\uac10-\ud700\U00017010-\U00018d00\U00020100-\U0002fa00]"  # Han, Hangul, Tangut
    for char in map(chr, range(sys.maxunicode + 1)):
        if unicodedata.category(char) in ("Cs", "Cn", "Co") or not is_settled(char) or re.match(alike, char):
            continue
        for text in (f"a{char}a 1{char}1 {char}{char}", f"{char}.{char} א{char}א カ{char}カ", f"中{char}中 Σ{char}Σ"):
            check_words(text, True, False)
            check_words(text, False, True)


@QUICK
@given(sentences | texts, analyses)
def test_terms_and_their_places_are_those_of_the_reference(text: str, settings: Settings) -> None:
    check_terms(text, settings)


@pytest.mark.slow
@THOROUGH
@given(sentences | texts, analyses)
def test_terms_and_their_places_are_those_of_the_reference_on_many_texts(text: str, settings: Settings) -> None:
    check_terms(text, settings)


@QUICK
@given(texts, st.booleans())
def test_words_kept_with_punctuation_include_all_words_kept_without_it(text: str, lowercase: bool) -> None:
    with_punctuation = words(text, lowercase, True)
    without = words(text, lowercase, False)
    assert [word for word in with_punctuation if word in set(without)] == without


@QUICK
@given(texts)
def test_no_word_starts_or_ends_with_white_space_or_has_a_space_in_it(text: str) -> None:
    for word in words(text, False, True):
        assert word
        assert " " not in word
        assert not (word[0] + word[-1]).strip("\x1c\x1d\x1e\x1f").isspace()  # which only Python calls white space


@QUICK
@given(texts)
def test_no_letter_and_no_digit_is_lost(text: str) -> None:
    composed, terms = Analysis(**PLAIN).locate(text)
    covered = {place for _, start, end in terms for place in range(start, end)}
    assert [char for place, char in enumerate(composed) if char.isalnum() and place not in covered] == []


@QUICK
@given(texts)
def test_words_of_composed_and_of_decomposed_text_are_the_same(text: str) -> None:
    assert words(unicodedata.normalize("NFD", text), True, False) == words(text, True, False)


@QUICK
@given(sentences)
def test_tokens_are_asked_for_once_and_in_order_of_first_sight(text: str) -> None:
    asked: list[str] = []

    def map_tokens(tokens: list[str]) -> list[str | None]:
        asked.extend(tokens)
        return list(tokens)

    Analysis(**mapped_by(map_tokens)).locate(text)
    assert asked == list(dict.fromkeys(words(text, True, False)))


def test_half_a_surrogate_pair_is_refused() -> None:
    with pytest.raises(UnicodeEncodeError, match="surrogates not allowed"):
        words("a\ud800", True, False)


def test_an_answer_for_each_token_is_needed() -> None:
    analysis = Analysis(**mapped_by(lambda tokens: []))
    with pytest.raises(ValueError, match="one answer for each token"):
        analysis.locate("a b")


def test_an_error_of_the_mapping_comes_out_as_it_is() -> None:
    def map_tokens(tokens: list[str]) -> list[str | None]:
        raise LookupError("no lemma")

    with pytest.raises(LookupError, match="no lemma"):
        Analysis(**mapped_by(map_tokens)).locate("a b")


# ---- phrases, n-grams and pieces of words ----------------------------------------------------------------------------


def terms(text: str, settings: Settings) -> list[str]:
    return [term for term, _, _ in Analysis(**settings).locate(text)[1]]


OVERLAPPING: Settings = {**PLAIN, "phrases": [(["a", "b"], "ab"), (["b", "c"], "bc"), (["a", "b", "c"], "abc")]}


def test_the_longest_phrase_wins() -> None:
    assert terms("a b c a b", OVERLAPPING) == ["abc", "ab"]


def test_the_phrase_that_starts_first_wins_over_one_that_overlaps_it() -> None:
    assert terms("a b d b c", OVERLAPPING) == ["ab", "d", "bc"]


def test_a_phrase_is_looked_for_before_tokens_are_mapped() -> None:
    assert terms("a b c", {**OVERLAPPING, "map_tokens": lambda tokens: [None for _ in tokens]}) == ["abc"]


def test_a_dropped_token_leaves_no_gap_in_ngrams() -> None:
    without_the = mapped_by(lambda tokens: [None if token == "the" else token for token in tokens])
    assert terms("in the house", {**without_the, "ngrams": (2, 2)}) == ["in house"]


def test_an_ngram_lies_from_its_first_word_to_its_last() -> None:
    bigrams: Settings = {**PLAIN, "ngrams": (2, 2)}
    text, found = Analysis(**bigrams).locate("Wo\u0308lfe, 😀 Ziegen")
    assert [(term, text[start:end]) for term, start, end in found] == [
        ("wölfe 😀", "Wölfe, 😀"),
        ("😀 ziegen", "😀 Ziegen"),
    ]


def test_the_pieces_of_a_word_stand_behind_the_ngrams_that_start_with_it() -> None:
    assert terms("to be", {**PLAIN, "ngrams": (1, 2), "char_ngrams": (3, 3)}) == [
        *("to", "to be", ":<to", ":to>"),
        *("be", ":<be", ":be>"),
    ]


def test_a_word_that_is_too_short_for_a_piece_is_one_piece() -> None:
    assert terms("I am", {**PLAIN, "words": False, "char_ngrams": (4, 5)}) == [":<i>", ":<am>"]


# ---- sentences -------------------------------------------------------------------------------------------------------


def cut(text: str) -> list[str]:
    return words(text, True, False)


def test_english_contractions_abbreviations_and_numbers_stay_whole() -> None:
    assert cut("Don't pay $3.14 or 1,000.50, e.g. at 12:30!") == [
        "don't",
        "pay",
        "3.14",
        "or",
        "1,000.50",
        "e.g",
        "at",
        "12",
        "30",
    ]


def test_a_typographic_apostrophe_joins_like_a_plain_one() -> None:
    assert cut("l’été, aujourd'hui") == ["l’été", "aujourd'hui"]


def test_words_of_one_letter_are_words() -> None:
    assert cut("I и я") == ["i", "и", "я"]


def test_hindi_words_keep_their_vowel_signs() -> None:
    assert cut("मैं हिन्दी में लिखता हूँ।") == ["मैं", "हिन्दी", "में", "लिखता", "हूँ"]


def test_hindi_conjuncts_with_joiners_stay_whole() -> None:
    assert cut("क्‍ष श्री") == ["क्‍ष", "श्री"]


def test_arabic_words_keep_their_marks_and_numbers_their_separators() -> None:
    assert cut("السَّلامُ عليكم، ٣٫١٤ و١٬٠٠٠") == ["السَّلامُ", "عليكم", "٣٫١٤", "و١٬٠٠٠"]


def test_arabic_direction_marks_are_no_words() -> None:
    assert words("\u061cمرحبا\n\u061c", True, True) == ["مرحبا"]


def test_a_hebrew_abbreviation_with_a_quotation_mark_inside_stays_whole() -> None:
    assert cut('צה"ל ג\' "שלום"') == ['צה"ל', "ג'", "שלום"]


def test_chinese_becomes_pairs_that_do_not_cross_punctuation() -> None:
    assert cut("我爱北京，你呢？") == ["我爱", "爱北", "北京", "你呢"]


def test_a_single_chinese_character_is_a_word() -> None:
    assert cut("我 like 茶") == ["我", "like", "茶"]


def test_japanese_katakana_stays_whole_between_pairs_of_kanji_and_hiragana() -> None:
    assert cut("東京タワーへ行く") == ["東京", "タワー", "へ行", "行く"]


def test_korean_words_stay_whole_also_when_written_in_single_letters() -> None:
    assert cut("한국어를 배워요") == ["한국어를", "배워요"]
    assert cut(unicodedata.normalize("NFD", "한국어를")) == ["한국어를"]


def test_thai_becomes_pairs_of_letters_with_their_marks() -> None:
    assert cut("ที่นี่ ดี") == ["ที่นี่", "ดี"]


def test_thai_numbers_stay_whole() -> None:
    assert cut("ปี ๒๕๖๗") == ["ปี", "๒๕๖๗"]


@pytest.mark.parametrize(
    ("text", "pairs"),
    [("ພາສາ", ["ພາ", "າສ", "ສາ"]), ("ខ្មែរ", ["ខ្មែ", "មែរ"]), ("မြန်မာ", ["မြန်", "န်မာ"])],
    ids=["Lao", "Khmer", "Burmese"],
)
def test_other_scripts_without_spaces_become_pairs_too(text: str, pairs: list[str]) -> None:
    assert cut(text) == pairs


def test_an_emoji_is_a_word_with_its_skin_tone_and_its_joined_family() -> None:
    assert cut("ok👍🏽 👩‍👩‍👧!") == ["ok", "👍🏽", "👩‍👩‍👧"]


def test_emoji_without_spaces_are_words_of_their_own() -> None:
    assert cut("😀😀❤️") == ["😀", "😀", "❤️"]


def test_flags_are_pairs_of_letters_and_do_not_run_together() -> None:
    assert cut("🇩🇪🇫🇷🇺") == ["🇩🇪", "🇫🇷", "🇺"]


def test_a_keycap_is_a_word() -> None:
    assert cut("press 1️⃣ or #️⃣") == ["press", "1️⃣", "or"]


def test_a_vowel_sign_behind_a_space_is_a_word_without_the_space() -> None:
    assert cut("घर \u093e x") == ["घर", "\u093e", "x"]


def test_an_emoji_behind_a_space_and_a_joiner_is_a_word_without_the_space() -> None:
    assert cut("hi \u200d😀") == ["hi", "\u200d😀"]


def test_a_narrow_space_before_french_punctuation_is_no_part_of_the_word_but_joins_a_number() -> None:
    assert cut("Bonjour\u202f! «\u202f10\u202f000\u202f»") == ["bonjour", "10\u202f000"]


def test_a_final_sigma_is_lower_cased_by_its_place_in_the_word() -> None:
    assert cut("ΣΊΣΥΦΟΣ ΟΔΟΣ") == ["σίσυφος", "οδος"]


def test_a_turkish_dotted_capital_i_keeps_its_dot() -> None:
    assert cut("İstanbul") == ["i̇stanbul"]


def test_a_line_of_underscores_is_no_word_unless_punctuation_is_kept() -> None:
    assert cut("a_b ___") == ["a_b"]
    assert words("a_b ___", True, True) == ["a_b", "___"]


def test_marks_are_words_of_their_own_when_punctuation_is_kept() -> None:
    assert words("Yes!! (no?)", True, True) == ["yes", "!", "!", "(", "no", "?", ")"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("々\u202f", ["々"]),
        ("漢々\u202f", ["漢々"]),
        ("a\u202f", ["a"]),
        ("々_", ["々_"]),
        ("\u202f々\u202f漢", ["々", "漢"]),
    ],
)
def test_a_space_that_joins_like_an_underscore_is_no_part_of_a_word(text, expected):
    assert words(text, True, False) == reference.words(text, True, False) == expected
