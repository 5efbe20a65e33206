"""Pictures: well-formed whatever the names are, true to the numbers, and readable in a browser, light and dark."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from explain.examples import HOSTILE
from likelier._show.pictures import Bar, densities, diverging_bars, paired_bars, venn, waterfall
from likelier._show.pictures.sets import shared_area
from likelier._show.svg import STYLE, fitted, measured, tick_texts, ticks

SVG = "{http://www.w3.org/2000/svg}"
LEAST_CONTRAST = 4.5  # WCAG 2, level AA, for text
LARGEST = 100_000  # bytes of a picture, whatever it is given
NAMES = [
    HOSTILE,
    "]]><svg onload=alert(1)>",
    "垃圾邮件" * 20,
    "رسالة غير مرغوب فيها",
    "שלום \u202eolleh",
    "👩‍👩‍👧‍👦 🎉",
    " ",
    "",
    "\ud800\ufffe\x00",
    "e" + "\u0301" * 5000,
    "W" * 1_000_000,
]
COUNTS = {"Вася": 3, "Петя": 2, "Женя": 1, "Иннокентий": 0}
LAPLACE = [
    (name, (Bar(Fraction(count, 6), f"{count}/6"), Bar(Fraction(count + 1, 10), f"{count + 1}/10")))
    for name, count in COUNTS.items()
]
RATIOS = [
    ("learning", 0.0),
    ("happy", 0.336),
    ("great", 1.405),
    ("glad", math.inf),
    ("sad", -0.288),
    ("hideous", -math.inf),
]
STEPS = [("money", 2.1), ("free", 1.4), ("meeting", -1.9), ("tomorrow", -0.8), ("… 12 more", 0.35)]
WEATHER = [("yes", 73, 38.4), ("no", 74.6, 62.3)]


def many_densities() -> str:
    return densities("Petals", [(f"label {place}", place * 1.1, 0.1 + place * 0.2) for place in range(9)], 3.3)


PICTURES: dict[str, Callable[[], str]] = {
    "laplace": lambda: paired_bars("Names before and after smoothing", {"": LAPLACE}),
    "panels": lambda: paired_bars("Names", {"OK": LAPLACE, "Spam": LAPLACE[::-1], "third": LAPLACE[:1]}),
    "worked": lambda: paired_bars(
        "Worked",
        {label: [("sieben", (Bar(0.2, "(2 + 0) / (5 + 0)"), Bar(0.25, "(2 + 1) / (5 + 7)")))] for label in "ab"},
    ),
    "prior": lambda: paired_bars("Prior", {"": [("spam", (0.4,)), ("ham", (0.6,))]}, ("",)),
    "ratios": lambda: diverging_bars("Log ratios", "negative", "positive", RATIOS),
    "one side": lambda: diverging_bars(
        "Log ratios", "a long name of a label, much too long", "b", [("w", 3.0), ("v", 1)]
    ),
    "weather": lambda: densities("Temperature", WEATHER, 66, axis="temperature, °F"),
    "nothing asked": lambda: densities("Temperature", WEATHER),
    "many densities": many_densities,
    "narrow": lambda: densities("Narrow", [("narrow", 0, 1e-9), ("wide", 0.5, 4), ("none", 1, 0)], 1e6),
    "tweets": lambda: venn(("positive", "happy"), 35, 5, 4, 100, title="Tweets"),
    "arthrosis": lambda: venn(("stiff joint", "arthrosis"), 0.0001, 0.1, 0.00007, title="Arthrosis"),
    "disjoint": lambda: venn(("A", "B"), 0.3, 0.2, 0),
    "inside": lambda: venn(("A", "B"), 0.05, 0.3, 0.05),
    "equal": lambda: venn(("A", "B"), 0.3, 0.3, 0.3),
    "none": lambda: venn(("A", "B"), 0, 0.3, 0),
    "large": lambda: venn(("A", "B"), 0.9, 0.8, 0.75),
    "waterfall": lambda: waterfall("From the prior to the label", -0.405, STEPS, ("ham", "spam")),
    "infinite": lambda: waterfall("Infinite", -0.4, [("money", 2.1), ("prize", math.inf), ("hi", -2)], ("ham", "spam")),
    "undefined": lambda: waterfall("Both", 0.4, [("money", math.inf), ("hi", -math.inf)], ("ham", "spam")),
    "scripts": lambda: waterfall(NAMES[3], 0.4, [(name, 1.5) for name in NAMES[2:6]], (NAMES[2], NAMES[3])),
    "scripts, circles": lambda: venn((NAMES[2], NAMES[3]), 0.3, 0.2, 0.05, title=NAMES[3]),
    "scripts, bars": lambda: paired_bars("", {NAMES[3]: [(NAMES[2], (1, 2))]}, (NAMES[2], NAMES[3])),
}


def parsed(picture: str) -> ElementTree.Element:
    """The picture as XML, after the checks that hold for all."""
    root = ElementTree.fromstring(picture)
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    assert root.get("viewBox") == f"0 0 {root.get('width')} {root.get('height')}"
    assert [root[0].tag, root[1].tag] == [f"{SVG}title", f"{SVG}desc"]
    assert root[0].text
    assert root[1].text
    assert root[0].text.strip()
    for element in root.iter():
        assert "id" not in element.attrib
        assert element.tag.removeprefix(SVG) in ("svg", "title", "desc", "style", "rect", "path", "circle", "text")
        for name, value in element.attrib.items():
            if name not in ("class", "font-family", "fill", "stroke"):
                assert not re.search(r"nan|inf|e[-+]?\d", value), (name, value)
    assert len(picture.encode()) <= LARGEST
    assert float(root.get("height", "")) <= 5_000
    return root


def texts_of(root: ElementTree.Element) -> list[str]:
    return ["".join(each.itertext()) for each in root.iter(f"{SVG}text")]


def lengths_of(root: ElementTree.Element) -> list[float]:
    """How long the bars are; the outline of a striped one lies half a pixel inside."""
    return [
        0.0 if each.tag == f"{SVG}path" else float(each.get("width", "")) + (each.get("stroke") is not None)
        for each in root.iter()
        if "data-bar" in each.attrib
    ]


# ---- all pictures ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_well_formed(name):
    parsed(PICTURES[name]())


@pytest.mark.parametrize("name", NAMES)
def test_no_name_breaks_a_picture(name):
    rows = [(name, 1.5), (name, -0.5)]
    for picture in (
        paired_bars(name, {name: [(name, (1, Bar(2, name)))]}, (name, name)),
        diverging_bars(name, name, name, rows, axis=name, only=name),
        densities(name, [(name, 0, 1), (name, 1, 2)], 1, axis=name),
        venn((name, name), 0.3, 0.2, 0.1, title=name),
        waterfall(name, 1, rows, (name, name), axis=name, start_name=name, total_name=name, total_text=name),
    ):
        parsed(picture)
        assert "<script" not in picture
        assert "\u202e" not in picture


@given(st.text(), st.text())
def test_no_text_breaks_a_picture(name, other):
    parsed(waterfall(name, 1, [(other, 2)], (name, other)))
    parsed(venn((name, other), 0.3, 0.2, 0.1, title=other))


def test_every_rule_of_the_style_starts_with_the_class_of_pictures():
    inner = re.sub(r"@media[^{]*\{", "", STYLE)
    selectors = re.findall(r"([^{}]+)\{[^{}]*\}", inner)
    assert len(selectors) > 20
    assert all(selector.strip().startswith(".likelier-picture") for selector in selectors)
    assert "prefers-color-scheme: dark" in STYLE
    assert "@media print" in STYLE


def test_too_much_is_cut_and_said():
    rows = [(f"word {place}", 1.0) for place in range(100_000)]
    assert "… 99,940 more rows" in texts_of(parsed(diverging_bars("", "a", "b", rows)))
    panels = {str(place): [(name, (value,)) for name, value in rows[:200]] for place in range(100)}
    assert "… 88 more panels and 2,280 more rows" in texts_of(parsed(paired_bars("", panels, ("",))))
    assert "… 3 more labels" in texts_of(parsed(many_densities()))
    waterfall_texts = texts_of(parsed(waterfall("", 0, rows, ("a", "b"))))
    assert "… 99,940 more" in waterfall_texts
    assert "+100000.00" in waterfall_texts


def test_a_name_that_was_cut_is_there_in_full_for_the_pointer():
    root = parsed(diverging_bars("", "a", "b", [("long " * 30, 1.0)]))
    (name,) = [each for each in root.iter(f"{SVG}text") if each.find(f"{SVG}title") is not None]
    assert name[0].text == ("long " * 30).strip()
    assert (name[0].tail or "").endswith("…")


def test_words_can_be_in_another_language():
    words = {"both": "beide", "neither": "keins", "only": "nur", "all": "alle"}
    texts = texts_of(parsed(venn(("A", "B"), 10, 300, 0, 1000, words=words)))
    assert {"keins: 690", "beide: 0", "alle: 1,000"} <= set(texts)
    texts = texts_of(parsed(densities("", WEATHER, 66, words={"mean": "Mittelwert", "density at": "Dichte bei"})))
    assert {"Mittelwert", "variance", "Dichte bei 66"} <= set(texts)


def test_a_picture_without_a_title_is_named_by_what_it_shows():
    assert parsed(venn(("A", "B"), 0.3, 0.2, 0))[0].text == parsed(venn(("A", "B"), 0.3, 0.2, 0))[1].text


def test_a_picture_has_no_place_for_nan():
    with pytest.raises(ValueError, match="got NaN"):
        diverging_bars("", "a", "b", [("word", math.nan)])


# ---- bars --------------------------------------------------------------------------------------------------------


def test_laplace_before_and_after():
    root = parsed(PICTURES["laplace"]())
    texts = texts_of(root)
    assert [each for each in texts if "/" in each] == ["3/6", "4/10", "2/6", "3/10", "1/6", "2/10", "0/6", "1/10"]
    assert [each for each in texts if each in COUNTS] == list(COUNTS)
    assert "without smoothing" in texts
    assert "with smoothing" in texts
    lengths = lengths_of(root)
    expected = [3 / 6, 4 / 10, 2 / 6, 3 / 10, 1 / 6, 2 / 10, 0, 1 / 10]
    assert lengths == pytest.approx([2 * lengths[0] * each for each in expected], abs=0.1)
    assert "Иннокентий\u200e: without smoothing 0/6, with smoothing 1/10" in (root[1].text or "")


@given(st.lists(st.floats(0, 1e250), min_size=1, max_size=20))
def test_bars_are_as_long_as_their_numbers(values):
    lengths = lengths_of(parsed(paired_bars("", {"": [("name", (value,)) for value in values]}, ("",))))
    most = max(values)
    for length, value in zip(lengths, values, strict=True):
        assert length == pytest.approx(max(lengths) * (value / most if most else 0.0), abs=0.1)


def extents_of(root: ElementTree.Element) -> list[tuple[float, float]]:
    """Where the bars begin and end, from left to right."""
    found = []
    for each in root.iter():
        if "data-bar" in each.attrib and each.tag == f"{SVG}path":
            x = float(each.get("d", "")[1:].split()[0])
            found.append((x, x))
        elif "data-bar" in each.attrib:
            outline = 0.5 if each.get("stroke") else 0.0
            x, wide = float(each.get("x", "")), float(each.get("width", ""))
            found.append((x - outline, x + wide + outline))
    return found


def zero_of(root: ElementTree.Element) -> float:
    return float(next(each for each in root.iter() if "data-zero" in each.attrib).get("d", "")[1:].split()[0])


@given(st.lists(st.floats(allow_nan=False), min_size=1, max_size=20))
def test_bars_to_both_sides_start_at_zero_and_are_as_long_as_their_numbers(values):
    root = parsed(diverging_bars("", "a", "b", [("word", value) for value in values]))
    bars, zero = extents_of(root), zero_of(root)
    most = max((abs(value) for value in values if abs(value) < 1e300), default=0.0)
    longest = max((b - a for (a, b), value in zip(bars, values, strict=True) if abs(value) == most), default=0.0)
    for (left, right), value in zip(bars, values, strict=True):
        assert (right if value < 0 else left) == pytest.approx(zero, abs=0.52)
        if abs(value) >= 1e300:
            assert right - left > 10
        elif most > 1e-300:
            assert right - left == pytest.approx(longest * abs(value) / most, abs=1.02)


def test_an_infinite_ratio_says_only_and_has_the_longest_bar():
    root = parsed(PICTURES["ratios"]())
    lengths = lengths_of(root)
    assert texts_of(root).count("only") == 2
    assert lengths[3] > lengths[2]
    assert lengths[5] > lengths[4]
    assert lengths[4] == pytest.approx(lengths[2] * 0.288 / 1.405, abs=0.1)


@given(st.lists(st.floats(-50, 50).filter(lambda each: abs(each) > 1), min_size=1, max_size=30))
def test_a_waterfall_ends_at_the_sum(values):
    root = parsed(waterfall("", values[0], [("word", value) for value in values[1:]], ("a", "b")))
    zero = zero_of(root)
    *bars, (left, right) = extents_of(root)
    first = bars[0][values[0] > 0]
    unit = (first - zero) / values[0]
    total = sum(values)
    assert (right if total > 0 else left) == pytest.approx(zero + unit * total, abs=1.5 + 0.05 * abs(total))
    at = zero
    for value, (low, high) in zip(values, bars, strict=True):
        begin, at = (low, high) if value > 0 else (high, low)
        assert abs(at - begin) == pytest.approx(unit * abs(value), abs=1.5)
    assert f"{total:+z.2f}" in texts_of(root) or abs(total) < 0.005


def test_an_infinite_step_decides_and_two_of_them_do_not():
    assert texts_of(parsed(PICTURES["infinite"]())).count("+∞") == 2
    assert "undefined: ∞ - ∞" in texts_of(parsed(PICTURES["undefined"]()))
    beyond = [("word", 1.0)] * 60 + [("one", math.inf), ("other", -math.inf)]
    assert texts_of(parsed(waterfall("", 0, beyond, ("a", "b")))).count("undefined: ∞ - ∞") == 2


# ---- densities ---------------------------------------------------------------------------------------------------


def test_the_heights_at_the_value_asked_about():
    root = parsed(PICTURES["weather"]())
    heights = [math.exp(-((66 - m) ** 2) / (2 * v)) / math.sqrt(2 * math.pi * v) for _, m, v in WEATHER]
    assert [f"{each:.3g}" for each in heights] == ["0.034", "0.0279"]
    assert texts_of(root)[-1] == "0.0279"
    assert "0.034" in texts_of(root)
    points = list(root.iter(f"{SVG}circle"))
    grid = [each.get("d", "") for each in root.iter(f"{SVG}path") if each.get("class") == "s-line"]
    zero, next_tick = (float(each.split()[1].split("L")[0]) for each in grid[:2])  # at 0 and at 0.02
    for point, height in zip(points, heights, strict=True):
        assert float(point.get("cy", "")) == pytest.approx(zero - height / 0.02 * (zero - next_tick), abs=0.05)


@given(
    st.lists(st.tuples(st.floats(-1e12, 1e12), st.floats(0, 1e12)), min_size=1, max_size=8),
    st.none() | st.floats(-1e15, 1e15),
)
def test_any_means_and_variances_can_be_drawn(curves, asked):
    drawn = densities("", [(f"l{place}", *each) for place, each in enumerate(curves)], asked)
    assert len([each for each in texts_of(parsed(drawn)) if re.fullmatch(r"l\d", each)]) >= min(len(curves), 6)


def test_a_density_of_no_label():
    assert parsed(densities("", []))[1].text == "no curves"


# ---- circles -----------------------------------------------------------------------------------------------------


def shapes_of(root: ElementTree.Element) -> tuple[list[tuple[float, float, float]], float]:
    """Of the events that are drawn: center and radius; and the area of the frame."""
    circles = [
        tuple(float(each.get(name, "")) for name in ("cx", "cy", "r"))
        for each in root.iter(f"{SVG}circle")
        if "data-event" in each.attrib
    ]
    frame = next(each for each in root.iter(f"{SVG}rect") if "data-whole" in each.attrib)
    return circles, float(frame.get("width", "")) * float(frame.get("height", ""))


def sampled(circles: Sequence[tuple[float, float, float]]) -> float:
    """The area that two circles share, summed over thin strips: another way than the picture's."""
    (x, _, r), (u, _, s) = circles
    low, high = max(x - r, u - s), min(x + r, u + s)
    count = 20_000
    wide = (high - low) / count
    at = (low + (place + 0.5) * wide for place in range(count))
    return sum(2 * wide * math.sqrt(max(min(r**2 - (p - x) ** 2, s**2 - (p - u) ** 2), 0)) for p in at)


