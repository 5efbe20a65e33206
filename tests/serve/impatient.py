"""`likelier` with a server that has little patience: a tenth of the usual, so that tests need not wait."""

from __future__ import annotations

from likelier._cli import main
from likelier._serve import connections, run

connections.SLOWEST_HEAD = 1.0
connections.SLOWEST_BODY = 1.5
connections.SLOWEST_READER = 2.0
run.KEEP_ALIVE = 2

if __name__ == "__main__":
    main()
