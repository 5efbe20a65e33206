"""`python -m likelier.demo`."""

from __future__ import annotations

import io
import os
import shutil
import sys

from likelier.demo import run


def main() -> None:
    """Shows the demo, in colour where a person watches."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal without block characters still shows the numbers
    watched = sys.stdout.isatty()
    columns = shutil.get_terminal_size().columns if watched else 80
    run(sys.stdout, color=watched and not os.environ.get("NO_COLOR"), width=min(max(columns, 60), 120))


if __name__ == "__main__":
    main()
