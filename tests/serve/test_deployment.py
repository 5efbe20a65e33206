"""The configuration files of the guide to deployment are loaded, and its commands run.

Its sessions run in `test_walkthrough.py`. The first line of a file in the guide is a comment with its name.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import ssl
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import httpx
import pytest
import yaml

from likelier._cli.commands import likelier as program
from likelier._serve.routes import routes
from likelier._serve.run import Options
from postgres import PASSWORD, Postgres, free_port
from postgres import program as postgres_program
from serving import PATIENCE, Served
from test_walkthrough import need

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "guides" / "deployment.md").read_text("utf-8")
FILES = {
    found[2]: found[3]
    for found in re.finditer(
        r"^```(dockerfile|ini|nginx|sh|yaml)\n# ([^\n]*)\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL
    )
}
LIKELIER = Path(sys.executable).with_name("likelier")
TOKENS = "dashboard read dashboard-secret\nanna teach anna-secret\nroot admin admin-secret\n"
ANNA = {"authorization": "Bearer anna-secret"}
TEXT = {"text": "The kettle leaks", "label": "returns"}


def test_every_configuration_has_a_name() -> None:
    assert len(FILES) == len(re.findall(r"^```(?:dockerfile|ini|nginx|sh|yaml)$", GUIDE, re.MULTILINE)) == 11


# ---- systemd -----------------------------------------------------------------------------------------------------


@pytest.fixture
def units(tmp_path: Path) -> Path:
    """The unit, and the template with its drop-in, with the program of this environment."""
    need("systemd-analyze")
    unit = FILES["/etc/systemd/system/likelier.service"]
    worker = FILES["/etc/systemd/system/likelier@.service.d/worker.conf"]
    (tmp_path / "likelier@.service.d").mkdir()
    for name, content in {
        "likelier.service": unit,
        "likelier@.service": unit,
        "likelier@.service.d/worker.conf": worker,
    }.items():
        (tmp_path / name).write_text(content.replace("/opt/likelier/bin/likelier", str(LIKELIER)))
    return tmp_path


def analyzed(units: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["systemd-analyze", *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, "SYSTEMD_UNIT_PATH": f"{units}:"},
    )


@pytest.mark.parametrize("name", ["likelier.service", "likelier@8001.service"])
def test_systemd_takes_the_unit(name: str, units: Path) -> None:
    done = analyzed(units, "verify", "--man=no", name)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_the_unit_is_hardened(units: Path) -> None:
    done = analyzed(units, "security", "--offline=true", "--threshold=20", str(units / "likelier.service"))
    assert done.returncode == 0, done.stdout


def test_the_commands_of_the_units_have_options_that_there_are(units: Path) -> None:
    for name in ("likelier.service", "likelier@.service.d/worker.conf"):
        command = re.search(r"^ExecStart=(\S+ serve .*(?:\\\n.*)*)", (units / name).read_text(), re.MULTILINE)
        assert command is not None
        check_options(command[1].replace("\\\n", " ").split()[2:])


def check_options(arguments: list[str]) -> None:
    command = program.get_command(click.Context(program), "serve")
    assert command is not None
    known = {name for each in command.params for name in each.opts}
    assert {each for each in arguments if each.startswith("--")} <= known


def allowed_calls(names: list[str]) -> set[str]:
    """The system calls of these groups."""
    found = set[str]()
    for name in names:
        if not name.startswith("@"):
            found.add(name)
            continue
        done = subprocess.run(["systemd-analyze", "syscall-filter", name], capture_output=True, text=True, check=True)
        found |= allowed_calls([line.strip() for line in done.stdout.splitlines()[1:] if line.strip()[:1] not in "#"])
    return found


@pytest.mark.slow
def test_the_unit_allows_every_system_call_of_a_server(folder: Path, tmp_path: Path) -> None:
    need("systemd-analyze", "strace")
    filtered = re.findall(r"^SystemCallFilter=(.*)$", FILES["/etc/systemd/system/likelier.service"], re.MULTILINE)
    trace = tmp_path / "trace"
    port = str(free_port())
    command = [sys.executable, "-m", "likelier", "serve", "shop.likelier", "--teach-openly", "--port", port]
    traced = ["strace", "-f", "-qq", "-o", str(trace), *command]
    with subprocess.Popen(traced, cwd=folder, stderr=subprocess.DEVNULL, start_new_session=True) as process:
        try:
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE, trust_env=False) as client:
                wait_until_ready(client)
                assert client.post("/v1/learn", json=TEXT).status_code == 200
                for path in ("/v1/evaluate", "/v1/teachers", "/v1/export/model", "/metrics"):
                    assert client.get(path).status_code == 200
            server = trace.read_text().split(maxsplit=1)[0]
            os.kill(int(server), signal.SIGTERM)
            process.wait(PATIENCE)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    used = set(re.findall(r"^\d+ +([a-z]\w*)\(", trace.read_text(), re.MULTILINE))
    assert {"accept4", "fsync"} & used
    assert used - allowed_calls(filtered) == set()


def wait_until_ready(client: httpx.Client) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            if client.get("/readyz").status_code == 200:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.05)
    raise AssertionError("not ready")


# ---- nginx -------------------------------------------------------------------------------------------------------


class Proxied:
    """nginx with the configuration of the guide, in front of these servers."""

    def __init__(self, folder: Path, *servers: Served) -> None:
        need("nginx", "openssl")
        folder.mkdir()
        self.port = free_port()
        pair = ["-keyout", "key.pem", "-out", "certificate.pem", "-subj", "/CN=likelier.example.org", "-days", "1"]
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", *pair],
            cwd=folder,
            check=True,
            capture_output=True,
        )
        (folder / "likelier.conf").write_text(self._configuration(folder, servers))
        places = "".join(
            f"{name}_temp_path {folder / name};\n" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        user = "user root;\n" if os.geteuid() == 0 else ""  # the folder belongs to whoever runs the test
        (folder / "nginx.conf").write_text(
            f"{user}daemon off;\npid {folder / 'pid'};\nerror_log {folder / 'error.log'};\nevents {{}}\n"
            f"http {{\naccess_log off;\n{places}include {folder / 'likelier.conf'};\n}}\n"
        )
        self._command = ["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")]
        tried = subprocess.run([*self._command, "-t"], capture_output=True, text=True)
        assert tried.returncode == 0, tried.stderr
        self.process = subprocess.Popen(self._command)
        self.client = httpx.Client(
            base_url=f"https://127.0.0.1:{self.port}",
            headers={"host": "likelier.example.org"},
            verify=False,
            trust_env=False,
            timeout=PATIENCE,
        )
        wait_until_ready(self.client)

    def _configuration(self, folder: Path, servers: tuple[Served, ...]) -> str:
        found = FILES["/etc/nginx/conf.d/likelier.conf"].replace("listen 443 ssl", f"listen 127.0.0.1:{self.port} ssl")
        found = found.replace("/etc/ssl/likelier", str(folder))
        for place, server in enumerate(servers):
            before = f"server 127.0.0.1:{8000 + place};"
            assert before in found
            found = found.replace(f"# {before}", before).replace(
                before, f"server {server.url.removeprefix('http://')};"
            )
        return found

    def stop(self) -> None:
        self.client.close()
        self.process.terminate()
        self.process.wait(PATIENCE)


@pytest.fixture
def proxied(tmp_path: Path) -> Iterator[Callable[..., Proxied]]:
    started: list[Proxied] = []

    def start(*servers: Served) -> Proxied:
        started.append(Proxied(tmp_path / f"nginx{len(started)}", *servers))
        return started[-1]

    yield start
    for each in started:
        each.stop()


@pytest.fixture
def guarded(serve: Callable[..., Served], folder: Path) -> Served:
    """A server with tokens."""
    (folder / "tokens").write_text(TOKENS)
    return serve("shop.likelier", "--tokens", "tokens")


def test_a_client_reaches_the_server_over_tls(guarded: Served, proxied: Callable[..., Proxied]) -> None:
    client = proxied(guarded).client
    assert client.post("/v1/learn", json=TEXT, headers=ANNA).json()["position"] == 1
    assert client.post("/v1/classify", json={"text": "kettle"}, headers=ANNA).json()["position"] == 1


@pytest.mark.parametrize("host", ["likelier.example.org", "localhost", "127.0.0.1", "[::1]"])
def test_without_a_token_nobody_gets_through_whatever_host_they_name(
    host: str, guarded: Served, proxied: Callable[..., Proxied]
) -> None:
    client = proxied(guarded).client
    for method, path in (("GET", "/v1/documents"), ("GET", "/v1/model"), ("GET", "/metrics"), ("POST", "/v1/learn")):
        answer = client.request(method, path, headers={"host": host})
        assert answer.status_code in (401, 403), path


def test_without_the_line_of_the_guide_strangers_could_read(guarded: Served) -> None:
    """The reason for that line."""
    assert guarded.ask("GET", "/v1/documents").status_code == 200


def test_json_lines_are_answered_while_they_arrive(guarded: Served, proxied: Callable[..., Proxied]) -> None:
    port = proxied(guarded).port
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    lines = [b'{"id": %d, "text": "kettle"}\n' % number for number in range(3)]
    with (
        socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as plain,
        context.wrap_socket(plain, server_hostname="likelier.example.org") as stream,
    ):
        stream.sendall(
            b"POST /v1/classify HTTP/1.1\r\nHost: likelier.example.org\r\nContent-Type: application/x-ndjson\r\n"
            b"Authorization: Bearer anna-secret\r\nTransfer-Encoding: chunked\r\n\r\n"
        )
        answer = b""
        for number, line in enumerate(lines):
            stream.sendall(b"%x\r\n%s\r\n" % (len(line), line))
            while b'"id":%d' % number not in answer:  # before the next one is sent
                piece = stream.recv(1 << 16)
                assert piece, answer
                answer += piece


@pytest.mark.parametrize("words", [5, 5_000])
def test_a_megabyte_of_json_lines_gets_through(words: int, guarded: Served, proxied: Callable[..., Proxied]) -> None:
    line = json.dumps({"text": "kettle " * words}).encode() + b"\n"
    lines = 1_000_000 // len(line)
    sent = {**ANNA, "content-type": "application/x-ndjson"}
    answer = proxied(guarded).client.post("/v1/classify", content=line * lines, headers=sent)
    assert (answer.status_code, answer.text.count("\n")) == (200, lines)


def test_a_body_that_is_too_large_does_not_reach_the_server(guarded: Served, proxied: Callable[..., Proxied]) -> None:
    answer = proxied(guarded).client.post("/v1/learn", json={**TEXT, "text": "x" * (17 << 20)}, headers=ANNA)
    assert (answer.status_code, answer.headers["server"][:5]) == (413, "nginx")


def test_two_workers_behind_the_proxy_learn_the_same(
    serve: Callable[..., Served], folder: Path, proxied: Callable[..., Proxied], database: str
) -> None:
    (folder / "tokens").write_text(TOKENS)
    shutil.copy(folder / "shop.likelier", folder / "other.likelier")
    workers = [serve(name, "--tokens", "tokens", "--log", database) for name in ("shop.likelier", "other.likelier")]
    client = proxied(*workers).client
    for number in range(10):
        taught = client.post("/v1/learn", json={"text": f"kettle {number}", "label": "returns"}, headers=ANNA).json()
    assert taught["position"] == 10
    for worker in workers:
        wait_for_position(worker, 10)
        assert worker.get("/v1/model")["digest"] == taught["digest"]
    assert workers[0].stop() == 0
    for _ in range(10):
        assert client.post("/v1/classify", json={"text": "kettle"}, headers=ANNA).status_code == 200


def wait_for_position(server: Served, position: int) -> None:
    end = time.monotonic() + PATIENCE
    while server.get("/v1/model")["position"] < position:
        assert time.monotonic() < end
        time.sleep(0.02)


def test_the_commands_for_a_replica_bring_it_up_to_date(guarded: Served, folder: Path, tmp_path: Path) -> None:
    need("curl")
    shutil.copy(folder / "shop.likelier", tmp_path / "shop.likelier")
    replica = Served(tmp_path / "shop.likelier", "--read-only")
    try:
        guarded.post("/v1/learn", TEXT, token="anna-secret")
        script = FILES["on a replica"].replace("http://127.0.0.1:8000", guarded.url)
        script = script.replace("systemctl reload likelier", f"kill -HUP {replica.process.pid}")
        variables = {**os.environ, "TOKEN": "dashboard-secret", "no_proxy": "127.0.0.1"}
        subprocess.run(["sh", "-eux"], input=script, text=True, cwd=tmp_path, env=variables, check=True)
        replica.wait_for("loaded")
        asked = {"text": "The kettle leaks"}
        taught, copied = (server.post("/v1/classify", asked)["probabilities"] for server in (guarded, replica))
        assert taught == copied
        assert replica.get("/v1/model")["position"] == 0
    finally:
        replica.kill()


# ---- containers --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def container() -> dict[str, list[str]]:
    """Every instruction of the container file, with its arguments."""
    found: dict[str, list[str]] = {}
    for line in FILES["Containerfile"].replace("\\\n", " ").splitlines():
        name, _, rest = line.partition(" ")
        found.setdefault(name, []).append(rest.strip())
    return found


def test_the_container_starts_a_server_with_options_that_there_are(container: dict[str, list[str]]) -> None:
    assert json.loads(container["ENTRYPOINT"][0]) == ["likelier", "serve"]
    check_options(json.loads(container["CMD"][0]))
    assert container["EXPOSE"] == [str(Options(Path("model")).port)]


def test_the_container_installs_the_wheel_with_an_extra_that_there_is(container: dict[str, list[str]]) -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    (extra,) = re.findall(r"likelier-\*\.whl\)\[(\w+)\]", container["RUN"][0])
    assert extra in project["optional-dependencies"]
    assert container["COPY"] == ["dist/likelier-*.whl /tmp/"]
    assert "--out dist" in (ROOT / "Makefile").read_text("utf-8")


def test_the_container_does_not_run_as_root(container: dict[str, list[str]]) -> None:
    assert int(container["USER"][0]) > 0
    assert f"--uid {container['USER'][0]} " in container["RUN"][0]
    assert container["VOLUME"] == container["WORKDIR"] == ["/data"]


def test_the_health_check_of_the_container_tells_whether_a_server_is_there(
    container: dict[str, list[str]], shop: Served
) -> None:
    python, *arguments = json.loads(container["HEALTHCHECK"][0].partition("CMD ")[2])
    assert python == "python"

    def status(url: str) -> int:
        command = [sys.executable, *(each.replace("http://127.0.0.1:8000", url) for each in arguments)]
        return subprocess.run(command, capture_output=True).returncode

    assert status(shop.url) == 0
    assert status(f"http://127.0.0.1:{free_port()}") != 0


def test_the_probes_ask_what_needs_no_token() -> None:
    pod = yaml.safe_load(FILES["part of a pod"])["spec"]
    (one,) = pod["containers"]
    for name in ("startupProbe", "readinessProbe", "livenessProbe"):
        asked = one[name]["httpGet"]
        assert routes()[asked["path"]]["GET"].role == "nobody"
        assert asked["port"] == one["ports"][0]["containerPort"] == Options(Path("model")).port


# ---- monitoring --------------------------------------------------------------------------------------------------


def metrics(server: Served, token: str | None = None) -> set[str]:
    """The names of all metrics, as they are written in expressions."""
    text = server.ask("GET", "/metrics", token=token).text
    return set(re.findall(r"^(likelier_\w+)", text, re.MULTILINE))


def test_prometheus_gets_the_metrics_with_its_token(guarded: Served) -> None:
    (job,) = yaml.safe_load(FILES["prometheus.yml"])["scrape_configs"]
    assert job.keys() == {"job_name", "authorization", "static_configs"}  # a bearer token is sent to /metrics
    assert "likelier_ready" in metrics(guarded, "dashboard-secret")


def test_alerts_are_made_of_metrics_that_there_are(shop: Served) -> None:
    shop.post("/v1/learn", TEXT)
    shop.post("/v1/classify", {"text": "kettle"})
    there = metrics(shop)
    (group,) = yaml.safe_load(FILES["likelier-alerts.yml"])["groups"]
    for rule in group["rules"]:
        assert rule.keys() <= {"alert", "expr", "for"}
        used = set(re.findall(r"likelier_\w+", rule["expr"]))
        assert used <= there, rule["alert"]
        assert used
    routed = {path for rule in group["rules"] for path in re.findall(r'route="(.*?)"', rule["expr"])}
    assert routed <= set(routes())


def test_the_table_of_metrics_is_what_there_is(shop: Served) -> None:
    shop.post("/v1/learn", TEXT)
    table = GUIDE.split("| metric | meaning |")[1].split("\n\n")[0]
    named = set(re.findall(r"`(likelier_\w+)`", table))
    there = {re.sub(r"_(bucket|count|sum|created)$", "", name) for name in metrics(shop)}
    assert named == {name for name in there if f"{name}_total" not in there}


# ---- backup ------------------------------------------------------------------------------------------------------


def copied(log: Path, target: Path) -> None:
    with sqlite3.connect(log) as connection:
        connection.execute("VACUUM INTO ?", [str(target)])
    connection.close()


def test_a_log_that_was_copied_before_the_model_file_may_not_know_it(
    serve: Callable[..., Served], folder: Path, tmp_path: Path
) -> None:
    """The reason for the order."""
    server = serve("shop.likelier", "--teach-openly", "--snapshot-lessons", "1")
    copied(folder / "shop.likelier.log.sqlite", tmp_path / "shop.likelier.log.sqlite")
    server.post("/v1/learn", TEXT)
    server.wait_for("snapshot")
    shutil.copy(folder / "shop.likelier", tmp_path)
    with pytest.raises(AssertionError, match="does not know the model file"):
        Served(tmp_path / "shop.likelier")


def test_without_texts_a_snapshot_between_the_copies_spoils_the_backup(
    serve: Callable[..., Served], folder: Path, tmp_path: Path
) -> None:
    server = serve("shop.likelier", "--teach-openly", "--without-texts", "--snapshot-lessons", "1")
    shutil.copy(folder / "shop.likelier", tmp_path)
    server.post("/v1/learn", TEXT)
    assert server.stop() == 0
    copied(folder / "shop.likelier.log.sqlite", tmp_path / "shop.likelier.log.sqlite")
    with pytest.raises(AssertionError, match="whose text was erased"):
        Served(tmp_path / "shop.likelier")


def test_the_first_model_file_and_the_log_are_enough(
    serve: Callable[..., Served], folder: Path, tmp_path: Path
) -> None:
    shutil.copy(folder / "shop.likelier", tmp_path)
    server = serve("shop.likelier", "--teach-openly", "--snapshot-lessons", "1")
    for number in range(3):
        taught = server.post("/v1/learn", {"text": f"kettle {number}", "label": "returns"})
    assert server.stop() == 0
    shutil.copy(tmp_path / "shop.likelier", folder / "shop.likelier")
    assert serve("shop.likelier").get("/v1/model")["digest"] == taught["digest"]


def test_a_model_file_that_the_log_does_not_know_is_adopted(serve: Callable[..., Served], folder: Path) -> None:
    server = serve("shop.likelier", "--teach-openly")
    server.post("/v1/learn", TEXT)
    assert server.stop() == 0
    subprocess.run([LIKELIER, "learn", "shop.likelier", "--as", "praise", "Best kettle ever"], cwd=folder, check=True)
    server = serve("shop.likelier", "--teach-openly", "--adopt")
    assert [each["kind"] for each in server.get("/v1/lessons")["lessons"]] == ["learn", "load"]
    assert server.refused("POST", "/v1/undo", {"position": 1}) == (409, "undo-before-load")


def test_the_commands_for_postgresql_back_up_and_restore(
    serve: Callable[..., Served], folder: Path, postgres: Postgres, tmp_path: Path
) -> None:
    need("sh")
    postgres.start()
    name = "shop_of_the_guide"  # for the user and the database
    found = postgres_program("pg_dump")
    assert found is not None
    variables = {
        "PATH": f"{Path(found).parent}{os.pathsep}{os.environ['PATH']}",
        "PGHOST": "127.0.0.1",
        "PGPORT": str(postgres.port),
        "PGUSER": "likelier",
        "PGPASSWORD": PASSWORD,
        "LOG": postgres.url(name),
    }

    def run(title: str) -> None:
        script = re.sub(r"(?<=[ =])likelier(?=\n| likelier$)", name, FILES[title], flags=re.MULTILINE)
        script = re.sub(r"(?<=--owner=)likelier", name, script).replace("/var/lib/likelier/8000", str(folder))
        subprocess.run(["sh", "-eux"], input=script, text=True, cwd=tmp_path, env=variables, check=True)

    run("on the database server")
    server = serve("shop.likelier", "--teach-openly", "--log", postgres.url(name))
    taught = server.post("/v1/learn", TEXT)
    (tmp_path / "backup").mkdir()
    run("backup: the model file first")
    server.post("/v1/learn", {"text": "after the backup", "label": "spam"})
    assert server.stop() == 0
    run("restore")
    shutil.copy(tmp_path / "backup" / "shop.likelier", folder / "shop.likelier")
    restored = serve("shop.likelier", "--teach-openly", "--log", postgres.url(name))
    assert restored.get("/v1/model")["digest"] == taught["digest"]
    assert restored.post("/v1/learn", TEXT)["position"] == 2


# ---- sizing ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("length", [100, 1000])
def test_a_lesson_takes_as_much_room_in_the_log_as_the_guide_says(
    length: int, serve: Callable[..., Served], folder: Path
) -> None:
    said = re.search(r"the text plus (\d+) to (\d+) bytes a lesson", GUIDE)
    assert said is not None
    server = serve("shop.likelier", "--teach-openly")
    log = folder / "shop.likelier.log.sqlite"
    texts = [f"{number} {'kettle ' * length}"[:length] for number in range(2000)]
    server.post("/v1/learn", {"texts": texts, "labels": ["returns"] * len(texts)})
    assert server.stop() == 0
    room = log.stat().st_size / len(texts) - length
    assert int(said[1]) * 0.8 < room < int(said[2]) * 1.2
