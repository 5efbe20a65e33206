"""The labeling over HTTP: what is asked, what is taught, and how exactly it is taken back."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import likelier as lk
from likelier.demo import documents
from serving import Labeled, Served, stand

TEXTS = [text for text, _ in documents()]
TRUTH = dict(documents())


def counts(served: Labeled) -> Any:
    """The counts, bit for bit, and the digest of the documents."""
    _, digest, of_counts = stand(served)
    return digest, of_counts


def taught(served: Labeled, count: int) -> list[int]:
    """Answers that many questions rightly; the places."""
    places = []
    for _ in range(count):
        question = served.state()["queue"][0]
        served.do("answer", place=question["place"], label=TRUTH[question["text"]])
        places.append(question["place"])
    return places


# ---- the state ---------------------------------------------------------------------------------------------------


def test_a_new_labeling_asks_five_texts_at_random(shop: Labeled) -> None:
    state = shop.state()
    assert [each["how"] for each in state["queue"]] == ["random"] * 5
    assert [each["text"] for each in state["queue"]] == [TEXTS[each["place"]] for each in state["queue"]]
    assert state["progress"]["pool"] == len(TEXTS)
    assert state["labels"] == ["billing", "delivery"]
    assert state["accuracy"]["reason"] == "too few to judge"


def test_an_answer_gives_the_next_questions_at_once(shop: Labeled) -> None:
    before = shop.state()["queue"]
    after = shop.do("answer", place=before[0]["place"], label="billing")
    assert [each["place"] for each in after["queue"][:4]] == [each["place"] for each in before[1:]]
    assert after["progress"]["labeled"] == 1
    assert after["last"]["text"] == before[0]["text"]
    assert after["version"] > 0


def test_the_queue_is_refilled_behind_the_scenes(shop: Labeled) -> None:
    taught(shop, 3)
    assert len(shop.state()["queue"]) == 5


def test_a_question_has_a_verdict_and_its_words_once_there_are_two_labels(shop: Labeled) -> None:
    taught(shop, 12)
    question = shop.state()["queue"][0]
    verdict = question["verdict"]
    assert verdict["probabilities"][verdict["label"]] == verdict["probability"]
    assert all(question["text"][each["start"] : each["end"]].strip() for each in question["parts"])


def test_the_weights_of_the_parts_add_up_to_the_differences_of_the_explanation(shop: Labeled) -> None:
    taught(shop, 12)
    text = "I was charged twice, the parcel is late and charged"
    shop.post("/v1/labeling/pool?name=more.txt", {"texts": [text]})
    question = shop.get(f"/v1/labeling/question?place={len(TEXTS)}")
    items = shop.post("/v1/explain", {"text": text})["items"]
    single = {each["name"]: each["difference"] for each in items if each["kind"] == "term" and " " not in each["name"]}
    pairs = {each["name"]: each["difference"] for each in items if each["kind"] == "term" and " " in each["name"]}
    parts = {each["term"]: each["weight"] for each in question["parts"]}
    alone = {term for term in single if not any(term in pair.split() for pair in pairs)}
    assert alone
    assert all(parts[term] == pytest.approx(single[term] / text.lower().split().count(term)) for term in alone)


def test_a_long_poll_ends_with_the_next_change(shop: Labeled) -> None:
    version = shop.state()["version"]
    found: list[Any] = []
    waiting = threading.Thread(target=lambda: found.append(shop.get(f"/v1/labeling?after={version}")))
    waiting.start()
    shop.do("answer", place=0, label="billing")
    waiting.join()
    assert found[0]["version"] > version
    assert found[0]["progress"]["labeled"] == 1


def test_long_polls_do_not_keep_a_server_from_stopping(shop: Labeled) -> None:
    version = shop.state()["version"]
    waiting = threading.Thread(target=lambda: shop.client.get(f"/v1/labeling?after={version}"))
    waiting.start()
    assert shop.stop() == 0
    waiting.join()


# ---- undo --------------------------------------------------------------------------------------------------------


def test_an_answer_that_is_undone_leaves_no_trace(shop: Labeled) -> None:
    taught(shop, 12)
    before, asked = counts(shop), shop.state()["queue"]
    shop.do("answer", place=asked[0]["place"], label="praise")
    shop.do("undo")
    assert counts(shop) == before
    assert shop.state()["queue"] == asked


def test_a_relabeled_text_that_is_undone_leaves_no_trace(shop: Labeled) -> None:
    (place, *_) = taught(shop, 12)
    before = counts(shop)
    shop.do("answer", place=place, label="praise")
    assert counts(shop) != before
    shop.do("undo")
    assert counts(shop) == before


def test_five_hundred_accepted_at_once_are_undone_at_once(start: Callable[..., Labeled], tmp_path: Path) -> None:
    path = tmp_path / "many.txt"
    path.write_text("".join(f"{word} number {number} {word}\n" for number in range(300) for word in ("cheap", "lunch")))
    shop = start(path, "--labels", "spam,ham")
    for place in range(20):
        shop.do("answer", place=place, label=("spam", "ham")[place % 2])
    before = counts(shop)
    counted = shop.do("accept", threshold=0.5, only_count=True)
    assert (counted["accepted"], counted["sure"]["reason"]) == (580, "too few to judge")
    assert counts(shop) == before
    assert shop.do("accept", threshold=0.5)["accepted"] == 580
    assert shop.state()["progress"]["labeled"] == 600
    shop.do("undo")
    assert counts(shop) == before
    assert shop.state()["progress"]["labeled"] == 20


def test_a_word_that_is_taken_back_leaves_no_trace(shop: Labeled) -> None:
    taught(shop, 30)
    before = counts(shop)
    (taught_word,) = shop.do("word", word="invoice", label="billing")["words"]
    assert taught_word["word"] == "invoice"
    assert counts(shop) != before
    assert shop.do("word", word="invoice", label="billing", weight=0)["words"] == []
    assert counts(shop) == before


def test_a_word_that_is_taught_again_counts_once(shop: Labeled) -> None:
    taught(shop, 12)
    before = counts(shop)
    shop.do("word", word="invoice", label="billing", weight=2)
    assert shop.do("word", word="invoice", label="billing", weight=0.5)["words"][0]["weight"] == 0.5
    shop.do("undo")
    assert shop.do("undo")["words"] == []
    assert counts(shop) == before


def test_a_skipped_text_is_not_asked_again_until_that_is_undone(shop: Labeled) -> None:
    place = shop.state()["queue"][0]["place"]
    before = stand(shop)
    assert shop.do("skip", place=place)["progress"]["skipped"] == 1
    assert place not in [each["place"] for each in shop.state()["queue"]]
    assert shop.do("undo")["queue"][0]["place"] == place
    assert stand(shop) == before


def test_an_earlier_lesson_is_undone_by_its_number(shop: Labeled) -> None:
    first = shop.do("answer", place=0, label="billing")["last"]["number"]
    shop.do("answer", place=1, label="billing")
    shop.do("undo", number=first)
    assert shop.get("/v1/labeling/search?text=")["found"][0]["label"] is None
    assert shop.get("/v1/labeling/search?text=")["found"][1]["label"] == "billing"


def test_an_undone_lesson_leaves_what_later_ones_have_changed(shop: Labeled) -> None:
    first = shop.do("answer", place=0, label="billing")["last"]["number"]
    shop.do("answer", place=0, label="delivery")
    before = counts(shop)
    shop.do("undo", number=first)
    assert counts(shop) == before
    assert shop.get("/v1/labeling/question?place=0")["label"] == "delivery"


def test_labels_that_were_accepted_and_then_corrected_stay_when_the_rest_is_undone(
    start: Callable[..., Labeled], shop: Labeled, pool: Path
) -> None:
    for place in range(12):
        shop.do("answer", place=place, label=("billing", "delivery")[place % 2])
    bulk = shop.do("accept", threshold=0.5)["last"]["number"]
    shop.do("answer", place=100, label="praise")
    shop.do("undo", number=bulk)
    assert shop.state()["progress"]["labeled"] == 13
    other = start(pool, "--labels", "billing,delivery", model="other.likelier")
    for place in range(12):
        other.do("answer", place=place, label=("billing", "delivery")[place % 2])
    other.do("answer", place=100, label="praise")
    assert counts(shop) == counts(other)
    before = counts(shop)
    shop.kill()
    assert counts(start(pool)) == before


def test_the_undo_of_the_server_refuses_lessons_of_the_labeling(shop: Labeled) -> None:
    shop.do("answer", place=0, label="billing")
    assert shop.refused("POST", "/v1/undo", {"position": 1}) == (409, "undo-labeling")
    assert shop.refused("POST", "/v1/undo", {"by": "local"}) == (409, "undo-labeling")


def test_a_labeled_text_is_not_forgotten_or_relabeled_behind_the_back_of_the_labeling(shop: Labeled) -> None:
    shop.do("answer", place=0, label="billing")
    shop.do("answer", place=1, label="delivery")
    document = {"text": TEXTS[0], "label": "billing"}
    assert shop.refused("POST", "/v1/forget", document) == (409, "forget-labeling")
    assert shop.refused("POST", "/v1/relabel", document | {"label": "delivery"}) == (409, "forget-labeling")
    shop.do("undo", number=0)
    shop.post("/v1/learn", document)
    shop.post("/v1/forget", document)


def test_the_undo_of_the_server_still_undoes_its_own_lessons(shop: Labeled) -> None:
    shop.do("answer", place=0, label="billing")
    before = counts(shop)
    position = shop.post("/v1/learn", {"text": "late again", "label": "delivery"})["position"]
    shop.do("answer", place=1, label="billing")
    shop.post("/v1/undo", {"position": position})
    shop.do("undo")
    assert counts(shop) == before


def test_undo_takes_back_ones_own_lessons_unless_an_admin_asks(shop: Labeled, tmp_path: Path) -> None:
    shop.stop()
    (tmp_path / "tokens.txt").write_text("anna teach SECRET-ANNA\nbob teach SECRET-BOB\nroot admin SECRET-ROOT\n")
    served = Served(tmp_path / "shop.likelier", "--tokens", str(tmp_path / "tokens.txt"))
    try:
        for place, token in ((0, "SECRET-ANNA"), (1, "SECRET-BOB")):
            served.post("/v1/labeling/answer", {"place": place, "label": "billing"}, token=token)
        assert served.post("/v1/labeling/undo", {}, token="SECRET-ANNA")["last"]["text"] == TEXTS[1]
        asked = {"number": 1}
        assert served.refused("POST", "/v1/labeling/undo", asked, token="SECRET-ANNA") == (403, "undo-others")
        assert served.refused("POST", "/v1/labeling/undo", {}, token="SECRET-ANNA") == (409, "labeling-undo")
        assert served.post("/v1/labeling/undo", {}, token="SECRET-ROOT")["last"] is None
    finally:
        served.kill()


# ---- keys, and several at once -----------------------------------------------------------------------------------


def test_an_answer_with_a_key_counts_once(shop: Labeled) -> None:
    for _ in range(2):
        shop.post("/v1/labeling/answer", {"place": 0, "label": "billing"}, Idempotency_Key="one")
    assert shop.state()["progress"]["labeled"] == 1
    assert len(shop.get("/v1/labeling/history")["lessons"]) == 1


def test_a_skip_with_a_key_counts_once(shop: Labeled) -> None:
    for _ in range(2):
        shop.post("/v1/labeling/skip", {"place": 0}, Idempotency_Key="one")
    assert len(shop.get("/v1/labeling/history")["lessons"]) == 1


def test_clients_that_answer_at_once_lose_nothing(shop: Labeled) -> None:
    def work(places: range) -> None:
        for place in places:
            shop.do("answer", place=place, label=TRUTH[TEXTS[place]])

    threads = [threading.Thread(target=work, args=[range(start, 80, 4)]) for start in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    state = shop.state()
    assert state["progress"]["labeled"] == 80
    lessons = shop.get("/v1/labeling/history?limit=500")["lessons"]
    assert [each["number"] for each in lessons] == list(reversed(range(80)))
    assert {each["text"]: each["label"] for each in lessons} == {text: TRUTH[text] for text in TEXTS[:80]}


# ---- the model ---------------------------------------------------------------------------------------------------


def test_the_third_label_of_a_new_model_brings_the_complement_model(shop: Labeled) -> None:
    assert shop.get("/v1/view")["settings"]["event"] == "multinomial"
    shop.do("answer", place=0, label="billing")
    shop.do("answer", place=1, label="praise")
    assert shop.get("/v1/view")["settings"]["event"] == "complement"


def test_settings_that_somebody_chose_stay(shop: Labeled) -> None:
    assert shop.ask("PATCH", "/v1/view", {"prior": "uniform"}).status_code == 200
    shop.do("labels", label="praise")
    assert shop.get("/v1/view")["settings"]["event"] == "multinomial"


def test_another_model_is_not_loaded_over_labeled_texts(shop: Labeled, tmp_path: Path) -> None:
    shop.do("answer", place=0, label="billing")
    model = tmp_path / "shop.likelier"
    model.write_bytes(shop.client.get("/v1/export/model").content)
    assert shop.refused("POST", "/v1/load") == (409, "load-labeling")


def test_a_labeling_begins_with_a_model_that_is_there(shop: Labeled, tmp_path: Path) -> None:
    model = lk.train(texts=["cheap pills", "lunch at noon", "late parcel"], labels=["spam", "praise", "delivery"])
    model.save(tmp_path / "mine.likelier")
    state = begun_with(shop, (tmp_path / "mine.likelier").read_bytes()).json()
    assert state["labels"] == ["billing", "delivery", "praise", "spam"]
    assert counts(shop)[1] == model.counts.digest()
    assert shop.get("/v1/view")["settings"] == model.settings.to_dict()
    before = counts(shop)
    shop.do("answer", place=0, label="billing")
    shop.do("undo")
    assert counts(shop) == before
    shop.stop()
    again = Labeled(tmp_path / "shop.likelier")
    assert (counts(again), again.state()["labels"]) == (before, state["labels"])
    again.do("labels", label="returns")
    assert again.get("/v1/view")["settings"] == model.settings.to_dict()  # they are its own
    again.kill()


def test_a_model_that_has_learned_something_is_not_replaced(shop: Labeled) -> None:
    empty = shop.client.get("/v1/export/model").content
    assert begun_with(shop, b"no model").json()["code"] == "upload-unreadable"
    shop.do("answer", place=0, label="billing")
    refused = begun_with(shop, empty)
    assert (refused.status_code, refused.json()["code"]) == (409, "begin-not-empty")
    assert shop.state()["progress"]["labeled"] == 1


def begun_with(served: Labeled, content: bytes) -> Any:
    """The answer to a model file."""
    return served.client.post(
        "/v1/labeling/model", content=content, headers={"Content-Type": "application/octet-stream"}
    )


def test_a_reset_gives_the_settings_that_suit_the_labeling(shop: Labeled) -> None:
    first = shop.get("/v1/view")["settings"]
    assert shop.ask("PATCH", "/v1/view", {"event": "bernoulli", "alpha": 3.0}).status_code == 200
    assert shop.ask("DELETE", "/v1/view").status_code == 200
    assert shop.get("/v1/view")["settings"] == first


def test_a_label_is_added_once(shop: Labeled) -> None:
    shop.do("labels", label="praise")
    assert shop.do("labels", label="praise")["labels"] == ["billing", "delivery", "praise"]


# ---- looking -----------------------------------------------------------------------------------------------------


def test_a_search_finds_texts_in_any_case(shop: Labeled) -> None:
    found = shop.get("/v1/labeling/search?text=CHARGED%20twice&limit=1")
    assert found["total"] >= len(found["found"]) == 1
    assert "charged twice" in found["found"][0]["text"]


def test_a_text_that_was_found_is_no_part_of_the_random_sample(shop: Labeled) -> None:
    asked = {each["place"] for each in shop.state()["queue"]}
    place = next(place for place in range(len(TEXTS)) if place not in asked)
    shop.do("answer", place=place, label="billing")
    assert shop.get(f"/v1/labeling/question?place={place}")["how"] == "found"
    assert shop.state()["progress"]["random"] == 0


def test_a_check_shows_what_leave_one_out_says(shop: Labeled) -> None:
    taught(shop, 40)
    wrong = shop.state()["queue"][0]
    shop.do("answer", place=wrong["place"], label="spam" if TRUTH[wrong["text"]] != "spam" else "praise")
    found = shop.get("/v1/labeling/check")
    assert sum(map(sum, found["confusion"]["counts"])) <= 41
    assert len(found["confusion"]["labels"]) == len(found["confusion"]["counts"])
    assert sum(each["documents"] for each in found["calibration"]) == 41
    assert found["accuracy"]["documents"] >= 10
    assert found["mistakes"]


def test_copies_with_different_labels_are_found(shop: Labeled) -> None:
    shop.post("/v1/labeling/pool?name=x.txt", {"texts": [TEXTS[0].upper()]})
    shop.do("answer", place=0, label="billing")
    shop.do("answer", place=len(TEXTS), label="delivery")
    (found,) = shop.get("/v1/labeling/check")["contradictions"]
    assert found["places"] == [0, len(TEXTS)]
    assert found["labels"] == ["billing", "delivery"]


def test_the_history_shows_what_was_undone(shop: Labeled) -> None:
    shop.do("answer", place=0, label="billing")
    shop.do("answer", place=1, label="delivery")
    shop.do("undo")
    undo, second, first = shop.get("/v1/labeling/history")["lessons"]
    assert (undo["kind"], undo["undoes"], undo["undone"]) == ("undo", second["number"], False)
    assert (second["label"], second["undone"]) == ("delivery", True)
    assert (first["label"], first["undone"], first["by"]) == ("billing", False, "local")
    assert shop.get(f"/v1/labeling/history?before={second['number']}")["lessons"] == [first]


def test_the_causes_of_a_verdict_are_lessons_without_which_it_falls(shop: Labeled) -> None:
    for place, label in ((0, "billing"), (1, "delivery"), (2, "delivery")):
        shop.do("answer", place=place, label=label)
    found = shop.get("/v1/labeling/causes?place=0")
    assert found["verdict"]["label"] == "billing"
    assert found["complete"]
    assert [each["text"] for each in found["causes"]] == [TEXTS[0]]
    assert found["falls_to"] == "delivery"


def test_ratios_tell_two_labels_apart(shop: Labeled) -> None:
    taught(shop, 60)
    found = shop.get("/v1/ratios?label=billing&against=delivery&k=5")
    assert [each["log_odds"] for each in found["ratios"]] == sorted(
        (each["log_odds"] for each in found["ratios"]), reverse=True
    )
    assert len(found["ratios"]) == 5
    term = found["ratios"][0]["term"]
    only = shop.get(f"/v1/ratios?label=billing&against=delivery&search={term.upper()}")["ratios"]
    assert only[0] == found["ratios"][0]
    assert all(term in each["term"] for each in only)


def test_a_derivation_is_a_piece_of_a_page(shop: Labeled) -> None:
    taught(shop, 12)
    answer = shop.client.get("/v1/derivation", params={"text": "late <b>parcel</b>"})
    assert answer.headers["content-type"].startswith("text/html")
    assert "<math" in answer.text
    assert "<b>parcel" not in answer.text


# ---- what cannot be done -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "body", "status", "code"),
    [
        ("answer", {"place": 100_000, "label": "billing"}, 422, "place-range"),
        ("answer", {"place": -1, "label": "billing"}, 422, "body-shape"),
        ("answer", {"place": 0, "label": ""}, 422, "label-blank"),
        ("answer", {"place": 0}, 422, "body-shape"),
        ("skip", {"place": 100_000}, 422, "place-range"),
        ("undo", {}, 409, "labeling-undo"),
        ("undo", {"number": 7}, 409, "labeling-undo"),
        ("word", {"word": "  ", "label": "billing"}, 422, "word-empty"),
        ("word", {"word": "late", "label": "billing", "weight": 0}, 422, "word-not-taught"),
        ("accept", {"threshold": 2}, 422, "body-shape"),
        ("labels", {"label": ""}, 422, "label-blank"),
        ("pool?name=x.txt", {"texts": [" "]}, 422, "pool-empty"),
    ],
)
def test_what_makes_no_sense_is_refused(shop: Labeled, path: str, body: Any, status: int, code: str) -> None:
    assert shop.refused("POST", f"/v1/labeling/{path}", body) == (status, code)


def test_labels_and_texts_of_markup_come_back_as_they_are(start: Callable[..., Labeled], tmp_path: Path) -> None:
    label, texts = (
        "<script>alert(1)</script>\u202e",
        ["<script>alert(2)</script> \u202eabc", "\u05d0\u200f <img src=x>"],
    )
    shop = start()
    shop.post("/v1/labeling/pool?name=<script>\u202e.csv", {"texts": texts})
    shop.do("answer", place=0, label=label)
    state = shop.state()
    assert state["labels"] == [label]
    assert state["queue"][0]["text"] == texts[1]
    assert state["last"]["text"] == texts[0]
    assert state["progress"]["by_label"] == {label: 1}


# ---- servers of other sorts --------------------------------------------------------------------------------------


def test_a_server_that_is_read_only_shows_an_empty_labeling(shop: Labeled, tmp_path: Path) -> None:
    taught(shop, 12)
    shop.stop()
    reader = Served(tmp_path / "shop.likelier", "--read-only")
    try:
        assert reader.get("/v1/labeling")["progress"]["pool"] == 0
        assert reader.get("/v1/labeling/history") == {"lessons": []}
        assert reader.refused("POST", "/v1/labeling/sample", None)[0] in (401, 403)
    finally:
        reader.kill()


def test_the_labeling_goes_on_under_likelier_serve(shop: Labeled, tmp_path: Path) -> None:
    taught(shop, 3)
    before = shop.state()
    shop.stop()
    served = Served(tmp_path / "shop.likelier", "--teach-openly")
    try:
        assert served.get("/v1/labeling")["queue"] == before["queue"]
    finally:
        served.kill()