@given(st.floats(0.001, 0.5), st.floats(0.001, 0.5), st.floats(0, 1), st.floats(0.01, 1e6))
def test_areas_fit_the_numbers(a, b, share, whole):
    both = share * min(a, b)
    assume(a + b - both <= 1)
    root = parsed(venn(("A", "B"), a * whole, b * whole, both * whole, whole))
    circles, frame = shapes_of(root)
    (x, y, r), (u, v, s) = circles
    assert y == v
    assert r**2 / s**2 == pytest.approx(a / b, rel=0.005)
    assert shared_area(r, s, abs(u - x)) == pytest.approx(both / a * math.pi * r**2, rel=0.005, abs=0.005)
    is_to_scale = "all areas are to scale" in (root[1].text or "")
    if is_to_scale:
        assert math.pi * r**2 / frame == pytest.approx(a, rel=0.005)
    assert is_to_scale or "the frame is larger than the whole" in (root[1].text or "")
    assert is_to_scale or a + b > 0.4


@pytest.mark.parametrize(
    ("a", "b", "both"), [(0.35, 0.05, 0.04), (0.5, 0.4, 0.2), (0.3, 0.2, 0.001), (0.3, 0.2, 0.1999)]
)
def test_the_shared_area_measured_in_another_way(a, b, both):
    circles, frame = shapes_of(parsed(venn(("A", "B"), a, b, both)))
    assert sampled(circles) / frame == pytest.approx(both, rel=0.005)


