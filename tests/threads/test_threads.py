"""One model, many threads: every answer is that of one state between two changes."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import likelier as lk
import stress
from likelier._counts import one_document
from likelier._counts.term_counts import TermCounts
from likelier._kernel import Gate, PanicException

DOCUMENTS = [("happy happy days", "pos"), ("sad days", "neg"), ("happy end", "pos"), ("sad sad song", "neg")]
ROWS = [({"color": color, "size": size}, label) for color, size, label in [("red", 1.0, "a"), ("blue", 2.0, "b")]]


def made(**view: Any) -> lk.Model:
    model = lk.train(DOCUMENTS, view="textbook")
    model.set_view(**view)
    return model


@pytest.mark.parametrize("name", [*stress.VIEWS, "columns"])
def test_threads_that_only_ask_get_the_answers_of_one_thread(name: str) -> None:
    told = stress.Told(name)
    with stress.switching(1e-6):
        for _ in range(3):
            assert set(stress.only_asked(told)) == {"right"}


@pytest.mark.parametrize("name", [*stress.VIEWS, "columns"])
def test_answers_during_changes_are_those_of_one_state_and_the_model_at_rest_is_right(name: str) -> None:
    told = stress.Told(name)
    with stress.switching(1e-6):
        for _ in range(3):
            assert set(stress.changed(told)) == {"right"}


@pytest.mark.slow
def test_hundreds_of_rounds_of_asking_and_changing_leave_no_wrong_answer() -> None:
    assert set(stress.rounds(280)) == {"right"}


def test_changes_from_many_threads_all_count() -> None:
    model = made()

    def learn(number: int) -> None:
        for turn in range(50):
            model.learn(f"word{number} turn{turn}", "pos")
            model.learn_many([(f"word{number} many", "neg")])

    threads = [threading.Thread(target=learn, args=(number,)) for number in range(4)]
    with stress.switching(1e-6):
        stress._run(threads)
    more = [(f"word{n} turn{turn}", "pos") for n in range(4) for turn in range(50)]
    more += [(f"word{n} many", "neg") for n in range(4) for _ in range(50)]
    assert model == lk.train([*DOCUMENTS, *more], view="textbook")
    assert model.learned_many(more).every


def test_two_models_can_be_added_to_each_other_at_the_same_time() -> None:
    one, two = lk.Counts.from_table({"a": {"x": 1}}), lk.Counts.from_table({"b": {"y": 1}})

    def add(mine: lk.Counts, other: lk.Counts) -> None:
        for _ in range(20):
            mine.add(lk.Counts.from_table({"c": {"x": 1}}))
            _ = mine + other

    with stress.switching(1e-6):
        stress._run([threading.Thread(target=add, args=pair) for pair in [(one, two), (two, one)] * 2])
    assert (one.of("c", "x"), two.of("c", "x")) == (40, 40)


def test_a_merge_has_the_history_of_the_documents_that_it_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    one, two, add = made(), made(), lk.Model._add
    learning = threading.Thread(target=two.learn, args=("late words", "pos"))

    def add_while_another_learns(*given: Any) -> int:
        learning.start()
        learning.join(0.2)
        return add(*given)

    monkeypatch.setattr(lk.Model, "_add", add_while_another_learns)
    both = one + two
    learning.join()
    assert (both.documents, two.documents) == (8, 5)
    assert [(event["what"], event["documents"]) for event in both.provenance] == [
        ("train", 4),
        ("train", 4),
        ("merge", 8),
    ]


@pytest.mark.parametrize("rows", [False, True])
def test_counts_can_be_added_to_themselves_and_taken_out_of_themselves(rows: bool) -> None:
    model = lk.train(ROWS, view="textbook", categorical=["color"], numeric=["size"]) if rows else made()
    counts: Any = model.counts
    twice = counts + counts
    counts.add(counts)
    assert counts == twice
    counts.subtract(counts)
    assert counts.labels == ()


def test_intervals_that_another_thread_drops_meanwhile_are_used_all_the_same() -> None:
    class Dropped(dict[Any, Any]):
        def __setitem__(self, key: Any, value: Any) -> None:
            """As if another thread had asked for one rule too many just now."""

    model = lk.train(ROWS, view="textbook", categorical=["color"], numeric=["size"])
    wanted = model.view(numeric=[1.5]).classify(ROWS[0][0])
    column: Any = model.counts.columns["size"]  # type: ignore[union-attr]
    column.in_intervals = Dropped()
    assert model.view(numeric=[1.5]).classify(ROWS[0][0]) == wanted


def test_settings_changed_by_another_thread_hold_for_whole_answers() -> None:
    model, done = made(), threading.Event()
    wanted = []
    for alpha in (1, 10):
        model.set_view(alpha=alpha)
        wanted.append(model.classify_many(["happy song", "end"]).probabilities.tolist())
    found = []

    def ask() -> None:
        while not done.is_set():
            found.append(model.classify_many(["happy song", "end"]).probabilities.tolist())

    thread = threading.Thread(target=ask)
    with stress.switching(1e-6):
        thread.start()
        for turn in range(100):
            model.set_view(alpha=(1, 10)[turn % 2])
        done.set()
        thread.join()
    assert all(each in wanted for each in found)


# ---- what lives longer than a state ------------------------------------------------------------------------------


def test_an_explanation_stays_that_of_its_state() -> None:
    model = made()
    first, again = (model.explain("happy song") for _ in range(2))
    shown = (str(first), first.to_html(), first.to_latex(), first.joint)
    model.learn("song song song", "pos", weight=0.5)
    assert (str(again), again.to_html(), again.to_latex(), again.joint) == shown


def test_a_column_that_is_asked_again_has_the_figures_of_now() -> None:
    model = made()
    column = model.view().column()
    before = column.likelihood("song", "pos")
    model.learn("song song", "pos")
    assert before == lk.train(DOCUMENTS, view="textbook").view().likelihood("song", "pos")
    assert column.likelihood("song", "pos") == model.view().likelihood("song", "pos") != before


def test_figures_of_counts_that_have_changed_are_refused() -> None:
    model = made(event="bernoulli")
    estimator, explained = model.view().estimator, model.explain("happy song")
    model.learn("song song", "pos")
    with pytest.raises(lk.InputError, match="has changed since these figures were asked for"):
        _ = estimator.weights
    with pytest.raises(lk.InputError, match="has changed since these figures were asked for") as caught:
        _ = explained.joint
    assert caught.value.code == "counts-changed"


def test_an_evaluation_stays_that_of_its_state() -> None:
    model = made()
    evaluation = model.evaluate(DOCUMENTS)
    shown = str(evaluation)
    model.learn("song song song", "pos")
    assert str(evaluation) == shown
    assert evaluation.view.counts == lk.train(DOCUMENTS, view="textbook").counts


# ---- waiting -----------------------------------------------------------------------------------------------------


def test_a_change_inside_an_answer_is_refused_and_nothing_hangs() -> None:
    model = made()

    class Learning(lk.Additive):
        def ratio(self, evidence: Any) -> Any:
            if active:
                model.learn("song", "pos")
            return super().ratio(evidence)

    active: list[bool] = []
    view = model.view(smoothing=Learning(1))
    active.append(True)
    with pytest.raises(lk.LearningError, match="this thread is reading the model") as caught:
        view.classify_many(["happy song"] * 20)
    assert caught.value.code == "changed-while-read"
    active.clear()
    assert view.classify("happy song") == made().classify("happy song")
    assert model == made()


def test_a_question_inside_an_answer_is_answered_also_while_a_change_waits() -> None:
    gate, inside, asked = Gate(), threading.Event(), []

    def write() -> None:
        inside.set()
        with gate.writing:
            asked.append("changed")

    thread = threading.Thread(target=write)
    with gate.reading:
        thread.start()
        inside.wait()
        time.sleep(0.05)  # until it waits
        with gate.reading:
            asked.append("asked")
    thread.join()
    assert asked == ["asked", "changed"]


def test_an_answer_does_not_wait_for_that_of_another_model() -> None:
    working, release = threading.Event(), threading.Event()

    class Slow(lk.Additive):
        def ratio(self, evidence: Any) -> Any:
            if threading.current_thread() is slow:
                working.set()
                release.wait(60)
            return super().ratio(evidence)

    texts, found = ["happy song"] * 20, []
    slow = threading.Thread(target=made().view(smoothing=Slow(1)).classify_many, args=(texts,))
    quick = threading.Thread(target=lambda: found.append(made().classify_many(texts)))
    slow.start()
    working.wait(60)
    quick.start()
    quick.join(10)
    answered = len(found)
    release.set()
    slow.join()
    quick.join()
    assert answered == 1


def test_ctrl_c_ends_the_waiting_and_the_model_goes_on() -> None:
    code = """
        import threading, _thread, time
        from likelier._kernel import Gate, PanicException
        gate, release = Gate(), threading.Event()
        def hold():
            with gate.reading:
                release.wait()
        thread = threading.Thread(target=hold); thread.start()
        threading.Timer(0.3, _thread.interrupt_main).start()
        try:
            with gate.writing: print("never")
        except KeyboardInterrupt:
            print("interrupted")
        release.set(); thread.join()
        with gate.writing: print("goes on")
    """
    assert _run_python(code) == "interrupted\ngoes on\n"


# ---- signals -----------------------------------------------------------------------------------------------------

ROWS = [
    ({"color": "red", "size": 1.0}, "a"),
    ({"color": "blue", "size": 2.0}, "b"),
    ({"color": "red", "size": 3.0}, "b"),
]


@pytest.fixture
def _ctrl_c() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a process in the background ignores it
    yield
    signal.signal(signal.SIGINT, before)


def _then_ctrl_c(work: Callable[..., Any]) -> Callable[..., Any]:
    def interrupted(*args: Any, **kwargs: Any) -> Any:
        done = work(*args, **kwargs)
        signal.raise_signal(signal.SIGINT)
        return done

    return interrupted


@pytest.mark.usefixtures("_ctrl_c")
@pytest.mark.parametrize("change", ["learn", "forget"])
def test_ctrl_c_in_the_middle_of_a_change_of_several_columns_is_heard_when_it_is_done(
    change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, other = (lk.train(ROWS * 2, view="textbook", categorical=["color"], numeric=["size"]) for _ in range(2))
    getattr(other, change)(*ROWS[0])
    for method in ("add", "subtract"):
        monkeypatch.setattr(TermCounts, method, _then_ctrl_c(getattr(TermCounts, method)))
    with pytest.raises(KeyboardInterrupt):
        getattr(model, change)(*ROWS[0])
    monkeypatch.undo()
    assert model == other
    assert model.learned_many(ROWS).known == other.learned_many(ROWS).known
    assert model.classify(ROWS[0][0]) == other.classify(ROWS[0][0])
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.usefixtures("_ctrl_c")
@pytest.mark.parametrize("change", ["learn", "forget"])
def test_ctrl_c_just_after_one_text_was_changed_leaves_a_model_that_knows_it(
    change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, other = made(), made()
    model.classify("happy song")
    getattr(other, change)(*DOCUMENTS[0])
    monkeypatch.setattr(one_document, f"{change}_one", _then_ctrl_c(getattr(one_document, f"{change}_one")))
    with pytest.raises(KeyboardInterrupt):
        getattr(model, change)(*DOCUMENTS[0])
    assert model == other
    assert model.classify("happy song") == other.classify("happy song")


# ---- forks -------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not hasattr(__import__("os"), "fork"), reason="there is no fork on this system")
def test_a_process_that_is_forked_while_threads_ask_and_learn_can_do_both() -> None:
    code = """
        import os, sys, threading, warnings, likelier as lk
        warnings.simplefilter("ignore")
        docs = [(f"w{i} w{i % 7} w{i % 3}", "ab"[i % 2]) for i in range(300)]
        model, done = lk.train(docs, view="textbook"), threading.Event()
        texts = [text for text, _ in docs]
        def ask():
            while not done.is_set():
                model.classify_many(texts, threads=2); model.classify(texts[0]); model.explain(texts[1])
        def learn():
            while not done.is_set(): model.learn("w1 other", "a"); model.forget("w1 other", "a")
        threads = [threading.Thread(target=each) for each in (ask, ask, learn)]
        for thread in threads: thread.start()
        codes = []
        for _ in range(20):
            child = os.fork()
            if child == 0:
                model.learn("w1 mine", "b"); model.classify_many(texts); model.classify("w1 w2"); model.explain("w3")
                os._exit(0 if model.documents in (301, 302) else 1)
            codes.append(os.waitpid(child, 0)[1])
        done.set()
        for thread in threads: thread.join()
        print(codes == [0] * 20, model.documents)
    """
    assert _run_python(code) == "True 300\n"


@pytest.mark.slow
def test_a_model_that_a_thread_does_not_leave_in_time_is_refused_in_the_forked_process() -> None:
    code = """
        import os, threading, warnings, likelier as lk
        warnings.simplefilter("ignore")
        model = lk.train([("a b", "x"), ("c", "y")], view="textbook")
        release, inside = threading.Event(), threading.Event()
        def hold():
            with model.gate.reading:
                inside.set(); release.wait()
        thread = threading.Thread(target=hold); thread.start(); inside.wait()
        child = os.fork()
        if child == 0:
            try: model.learn("a", "x")
            except lk.KernelError as error: os._exit(7 if error.code == "lost-in-fork" else 1)
            os._exit(2)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        release.set(); thread.join(); model.learn("a", "x"); print(model.documents)
    """
    assert _run_python(code) == "7\n3\n"


def test_a_model_that_another_thread_makes_and_uses_at_the_last_moment_is_refused_in_the_forked_process() -> None:
    code = """
        import threading, likelier as lk
        from likelier._kernel import after_fork, before_fork
        old, release, inside = lk.train([("a b", "x")], view="textbook"), threading.Event(), threading.Event()
        before_fork()
        used, free = (lk.Model() for _ in range(2))
        def hold():
            with used.gate.reading:
                inside.set(); release.wait()
        thread = threading.Thread(target=hold); thread.start(); inside.wait()
        after_fork(True)
        for model in old, free, used:
            try: model.learn("a", "x"); print("learns")
            except lk.KernelError as error: print(error.code)
        release.set(); thread.join()
    """
    assert _run_python(code) == "learns\nlearns\nlost-in-fork\n"


# ---- what others do to the arguments -----------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["grow", "shrink"])
def test_a_list_that_another_thread_changes_is_read_as_it_was(how: str) -> None:
    model, base = made(), ["happy song and many more words of no meaning " * 30] * 2000
    for _ in range(10):
        texts, done = list(base), threading.Event()

        def change(texts: list[str] = texts, done: threading.Event = done) -> None:
            while not done.is_set():
                if how == "grow":
                    texts.append("sad")
                elif texts:
                    texts.pop()

        thread = threading.Thread(target=change)
        thread.start()
        found = model.classify_many(texts)
        done.set()
        thread.join()
        assert {verdict.label for verdict in found} <= {"pos", "neg"}


# ---- panics ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("when", ["read", "before"])
def test_a_panic_is_an_error_of_likelier_and_leaves_the_model_as_it_was(when: Any) -> None:
    model = made()
    verdict = model.classify("happy song")
    with pytest.raises(lk.KernelError, match="the kernel failed: on purpose") as caught, model.gate.writing:
        model.counts.sizes.table.fail(when)
    assert caught.value.code == "kernel-failed"
    assert model.classify("happy song") == verdict
    model.learn("song", "pos")
    assert model == lk.train([*DOCUMENTS, ("song", "pos")], view="textbook")


def test_a_panic_in_the_middle_of_a_change_shuts_the_counts_and_says_so() -> None:
    model = made()
    with pytest.raises(lk.KernelError, match="on purpose"):
        model.counts.sizes.table.fail("during")
    for use in (lambda: model.classify("happy"), lambda: model.learn("a", "pos"), model.to_bytes):
        with pytest.raises(lk.KernelError, match="failed midway, so they cannot be used") as caught:
            use()
        assert caught.value.code == "counts-half-changed"


def test_no_panic_exception_leaves_a_gate() -> None:
    gate = Gate()

    with pytest.raises(lk.KernelError, match="the kernel failed: on purpose"), gate.reading:
        raise PanicException("on purpose")


# ---- memory ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["many", "one by one"])
def test_words_that_come_and_go_leave_no_ids_behind(how: str) -> None:
    model = lk.train(DOCUMENTS, view="textbook", analyzer=lk.Analyzer(ngrams=2))
    before = model.counts.digest(), model.classify("happy song sad"), model.counts.vocabulary
    for turn in range(8):
        texts = [" ".join(f"new{turn}x{number}x{word}" for word in range(200)) for number in range(60)]
        if how == "many":
            model.learn_many([(text, "pos") for text in texts])
            model.forget_many([(text, "pos") for text in texts])
        for text in texts if how == "one by one" else ():
            model.learn(text, "pos")
            model.forget(text, "pos")
    assert model.counts.sizes.table.ids() < 1 << 17  # of 192,000 that came
    assert (model.counts.digest(), model.classify("happy song sad"), model.counts.vocabulary) == before


@pytest.mark.parametrize("use", ["classify", "learn"])
def test_names_of_unknown_columns_are_noted_a_hundred_times_at_most(use: str) -> None:
    rows = [({"color": "red", "size": 1.0}, "a"), ({"color": "blue", "size": 2.0}, "b")]
    model = lk.train(rows, view="textbook", categorical=["color"], numeric=["size"])
    with warnings.catch_warnings(record=True) as noted:
        warnings.simplefilter("always")
        for number in range(300):
            row = {"color": "red", "size": 1.0, f"unheard{number}": 1}
            model.classify(row) if use == "classify" else model.learn(row, "a")
    assert len(noted) == 100


def _run_python(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
