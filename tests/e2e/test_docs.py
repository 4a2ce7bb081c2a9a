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
import anyio.abc
import jinja2
import msgspec
import pytest
import typer.main
from anyio.streams.buffered import BufferedByteReceiveStream
from tests.child_environment import child_environment
from tests.e2e.curl import path_with
from tests.fleets import FAKE, fleet_of
from tests.web import Site, serve_page

import webgym
from webgym import errors
from webgym.browser.config import ChromiumConfig, EgressConfig
from webgym.browser.server.supervise import Fleet
from webgym.cli.fleet_options import read_fleet
from webgym.cli.main import app
from webgym.records.action import Action
from webgym.records.observation import Element, FailedReason, Observation
from webgym.records.session import Look, SessionSpec
from webgym.records.task import level_of
from webgym_bench.site_pages import SitePages
from webgym_hermetic import controls, render
from webgym_hermetic.__main__ import SitesPlan
from webgym_hermetic.catalogue import sites
from webgym_hermetic.checks.jobs import KINDS
from webgym_hermetic.checks.report import Report
from webgym_hermetic.control.app import control_app
from webgym_hermetic.family import Family, Page, Visit
from webgym_hermetic.ground import run_sites
from webgym_hermetic.registry import FAMILIES, family
from webgym_hermetic.site import Split
from webgym_hermetic.states import States
from webgym_hermetic.tasks.generate import tasks_of
from webgym_hermetic.view import Intent
from webgym_hermetic.weather import Weather

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
CHROMIUM = "webgym.browser.server.chromium.browser:ChromiumBrowser"
EXAMPLE = "https://example.com"
KIT = ROOT / "environments/hermetic/src/webgym_hermetic/kit"
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
            command = command.get_command(typer.Context(command), word)
            if command is None:
                return word
    return ""


@every_page
def test_every_command_exists(page: Path):
    for words in commands(page.read_text("utf-8")):
        assert not misnamed(words), f"{page.name}: webgym {' '.join(words)}"


def test_commands_are_found_in_the_docs_and_unknown_ones_are_caught():
    named = {words[0] for page in PAGES for words in commands(page.read_text("utf-8"))}
    assert {"serve", "status", "doctor", "setup", "demo", "bench", "sites"} <= named
    assert misnamed(["fly"]) == "fly"
    assert misnamed(["serve", "--wings"]) == "--wings"
    assert misnamed(["sites", "fly"]) == "fly"


@pytest.mark.parametrize(
    ("page", "of"),
    [
        ("docs/serving.md", ("serve",)),
        ("docs/benchmarks.md", ("bench sessions", "bench rollouts", "bench flow", "bench settle")),
        ("docs/plan.md", ("plan",)),
        ("docs/studies.md", ("study run", "study show")),
    ],
)
def test_options_in_tables_exist(page: str, of: tuple[str, ...]):
    flags = set(re.findall(r"`(--[\w-]+)", read(page)))
    unknown = {flag for flag in flags if all(misnamed([*command.split(), flag]) for command in of)}
    assert not unknown - {"--authority", "--json"}


@every_page
def test_every_make_target_exists(page: Path):
    targets = set(re.findall(r"^([a-z-]+):", read("Makefile"), re.MULTILINE))
    text = page.read_text("utf-8")
    named = re.findall(r"(?:^|`)make (?:\w+=\S+ )?([a-z-]+)", text, re.MULTILINE)
    assert set(named) <= targets


def test_every_test_named_in_the_architecture_exists():
    named = re.findall(r"`((?:[\w-]+/)*tests/[\w/]+\.py)::(\w+)`", read("ARCHITECTURE.md"))
    assert len(named) > 30
    for path, test in named:
        assert re.search(rf"^(async )?def {test}\(", read(path), re.MULTILINE), f"{path}::{test}"


@every_page
def test_every_file_named_exists(page: Path):
    folders = "src|tests|examples|docs|environments/hermetic|policies/nano|integrations/areal|benchmarks"
    named = re.findall(rf"`((?:{folders})/[\w./-]+)`", page.read_text("utf-8"))
    assert not [path for path in named if not (ROOT / path).exists()]


def source() -> str:
    folders = [ROOT / "src", *ROOT.glob("*/*/src"), ROOT / "benchmarks/src"]
    return "\n".join(path.read_text("utf-8") for folder in folders for path in sorted(folder.rglob("*.py")))


