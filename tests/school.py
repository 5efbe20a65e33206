"""A scribe with its log in this process, for tests of what lessons do to a model."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from likelier._model.exchange import Labeled
from likelier._serve.drafts import Drafting, changing_view, forgetting, learning, relabeling, undoing
from likelier._serve.lessons import decoded
from likelier._serve.live import Live
from likelier._serve.log import Log, Wanted
from likelier._serve.scribe import Request, Scribe
from likelier._serve.snapshots import Snapshots, read_model
from likelier._serve.sqlite_log import SqliteLog


class School:
    """A model file, its log beside it, and a scribe at work."""

    def __init__(
        self,
        path: Path,
        *,
        texts: bool = True,
        failed: Callable[[BaseException], object] = print,
        log: Log | None = None,
        adopt: bool = False,
    ) -> None:
        self.log = log or SqliteLog(Path(f"{path}.log.sqlite"))
        self.snapshots = Snapshots(str(path), texts=texts)
        model, checksum, base = read_model(path)
        live = self.snapshots.begin(model, checksum, base, self.log, adopt=adopt)
        self.scribe = Scribe(self.log, live, self.snapshots, failed)
        for span in self.log.spans(live.position):
            self.scribe.follow(span)
        self.scribe.start()

    @property
    def live(self) -> Live:
        return self.scribe.live

    def teach(self, drafting: Drafting, name: str = "anna", key: str | None = None, body: bytes = b"") -> Any:
        """The answer, when it is written and taught."""
        request = Request(name, drafting, key, None if key is None else body)
        return decoded(self.scribe.ask(request).result(60))

    def learn(self, document: Any, label: Any, name: str = "anna", weight: float = 1, **given: Any) -> Any:
        return self.teach(learning([Labeled(document, label, weight)]), name, **given)

    def forget(self, document: Any, label: Any, name: str = "anna", weight: float = 1, **given: Any) -> Any:
        return self.teach(forgetting([Labeled(document, label, weight)]), name, **given)

    def relabel(self, document: Any, label: Any, name: str = "anna", old: Any = None) -> Any:
        return self.teach(relabeling(document, label, old, 1), name)

    def change(self, name: str = "anna", **changes: Any) -> Any:
        return self.teach(changing_view(lambda model: model.settings.changed_from_dict(changes)), name)

    def undo(self, *positions: int, who: str = "root", only: str | None = None, **wanted: Any) -> Any:
        """wanted: the name or the span of time whose lessons are undone."""
        found = Wanted(positions=positions or None, **wanted)
        return self.teach(undoing(self.log, found, only=only), who)

    def close(self) -> None:
        """As SIGTERM does."""
        self.scribe.stop()
        self.log.close()
