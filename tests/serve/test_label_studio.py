"""A backend of Label Studio: the requests are those that Label Studio 1.13 sends, with fields that nobody needs."""

from __future__ import annotations

import base64
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import likelier as lk
from likelier._serve.tokens import read_tokens
from serving import Served

CONFIG = """
<View>
  <Header value="Which team?"/>
  <Text name="body" value="$ticket"/>
  <Choices name="team" toName="body" choice="single" showInline="true">
    <Choice value="delivery"/> <Choice value="Spam"/> <Choice value="Billing" alias="billing"/> <Choice value="legal"/>
  </Choices>
</View>"""
MADE = "2023-11-14T22:13:20.123456Z"  # 1700000000 seconds since 1970
TEXT = "my kettle leaks"


@pytest.fixture(scope="module")
def server(models: Path) -> Iterator[Served]:
    """Nobody teaches it, so one is enough for the tests of predictions."""
    found = Served(models / "shop.likelier", "--read-only")
    yield found
    found.kill()


@pytest.fixture(scope="module")
def locked(models: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that listens everywhere, for a team and for somebody who only reads."""
    folder = Path(shutil.copytree(models, tmp_path_factory.mktemp("locked") / "served"))
    (folder / "tokens").write_text("team teach team-secret\nrita read rita-secret\n", "utf-8")
    found = Served(folder / "shop.likelier", "--tokens", "tokens", "--host", "0.0.0.0")
    yield found
    found.kill()


def task(text: Any = TEXT, number: int = 1, **data: Any) -> dict[str, Any]:
    """A task as Label Studio sends it."""
    return {"id": number, "data": {"ticket": text, **data}, "meta": {}, "overlap": 1, "project": 12, "is_labeled": True}


def predicted(server: Served, *tasks: dict[str, Any], config: str | None = CONFIG, **given: Any) -> Any:
    params = {"login": None, "password": None, "context": None}
    body = {"tasks": tasks, "project": "12.1700000000", "label_config": config, "params": params}
    return server.post("/label-studio/predict", body, **given)


def choices(answer: Any) -> list[list[str]]:
    return [[name for each in one["result"] for name in each["value"]["choices"]] for one in answer["results"]]


# ---- health and setup --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/label-studio/", "/label-studio/health"])
def test_the_backend_is_up(server: Served, path: str) -> None:
    assert server.get(path) == {"status": "UP", "model_class": "likelier", "model": "shop"}


def setup(server: Served, config: str = CONFIG, **given: Any) -> Any:
    more = {"hostname": "http://localhost:8080", "access_token": "theirs", "extra_params": None}
    return server.post("/label-studio/setup", {"project": "12.1700000000", "schema": config, **more}, **given)


def test_a_project_is_told_the_version_of_the_model(server: Served) -> None:
    digest = server.get("/v1/model")["digest"]
    assert setup(server) == {"model_version": f"0-{digest[:8]}"}


def test_the_version_is_another_one_after_a_lesson(shop: Served) -> None:
    before = setup(shop)
    shop.post("/v1/learn", {"text": TEXT, "label": "returns"})
    assert setup(shop) != before


def test_a_configuration_is_remembered_for_requests_without_one(server: Served) -> None:
    setup(server)
    assert choices(predicted(server, task("where is my parcel"), config=None)) == [["delivery"]]


def test_without_any_configuration_there_is_no_prediction(server: Served) -> None:
    body = {"tasks": [task()], "project": "99.1700000000"}
    assert server.refused("POST", "/label-studio/predict", body) == (422, "label-config")


# ---- predictions -------------------------------------------------------------------------------------------------


def test_a_prediction_has_the_names_of_the_configuration_and_the_probability_as_its_score(
    server: Served, models: Path
) -> None:
    answer = predicted(server, task("where is my parcel"))
    score = lk.load(models / "shop.likelier").classify("where is my parcel").probability
    value = {"choices": ["delivery"]}
    result = {"from_name": "team", "to_name": "body", "type": "choices", "value": value, "score": score}
    version = setup(server)["model_version"]
    one = {"result": [result], "score": score, "model_version": version}
    assert answer == {"results": [one], "model_version": version}


def test_a_choice_is_written_as_the_configuration_has_it(server: Served) -> None:
    assert choices(predicted(server, task("win a free prize"), task("charged twice, refund it"))) == [
        ["Spam"],  # whatever its case
        ["billing"],  # by its alias
    ]


def test_a_label_that_is_no_choice_is_not_predicted(server: Served) -> None:
    answer = predicted(server, task("send back the shoes, they are too small"))
    assert answer["results"][0] == {"result": [], "score": 0.0, "model_version": answer["model_version"]}


def test_every_label_can_be_predicted_if_the_choices_come_with_the_task(server: Served) -> None:
    config = '<View><Text name="b" value="$ticket"/><Choices name="t" toName="b" value="$teams"/></View>'
    assert choices(predicted(server, task("send back the shoes, they are too small"), config=config)) == [["returns"]]


def test_a_task_without_a_text_has_no_prediction_and_spoils_no_others(server: Served) -> None:
    answer = predicted(server, task(None), task("win a free prize"), task(["a", "list"]), task(4711))
    assert choices(answer)[:3] == [[], ["Spam"], []]


def test_tasks_that_all_lack_the_text_are_refused(server: Served) -> None:
    body = {"tasks": [{"data": {"other": "x"}}], "label_config": CONFIG}
    answer = server.ask("POST", "/label-studio/predict", body).json()
    assert answer["code"] == "body-shape"
    assert answer["message"].endswith("no task has ticket in its data")


def test_no_tasks_have_no_predictions(server: Served) -> None:
    assert predicted(server)["results"] == []


def test_the_question_with_the_labels_of_the_model_is_answered(server: Served) -> None:
    other = '<Choices name="mood" toName="body"><Choice value="angry"/><Choice value="calm"/></Choices>'
    config = CONFIG.replace("<Choices", f"{other}<Choices", 1)
    answer = predicted(server, task("win a free prize"), config=config)
    assert answer["results"][0]["result"][0]["from_name"] == "team"


def test_a_model_with_columns_takes_those_of_the_task(serve: Callable[..., Served]) -> None:
    config = CONFIG.replace("$ticket", "$subject")
    columns = {"subject": "parcel is late", "channel": "chat", "days": 5, "tags": ["left", "alone"]}
    answer = predicted(serve("tickets.likelier"), {"id": 1, "data": columns}, config=config)
    assert choices(answer) == [["delivery"]]


# ---- configurations ----------------------------------------------------------------------------------------------

ENTITIES = '<!DOCTYPE View [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>'
SECRETS = '<!DOCTYPE View [<!ENTITY a SYSTEM "file:///etc/passwd">]>'


@pytest.mark.parametrize(
    ("config", "reason"),
    [
        (ENTITIES + CONFIG.replace("delivery", "&b;"), "must not have a document type"),
        (SECRETS + CONFIG.replace("delivery", "&a;"), "must not have a document type"),
        ('<!DOCTYPE View SYSTEM "http://example.org/x.dtd">' + CONFIG, "must not have a document type"),
        (CONFIG.replace("delivery", "&undefined;"), "not valid XML"),
        (CONFIG.replace("</View>", ""), "not valid XML"),
        ("", "not valid XML"),
        ("no XML", "not valid XML"),
        ("<View></View>", "no Choices"),
        (CONFIG.replace("Choices", "Labels"), "no Choices"),
        (CONFIG.replace('toName="body"', 'toName="other"'), "no Choices"),
        (CONFIG.replace(' toName="body"', ""), "no Choices"),
        (CONFIG.replace("$ticket", "a text that is always the same"), "no Choices"),
        (CONFIG.replace('value="$ticket"', 'value="$ticket" valueType="url"'), "no Choices"),
        (CONFIG + " " * 200_000, "more than 200000 characters"),
    ],
)
def test_a_configuration_that_cannot_be_used_is_refused_with_the_reason(
    server: Served, config: str, reason: str
) -> None:
    answer = server.ask("POST", "/label-studio/setup", {"project": 12, "schema": config})
    assert (answer.status_code, answer.json()["code"]) == (422, "label-config")
    assert reason in answer.json()["message"]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("setup", {"project": 12}),
        ("setup", {"project": {"id": 12}, "schema": CONFIG}),
        ("setup", {"project": "../12", "schema": CONFIG}),
        ("predict", {"label_config": CONFIG}),
        ("predict", {"tasks": ["text"], "label_config": CONFIG}),
        ("train", {"label_config": CONFIG}),
        ("webhook", {"project": {"id": 12}}),
        ("webhook", {"action": "ANNOTATION_CREATED"}),
        ("webhook", {"action": "ANNOTATION_CREATED", "project": {"id": 12, "created_at": "yesterday"}}),
        ("webhook", {"action": "ANNOTATIONS_DELETED"}),
        ("webhook", {"action": "ANNOTATIONS_DELETED", "annotations": [{"id": "a/b"}], "project": {"id": 12}}),
    ],
)
def test_another_form_is_refused(locked: Served, path: str, body: object) -> None:
    assert locked.refused("POST", f"/label-studio/{path}", body, token="team-secret") == (422, "body-shape")


# ---- webhooks ----------------------------------------------------------------------------------------------------


def annotation(choice: str | None, second: int = 0, *, number: int = 7, by: Any = 3, **more: Any) -> dict[str, Any]:
    """What annotator `by` said about a task, `second` seconds after nine o'clock."""
    value = {"choices": [choice]}
    result = {"id": "WArqkkifYE", "from_name": "team", "to_name": "body", "type": "choices", "origin": "manual"}
    return {
        "id": number,
        "result": [] if choice is None else [{**result, "value": value}],
        "was_cancelled": False,
        "ground_truth": False,
        "created_at": "2026-11-18T09:00:00.000000Z",
        "updated_at": f"2026-11-18T09:00:{second:02}.123456Z",
        "lead_time": 37.13,
        "prediction": {},
        "completed_by": by,
        "task": 1,
        **more,
    }


def happened(server: Served, action: str, said: Any = None, about: Any = None, **given: Any) -> Any:
    """What the webhook is answered; `said` is one annotation, several, or the numbers of deleted ones."""
    project = {"id": 12, "title": "Tickets", "label_config": CONFIG, "created_at": MADE, "model_version": ""}
    body: dict[str, Any] = {"action": action, "project": project}
    if action == "ANNOTATIONS_DELETED":
        body["annotations"] = [{"id": number} for number in said]
    elif said is not None:
        body |= {"annotation": said, "task": about or task()}
    answer = server.ask("POST", "/label-studio/webhook", body, **given)
    assert answer.status_code in (200, 201), answer.text
    return answer.json()


def created(server: Served, said: Any, about: Any = None, **given: Any) -> Any:
    return happened(server, "ANNOTATION_CREATED", said, about, **given)


def updated(server: Served, said: Any, about: Any = None, **given: Any) -> Any:
    return happened(server, "ANNOTATION_UPDATED", said, about, **given)


def taught(server: Served, **given: Any) -> list[tuple[Any, Any, str]]:
    """Text, label and name of what was taught and is in the model."""
    found = server.get("/v1/documents", **given)["documents"]
    return [(each.get("text", each.get("document")), each["label"], each["by"]) for each in found]


def test_an_annotation_is_learned_under_the_name_of_its_annotator(shop: Served) -> None:
    assert created(shop, annotation("billing")) == {"status": "ok", "lessons": 1}
    assert taught(shop) == [(TEXT, "billing", "local/3")]


def test_a_choice_that_differs_by_case_is_the_label_of_the_model(shop: Served) -> None:
    created(shop, annotation("Spam"))
    assert taught(shop)[0][1] == "spam"


def test_a_choice_that_the_model_does_not_have_is_a_new_label(shop: Served) -> None:
    created(shop, annotation("legal"))
    assert "legal" in [each["label"] for each in shop.get("/v1/model")["labels"]]


def test_an_updated_annotation_gets_its_document_another_label(shop: Served) -> None:
    created(shop, annotation("billing"))
    assert updated(shop, annotation("delivery", 1)) == {"status": "ok", "lessons": 1}
    assert taught(shop) == [(TEXT, "delivery", "local/3")]
    assert [each["kind"] for each in shop.get("/v1/lessons")["lessons"]] == ["learn", "relabel"]


def test_an_updated_annotation_of_a_changed_task_has_the_new_text_only(shop: Served) -> None:
    created(shop, annotation("billing"))
    updated(shop, annotation("billing", 1), task("another text"))
    assert taught(shop) == [("another text", "billing", "local/3")]


def test_a_deleted_annotation_leaves_nothing(shop: Served) -> None:
    before = shop.get("/v1/model?counts_digest=true")["counts_digest"]
    created(shop, annotation("billing"))
    updated(shop, annotation("delivery", 1))
    assert happened(shop, "ANNOTATIONS_DELETED", [7]) == {"status": "ok", "lessons": 1}
    assert taught(shop) == []
    assert shop.get("/v1/model?counts_digest=true")["counts_digest"] == before


def test_the_end_of_an_annotation_may_also_be_told_in_the_singular(shop: Served) -> None:
    created(shop, annotation("billing"))
    happened(shop, "ANNOTATION_DELETED", annotation("billing"))
    assert taught(shop) == []


def test_webhooks_that_come_twice_count_once(shop: Served) -> None:
    for _ in range(2):
        created(shop, annotation("billing"))
    for _ in range(2):
        updated(shop, annotation("delivery", 1))
    assert taught(shop) == [(TEXT, "delivery", "local/3")]
    for _ in range(2):
        happened(shop, "ANNOTATIONS_DELETED", [7])
    assert shop.get("/v1/model")["position"] == 3


def test_webhooks_that_come_four_times_at_once_count_once(shop: Served) -> None:
    said = [annotation("billing", number=number) for number in range(20)] * 4
    with ThreadPoolExecutor(40) as pool:
        answers = list(pool.map(lambda each: created(shop, each, task(f"text {each['id']}")), said))
    assert sum(each["lessons"] for each in answers) == 20
    assert len(taught(shop)) == 20


def test_a_webhook_counts_once_also_if_the_server_was_started_again(serve: Callable[..., Served], shop: Served) -> None:
    created(shop, annotation("billing"))
    shop.kill()
    again = serve("shop.likelier", "--teach-openly")
    assert created(again, annotation("billing"))["lessons"] == 0
    assert updated(again, annotation("delivery", 1))["lessons"] == 1
    assert taught(again) == [(TEXT, "delivery", "local/3")]


def test_two_servers_with_one_log_hear_of_the_same_annotation(serve: Callable[..., Served], database: str) -> None:
    one, two = (serve("shop.likelier", "--teach-openly", "--log", database) for _ in range(2))
    assert created(one, annotation("billing"))["lessons"] == 1
    assert created(two, annotation("billing"))["lessons"] == 0
    assert updated(two, annotation("delivery", 1))["lessons"] == 1
    assert taught(two) == [(TEXT, "delivery", "local/3")]
    assert happened(one, "ANNOTATIONS_DELETED", [7])["lessons"] == 1
    assert taught(one) == []


def test_an_older_state_that_comes_later_changes_nothing(shop: Served) -> None:
    updated(shop, annotation("delivery", 2))
    updated(shop, annotation("Spam", 1))
    created(shop, annotation("billing", 0))
    assert taught(shop) == [(TEXT, "delivery", "local/3")]


def test_the_end_that_comes_first_is_the_end(shop: Served) -> None:
    happened(shop, "ANNOTATIONS_DELETED", [7])
    assert created(shop, annotation("billing"))["lessons"] == 0
    assert taught(shop) == []


def test_an_update_of_what_was_learned_before_the_server_finds_the_old_label(shop: Served) -> None:
    text = "Where is my parcel? The tracking page has not changed for five days."  # of shop.likelier: delivery
    updated(shop, annotation("billing", 1), task(text))
    assert shop.get("/v1/model")["documents"] == 240
    (lesson,) = shop.get("/v1/lessons")["lessons"]
    assert (lesson["kind"], lesson["forgot"], lesson["learned"]) == ("relabel", "delivery", "billing")


@pytest.mark.parametrize(
    "said",
    [
        annotation(None, 1),
        annotation("delivery", 1, was_cancelled=True),
        annotation("delivery", 1, result=[{"from_name": "mood", "type": "choices", "value": {"choices": ["calm"]}}]),
        annotation("delivery", 1, result=[{"from_name": "team", "type": "choices", "value": {"choices": ["a", "b"]}}]),
    ],
    ids=["empty", "skipped", "another question", "several choices"],
)
def test_an_annotation_that_is_no_label_any_more_is_forgotten(shop: Served, said: dict[str, Any]) -> None:
    created(shop, annotation("billing"))
    updated(shop, said)
    assert taught(shop) == []
    updated(shop, annotation("delivery", 2))
    assert taught(shop) == [(TEXT, "delivery", "local/3")]


def test_a_task_without_a_text_teaches_nothing(shop: Served) -> None:
    assert created(shop, annotation("billing"), task(None)) == {"status": "ok", "lessons": 0}


def test_several_annotations_at_once_are_learned_each_by_its_annotator(shop: Served) -> None:
    said = [annotation("billing", number=1, by=1), annotation("delivery", number=2, by={"id": 2, "email": "b@c.de"})]
    happened(shop, "ANNOTATIONS_CREATED", said, [task("one"), task("two")])
    assert taught(shop) == [("one", "billing", "local/1"), ("two", "delivery", "local/2")]


def test_who_changes_their_mind_changes_their_own_annotation_only(shop: Served) -> None:
    created(shop, annotation("billing", number=1, by=1))
    created(shop, annotation("billing", number=2, by=2))
    updated(shop, annotation("delivery", 1, number=1, by=1))
    assert sorted(taught(shop)) == [(TEXT, "billing", "local/2"), (TEXT, "delivery", "local/1")]
    happened(shop, "ANNOTATIONS_DELETED", [2])
    assert taught(shop) == [(TEXT, "delivery", "local/1")]


def test_annotations_of_other_projects_are_others(shop: Served) -> None:
    created(shop, annotation("billing"))
    body = {"action": "ANNOTATIONS_DELETED", "annotations": [{"id": 7}], "project": {"id": 13, "created_at": MADE}}
    shop.post("/label-studio/webhook", body)
    assert len(taught(shop)) == 1


@pytest.mark.parametrize("action", ["START_TRAINING", "PROJECT_UPDATED", "TASKS_CREATED", "REVIEW_CREATED"])
def test_other_events_are_answered_and_change_nothing(locked: Served, action: str) -> None:
    before = locked.get("/v1/model", token="rita-secret")["position"]
    assert happened(locked, action, token="team-secret") == {"status": "ignored"}
    assert locked.get("/v1/model", token="rita-secret")["position"] == before


def test_a_lesson_that_was_undone_stays_undone_if_its_webhook_comes_again(shop: Served) -> None:
    created(shop, annotation("billing"))
    shop.post("/v1/undo", {"position": 1})
    created(shop, annotation("billing"))
    assert taught(shop) == []
    updated(shop, annotation("delivery", 1))
    assert taught(shop) == [(TEXT, "delivery", "local/3")]


def test_an_undone_update_leaves_the_label_before_to_be_updated(shop: Served) -> None:
    created(shop, annotation("billing"))
    updated(shop, annotation("delivery", 1))
    shop.post("/v1/undo", {"position": 2})
    updated(shop, annotation("Spam", 2))
    assert [each[:2] for each in taught(shop)] == [(TEXT, "spam")]
    assert shop.get("/v1/model")["documents"] == 241


def test_columns_are_learned_and_forgotten(serve: Callable[..., Served]) -> None:
    server = serve("tickets.likelier", "--teach-openly")
    columns = {"subject": "parcel is late", "channel": "chat", "days": 5}
    about = {"id": 1, "data": {**columns, "ticket": "x", "tags": ["left", "alone"]}}
    created(server, annotation("delivery"), about)
    assert taught(server) == [(columns, "delivery", "local/3")]
    happened(server, "ANNOTATIONS_DELETED", [7])
    assert taught(server) == []


def test_the_text_of_the_task_is_enough_where_the_log_keeps_none(serve: Callable[..., Served]) -> None:
    server = serve("shop.likelier", "--teach-openly", "--without-texts", "--snapshot-lessons", "1")
    created(server, annotation("billing"))
    wait_for_erasure(server)
    assert updated(server, annotation("delivery", 1))["lessons"] == 1
    wait_for_erasure(server)
    body = {"action": "ANNOTATIONS_DELETED", "annotations": [{"id": 7}], "project": {"id": 12, "created_at": MADE}}
    assert server.refused("POST", "/label-studio/webhook", body) == (409, "texts-not-kept")


def wait_for_erasure(server: Served) -> None:
    for _ in range(1000):
        if server.get("/v1/lessons?newest_first=true")["lessons"][0]["document"] is None:
            return
    raise AssertionError(server.errors)


# ---- training ----------------------------------------------------------------------------------------------------


def trained(server: Served, *tasks: dict[str, Any]) -> Any:
    body = {"annotations": tasks, "project": "12.1700000000", "label_config": CONFIG, "params": {"login": None}}
    answer = server.ask("POST", "/label-studio/train", body)
    assert answer.status_code in (200, 201), answer.text
    return answer.json()


def test_tasks_with_annotations_are_learned_unless_they_are_already(shop: Served) -> None:
    created(shop, annotation("billing", number=1), task("one"))
    one = task("one") | {"annotations": [annotation("billing", number=1)]}
    two = task("two") | {"annotations": [annotation("Spam", number=2), annotation("delivery", number=3, by=4)]}
    assert trained(shop, one, two) == {"status": "ok", "lessons": 2}
    assert trained(shop, one, two) == {"status": "ok", "lessons": 0}
    expected = [("one", "billing", "local/3"), ("two", "spam", "local/3"), ("two", "delivery", "local/4")]
    assert taught(shop) == expected


def test_who_sends_no_time_of_the_update_is_compared_by_what_is_said(shop: Served) -> None:
    for choice in ("billing", "billing", "delivery", "delivery"):
        updated(shop, annotation(choice, updated_at=None))
    assert taught(shop) == [(TEXT, "delivery", "local/3")]
    assert shop.get("/v1/model")["position"] == 2


# ---- roles -------------------------------------------------------------------------------------------------------


def basic(user: str, password: str) -> str:
    return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()


def test_whoever_may_ask_may_predict_and_only_who_may_teach_teaches(locked: Served) -> None:
    assert choices(predicted(locked, task("win a prize"), token="rita-secret")) == [["Spam"]]
    setup(locked, token="rita-secret")
    for path in ("webhook", "train"):
        assert locked.refused("POST", f"/label-studio/{path}", {}, token="rita-secret") == (403, "role-too-low")
        assert locked.refused("POST", f"/label-studio/{path}", {}) == (401, "token-missing")
    assert locked.refused("POST", "/label-studio/predict", {}) == (401, "token-missing")


def test_health_needs_no_token(locked: Served) -> None:
    assert locked.get("/label-studio/health")["status"] == "UP"


def test_the_token_may_be_the_password_of_basic_authentication(locked: Served) -> None:
    created(locked, annotation("billing", number=8), task("basic"), authorization=basic("label-studio", "team-secret"))
    assert ("basic", "billing", "team/3") in taught(locked, token="rita-secret")


@pytest.mark.parametrize(
    "header",
    [
        basic("team-secret", ""),
        basic("team", "team-secre"),
        "Basic team-secret",
        "Basic",
        "Basic \xff",
        "Digest team-secret",
        "team-secret",
    ],
)
def test_another_header_is_no_token(locked: Served, header: str) -> None:
    headers = {b"authorization": header.encode("latin-1")}
    answer = locked.client.post("/label-studio/webhook", json={"action": "START_TRAINING"}, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (401, "token-wrong")


def test_a_token_cannot_have_the_name_of_an_annotator() -> None:
    with pytest.raises(lk.LikelierError, match="must not have a slash"):
        read_tokens(None, "label-studio/3 teach some-secret")


def test_what_a_reader_says_about_a_project_has_no_effect_on_what_is_taught(locked: Served) -> None:
    setup(locked, CONFIG.replace('name="team"', 'name="mood"'), token="rita-secret")
    setup(locked, token="team-secret")
    setup(locked, CONFIG.replace('name="team"', 'name="mood"'), token="rita-secret")
    project = {"id": 12, "created_at": MADE}
    body = {"action": "ANNOTATION_CREATED", "annotation": annotation("billing"), "task": task(), "project": project}
    assert locked.ask("POST", "/label-studio/webhook", body, token="team-secret").status_code == 201


def test_a_server_that_does_not_learn_refuses_webhooks(serve: Callable[..., Served]) -> None:
    server = serve("shop.likelier", "--read-only", "--teach-openly")
    assert server.refused("POST", "/label-studio/webhook", {"action": "START_TRAINING"}) == (403, "server-read-only")
