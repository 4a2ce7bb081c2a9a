"""Every claim has a check: examples run, links lead somewhere, and what the docs name exists."""

from __future__ import annotations

import ast
import json
import os
import re
import shlex
import subprocess
import sys
import typing
from collections.abc import AsyncGenerator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import msgspec
import pytest
import typer.main
from tests.fleets import FAKE, fleet_of
from tests.web import Site, serve_page

import webgym
from webgym import errors
from webgym.browser.config import ChromiumConfig, EgressConfig
from webgym.browser.server.supervise import Fleet
from webgym.cli.main import app
from webgym.records.action import Action
from webgym.records.observation import FailedReason, Observation
from webgym.records.session import Look, SessionSpec

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
CHROMIUM = "webgym.browser.server.chromium.browser:ChromiumBrowser"
EXAMPLE = "https://example.com"
HTML = """<!doctype html><title>Example Domain</title><body style="margin:0; min-height:2000px">
<a href="/next">More information</a><p>0</p>
<script>n = 0; onclick = () => { document.querySelector("p").textContent = ++n; }</script>"""

every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


def read(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


@dataclass(frozen=True)
class Block:
    """Fenced code, and the JSON shown after it, if any."""

    language: str
    code: str
    shows: Any = None


def blocks(name: str, *languages: str) -> list[Block]:
    fences = re.findall(r"^```(\w*)\n(.*?)^```$", read(name), re.MULTILINE | re.DOTALL)
    found: list[Block] = []
    for (language, code), (following, shown) in zip(fences, [*fences[1:], ("", "")], strict=True):
        if language in languages:
            found.append(Block(language, code, json.loads(shown) if following == "json" else None))
    return found


def section(name: str, heading: str) -> str:
    return re.split(r"^## ", read(name).split(f"\n## {heading}\n", 1)[1], maxsplit=1, flags=re.MULTILINE)[0]


def rows(name: str, heading: str) -> list[list[str]]:
    """The cells of every table row of a section."""
    lines = [line for line in section(name, heading).splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines[1:]]


def spans(text: str) -> set[str]:
    return set(re.findall(r"`([^`\n]+)`", text))


# -- what the docs name, exists ---------------------------------------------------------------------------------------


def without_code(text: str) -> str:
    return re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL))


def anchors(page: Path) -> set[str]:
    headings = re.findall(
        r"^#+ (.+)$", re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL), re.MULTILINE
    )
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@every_page
def test_every_relative_link_leads_somewhere(page: Path):
    for link in re.findall(r"\]\(([^)\s]+)\)", without_code(page.read_text("utf-8"))):
        if link.startswith(("https://", "http://", "mailto:")):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{page.name}: {link}"
        assert not anchor or anchor in anchors(target), f"{page.name}: {link}"


def commands(text: str) -> Iterator[list[str]]:
    """Every `webgym …` in code, as words."""
    code = [
        line
        for fence in re.findall(r"^```\w*\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
        for line in fence.splitlines()
    ]
    for line in [*code, *spans(re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL))]:
        for part in re.split(r"&&|;|\||=(?=/)", line.partition(" #")[0]):
            words = part.split()
            if len(words) > 1 and words[0].rpartition("/")[2] == "webgym":
                yield shlex.split(part)[1:]


def misnamed(words: list[str]) -> str:
    """What of this command line the program does not know; empty if it knows all."""
    command: Any = typer.main.get_command(app)
    for word in words:
        known = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
        if word.startswith("--"):
            if word.partition("=")[0] not in known | {"--help"}:
                return word
        elif hasattr(command, "commands"):
            if word not in command.commands:
                return word
            command = command.commands[word]
    return ""


@every_page
def test_every_command_exists(page: Path):
    for words in commands(page.read_text("utf-8")):
        assert not misnamed(words), f"{page.name}: webgym {' '.join(words)}"


def test_commands_are_found_in_the_docs_and_unknown_ones_are_caught():
    named = {words[0] for page in PAGES for words in commands(page.read_text("utf-8"))}
    assert {"serve", "status", "doctor", "setup", "demo", "bench"} <= named
    assert misnamed(["fly"]) == "fly"
    assert misnamed(["serve", "--wings"]) == "--wings"


@pytest.mark.parametrize("option", ["serve", "bench sessions"])
def test_options_in_tables_exist(option: str):
    page = {"serve": "docs/serving.md", "bench sessions": "docs/benchmarks.md"}[option]
    flags = set(re.findall(r"`(--[\w-]+)", read(page)))
    unknown = {flag for flag in flags if misnamed([*option.split(), flag])} - {"--authority", "--json"}
    assert not unknown


