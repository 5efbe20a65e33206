"""`python -m likelier.demo`."""

from __future__ import annotations

import io
import os
import shutil
import sys

from likelier.demo import run


def main() -> None:
    """Shows the demo, in color where a person watches."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal without block characters still shows the numbers
    watched = sys.stdout.isatty()
    columns = shutil.get_terminal_size().columns if watched else 80
    try:
        run(sys.stdout, color=watched and not os.environ.get("NO_COLOR"), width=min(max(columns, 60), 120))
        sys.stdout.flush()
    except BrokenPipeError:  # the reader, `head` for instance, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