def test_every_metric_and_variable_exists():
    code = source()
    documented = "\n".join(page.read_text("utf-8") for page in PAGES)
    named = [span for span in spans(documented) if re.match(r"webgym_\w+(\{|$)", span)]
    metrics = {re.sub(r"(_total)?(\{.*)?$", "", span) for span in named}
    assert len(metrics) > 10
    assert not [name for name in metrics if f'"{name}"' not in code]
    assert not [
        name
        for name in set(re.findall(r"WEBGYM_[A-Z_]+", documented))
        if name not in code and name != "WEBGYM_UPDATE_GOLDEN"
    ]


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
    elements = {name for row in rows("docs/browser.md", "Elements") for name in spans(row[0])}
    assert elements == set(Element.__struct_fields__)


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
    labels = re.findall(r'^    \("([^"]+)", lambda', read("benchmarks/src/webgym_bench/report.py"), re.MULTILINE)
    reported = [label.strip() for label in labels]
    for row in rows("docs/benchmarks.md", "Reading it"):
        assert any(label.startswith(row[0].partition(",")[0]) for label in reported), row[0]


def test_every_figure_of_the_sites_benchmark_is_documented():
    documented = {name for row in rows("docs/benchmarks.md", "Hermetic sites") for name in spans(row[0])}
    assert documented == set(SitePages.__dataclass_fields__)


def test_every_dependency_has_its_reason():
    reasons = read("docs/design/006-dependencies.md").lower()
    for requirement in re.findall(r'^  "([a-z-]+)>=', read("pyproject.toml"), re.MULTILINE):
        assert requirement in reasons, requirement


# -- the hermetic sites -----------------------------------------------------------------------------------------------


