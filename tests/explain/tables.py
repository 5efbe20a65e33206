"""Explanations of documents with columns that each form must show well."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

import likelier as lk
from corpora import SMOOTHINGS, UNKNOWN, UNSMOOTHED
from explain.examples import HOSTILE
from likelier._explain.explanation import Explanation

# Carsten Gips, "NB: Klassifikation mit Naive Bayes"
PATIENT_COLUMNS = ["Nase läuft", "Husten", "Gerötete Haut", "Fieber"]
PATIENTS = [
    ([1, 1, 1, 0], "krank"),
    ([1, 1, 0, 0], "krank"),
    ([0, 0, 1, 1], "krank"),
    ([1, 0, 0, 0], "gesund"),
    ([0, 0, 0, 0], "gesund"),
]

# Witten, Frank, Hall & Pal, "Data Mining", tables 1.2 and 1.3: temperature and humidity in words and in numbers
WEATHER = """
sunny    hot  85 high   85 no  no
sunny    hot  80 high   90 yes no
overcast hot  83 high   86 no  yes
rainy    mild 70 high   96 no  yes
rainy    cool 68 normal 80 no  yes
rainy    cool 65 normal 70 yes no
overcast cool 64 normal 65 yes yes
sunny    mild 72 high   95 no  no
sunny    cool 69 normal 70 no  yes
rainy    mild 75 normal 80 no  yes
sunny    mild 75 normal 70 yes yes
overcast mild 72 high   90 yes yes
overcast hot  81 normal 75 no  yes
rainy    mild 71 high   91 yes no
"""


def patients(m: float = 2, **values: Any) -> Explanation:
    rows = [(dict(zip(PATIENT_COLUMNS, values, strict=True)), label) for values, label in PATIENTS]
    question = dict(zip(PATIENT_COLUMNS, [0, 1, 0, 1], strict=True)) | values
    view = lk.train(rows, categorical=PATIENT_COLUMNS).view(smoothing=lk.MEstimate(m))
    return view.explain(question)


def impossible_patients() -> Explanation:
    return patients(m=0)


def gaussian(x: float = 4) -> Explanation:
    rows = [({"x": number}, "a") for number in (1, 2, 3)] + [({"x": number}, "b") for number in (6, 8)]
    return lk.train(rows, numeric=["x"]).explain({"x": x})


def weather_model(*, numbers: bool = False) -> lk.Model:
    rows = []
    for line in WEATHER.strip().splitlines():
        outlook, warmth, temperature, damp, humidity, windy, play = line.split()
        row = {"outlook": outlook, "temperature": warmth, "humidity": damp, "windy": windy}
        rows.append((row | {"temperature": temperature, "humidity": humidity} if numbers else row, play))
    measured = ["temperature", "humidity"]
    if numbers:
        return lk.train(rows, categorical=["outlook"], binary=["windy"], numeric=measured)
    return lk.train(rows, categorical=["outlook", *measured], binary=["windy"])


def weather() -> Explanation:
    """Witten et al., section 4.2: sunny, cool, high, true; without smoothing 0.0053 against 0.0206."""
    question = {"outlook": "sunny", "temperature": "cool", "humidity": "high", "windy": True}
    return weather_model().view(alpha=0).explain(question)


def weather_numbers() -> Explanation:
    question = {"outlook": "sunny", "temperature": 66, "humidity": 90, "windy": True}
    return weather_model(numbers=True).view(alpha=0).explain(question)


def weather_intervals() -> Explanation:
    view = weather_model(numbers=True).view(
        columns={"temperature": {"numeric": [70, 80]}, "humidity": {"numeric": [82]}}
    )
    return view.explain({"outlook": "foggy", "temperature": 66, "humidity": 90, "windy": None})


MAILS: list[tuple[dict[str, Any], str]] = [
    ({"subject": "big offer", "body": "buy now buy cheap", "sender": "shop.example", "size": 12}, "spam"),
    ({"subject": "offer of the day", "body": "cheap watches now", "sender": "shop.example", "size": 15.5}, "spam"),
    ({"subject": "meeting", "body": "the offer is on the table", "sender": "work.example", "size": 3}, "ham"),
    ({"subject": "lunch", "body": "now or later", "sender": "work.example", "size": 4}, "ham"),
    ({"subject": None, "body": "later", "sender": None, "size": None}, "ham"),
]
MAIL: dict[str, Any] = {
    "subject": "Offer offer",
    "body": "Buy the offer, or xyzzy",
    "sender": "shop.example",
    "size": 9,
}


def mail(question: dict[str, Any] = MAIL, **settings: Any) -> Explanation:
    model = lk.train(MAILS, text=["subject", "body"], categorical=["sender"], numeric=["size"])
    return model.view(**settings).explain(question)


def mail_with_gaps() -> Explanation:
    return mail({"subject": None, "body": "buy", "sender": "elsewhere.example", "size": None})


def mail_under_three_models() -> Explanation:
    return mail(columns={"subject": {"event": "bernoulli"}, "body": {"event": "complement"}})


def one_text() -> Explanation:
    rows = [({"subject": row["subject"], "size": row["size"]}, label) for row, label in MAILS]
    model = lk.train(rows, text=["subject"], numeric=["size"])
    return model.explain({"subject": "meeting offer", "size": 9})


def nothing_known() -> Explanation:
    return mail({"subject": None, "body": None, "sender": None, "size": None})


def far_out() -> Explanation:
    """A density that no float can hold, and a logarithm of 300 digits."""
    return gaussian(1e149)


def constant() -> Explanation:
    rows = [({"x": 5, "y": "a"}, "one"), ({"x": 5, "y": "b"}, "two")]
    return lk.train(rows, numeric=["x"], categorical=["y"]).explain({"x": 5, "y": "a"})


def bound() -> Explanation:
    rows = [({"city": city, "country": "CH" if city == "Bern" else "DE"}, label) for city, label in
            [("Bern", "x"), ("Bern", "x"), ("Ulm", "y"), ("Jena", "y")]]  # fmt: skip
    model = lk.train(rows, categorical=["city", "country"], bind=[("city", "country")])
    return model.explain({"city": "Bern", "country": "CH"})


def many_columns() -> Explanation:
    names = [f"column {number} with a name" for number in range(60)]
    rows = [({name: str((place * step) % 3) for place, name in enumerate(names)}, step) for step in range(1, 7)]
    question = dict.fromkeys(names) | dict.fromkeys(names[:30], "1") | {names[55]: "x"}
    return lk.train(rows, categorical=names).explain(question)


def hostile_columns() -> Explanation:
    rows: list[tuple[dict[str, Any], str]] = [
        ({HOSTILE: HOSTILE, f"number {HOSTILE}": 1, f"text {HOSTILE}": "a b"}, "x"),
        ({HOSTILE: "tame", f"number {HOSTILE}": 2, f"text {HOSTILE}": "b c"}, HOSTILE),
        ({HOSTILE: "tame", f"number {HOSTILE}": 5, f"text {HOSTILE}": "b c"}, HOSTILE),
        ({HOSTILE: None, f"number {HOSTILE}": 4, f"text {HOSTILE}": HOSTILE}, "x"),
    ]
    model = lk.train(rows, categorical=[HOSTILE], numeric=[f"number {HOSTILE}"], text=[f"text {HOSTILE}"])
    return model.explain({HOSTILE: HOSTILE, f"number {HOSTILE}": 3, f"text {HOSTILE}": f"a {HOSTILE}"})


TABLES = [
    patients,
    impossible_patients,
    gaussian,
    weather,
    weather_numbers,
    weather_intervals,
    mail,
    mail_with_gaps,
    mail_under_three_models,
    one_text,
    nothing_known,
    far_out,
    constant,
    bound,
    many_columns,
    hostile_columns,
]

# ---- any document ------------------------------------------------------------------------------------------------

SPOKEN = ["goat", "wolf", "seven goats", "wolf & goat", "a"]

rows = st.fixed_dictionaries(
    {
        "subject": st.none() | st.lists(st.sampled_from(SPOKEN), max_size=4).map(" ".join),
        "text": st.none() | st.lists(st.sampled_from(SPOKEN), max_size=3).map(" ".join),
        "animal": st.none() | st.sampled_from(SPOKEN),
        "wild": st.none() | st.booleans(),
        "weight": st.none() | st.sampled_from([0, 1, 2.5, -3, 1e-9, 7e8, 1e100]),
    }
)
FULL = {"subject": "seven goats", "text": "a wolf", "animal": "wolf", "wild": True, "weight": 40}
settings = st.fixed_dictionaries(
    {
        "smoothing": st.sampled_from(SMOOTHINGS + UNSMOOTHED),
        "unknown": st.sampled_from(UNKNOWN),
        "numeric": st.sampled_from(["gaussian", "information", [2, 50]]),
        "columns": st.fixed_dictionaries(
            {
                "subject": st.sampled_from([{}, {"event": "bernoulli"}]),
                "text": st.sampled_from(
                    [
                        {},
                        {"event": "binary"},
                        {"event": "complement", "alpha": 1},
                        {"event": "complement", "alpha": 1, "normalize": True},
                    ]
                ),
            }
        ),
    }
)


@st.composite
def documents_explained(draw: st.DrawFn) -> Explanation:
    """Any row under any view of any model with columns."""
    labels = st.sampled_from(["ham", "spam", "news"])
    learned = [(FULL, draw(labels)), *draw(st.lists(st.tuples(rows, labels), max_size=8))]
    model = lk.train(learned, text=["subject", "text"], categorical=["animal"], binary=["wild"], numeric=["weight"])
    return model.view(**draw(settings)).explain(draw(rows))
