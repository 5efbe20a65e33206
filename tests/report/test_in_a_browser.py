"""The page as a browser shows it: light, dark, on paper, wide and narrow."""

from __future__ import annotations

import pytest

from report.examples import calibrated, columns, hostile, many_labels, shop

LEAST_CONTRAST = 4.5  # WCAG 2, level AA, for text

# For every element with text of its own: its color against the background as it is seen through all layers.
CONTRASTS = """() => {
  const parse = text => { const n = text.match(/[\\d.]+/g).map(Number); return n.length < 4 ? [...n, 1] : n };
  const over = (top, below) => [0, 1, 2].map(i => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
  const light = color => color.slice(0, 3).map(c => c / 255)
    .map(c => c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [.2126, .7152, .0722][i], 0);
  const behind = element => {
    const own = element ? parse(getComputedStyle(element).backgroundColor) : [255, 255, 255, 1];
    return own[3] === 1 ? own : over(own, behind(element.parentElement));
  };
  return [...document.querySelectorAll('body *')]
    .filter(each => [...each.childNodes].some(node => node.nodeType === 3 && node.data.trim()))
    .filter(each => each.getClientRects().length && !['TITLE', 'DESC', 'STYLE'].includes(each.tagName.toUpperCase()))
    .map(each => {
      const style = getComputedStyle(each);
      const back = behind(each), ink = over(parse(each.ownerSVGElement ? style.fill : style.color), back);
      const [high, low] = [light(ink), light(back)].sort((a, b) => b - a);
      return [(high + .05) / (low + .05), each.tagName + '.' + each.className, each.textContent.slice(0, 40)];
    });
}"""


@pytest.mark.parametrize("example", [shop, hostile, columns, calibrated])
def test_a_page_asks_for_nothing_and_has_no_complaint(show, example):
    seen = show(example)
    seen.open_all()
    assert seen.complaints == []
    assert [url for url in seen.requests if not url.startswith(("file:", "data:"))] == []
    assert len([url for url in seen.requests if url.startswith("file:")]) == 1


def test_text_from_outside_is_shown_and_never_becomes_an_element(show):
    page = show(hostile).page
    assert page.locator("script, img, iframe, object, form").count() == 0
    assert "<script>alert(1)</script>" in page.locator("main").inner_text()


def test_the_headings_are_there(show):
    page = show(shop).page
    assert page.locator("h1").all_inner_texts() == ["Messages to a shop"]
    assert page.locator("h2").all_inner_texts() == [
        "Which label is taken for which",
        "Label by label",
        "Can the probabilities be trusted?",
        "Precision-recall and ROC curves",
        "What the labels are recognized by",
        "The most confident mistakes",
        "Labels that may be wrong",
        "Settings that were tried",
        "How this was made",
    ]


def test_drawings_have_names_that_a_screen_reader_says(show):
    page = show(shop).page
    names = [each.get_attribute("aria-labelledby").split()[0] for each in page.get_by_role("img").all()]
    assert [page.locator(f"#{name}").text_content() for name in names] == [
        "Reliability diagram",
        "Precision-recall curves",
        "ROC curves",
    ]


@pytest.mark.parametrize("width", [400, 1400])
def test_drawings_are_large_enough_to_be_read(show, width):
    boxes = [each.bounding_box() for each in show(shop, width=width).page.locator("svg.chart").all()]
    assert len(boxes) == 3
    assert all(250 <= box["width"] <= 500 and 250 <= box["height"] <= 600 for box in boxes), boxes


def test_nothing_is_drawn_outside_of_its_drawing(show):
    page = show(shop).page
    outside = page.evaluate(
        """() => [...document.querySelectorAll('svg.chart > *')].filter(each => each.getBBox).filter(each => {
          const box = each.getBoundingClientRect(), all = each.ownerSVGElement.getBoundingClientRect();
          return box.left < all.left - 1 || box.right > all.right + 1
            || box.top < all.top - 1 || box.bottom > all.bottom + 1;
        }).map(each => each.outerHTML.slice(0, 80))"""
    )
    assert outside == []


@pytest.mark.parametrize("example", [shop, hostile, many_labels, columns])
def test_the_page_is_never_wider_than_the_window(show, example):
    seen = show(example)
    seen.open_all()
    for width in (400, 700, 1400):
        seen.page.set_viewport_size({"width": width, "height": 900})
        assert seen.page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_long_table_scrolls_in_a_frame_of_its_own(show):
    frame = show(many_labels).page.locator("#labels .tall")
    assert frame.bounding_box()["height"] < 600
    assert frame.evaluate("each => each.scrollHeight") > 2000


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("example", [shop, hostile])
def test_all_text_can_be_read_on_its_background(show, example, scheme):
    seen = show(example, scheme=scheme)
    seen.open_all()
    found = seen.page.evaluate(CONTRASTS)
    assert len(found) > 100
    assert [each for each in found if each[0] < LEAST_CONTRAST] == []


def test_dark_and_light_have_other_colors(show):
    light, dark = show(shop), show(shop, scheme="dark")
    for selector, name in [("body", "background-color"), ("h1", "color"), ("svg .s1", "stroke"), ("svg text", "fill")]:
        assert light.color(selector, name) != dark.color(selector, name), selector


def test_on_paper_the_background_is_white_and_ink_is_black_for_those_who_like_it_dark_too(show):
    seen = show(shop, scheme="dark")
    seen.page.emulate_media(media="print")
    for element in ("html", "body"):
        assert seen.color(element, "background-color") == "rgb(255, 255, 255)"
    assert seen.color("h1") == "rgb(0, 0, 0)"


def test_on_paper_mistakes_are_open_and_links_to_parts_are_not_there(show):
    seen = show(shop)
    text = seen.page.locator(".mistake .text").first
    assert not text.is_visible()
    seen.page.emulate_media(media="print")
    assert text.is_visible()
    assert not seen.page.locator("nav").is_visible()


def test_on_paper_long_tables_are_whole(show):
    seen = show(many_labels)
    seen.page.emulate_media(media="print")
    frame = seen.page.locator("#labels .tall")
    assert frame.evaluate("each => each.clientHeight == each.scrollHeight")


def test_it_can_be_printed(show):
    assert show(shop).page.pdf(format="A4").startswith(b"%PDF")


def test_a_mistake_opens_when_it_is_clicked(show):
    page = show(shop).page
    page.locator(".mistake summary").first.click()
    assert page.locator(".mistake table").first.is_visible()


def test_a_link_from_a_likely_label_error_opens_its_explanation(show):
    page = show(hostile).page
    page.locator(".errors a").first.click()
    assert page.locator(".mistake[open]").count() == 1
