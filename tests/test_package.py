"""What is handed to others: the wheel, the source distribution and the page of the package index."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest

from installed import only_wheel, tried
from likelier import _kernel

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
NOTICE = "THIRD-PARTY-LICENSES.txt"


@pytest.fixture(scope="module")
def wheel() -> Path:
    if os.environ.get("CI") != "true" and not list((ROOT / "dist").glob("*.whl")):
        pytest.skip("there is no wheel in dist; `make wheel` builds it")
    return only_wheel(ROOT / "dist")


# ---- the page of the package index -------------------------------------------------------------------------------


def test_every_link_of_the_package_page_is_absolute():
    page = (ROOT / PROJECT["readme"]).read_text("utf-8")
    links = re.findall(r"\]\(([^)\s]+)\)|(?:href|src)=\"([^\"]+)\"", page)
    assert [link for pair in links for link in pair if link and not link.startswith("https://")] == []


def test_every_file_that_the_package_page_names_is_in_the_source_distribution():
    page = (ROOT / PROJECT["readme"]).read_text("utf-8")
    named = set(re.findall(r"`([\w/.-]+\.(?:md|txt))`", page))
    included = {"docs/README.md", "SECURITY.md", "CHANGELOG.md", NOTICE}
    assert named == included
    assert all((ROOT / name).exists() for name in named)


# ---- licenses ----------------------------------------------------------------------------------------------------


def test_the_notice_names_every_crate_that_the_kernel_depends_on_in_its_version():
    crates = tomllib.loads((ROOT / "rust" / "Cargo.toml").read_text("utf-8"))["dependencies"]
    locked = tomllib.loads((ROOT / "rust" / "Cargo.lock").read_text("utf-8"))["package"]
    notice = (ROOT / NOTICE).read_text("utf-8")
    named = dict(re.findall(r"^([\w-]+) (\d+\.\d+\.\S+) .*\[\d+\]$", notice, re.MULTILINE))
    versions = {name: {package["version"] for package in locked if package["name"] == name} for name in crates}
    assert {name: named.get(name) in versions[name] for name in crates} == dict.fromkeys(crates, True)


def test_the_notice_has_the_license_of_the_allocator_which_is_written_in_c():
    assert "Microsoft Corporation, Daan Leijen" in (ROOT / NOTICE).read_text("utf-8")


@pytest.mark.slow
def test_the_wheel_carries_all_licenses(wheel):
    with ZipFile(wheel) as content:
        (notice,) = (name for name in content.namelist() if name.endswith(f".dist-info/licenses/{NOTICE}"))
        assert content.read(notice) == (ROOT / NOTICE).read_bytes()
        assert notice.replace(NOTICE, "LICENSE") in content.namelist()


# ---- paths -------------------------------------------------------------------------------------------------------


def paths_of_this_machine() -> list[bytes]:
    homes = (Path.home(), Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo")), ROOT)
    return [os.fsencode(f"{path}{os.sep}") for path in homes if path.name] + [b".cargo", b"/registry/src/"]


@pytest.mark.slow
def test_no_file_of_the_wheel_names_a_path_of_the_machine_that_built_it(wheel):
    with ZipFile(wheel) as content:
        files = {name: content.read(name) for name in content.namelist()}
    named = [(name, path) for name, data in files.items() for path in paths_of_this_machine() if path in data]
    assert named == []


@pytest.mark.slow
def test_the_kernel_that_make_built_names_no_path_either():
    kernel = Path(_kernel.__file__).read_bytes()
    assert [path for path in paths_of_this_machine() if path in kernel] == []


# ---- the wheel ---------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="other systems have other tags")
def test_auditwheel_agrees_that_the_wheel_runs_on_systems_of_2014_and_every_python_from_3_11_on(wheel):
    assert re.search(r"-cp311-abi3-manylinux2014_\w+\.manylinux_2_17_\w+\.whl$", wheel.name)
    command = [sys.executable, "-m", "auditwheel", "show", str(wheel)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert 'is consistent with the following platform tag: "manylinux_2_17_' in " ".join(said.split())


@pytest.mark.slow
def test_the_wheel_works_where_there_is_no_cargo_and_no_source(wheel, tmp_path):
    kernel, *said = tried(wheel, tmp_path).splitlines()
    assert Path(kernel).is_relative_to(tmp_path)
    assert any(line.startswith("1. ") for line in said)
    assert said[-1] == "delivery"


# ---- the source distribution -------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_source_distribution_has_what_a_build_needs_and_the_documentation_and_nothing_else(tmp_path):
    command = [sys.executable, "-m", "maturin", "sdist", "--out", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as content:
        names = {name.partition("/")[2] for name in content.getnames()}
    built = {"target", "__pycache__"}
    sources = [path.relative_to(ROOT) for top in ("src", "rust", "docs") for path in (ROOT / top).rglob("*.*")]
    needed = {path.as_posix() for path in sources if not built & set(path.parts) and (ROOT / path).is_file()}
    needed -= {"docs/conftest.py", *(name for name in needed if name.endswith((".so", ".pyd")))}
    top = {"PKG-INFO", "pyproject.toml", "LICENSE", NOTICE, "README.md", "PACKAGE.md", "SECURITY.md", "CHANGELOG.md"}
    assert names == needed | top
