"""The workbench in a real browser, on a real server: labeling by keyboard, undo, words, two windows, hostile texts."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

import likelier as lk
from serving import Labeled, Served
from workbench.browser import HOSTILE, LABELS, SCREENS, TRUTH, tickets, unfolded


def digest(bench: Labeled) -> str:
    """Names the counts, bit for bit."""
    return str(bench.get("/v1/model?counts_digest=true")["counts_digest"])


# ---- labeling ----------------------------------------------------------------------------------------------------


def test_from_a_file_to_the_first_suggestion_by_keyboard_alone(new: Any, screen: Any, tmp_path: Path) -> None:
    bench = new(tickets(tmp_path))
    seen = screen(bench).open("start")
    for label in LABELS:  # the field has the focus already
        seen.page.keyboard.type(label)
        seen.press("Enter")
        seen.wait_for_text("#names", label)
    seen.press("Enter")
    seen.page.wait_for_url("**/label")
    seen.wait_for_text("#progress", "of 240")
    answered = set[str]()
    while len(answered) < 2:
        answered.add(TRUTH[seen.answer()])
    seen.page.locator("#suggestion:not([hidden])").wait_for()
    assert re.match(r"Suggestion: (\w+) \d+\s%", seen.text("#verdict"))


def test_the_start_takes_a_model_as_long_as_nothing_is_learned(new: Any, screen: Any, tmp_path: Path) -> None:
    lk.train(texts=["my invoice is wrong", "late parcel"], labels=["billing", "delivery"]).save(
        tmp_path / "mine.likelier"
    )
    bench = new(tickets(tmp_path))
    seen = screen(bench).open("start")
    seen.page.get_by_text("Begin with a model that you have").click()
    seen.page.get_by_label("Model file, which brings its labels").set_input_files(tmp_path / "mine.likelier")
    seen.wait_for_text("#names", "delivery")
    seen.page.locator("#model-box").wait_for(state="hidden")
    assert bench.get("/v1/model")["documents"] == 2
    seen.page.get_by_role("link", name="Start labeling").click()
    seen.page.locator("#suggestion:not([hidden])").wait_for()


def test_enter_accepts_the_suggestion_and_u_takes_it_back_bit_for_bit(labeled: Labeled, screen: Any) -> None:
    before, seen = digest(labeled), screen(labeled).open("label")
    text, suggested = seen.document, seen.text("#verdict strong")
    seen.press("Enter")
    seen.saved(13)
    assert digest(labeled) != before
    newest = labeled.get("/v1/labeling")["last"]
    assert (newest["text"], newest["label"]) == (text, suggested)
    seen.press("u")
    seen.saved(12)
    assert digest(labeled) == before
    assert seen.document == text


def test_a_skipped_text_is_counted_and_control_z_brings_it_back(labeled: Labeled, screen: Any) -> None:
    seen = screen(labeled).open("label")
    text = seen.document
    seen.press("s")
    seen.wait_for_text("#progress", "1 skipped")
    assert seen.document != text
    seen.press("Control+z")
    seen.wait("text => document.querySelector('#text').textContent === text", text)


def test_the_next_text_is_shown_before_the_server_has_answered(labeled: Labeled, screen: Any) -> None:
    seen = screen(labeled).open("label")
    held: list[Any] = []
    seen.page.route(
        "**/v1/labeling/answer", lambda route: held.append(route)
    )  # the answer does not even leave the browser
    queue = [each["text"] for each in labeled.get("/v1/labeling")["queue"]]
    seen.press("1")
    seen.wait_for_text("#text", queue[1])
    seen.press("2")
    seen.wait_for_text("#text", queue[2])
    assert labeled.get("/v1/labeling")["progress"]["labeled"] == 12
    for route in held:
        route.continue_()
    seen.saved(14)


def test_a_text_whose_answer_was_refused_comes_back_with_a_message(labeled: Labeled, screen: Any) -> None:
    seen = screen(labeled).open("label")
    text = seen.document
    problem = '{"message": "the disk is full", "hint": "make room", "code": "x", "status": 507}'
    seen.page.route("**/v1/labeling/answer", lambda route: route.fulfill(status=507, body=problem))
    seen.press("1")
    seen.wait_for_text("#message", "This text was not saved: the disk is full. Make room.")
    assert seen.document == text
    assert labeled.get("/v1/labeling")["progress"]["labeled"] == 12
    seen.complaints.clear()  # the browser reports the 507


def test_the_verdict_is_announced_to_screen_readers(labeled: Labeled, screen: Any) -> None:
    seen = screen(labeled).open("label")
    seen.press("1")
    seen.wait_for_text("#live", "Labeled billing. Next suggestion: ")
    assert seen.page.locator("#live").get_attribute("aria-live") == "polite"


def test_keys_do_nothing_in_a_field_and_can_be_switched_off_for_good(labeled: Labeled, screen: Any) -> None:
    seen = screen(labeled).open("label")
    text = seen.document
    seen.press("w", "1", "s", "u")
    assert seen.page.locator("#word").input_value() == "1su"
    seen.press("Escape", "?")
    seen.page.get_by_label("Use these keys").uncheck()
    seen.press("Escape")
    seen.open("label")
    seen.press("1", "s", "u")
    assert seen.document == text
    assert labeled.get("/v1/labeling")["progress"]["labeled"] == 12


def test_a_text_that_is_searched_for_can_be_labeled_and_counts_as_found(labeled: Labeled, screen: Any) -> None:
    seen = screen(labeled).open("label")
    queued = {each["text"] for each in labeled.get("/v1/labeling")["queue"]}
    known = {each["text"] for each in labeled.get("/v1/documents")["documents"]}
    wanted = next(text for text in TRUTH if text not in queued | known)
    seen.press("/")
    seen.page.keyboard.type(wanted)
    seen.wait_for_text("#found-count", "1 found")
    seen.press("Enter", "Enter")
    seen.wait_for_text("#text", wanted)
    seen.press("1")
    seen.saved(13)
    newest = labeled.get("/v1/labeling/history")["lessons"][0]
    assert (newest["text"], newest["how"]) == (wanted, "found")


def test_the_rows_of_an_explanation_add_up_to_the_odds_that_are_shown(labeled: Labeled, screen: Any) -> None:
    seen = screen(labeled).open("label")
    seen.page.locator("#why summary").click()
    rows = seen.page.locator("#explanation table.items tbody tr td.n")
    rows.first.wait_for()
    shown = sum(map(float, rows.all_inner_texts()))
    total = float(seen.text("#explanation table.items tfoot td.n"))
    assert shown == pytest.approx(total, abs=0.0006 * rows.count())
    assert f"log odds {total:+.3f}" in seen.text("#explanation")


# ---- words -------------------------------------------------------------------------------------------------------


def test_a_taught_word_is_shown_and_taken_back_bit_for_bit(labeled: Labeled, screen: Any) -> None:
    before, seen = digest(labeled), screen(labeled).open("label")
    seen.press("w")
    seen.page.keyboard.type("refund")
    seen.page.locator("#word-label").select_option(label="returns")
    seen.page.get_by_role("button", name="Teach", exact=True).click()
    taken_back = seen.page.get_by_role("button", name="Take back the word refund for returns")
    taken_back.wait_for()
    assert digest(labeled) != before
    taken_back.click()
    taken_back.wait_for(state="detached")
    assert digest(labeled) == before


def test_settings_are_switched_and_taken_back_on_the_same_counts(labeled: Labeled, screen: Any) -> None:
    before, seen = digest(labeled), screen(labeled).open("words")
    first = labeled.get("/v1/view")["settings"]
    seen.page.get_by_label("Event model").select_option("bernoulli")
    seen.wait_for_text("#settings-said", "bernoulli")
    seen.page.get_by_label("Smoothing (alpha)").fill("0.5")
    seen.press("Enter")
    seen.wait_for_text("#settings-said", "0.5")
    now = labeled.get("/v1/view")["settings"]
    assert (now["event"], now["smoothing"]["alpha"]) == ("bernoulli", 0.5)
    seen.page.get_by_role("button", name="Take my changes back").click()
    seen.wait_for_text("#settings-said", "as they were before")
    assert labeled.get("/v1/view")["settings"] == first
    seen.page.get_by_role("button", name="Reset").click()
    seen.wait_for_text("#settings-said", "are reset")
    assert labeled.get("/v1/view")["settings"] == first
    assert digest(labeled) == before


def test_words_are_found_in_the_table_of_ratios_and_a_text_is_derived(labeled: Labeled, screen: Any) -> None:
    seen = screen(labeled).open("words")
    seen.page.locator("#ratios tbody tr").first.wait_for()
    word = seen.text("#ratios tbody tr:first-child th")
    seen.page.get_by_label("Search a word").fill(word)
    seen.wait(
        "word => [...document.querySelectorAll('#ratios tbody th')].every(e => e.textContent.includes(word))", word
    )
    seen.page.get_by_label("Any text").fill(word)
    seen.page.get_by_role("button", name="Work it out").click()
    seen.page.locator("#derivation math").first.wait_for()


# ---- classify, check, history, export ----------------------------------------------------------------------------


def test_the_verdict_moves_while_somebody_types(labeled: Labeled, screen: Any) -> None:
    seen = screen(labeled).open("classify")
    for text in ("please refund my money", "where is my parcel"):
        seen.page.get_by_label("Type, and watch").fill(text)
        label = labeled.post("/v1/classify", {"text": text})["label"]
        seen.wait_for_text("#verdict strong", label)


def test_sure_verdicts_are_accepted_at_once_and_one_undo_takes_all_back(labeled: Labeled, screen: Any) -> None:
    before, seen = digest(labeled), screen(labeled).open("classify")
    seen.page.get_by_label("Least probability").fill("50")
    count = labeled.post("/v1/labeling/accept", {"threshold": 0.5, "only_count": True})["accepted"]
    assert count > 1
    seen.wait_for_text("#count", f"{count} texts would get a label.")
    seen.wait_for_text("#sure", "drawn at random")
    seen.page.get_by_role("button", name="Accept them").click()
    seen.wait_for_text("#message", f"{count} texts got a label.")
    assert labeled.get("/v1/labeling")["progress"]["labeled"] == 12 + count
    seen.press("u")
    seen.wait_for_text("#last", " for “")
    assert labeled.get("/v1/labeling")["progress"]["labeled"] == 12
    assert digest(labeled) == before


def test_a_file_comes_back_with_labels(labeled: Labeled, screen: Any, tmp_path: Path) -> None:
    seen = screen(labeled).open("classify")
    seen.page.get_by_label("File", exact=True).set_input_files(tickets(tmp_path, list(TRUTH)[:3]))
    with seen.page.expect_download() as found:
        seen.page.get_by_role("button", name="Classify the file").click()
    assert found.value.suggested_filename == "tickets-labeled.csv"
    head, *rows = Path(found.value.path()).read_text("utf-8").splitlines()
    assert head.startswith("number,channel,text,label,probability")
    assert len(rows) == 3


def test_one_key_corrects_a_suspicious_label(labeled: Labeled, screen: Any) -> None:
    seen = screen(labeled).open("check")
    first = labeled.get("/v1/labeling/check")["suspicious"][0]
    seen.page.locator("#suspicious [data-place]").first.wait_for()
    seen.press("c")
    seen.wait_for_text("#live", "Corrected to ")
    assert labeled.get(f"/v1/labeling/question?place={first['place']}")["label"] == first["likelier"]


def test_lessons_are_listed_and_undone_and_a_verdict_names_its_causes(labeled: Labeled, screen: Any) -> None:
    seen = screen(labeled).open("history")
    assert seen.page.locator("#lessons > li").count() == 12
    seen.page.get_by_role("button", name="Undo lesson 12").click()
    seen.page.locator("#lessons .undone").wait_for()
    assert labeled.get("/v1/labeling")["progress"]["labeled"] == 11
    text = labeled.get("/v1/documents")["documents"][0]["text"]
    seen.page.get_by_label("A text").fill(text)
    seen.page.get_by_role("button", name="Find the lessons").click()
    seen.wait_for_text("#caused", "The verdict is ")


def test_everything_can_be_downloaded(labeled: Labeled, screen: Any) -> None:
    seen = screen(labeled).open("export")
    for name in ("Download the model", "Download CSV", "Download JSON Lines", "Download the report"):
        with seen.page.expect_download() as found:
            seen.page.get_by_role("link", name=name).click()
        assert Path(found.value.path()).stat().st_size > 100


# ---- start -------------------------------------------------------------------------------------------------------


def test_a_file_is_chosen_its_column_named_and_its_texts_added(new: Any, screen: Any, tmp_path: Path) -> None:
    seen = screen(new()).open("start")
    seen.page.locator("#file").set_input_files(tickets(tmp_path, ["one text", "another text"]))
    seen.wait_for_text("#preview", "another text")
    seen.page.get_by_label("Column with the texts").fill("text")
    seen.page.get_by_role("button", name="Add the texts").click()
    seen.wait_for_text("#message", "Added 2 texts from the column “text”.")
    seen.wait_for_text("#pool", "2 texts in the pool")


def test_a_file_is_dropped_and_its_column_guessed(new: Any, screen: Any) -> None:
    seen = screen(new()).open("start")
    seen.page.evaluate(
        """() => {
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File(["id,message\\n1,one text\\n2,another text\\n"], "dropped.csv"));
          document.querySelector("#drop").dispatchEvent(new DragEvent("drop", { dataTransfer, cancelable: true }));
        }"""
    )
    seen.wait_for_text("#chosen", "dropped.csv")
    seen.press("Enter")  # the button has the focus
    seen.wait_for_text("#message", "Added 2 texts from the column “message”.")


@pytest.mark.parametrize("name", ["start", "label"])
def test_what_is_typed_before_the_server_has_answered_is_kept(new: Any, screen: Any, tmp_path: Path, name: str) -> None:
    bench = new(tickets(tmp_path))
    seen, held = screen(bench).open(name), list[Any]()
    seen.page.route("**/v1/labeling/labels", lambda route: held.append(route))
    seen.page.locator("#name").focus()
    seen.page.keyboard.type("billing")
    with seen.page.expect_request("**/v1/labeling/labels"):
        seen.press("Enter")
    seen.page.keyboard.type("deliv")
    with seen.page.expect_response("**/v1/labeling/labels"):
        held[0].continue_()
    seen.wait_for_text("#names" if name == "start" else "#labels", "billing")
    seen.page.keyboard.type("ery")
    assert seen.page.locator("#name").input_value() == "delivery"


def test_texts_are_pasted_and_the_sample_is_taken(new: Any, screen: Any) -> None:
    seen = screen(new()).open("start")
    seen.page.get_by_text("Paste texts").click()
    seen.page.get_by_label("One text a line").fill("первый текст\n\nzweiter Text\n")
    seen.page.get_by_role("button", name="Add the lines").click()
    seen.wait_for_text("#pool", "2 texts in the pool")
    seen.page.get_by_role("button", name="Take the sample").click()
    seen.wait_for_text("#pool", "242 texts in the pool")


# ---- two windows, tokens, hostile texts --------------------------------------------------------------------------


def test_two_browsers_see_each_other_and_lose_nothing(labeled: Labeled, screen: Any) -> None:
    one, two = screen(labeled).open("label"), screen(labeled).open("label")
    first = one.document
    one.press("1")
    two.saved(13)
    assert two.document != first
    two.page.wait_for_timeout(800)  # in which keys are ignored, as the text changed under the fingers
    two.press("2")
    one.saved(14)
    assert [each["label"] for each in labeled.get("/v1/labeling/history")["lessons"][:2]] == ["delivery", "billing"]


def test_a_key_pressed_while_another_window_changes_the_text_labels_nothing(labeled: Labeled, screen: Any) -> None:
    two = screen(labeled).open("label")
    two.page.evaluate(
        """() => new MutationObserver((_, observer) => {
          observer.disconnect();
          document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "1", code: "Digit1", bubbles: true }));
        }).observe(document.querySelector("#text"), { childList: true })"""
    )
    place = labeled.get("/v1/labeling")["queue"][0]["place"]
    labeled.post("/v1/labeling/answer", {"place": place, "label": "spam"})
    two.saved(13)
    two.wait_for_text("#live", "Another window labeled that text.")
    assert labeled.get("/v1/labeling")["progress"]["labeled"] == 13


def test_a_server_with_tokens_asks_for_one_once(begun: Path, running: Any, screen: Any, tmp_path: Path) -> None:
    folder = shutil.copytree(begun, tmp_path / "served")
    tokens = {"LIKELIER_TOKENS": "anna teach secret-token"}
    running.append(Served(folder / "tickets.likelier", environment=tokens))
    seen = screen(running[-1]).open("label")
    seen.press("1")
    seen.page.get_by_label("Token", exact=True).fill("secret-token")
    seen.press("Enter")
    seen.saved(13)
    seen.press("1")
    seen.saved(14)
    assert running[-1].get("/v1/labeling/history")["lessons"][0]["by"] == "anna"
    seen.complaints.clear()  # the browser reports the 401


def test_labels_and_texts_stay_harmless_on_every_screen(hostile: Labeled, screen: Any) -> None:
    seen = screen(hostile)
    for name in SCREENS:
        unfolded(seen, name, " ".join(HOSTILE))
        assert seen.page.locator("main").locator("script, img, iframe, [onerror], [onmouseover]").count() == 0
        assert seen.page.evaluate("document.documentElement.scrollWidth") <= 1280
    assert HOSTILE[0] in seen.open("label").text("#labels")
    assert HOSTILE[1] in seen.open("check").text("#confusion")


def test_the_name_of_a_hostile_file_is_shown_as_text(new: Any, screen: Any, tmp_path: Path) -> None:
    seen = screen(new()).open("start")
    name = "<img src=x onerror=alert(1)>\u202e.csv"
    seen.page.locator("#file").set_input_files({"name": name, "mimeType": "text/csv", "buffer": b"text\none\ntwo\n"})
    seen.wait_for_text("#chosen", name)
    seen.page.get_by_role("button", name="Add the texts").click()
    seen.wait_for_text("#pool", "2 texts in the pool")


def test_a_page_has_a_policy_that_allows_nothing_from_outside(labeled: Labeled) -> None:
    for path in SCREENS.values():
        answer = labeled.ask("GET", path)
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        assert "default-src 'none'; script-src 'self'; style-src 'self'" in answer.headers["content-security-policy"]
        assert "unsafe" not in answer.headers["content-security-policy"]
        assert not re.search(r"<script(?! type=\"module\" src=)|<style| style=| on\w+=|https?://", answer.text)


def test_files_of_pages_may_be_kept_forever_and_others_are_missing(labeled: Labeled) -> None:
    (address,) = re.findall(r'href="(/static/\w+/style\.css)"', labeled.ask("GET", "/label").text)
    assert "immutable" in labeled.ask("GET", address).headers["cache-control"]
    assert labeled.refused("GET", "/static/0/style.css") == (404, "route-missing")
    assert labeled.refused("GET", address.replace("style.css", "pages.py")) == (404, "route-missing")
