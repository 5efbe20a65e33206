"""What a column holds is guessed from its first rows, one rule for each kind, and said."""

from __future__ import annotations

from pathlib import Path

import pytest

import likelier as lk
from likelier._documents.kinds import MISSING
from likelier._read.guessing import guess_kind
from likelier._read.reader import read

MANY = range(30)


def guess(values, name="x"):
    found = guess_kind(name, values, MISSING)
    return found if isinstance(found, str) else found.name


# ---- one column --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["1.5", "inf", "2"], "numeric"),
        ([*map(str, range(40)), "n.a."], "numeric"),
        ([*map(str, range(10)), "n.a."] * 10, "categorical"),
        ([*map(str, range(40)), "a", "b", "c"] * 2, "categorical"),
        (["1.5", "-2", "3e4", "+7", ".5"], "numeric"),
        (["3", "1", "2"], "numeric"),
        (["39", "?", "", None, "50"], "numeric"),
        (["0", "0", "0"], "numeric"),
        (["0", "1", "1", "?"], "binary"),
        (["0.0", "1.0"], "binary"),
        (["yes", "No", "?"], "binary"),
        (["TRUE", "FALSE"], "binary"),
        (["t", "f"], "binary"),
        (["yes", "no", "maybe"], "categorical"),
        (["yes", "true"], "categorical"),
        (["1", "2", "three"], "categorical"),
        (["3,5", "4,5", "6"], "numeric"),
        (["red", "light blue", "red"], "categorical"),
        (["where is my parcel", "the lamp is dark"], "text"),
        (["", None, "?", "NA", "N/A", "nan", "null"], "empty"),
    ],
)
def test_the_kind_is_guessed_from_the_values(values, kind):
    assert guess(values) == kind


