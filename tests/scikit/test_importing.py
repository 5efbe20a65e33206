"""scikit-learn is wanted only by those who use it."""

from __future__ import annotations

import subprocess
import sys


def python(program: str) -> str:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.strip()


def test_likelier_alone_imports_neither_scikit_learn_nor_scipy():
    assert python("import likelier, sys; print({'sklearn', 'scipy', 'pandas'} & set(sys.modules))") == "set()"


def test_without_scikit_learn_the_error_says_what_to_install():
    program = (
        "import sys; sys.modules['sklearn'] = None\n"
        "import likelier\n"
        "try:\n    import likelier.sklearn\n"
        "except likelier.SettingError as error:\n    print(error.code, error.hint, sep='; ')"
    )
    assert python(program).split("; ") == ["scikit-learn-missing", "pip install likelier[sklearn]"]