@every_page
def test_every_make_target_exists(page: Path):
    targets = set(re.findall(r"^([a-z-]+):", read("Makefile"), re.MULTILINE))
    text = page.read_text("utf-8")
    named = re.findall(r"(?:^|`)make (?:\w+=\S+ )?([a-z-]+)", text, re.MULTILINE)
    assert set(named) <= targets


def test_every_test_named_in_the_architecture_exists():
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", read("ARCHITECTURE.md"))
    assert len(named) > 30
    for path, test in named:
        assert re.search(rf"^(async )?def {test}\(", read(path), re.MULTILINE), f"{path}::{test}"


@every_page
def test_every_file_named_exists(page: Path):
    named = re.findall(r"`((?:src|tests|examples|docs)/[\w./-]+)`", page.read_text("utf-8"))
    assert not [path for path in named if not (ROOT / path).exists()]


def source() -> str:
    return "\n".join(path.read_text("utf-8") for path in (ROOT / "src").rglob("*.py"))


def test_every_metric_and_variable_exists():
    code = source()
    documented = "\n".join(page.read_text("utf-8") for page in PAGES)
    metrics = {re.sub(r"(_total)?(\{.*)?$", "", span) for span in spans(documented) if span.startswith("webgym_")}
    assert len(metrics) > 10
    assert not [name for name in metrics if f'"{name}"' not in code]
    assert not [name for name in set(re.findall(r"WEBGYM_[A-Z_]+", documented)) if name not in code]


def test_the_protocols_shown_are_those_of_the_code():
    shown = blocks("docs/browser.md", "python")
    assert len(shown) == 2
    for block in shown:
        assert block.code in read("src/webgym/stages.py")


def kinds() -> dict[str, type[msgspec.Struct]]:
    return {str(kind.__struct_config__.tag): kind for kind in typing.get_args(Action)}


def test_every_action_is_documented_with_its_fields():
    documented = {spans(row[1]).pop(): row for row in rows("docs/browser.md", "Actions")}
    assert documented.keys() == kinds().keys()
    for tag, kind in kinds().items():
        name, _, fields, _ = documented[tag]
        assert name == f"`{kind.__name__}`"
        assert [span.partition("=")[0] for span in re.findall(r"`([^`]+)`", fields)] == list(kind.__struct_fields__)
        for span in re.findall(r"`([^`]+=[^`]+)`", fields):
            field, _, default = span.partition("=")
            assert default_of(kind, field) == ast.literal_eval(default), span
    assert f"{len(kinds())} actions" in read("README.md")


def default_of(kind: type[msgspec.Struct], name: str) -> object:
    field = next(field for field in msgspec.structs.fields(kind) if field.name == name)
    return field.default_factory() if field.default is msgspec.NODEFAULT else field.default


@pytest.mark.parametrize(("heading", "kind"), [("Options", SessionSpec), ("What to look at", Look)])
def test_every_option_is_documented_with_its_default(heading: str, kind: type[msgspec.Struct]):
    table = rows("docs/browser.md", heading)
    assert {name for row in table for name in spans(row[0])} == set(kind.__struct_fields__)
    for row in table:
        for name, default in zip(re.findall(r"`(\w+)`", row[0]), re.findall(r"`([^`]+)`", row[1]), strict=False):
            assert default_of(kind, name) == ast.literal_eval(default), name


def test_every_field_of_an_observation_is_documented():
    documented = {name for row in rows("docs/browser.md", "Observations") for name in spans(row[0])}
    assert documented == set(Observation.__struct_fields__)


def test_every_failure_and_loss_is_documented():
    documented = {name for row in rows("docs/browser.md", "Effects") for name in spans(row[0])}
    assert documented == {reason.value for reason in FailedReason}
    assert {reason.value for reason in errors.LossReason} <= spans(section("docs/browser.md", "Errors"))


def test_every_error_is_documented_with_its_code_and_status():
    documented = {tuple(cell.strip("`") for cell in row[:3]) for row in rows("docs/browser.md", "Errors")}
    raised = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.WebGymError)]
    raised.remove(errors.WebGymError)
    assert documented == {(kind.__name__, kind.code, str(kind.status)) for kind in raised}


def test_every_figure_explained_is_one_that_is_reported():
    labels = re.findall(r'^    \("([^"]+)", lambda', read("src/webgym/bench/report.py"), re.MULTILINE)
    reported = [label.strip() for label in labels]
    for row in rows("docs/benchmarks.md", "Reading it"):
        assert any(label.startswith(row[0].partition(",")[0]) for label in reported), row[0]


def test_every_dependency_has_its_reason():
    reasons = read("docs/design/006-dependencies.md").lower()
    for requirement in re.findall(r'^  "([a-z-]+)>=', read("pyproject.toml"), re.MULTILINE):
        assert requirement in reasons, requirement