def test_whole_numbers_that_rise_from_row_to_row_are_an_identifier():
    assert guess([str(n) for n in MANY]) == "an identifier"
    assert guess([str(n) for n in MANY][:19]) == "numeric"
    assert guess([str(n + 0.5) for n in MANY]) == "numeric"
    assert guess([str(-n) for n in MANY]) == "numeric"
    assert guess([str(n // 2) for n in MANY]) == "numeric"


def test_words_that_are_nearly_all_different_are_an_identifier():
    assert guess([f"user{n}" for n in MANY]) == "an identifier"
    assert guess([f"user{n}" for n in MANY][:19]) == "categorical"
    assert guess([f"user{n % 20}" for n in MANY]) == "categorical"


def test_names_of_two_words_that_are_all_different_are_text():
    assert guess([f"Anna Schmidt{n}" for n in MANY]) == "text"
    assert guess([f"Anna Schmidt{n % 20}" for n in MANY]) == "categorical"


@pytest.mark.parametrize("name", ["id", "PassengerId", "order_id", "Unnamed: 0", "UUID"])
def test_a_column_that_is_called_an_identifier_is_one_if_all_values_differ(name):
    assert guess(["7", "3", "5"], name) == "an identifier"
    assert guess(["a7", "a3", "a5"], name) == "an identifier"
    assert guess(["7", "3", "7"], name) == "numeric"
    assert guess(["paid", "paid"], "paid") == "categorical"


@pytest.mark.parametrize(
    "dates", [["2026-11-02", "2026-11-03T10:00:00Z"], ["02.11.2026", "3.11.26"], ["11/2/2026 9:05"]]
)
def test_dates_are_left_out(dates):
    assert guess(dates) == "a date"
    assert guess([*dates, "soon"]) == "categorical"


def test_a_usual_name_for_texts_makes_text_of_single_words_but_not_of_numbers():
    assert guess(["hello", "ok"], "Message") == "text"
    assert guess(["17", "18"], "Message") == "numeric"


def test_a_column_without_a_name_is_left_out():
    assert guess(["a", "b"], " ") == "without a name"


# ---- a table -----------------------------------------------------------------------------------------------------


def csv(path: Path, *lines: str) -> Path:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


PEOPLE = ["id,age,sex,note,label", "1,39,f,likes tea with milk,yes", "2,50,m,has two big dogs,no", "3,,f,?,yes"]


def test_the_guess_is_said_with_what_is_left_out(tmp_path):
    documents = read(csv(tmp_path / "a.csv", *PEOPLE))
    (batch,) = documents
    assert documents.notes == [
        "columns (guessed): note text; sex categorical; age numeric; left out: id (an identifier)",
        "label column: 'label' (guessed)",
    ]
    assert list(batch.schema.columns) == ["age", "sex", "note"]  # in the order of the table


def test_many_columns_are_not_all_named_in_the_note(tmp_path):
    names = [f"c{n}" for n in range(40)]
    documents = read(csv(tmp_path / "a.csv", ",".join([*names, "label"]), ",".join(["2.5"] * 40 + ["x"])))
    list(documents)
    assert documents.notes[0] == "columns (guessed): c0, c1, c2, c3, c4, c5, ..., c39 (40 columns) numeric"


def test_names_with_blanks_stand_in_quotes_in_the_note(tmp_path):
    documents = read(csv(tmp_path / "a.csv", "hair color,b,label", "red,2,x", "red,3,y"))
    list(documents)
    assert documents.notes[0] == "columns (guessed): 'hair color' categorical; b numeric"


def test_one_column_of_text_is_a_plain_text_classifier(tmp_path):
    documents = read(csv(tmp_path / "a.csv", "id,sent,text,label", "1,2026-11-02,hello,x", "2,2026-11-03,good bye,y"))
    (batch,) = documents
    assert (batch.schema, batch.texts.to_list()) == (None, ["hello", "good bye"])
    assert documents.notes == ["text column: 'text' (guessed)", "label column: 'label' (guessed)"]


def test_the_only_column_beside_the_label_is_text_unless_it_holds_numbers(tmp_path):
    names = csv(tmp_path / "a.csv", "name,label", *[f"name{n},x" for n in MANY])
    assert next(iter(read(names))).schema is None
    sizes = csv(tmp_path / "b.csv", "size,label", "1,x", "3,y", "2,y")
    assert next(iter(read(sizes))).schema.columns["size"].name == "numeric"


def test_ignored_columns_are_no_part_of_the_guess(tmp_path):
    (batch,) = read(csv(tmp_path / "a.csv", *PEOPLE), ignore=["age", "note"])
    assert list(batch.columns) == ["sex"]


def test_named_columns_are_used_and_no_others(tmp_path):
    documents = read(
        csv(tmp_path / "a.csv", *PEOPLE), numeric=["age"], categorical={"sex": ["f", "m", "d"]}, label="label"
    )
    (batch,) = documents
    assert list(batch.columns) == ["age", "sex"]
    assert batch.schema.columns["sex"].values == ("f", "m", "d")
    assert documents.notes == ["left out: 'id', 'note'"]


def test_others_can_be_guessed_so_that_one_wrong_guess_is_overruled(tmp_path):
    documents = read(csv(tmp_path / "a.csv", *PEOPLE), categorical=["age"], others="guess", label="label")
    (batch,) = documents
    assert batch.schema.in_words() == "age, sex categorical; note text"
    assert documents.notes == ["columns (guessed): note text; sex categorical; left out: id (an identifier)"]


def test_others_are_left_or_guessed(tmp_path):
    with pytest.raises(lk.SettingError, match="`others` must be 'leave' or 'guess', got 'keep'"):
        read(tmp_path, categorical=["age"], others="keep")


def test_text_as_a_list_makes_columns_and_as_one_name_plain_texts(tmp_path):
    path = csv(tmp_path / "a.csv", *PEOPLE)
    assert list(next(iter(read(path, text=["note"]))).columns) == ["note"]
    assert next(iter(read(path, text="note"))).schema is None
    assert list(next(iter(read(path, text="note", numeric="age"))).columns) == ["age", "note"]


def test_the_label_is_found_by_its_looks_beside_other_columns(tmp_path):
    rows = [f"{n * 37 % 101},{n}.5,{'good' if n % 3 else 'bad'}" for n in MANY]
    documents = read(csv(tmp_path / "a.csv", "size,weight,result", *rows))
    list(documents)
    assert documents.notes[-1] == "label column: 'result' (guessed)"


@pytest.mark.parametrize(
    ("code", "options", "match"),
    [
        ("column-kinds", {"numeric": ["age"], "categorical": ["age"]}, "one kind, got 'age' twice"),
        ("column-kinds", {"numeric": ["age"], "ignore": ["age"]}, "one kind, got 'age' twice"),
        ("columns-same", {"numeric": ["label"], "label": "label"}, "label must be two columns, got 'label'"),
        ("column-unknown", {"numeric": ["ages"]}, "got 'ages'\nhint: did you mean 'age'"),
        ("column-unknown", {"ignore": ["ages"]}, "got 'ages'\nhint: did you mean 'age'"),
        ("column-name-kind", {"numeric": [3]}, "`numeric` must be names of columns, got 3"),
        ("values-not-a-list", {"categorical": {"sex": "fm"}}, "must be a list, got 'fm' for 'sex'"),
        ("columns-unusable", {"ignore": ["age", "sex", "note"]}, r"no column of .*a.csv .* id \(an identifier\)"),
    ],
)
def test_columns_that_cannot_be_chosen_are_refused(code, options, match, tmp_path):
    with pytest.raises(lk.LikelierError, match=match) as caught:
        list(read(csv(tmp_path / "a.csv", *PEOPLE), **options))
    assert caught.value.code == code


def test_a_column_of_lists_is_left_out(tmp_path):
    path = csv(tmp_path / "a.jsonl", '{"a": 2, "tags": ["x"], "label": "y"}', '{"a": 3, "tags": [], "label": "n"}')
    documents = read(path)
    (batch,) = documents
    assert list(batch.columns) == ["a"]
    assert documents.notes[0] == "columns (guessed): a numeric; left out: tags (holds lists)"


def test_a_column_of_labels_is_no_evidence_when_the_label_is_given_by_name(tmp_path):
    path = csv(tmp_path / "a.csv", "age,sex,folder", "39,f,junk", "50,m,junk")
    (batch,) = read(f"spam={path}")
    assert list(batch.columns) == ["age", "sex"]
    assert batch.labels == ["spam", "spam"]


# ---- a schema that is there already ------------------------------------------------------------------------------


def test_the_first_file_settles_the_columns_of_all(tmp_path):
    first = csv(tmp_path / "1.csv", "age,sex,label", "39,f,x", "50,m,y")
    second = csv(tmp_path / "2.csv", "label,sex,size", "x,1,2", "x,0,3")  # here sex would be binary
    documents = read([first, second])
    one, two = documents
    assert two.schema == one.schema
    assert two.columns["sex"].values == ["1", "0"]
    assert documents.notes[2:] == [f"column 'age' is not in {second}: taken as missing", "ignored: column 'size'"]


def test_a_column_that_is_ignored_in_the_first_file_need_not_be_in_the_next(tmp_path):
    first = csv(tmp_path / "1.csv", "age,sex,size,label", "39,f,7,x", "50,m,7,y")
    second = csv(tmp_path / "2.csv", "age,sex,label", "39,f,x")
    assert [list(batch.columns) for batch in read([first, second], ignore=["size"])] == [["age", "sex"]] * 2


def test_a_file_with_names_and_no_rows_holds_no_documents(tmp_path):
    with pytest.raises(lk.InputError, match="at least one document") as caught:
        lk.train(csv(tmp_path / "a.csv", "age,text,label"))
    assert caught.value.code == "no-documents"


def test_texts_in_a_folder_after_a_table_fill_its_only_text_column(tmp_path):
    table = csv(tmp_path / "1.csv", "age,text,label", "39,hello,x", "50,good bye,y")
    (tmp_path / "texts").mkdir()
    csv(tmp_path / "texts" / "a.txt", "how are you")
    _, batch = read([table, f"x={tmp_path / 'texts'}"])
    assert batch.columns["text"].texts == ["how are you\n"]
    assert str(batch.columns["age"].numbers) == "[nan]"


def test_texts_in_a_folder_do_not_fill_columns_that_are_not_text(tmp_path):
    table = csv(tmp_path / "1.csv", "age,size,label", "39,3,x", "50,4,y")
    (tmp_path / "texts").mkdir()
    csv(tmp_path / "texts" / "a.txt", "how are you")
    with pytest.raises(lk.InputError, match=r"columns 'age', 'size', but .*texts holds plain texts") as caught:
        list(read([table, f"x={tmp_path / 'texts'}"]))
    assert caught.value.code == "document-kind"


def test_after_a_folder_of_texts_a_table_is_plain_text_too(tmp_path):
    (tmp_path / "texts").mkdir()
    csv(tmp_path / "texts" / "a.txt", "how are you")
    table = csv(tmp_path / "1.csv", "age,text,label", "39,hello,x", "50,good bye,y")
    assert [batch.schema for batch in read([f"x={tmp_path / 'texts'}", table])] == [None, None]


def schema_of(*lines, tmp_path):
    return next(iter(read(csv(tmp_path / "schema.csv", *lines)))).schema


def test_a_schema_is_read_by_name_and_nothing_is_guessed(tmp_path):
    schema = schema_of("age,sex,label", "39,f,x", "50,m,y", tmp_path=tmp_path)
    asked = csv(tmp_path / "b.csv", "sex,age,shoe,hat,label", "f,1,40,9,x", "m,0,41,8,y")
    documents = read(asked, schema=schema, labeled=False)
    (batch,) = documents
    assert list(batch.columns) == ["age", "sex"]
    assert documents.notes == ["ignored: columns 'shoe', 'hat'"]
    assert batch.labels is None


def test_a_file_with_none_of_the_columns_is_refused(tmp_path):
    schema = schema_of("age,sex,label", "39,f,x", "50,m,y", tmp_path=tmp_path)
    with pytest.raises(lk.InputError, match="has none of the columns 'age', 'sex'; it has 'Age', 'Sex'") as caught:
        list(read(csv(tmp_path / "b.csv", "Age,Sex", "1,f"), schema=schema, labeled=False))
    assert caught.value.code == "columns-none"


def test_a_column_that_comes_late_in_json_lines_is_still_read(tmp_path):
    schema = schema_of("age,sex,label", "39,f,x", "50,m,y", tmp_path=tmp_path)
    lines = ['{"age": 1, "label": "x"}'] * 20_000 + ['{"sex": "f", "label": "x"}']
    documents = read(csv(tmp_path / "b.jsonl", *lines), schema=schema)
    (batch,) = documents
    assert batch.columns["sex"].values == ["f"]
    assert "column 'sex' is not in the first rows of" in documents.notes[0]


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"categorical": ["age"]}, "column 'age' of this model is numeric, got 'age' as categorical"),
        ({"numeric": ["size"]}, "this model has the columns 'age', 'sex', got 'size' as numeric"),
    ],
)
def test_kinds_that_contradict_a_schema_are_refused(options, match, tmp_path):
    schema = schema_of("age,sex,label", "39,f,x", "50,m,y", tmp_path=tmp_path)
    with pytest.raises(lk.InputError, match=match) as caught:
        read("a.csv", schema=schema, **options)
    assert caught.value.code == "columns-differ"


def test_kinds_are_not_for_a_model_of_plain_texts(tmp_path):
    with pytest.raises(lk.InputError, match="this model classifies plain texts, got 'age' as numeric"):
        read("a.csv", schema=lk.train([("a", "b")]).schema, numeric=["age"])


def test_a_schema_knows_where_the_label_stood(tmp_path):
    path = csv(tmp_path / "a.csv", "age,team,size", "39,x,1", "50,y,2")
    schema = next(iter(read(path, label="team"))).schema
    assert schema.label == "team"
    documents = read(path, schema=schema)
    assert [batch.labels.to_list() for batch in documents] == [["x", "y"]]
    assert documents.notes == []
    assert [note for note in read(path, schema=schema, labeled=False).notes if "ignored" in note] == []
