"""The kinds of real tables are guessed as a person would."""

from __future__ import annotations

import gzip

import pytest

from likelier._read.reader import read
from real_tables import TABLES

REAL = {
    "titanic_passengers": "Name text; Sex, Ticket, Cabin, Embarked categorical;"
    " Pclass, Age, SibSp, Parch, Fare numeric; left out: PassengerId (an identifier)",
    "adult.train": "workclass, education, marital-status, occupation, relationship, race, sex, native-country"
    " categorical; age, fnlwgt, education-num, capital-gain, capital-loss, hours-per-week numeric",
    "iris": "sepallength, sepalwidth, petallength, petalwidth numeric",
    "weather_nominal": "outlook, temperature, humidity categorical; windy binary",
    "weather_numeric": "outlook categorical; windy binary; temperature, humidity numeric",
}


@pytest.mark.parametrize("name", REAL)
def test_real_tables_are_guessed_right(name):
    path = TABLES / f"{name}.csv.gz"
    documents = read(path)
    rows = sum(map(len, documents))
    assert documents.notes[0] == f"columns (guessed): {REAL[name]}"
    assert rows == gzip.decompress(path.read_bytes()).count(b"\n") - 1
