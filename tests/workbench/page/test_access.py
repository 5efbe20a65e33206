"""For everybody: screen readers, keyboards, narrow windows, light and dark. axe looks at every screen."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from serving import Labeled
from workbench.browser import SCREENS, Screen, unfolded

slow = pytest.mark.slow


def found_by_axe(seen: Screen) -> list[str]:
    """What axe finds, with the element and the reason."""
    violations = Axe().run(seen.page, options={"resultTypes": ["violations"]}).response["violations"]
    return [
        f"{each['id']}: {node['html'][:200]} {node['failureSummary']}" for each in violations for node in each["nodes"]
    ]


@pytest.mark.parametrize(
    ("scheme", "width"),
    [
        ("light", 1280),
        pytest.param("dark", 320, marks=slow),
        pytest.param("dark", 1280, marks=slow),
        pytest.param("light", 320, marks=slow),
    ],
)
def test_axe_finds_nothing_and_no_screen_is_wider_than_the_window(
    labeled: Labeled, screen: Any, scheme: str, width: int
) -> None:
    seen = screen(labeled, scheme=scheme, width=width)
    for name in SCREENS:
        unfolded(seen, name)
        assert (name, found_by_axe(seen)) == (name, [])
        assert (name, seen.page.evaluate("document.documentElement.scrollWidth")) == (name, width)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_windows_and_messages(labeled: Labeled, screen: Any, scheme: str) -> None:
    seen = screen(labeled, scheme=scheme).open("label")
    seen.press("?")
    assert found_by_axe(seen) == []
    seen.press("Escape", "/")
    seen.page.keyboard.type("the")
    seen.page.locator("#found li").first.wait_for()
    assert found_by_axe(seen) == []
    seen.press("Escape")
    seen.page.locator(".chip").first.click()
    seen.wait_for_text("#message", "now speaks for")
    assert found_by_axe(seen) == []


@slow
def test_axe_finds_nothing_before_there_are_texts(new: Any, screen: Any) -> None:
    seen = screen(new())
    for name in SCREENS:
        assert (name, found_by_axe(seen.open(name))) == (name, [])


def test_the_focus_can_be_seen_and_every_control_has_a_name(labeled: Labeled, screen: Any) -> None:
    seen = screen(labeled).open("label")
    for _ in range(40):
        seen.press("Tab")
        focused = seen.page.locator(":focus")
        assert focused.evaluate("each => getComputedStyle(each).outlineStyle") != "none"
        assert focused.evaluate("each => each.textContent.trim() || each.labels?.length || each.ariaLabel")


def test_the_weight_of_a_word_does_not_depend_on_color_alone(labeled: Labeled, screen: Any) -> None:
    seen = screen(labeled).open("label")
    style = "each => getComputedStyle(each).textDecorationStyle"
    kinds = {
        kind: {each.evaluate(style) for each in seen.page.locator(f"#text span.{kind}").all()}
        for kind in ("for", "against")
    }
    assert kinds["for"] <= {"solid"}
    assert kinds["against"] <= {"wavy"}
    assert kinds["for"] | kinds["against"]
    assert all(each.get_attribute("title") for each in seen.page.locator("#text span").all())


def test_a_long_text_scrolls_by_keyboard_and_leaves_the_labels_in_sight(labeled: Labeled, screen: Any) -> None:
    labeled.post("/v1/labeling/pool?name=long.txt", {"texts": ["a rather long complaint about a parcel " * 500]})
    place = labeled.state()["progress"]["pool"] - 1
    seen = screen(labeled).open("label", f"#place={place}")
    seen.wait_for_text("#text", "complaint")
    assert found_by_axe(seen) == []
    seen.press("End")
    seen.wait("() => document.querySelector('#text').scrollTop > 0")
    assert seen.page.get_by_role("button", name="billing").first.bounding_box()["y"] < 800


@pytest.mark.parametrize(
    "text", ["Wo ist mein Paket? Größe 42 ist zu groß.", "Где моя посылка? 📦 Жду уже 5 дней.", "أين طردي؟"]
)
def test_texts_in_other_languages_are_colored_at_the_right_place(labeled: Labeled, screen: Any, text: str) -> None:
    for number in range(2):
        labeled.post(f"/v1/labeling/pool?name=texts{number}.txt", {"texts": [f"{text} {number}"]})
    places = [each["place"] for each in labeled.get(f"/v1/labeling/search?text={text[:6]}")["found"]]
    labeled.do("answer", place=places[0], label="delivery")
    seen = screen(labeled).open("label", f"#place={places[1]}")
    seen.wait_for_text("#text", text)
    asked = labeled.get(f"/v1/labeling/question?place={places[1]}")
    spans = {asked["text"][each["start"] : each["end"]].strip() for each in asked["parts"]}
    assert spans
    assert {each.strip() for each in seen.page.locator("#text span").all_inner_texts()} == spans
    assert seen.page.locator("#text").get_attribute("dir") == "auto"