@pytest.mark.parametrize(
    ("name", "shown", "scale"),
    [
        ("tweets", ["positive: 35", "happy: 5", "31", "4", "1", "neither: 64", "all: 100"], True),
        ("arthrosis", ["stiff joint: 0.0001", "arthrosis: 0.1", "only stiff joint: 3.0e-05", "both: 7.0e-05"], True),
        ("disjoint", ["A: 0.3", "B: 0.2", "both: 0", "neither: 0.5"], True),
        ("inside", ["only A: 0", "0.05", "0.25", "neither: 0.7"], True),
        ("equal", ["only A: 0", "0.3", "only B: 0", "neither: 0.7"], True),
        ("none", ["A: 0", "B: 0.3", "0.3", "both: 0", "neither: 0.7"], True),
        ("large", ["A: 0.9", "0.75", "neither: 0.05", "not to scale: the frame is larger than the whole"], False),
    ],
)
def test_numbers_of_two_events(name, shown, scale):
    root = parsed(PICTURES[name]())
    assert set(shown) <= {each.replace("\u200e", "") for each in texts_of(root)}
    assert ("all areas are to scale" in (root[1].text or "")) == scale


def test_a_circle_that_nobody_would_see_is_drawn_larger_and_the_picture_says_so():
    root = parsed(venn(("A", "B"), 1e-9, 0.4, 1e-10))
    assert shapes_of(root)[0][0][2] >= 2
    assert "not to scale: small circles are drawn larger" in texts_of(root)


