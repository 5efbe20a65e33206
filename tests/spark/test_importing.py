"""What importing brings with it: nothing of Spark, unless `likelier.spark` is asked for."""

from __future__ import annotations

import subprocess
import sys


def python(program: str) -> str:
    """What this program prints in a new process."""
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.strip()


def test_importing_likelier_or_its_commands_does_not_import_spark() -> None:
    modules = "likelier, likelier._cli.commands.train, likelier._cli.commands.classify"
    assert python(f"import sys, {modules}; print('pyspark' in sys.modules)") == "False"


def test_without_pyspark_the_error_says_what_to_install() -> None:
    program = """
import sys
sys.modules["pyspark"] = None
from likelier import LikelierError
try:
    import likelier.spark
except LikelierError as error:
    print(error.code, error.hint, sep="; ")
"""
    assert python(program).split("; ") == ["spark-missing", "pip install 'likelier[spark]'"]