def test_the_version_is_the_same_everywhere():
    assert f"version: {webgym.__version__}\n" in read("CITATION.cff")
    assert f"## [{webgym.__version__}]" in read("CHANGELOG.md")
    assert f'version = "{webgym.__version__}"' in read("pyproject.toml")


# -- what the docs show, runs -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Place:
    """A fleet, and a page that its sessions may reach."""

    fleet: Fleet
    site: Site
    browser: str

    def adapted(self, code: str) -> str:
        """The example with our page in the place of the public one."""
        assert EXAMPLE in code
        return code.replace(EXAMPLE, self.site.url.rstrip("/"))

    async def run(self, *command: str, folder: Path) -> str:
        environment = {**os.environ, "WEBGYM_URL": self.fleet.url, "WEBGYM_TOKEN": self.fleet.token}
        with anyio.fail_after(90):
            done = await anyio.run_process(command, check=False, stderr=subprocess.STDOUT, env=environment, cwd=folder)
        assert done.returncode == 0, done.stdout.decode()
        return done.stdout.decode()

    def check_picture(self, path: Path) -> None:
        data = path.read_bytes()
        assert data.startswith(b"\xff\xd8" if self.browser == CHROMIUM else b"page ")


@pytest.fixture(
    scope="module",
    params=[pytest.param(FAKE, id="fake"), pytest.param(CHROMIUM, id="chromium", marks=pytest.mark.chromium)],
)
async def place(request: pytest.FixtureRequest, anyio_backend: str) -> AsyncGenerator[Place]:
    with serve_page(HTML) as site:
        chromium = ChromiumConfig(egress=EgressConfig(allow=(site.host_port,)))
        async with fleet_of(browser=request.param, chromium=chromium, max_sessions=4) as (fleet, _):
            yield Place(fleet, site, request.param)


@pytest.mark.anyio
async def test_the_readmes_example_runs(place: Place, tmp_path: Path):
    [example] = blocks("README.md", "python")
    (tmp_path / "example.py").write_text(place.adapted(example.code))
    said = await place.run(sys.executable, "example.py", folder=tmp_path)
    assert place.site.host_port in said
    assert "Changed" in said
    place.check_picture(tmp_path / "page.jpg")


@pytest.mark.anyio
@pytest.mark.parametrize("number", range(3))
async def test_the_quickstarts_examples_run(place: Place, number: int, tmp_path: Path):
    examples = blocks("docs/quickstart.md", "python")
    assert len(examples) == 3
    (tmp_path / "example.py").write_text(place.adapted(examples[number].code))
    said = await place.run(sys.executable, "example.py", folder=tmp_path)
    if number == 0:
        place.check_picture(tmp_path / "before.jpg")
        place.check_picture(tmp_path / "after.jpg")
        if place.browser == CHROMIUM:
            assert "[1] link 'More information'" in said
            assert "Failed" not in said


@pytest.mark.anyio
async def test_the_curl_walk_through_runs_and_shows_what_it_says(place: Place, tmp_path: Path):
    walk = blocks("docs/http-api.md", "bash")
    mark = "--- next block ---"
    script = "\n".join(["set -euo pipefail", *(f"{block.code}\necho; echo '{mark}'" for block in walk)])
    (tmp_path / "walk.sh").write_text(place.adapted(script))
    said = (await place.run("bash", "walk.sh", folder=tmp_path)).split(mark)
    for block, output in zip(walk, said, strict=False):
        if block.shows is not None:
            shown = json.loads(output)
            assert covers(block.shows, shown), (block.code, shown)
    place.check_picture(tmp_path / "page.jpg")


def covers(documented: Any, actual: Any) -> bool:
    """Whether what is documented is there, with the same names and types."""
    match documented, actual:
        case dict(), dict():
            return all(key in actual and covers(value, actual[key]) for key, value in documented.items())
        case list(), list():
            return all(covers(one, other) for one, other in zip(documented, actual, strict=False))
        case ((int() | float()), (int() | float())):
            return isinstance(documented, bool) == isinstance(actual, bool)
        case _:
            return type(documented) is type(actual)


@pytest.mark.chromium
def test_the_fleet_started_from_python_runs(tmp_path: Path):
    [example] = blocks("docs/serving.md", "python")
    (tmp_path / "example.py").write_text(example.code)
    assert "about:blank" in run_alone(tmp_path, "example.py")


def test_the_guide_to_own_sessions_quotes_its_example_and_its_check_passes(tmp_path: Path):
    *quotes, check = blocks("docs/own-session.md", "python")
    for quote in quotes:
        assert quote.code in read("examples/own_session.py")
    (tmp_path / "test_own.py").write_text(check.code)
    assert "passed" in run_alone(tmp_path, "-m", "pytest", "-q", "-c", os.devnull, "--rootdir", ".", "test_own.py")


def run_alone(folder: Path, *arguments: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, *arguments]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=90, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