@pytest.mark.parametrize(
    "sizes", [(0.3, 0.2, 0.25), (0.9, 0.9, 0.1), (0.3, 0.2, -0.1), (0, 0, 0, 0), (-0.1, 0.2, -0.1)]
)
def test_no_events_have_impossible_sizes(sizes):
    with pytest.raises(ValueError, match="no events have these sizes"):
        venn(("A", "B"), *sizes)


# ---- primitives --------------------------------------------------------------------------------------------------


@given(st.floats(-1e12, 1e12), st.floats(1e-6, 1e12))
def test_ticks_are_round_and_within(low, wide):
    places = ticks(low, low + wide)
    assert 1 <= len(places) <= 25
    assert all(low - wide * 0.01 <= each <= low + wide * 1.01 for each in places) or wide < abs(low) * 1e-9
    assert len(tick_texts(places)) == len(places)


@given(st.text(), st.floats(20, 400))
def test_a_cut_text_fits(text, most):
    assert measured(fitted(text, most)) <= most or most < 40


# ---- in a browser ------------------------------------------------------------------------------------------------

BOXES = """() => [...document.querySelectorAll('svg.likelier-picture')].map(svg => {
  const of = kind => [...svg.querySelectorAll(kind)].map(each => {
    const {x, y, width, height} = each.getBBox();
    return [each.textContent.slice(-40), x, y + height * .12, x + width, y + height * .88];
  });
  const {width, height} = svg.viewBox.baseVal;
  const texts = [...svg.querySelectorAll('text')];
  return {width, height, texts: of('text'), bars: of('rect[data-bar]'),
    inks: texts.map(each => getComputedStyle(each).fill), paper: getComputedStyle(svg.querySelector('rect')).fill};
})"""