def table(name: str, column: str) -> list[list[str]]:
    """The rows of the table whose first column is headed so; code is unquoted."""
    lines = read(name).split(f"\n| {column} |", 1)[1].split("\n\n", 1)[0].splitlines()[2:]
    return [[cell.strip().strip("`") for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


def parameters(*words: str) -> dict[str, Any]:
    """The options of a command with their defaults."""
    command: Any = typer.main.get_command(app)
    for word in words:
        command = command.get_command(typer.Context(command), word)
    return {parameter.opts[0]: parameter.default for parameter in command.params}


def test_every_family_of_sites_is_documented_with_its_title():
    assert [(row[0], row[1]) for row in table("docs/sites.md", "Family")] == [
        (name, family(name).title) for name in FAMILIES
    ]
    text = read("docs/sites.md")
    assert "50 sites of" in text
    assert len(list(sites())) == 50 * len(FAMILIES)
    for page in ("docs/sites.md", "docs/troubleshooting.md"):
        assert str(50 * len(FAMILIES)) in read(page)


def test_the_options_of_the_sites_commands_are_documented_with_their_defaults():
    serve = {row[0]: row[1] for row in table("docs/sites.md", "Option of `serve`")}
    options = parameters("sites", "serve")
    assert serve.keys() == options.keys() - {"--help"}
    assert all(default in ("all", str(options[name])) for name, default in serve.items())
    check = {name for row in table("docs/sites.md", "Option of `check`") for name in re.findall(r"--[\w-]+", row[0])}
    assert check == parameters("sites", "check").keys() - {"--help"}


def test_splits_and_levels_are_as_documented():
    documented = {row[0]: int(row[1]) for row in table("docs/sites.md", "Split")}
    assert documented.keys() == set(typing.get_args(Split))
    first = list(sites(sum(documented.values()), ("shop",)))
    assert documented == {split: sum(one.split == split for one in first) for split in documented}
    tasks = list(tasks_of(first[0], 20))
    for level, facts, share in table("docs/sites.md", "Level"):
        low = int(facts.split()[0])
        assert level_of(low) == level != level_of(low - 1 or 99)
        assert f"{sum(task.level == level for task in tasks) * 5} %" == share


def test_the_weather_is_documented_with_its_defaults():
    documented = [[cell.strip("`") for cell in row[:2]] for row in rows("docs/sites.md", "Weather")]
    assert {name: ast.literal_eval(default) for name, default in documented} == {
        name: default_of(Weather, name) for name in Weather.__struct_fields__
    }


def test_every_route_of_the_control_plane_is_documented():
    served = {
        f"{method} {route.path}"  # pyright: ignore[reportAttributeAccessIssue]
        for route in control_app({}, States(), "token", 0).routes
        for method in route.methods - {"HEAD"}  # pyright: ignore[reportAttributeAccessIssue]
    }
    assert {row[0] for row in table("docs/sites.md", "Route")} == served


def test_every_kind_of_attempt_and_every_figure_of_a_check_is_documented():
    assert tuple(row[0] for row in table("docs/sites.md", "Attempt")) == KINDS
    shown = section("docs/sites.md", "Check them").split("The line has", 1)[1]
    assert spans(shown) - {"--all"} == Report([], None, 0.0).as_json().keys()


def test_what_an_oracle_can_want_and_what_a_family_is_made_of_is_documented():
    assert [row[0] for row in table("docs/own-site.md", "Intent")] == [
        kind.__name__ for kind in typing.get_args(Intent)
    ]
    parts = {name for row in rows("docs/own-site.md", "A family") for name in spans(row[0])}
    assert parts == set(Family.__dataclass_fields__)
    operated = section("docs/own-site.md", "A goal").split("`webgym_hermetic.controls`", 1)[1]
    assert all(hasattr(controls, name) for name in spans(operated))


def test_every_component_of_the_kit_is_documented():
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(KIT / "templates"), autoescape=True)
    macros = vars(environment.get_template("kit/ui.html").make_module({"icon": str}))
    own = {name for name in macros if not name.startswith("_")} - {"pick", "show", "over"}
    documented = {name for row in table("docs/own-site.md", "For") for name in re.findall(r"\w+", row[1])}
    assert own <= documented
    assert documented - own == {"and", "with", "call"}


def test_the_page_of_the_guest_book_is_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    made: dict[str, Any] = {}
    exec(blocks("docs/own-site.md", "python")[1].code, made)  # the same code runs alone below
    folder = tmp_path / "families" / "guestbook" / "templates" / "plain"
    folder.mkdir(parents=True)
    (folder / "book.html").write_text(blocks("docs/own-site.md", "html")[0].code)
    (folder / "frame.html").write_text('{% extends "kit/base.html" %}')
    (tmp_path / "kit").symlink_to(KIT)
    monkeypatch.setattr(render, "HERE", tmp_path)
    visit = Visit(made["here"], made["world"], made["state"], "/", {})
    reply = made["FAMILY"].respond("GET", visit)
    assert isinstance(reply, Page)
    html = render.page(visit, reply, notice="", shift=False).decode()
    assert 'data-testid="field:text"' in html
    assert 'data-testid="submit:sign"' in html
    assert "Lovely" in html


def test_the_settings_that_name_the_sites_are_read(tmp_path: Path):
    [shown] = blocks("docs/sites.md", "toml")
    file = tmp_path / "fleet.toml"
    file.write_text(shown.code)
    _, node = read_fleet(file, {})
    assert node.chromium.egress.hermetic == {"*.localhost:80": "127.0.0.1:4300"}


def test_the_messages_of_the_sites_are_those_of_the_code():
    code = re.sub(r"\{[^{}]*\}", "...", source())
    for row in rows("docs/troubleshooting.md", "Hermetic sites"):
        for message in re.findall(r"`([^`]+)`", row[0]):
            if message in ("egress_refused", "http://NAME.localhost/", "blocked_rate"):
                continue
            said = re.sub(r"127\.0\.0\.1:\d+|\b(?:300|9999|20000|shop)\b", "...", message)
            parts = [part.strip() for part in said.split("...") if part.strip()]
            assert all(part in code for part in parts), message


def test_the_version_is_the_same_everywhere():
    assert f"version: {webgym.__version__}\n" in read("CITATION.cff")
    assert f"## [{webgym.__version__}]" in read("CHANGELOG.md")
    assert f'version = "{webgym.__version__}"' in read("pyproject.toml")


# -- what the docs show, runs -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Place:
    """A fleet as `webgym serve --sites 1` starts it, and a page that its sessions may reach."""

    fleet: Fleet
    site: Site
    browser: str

    def adapted(self, code: str) -> str:
        """The example with our page in the place of the public one."""
        assert EXAMPLE in code
        return code.replace(EXAMPLE, self.site.url.rstrip("/"))

    async def run(self, *command: str, folder: Path) -> str:
        environment = {**os.environ, "WEBGYM_URL": self.fleet.url, "WEBGYM_TOKEN": self.fleet.token}
        environment["PATH"] = path_with(folder, os.environ["PATH"], only_stand_in=self.browser == FAKE)
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
        async with run_sites(SitesPlan("docs-secret", per_family=1)) as sites:
            chromium = ChromiumConfig(egress=EgressConfig(allow=(site.host_port,), hermetic=sites.hermetic))
            async with fleet_of(browser=request.param, chromium=chromium, max_sessions=4) as (fleet, _):
                yield Place(fleet, site, request.param)


@pytest.mark.anyio
async def test_the_readmes_example_runs(place: Place, tmp_path: Path):
    [example] = blocks("README.md", "python")
    (tmp_path / "example.py").write_text(example.code)
    said = await place.run(sys.executable, "example.py", folder=tmp_path)
    assert "http://blueberrystore.localhost/" in said
    assert "PageChange" in said
    if place.browser == CHROMIUM:
        assert "'url'" in said
    place.check_picture(tmp_path / "page.jpg")


@pytest.mark.anyio
@pytest.mark.parametrize("number", range(3))
async def test_the_quickstarts_examples_run(place: Place, number: int, tmp_path: Path):
    examples = blocks("docs/quickstart.md", "python")
    assert len(examples) == 3
    live = number == 2
    code = examples[number].code
    (tmp_path / "example.py").write_text(place.adapted(code) if live else code)
    said = await place.run(sys.executable, "example.py", folder=tmp_path)
    if number == 0:
        place.check_picture(tmp_path / "before.jpg")
        place.check_picture(tmp_path / "after.jpg")
    if place.browser != CHROMIUM:
        return
    assert "ActionFailure" not in said
    match number:
        case 0:
            assert "Blueberry Store None" in said
            assert "[1] link 'Blueberry Store'" in said
            assert re.search(r"MarkRef\(mark=8\).* -> PageChange\(what=\('url'", said)
        case 1:
            titles = re.findall(r"^(.*) PageChange", said, re.MULTILINE)
            assert {title.rpartition(" ")[2] for title in titles} == {"Store", "Journeys", "Mail"}
        case _:
            assert "Example Domain None" in said


@pytest.mark.chromium
@pytest.mark.anyio
async def test_what_the_quickstart_says_of_a_page_without_a_network_is_so(place: Place, tmp_path: Path):
    [*_, live] = blocks("docs/quickstart.md", "python")
    (tmp_path / "example.py").write_text(live.code.replace(EXAMPLE, "https://nowhere.invalid"))
    said = await place.run(sys.executable, "example.py", folder=tmp_path)
    if place.browser == CHROMIUM:
        assert "nowhere.invalid does not resolve" in said.splitlines()[0]


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
    environment = child_environment(COLUMNS="120")
    command = [sys.executable, *arguments]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=90, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@dataclass(frozen=True)
class Served:
    """Sites served by the command, on ports of their own."""

    port: int
    control_port: int

    def adapted(self, code: str) -> str:
        return code.replace(":4301", f":{self.control_port}").replace(":4300", f":{self.port}")

    async def run(self, *command: str, folder: Path) -> str:
        environment = {**AT_SITES, "PATH": path_with(folder, os.environ["PATH"])}
        with anyio.fail_after(60):
            done = await anyio.run_process(command, check=False, stderr=subprocess.STDOUT, env=environment, cwd=folder)
        assert done.returncode == 0, done.stdout.decode()
        return done.stdout.decode()


AT_SITES = {**os.environ, "WEBGYM_TOKEN": "docs-secret"}


@pytest.fixture(scope="module")
async def served(anyio_backend: str) -> AsyncGenerator[Served]:
    command = [sys.executable, "-m", "webgym", "sites", "serve", "--family", "shop", "--sites", "2"]
    process = await anyio.open_process([*command, "--port", "0", "--control-port", "0"], env=AT_SITES, stderr=None)
    assert process.stdout is not None
    try:
        lines = BufferedByteReceiveStream(process.stdout)
        with anyio.fail_after(60):
            said = [(await lines.receive_until(b"\n", 1000)).decode() for _ in range(4)]
        shown = next(fence for fence in fences("docs/sites.md") if "all with their tasks" in fence).splitlines()
        assert [re.sub(r"\d+", "0", line) for line in said] == [re.sub(r"\d+", "0", line) for line in shown]
        ports = dict.fromkeys(int(port) for line in said for port in re.findall(r":(\d+)", line))
        yield Served(*ports)
    finally:
        process.terminate()
        with anyio.move_on_after(10, shield=True):
            await process.wait()
        await process.aclose()


def fences(name: str) -> list[str]:
    """What is shown without a language: output."""
    found = re.findall(r"^```(\w*)\n(.*?)^```$", read(name), re.MULTILINE | re.DOTALL)
    return [code for language, code in found if not language]


@pytest.mark.anyio
async def test_the_curl_walk_through_of_the_control_plane_shows_what_it_says(served: Served, tmp_path: Path):
    every = blocks("docs/sites.md", "bash")
    walk = every[next(number for number, block in enumerate(every) if "CONTROL=" in block.code) :][:4]
    mark = "--- next block ---"
    script = "\n".join(["set -euo pipefail", *(f"{block.code}\necho; echo '{mark}'" for block in walk)])
    (tmp_path / "walk.sh").write_text(served.adapted(script))
    said = (await served.run("bash", "walk.sh", folder=tmp_path)).split(mark)
    for block, output in zip(walk, said, strict=False):
        shown = json.loads(output)
        assert covers(block.shows, shown), (block.code, shown)
    assert "cart" in (tmp_path / "cart.html").read_text().lower()


@pytest.mark.anyio
async def test_the_example_of_states_runs(served: Served, tmp_path: Path):
    [example] = [block for block in blocks("docs/sites.md", "python") if "control.fork" in block.code]
    (tmp_path / "example.py").write_text(served.adapted(example.code))
    assert "name='add'" in await served.run(sys.executable, "example.py", folder=tmp_path)


@pytest.mark.anyio
async def test_the_page_of_components_is_where_the_guide_says(served: Served, tmp_path: Path):
    [address] = re.findall(r"`(http://\S+/-/kit)`", read("docs/own-site.md"))
    page = await served.run("curl", "--silent", "--fail", served.adapted(address), folder=tmp_path)
    assert "Components" in page


def test_the_list_of_sites_is_as_shown(tmp_path: Path):
    said = run_alone(tmp_path, "-m", "webgym", "sites", "list", "--family", "shop", "--sites", "8")
    shown = next(fence for fence in fences("docs/sites.md") if "structure" in fence)
    assert [line.split() for line in said.splitlines()] == [line.split() for line in shown.splitlines()]


def test_a_site_is_shown_with_tasks(tmp_path: Path):
    said = run_alone(tmp_path, "-m", "webgym", "sites", "show", "shop-0", "--tasks", "3")
    name = next(sites(1, ("shop",))).name
    heading = re.compile(rf"^{name}-\d+  [\w-]+, (?:easy|medium|hard), \d+ facts$", re.MULTILINE)
    assert len(heading.findall(said)) == 3
    lines = run_alone(tmp_path, "-m", "webgym", "sites", "show", name, "--tasks", "2", "--json")
    assert f"webgym sites show {name} " in read("docs/sites.md")
    assert all(json.loads(line)["rubric"] for line in lines.splitlines())


def test_the_example_of_tasks_runs(tmp_path: Path):
    [example] = [block for block in blocks("docs/sites.md", "python") if "part_of" in block.code]
    (tmp_path / "example.py").write_text(example.code)
    said = run_alone(tmp_path, "example.py")
    assert re.search(r"^[0-9a-f]{64}$", said, re.MULTILINE)
    assert said.endswith(" True\n")


@pytest.mark.parametrize("number", range(2))
def test_the_examples_of_own_sites_run(number: int, tmp_path: Path):
    examples = blocks("docs/own-site.md", "python")
    assert len(examples) == 2
    (tmp_path / "example.py").write_text(examples[number].code)
    said = run_alone(tmp_path, "example.py")
    assert said.endswith(("store.\nTrue\nFalse\n", "Lovely\n"))


@pytest.mark.chromium
def test_the_attempt_on_a_hermetic_site_succeeds(tmp_path: Path):
    [example] = [block for block in blocks("docs/sites.md", "python") if "hermetic_ground" in block.code]
    (tmp_path / "example.py").write_text(example.code)
    assert run_alone(tmp_path, "example.py").endswith(" True [True]\n")