@pytest.fixture
def seen(browser: Any, tmp_path: Path) -> Any:
    """All pictures in one page, and what the browser knows about them."""
    contexts = []

    def looked(scheme: str, media: str = "screen") -> list[dict[str, Any]]:
        path = tmp_path / "pictures.html"
        path.write_text("<!doctype html><meta charset=utf-8><body dir=rtl style='letter-spacing: 3px'>"
                        + "\n".join(each() for each in PICTURES.values()), encoding="utf-8")  # fmt: skip
        contexts.append(browser.new_context(viewport={"width": 900, "height": 900}, color_scheme=scheme))
        page = contexts[-1].new_page()
        page.emulate_media(media=media)
        page.goto(path.as_uri())
        return page.evaluate(BOXES)

    yield looked
    for context in contexts:
        context.close()


def test_no_text_covers_another_or_leaves_the_picture(seen):
    found = seen("light")
    assert len(found) == len(PICTURES)
    for name, picture in zip(PICTURES, found, strict=True):
        texts = picture["texts"]
        for place, (text, left, top, right, bottom) in enumerate(texts):
            assert 0 <= left <= right <= picture["width"], (name, text)
            assert 0 <= top <= bottom <= picture["height"], (name, text)
            for other, *box in texts[:place] + picture["bars"]:
                apart = left >= box[2] or right <= box[0] or top >= box[3] or bottom <= box[1]
                assert apart, (name, text, other)


@pytest.mark.parametrize(("scheme", "media"), [("light", "screen"), ("dark", "screen"), ("dark", "print")])
def test_text_can_be_read(seen, scheme, media):
    for name, picture in zip(PICTURES, seen(scheme, media), strict=True):
        paper = light(picture["paper"])
        assert (paper < 0.1) == (scheme == "dark" and media == "screen")
        for ink in set(picture["inks"]):
            high, low = sorted([light(ink), paper], reverse=True)
            assert (high + 0.05) / (low + 0.05) >= LEAST_CONTRAST, (name, ink)


def light(color: str) -> float:
    """The relative luminance of rgb(...)."""
    shares = (int(each) / 255 for each in re.findall(r"\d+", color)[:3])
    linear = [each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in shares]
    return sum(each * factor for each, factor in zip(linear, (0.2126, 0.7152, 0.0722), strict=True))


def test_a_picture_is_a_file_that_an_img_shows_in_its_own_size(browser, tmp_path):
    (tmp_path / "x.svg").write_text(PICTURES["tweets"](), encoding="utf-8")
    (tmp_path / "x.html").write_text("<!doctype html><img src=x.svg>", encoding="utf-8")
    page = browser.new_page()
    page.goto((tmp_path / "x.html").as_uri())
    size = page.locator("img").evaluate("each => [each.naturalWidth, each.naturalHeight, each.complete]")
    root = parsed(PICTURES["tweets"]())
    assert size == [720, pytest.approx(float(root.get("height", "")), abs=1), True]
    page.goto((tmp_path / "x.svg").as_uri())
    assert page.evaluate("document.documentElement.getBoundingClientRect().width") == 720
    page.close()
