"""Labels over HTTP: what is kept, and who is refused."""

from __future__ import annotations

import json

import aiohttp
import pytest
from tests.unit.viewer.made_runs import META, Scribe, task
from tests.unit.viewer.made_verdicts import write_judged
from tests.unit.viewer.served import SECRET, TOKEN, viewing

from webgym.judge.labels.truth import said
from webgym.records.label import FactRef
from webgym.records.trajectory import Attempt
from webgym.store.labels import LABELS_FILE, labels_path, read_labels
from webgym.store.write import open_writer

pytestmark = pytest.mark.anyio
BEARER = {"Authorization": f"Bearer {TOKEN}"}
LABELLER = BEARER | {"X-WebGym-Label": SECRET}
FACT = {"group": 1, "fact": 1}
WISH = {
    "run": "judged",
    "attempt": "fooled",
    "verdict": "contradicted",
    "about": FACT,
    "note": "the page says 0.4 l",
    "shown": "supported",
}


@pytest.fixture(scope="module")
def anyio_backend():
    return "asyncio"


@pytest.fixture(scope="module")
async def root(anyio_backend, tmp_path_factory):
    folder = tmp_path_factory.mktemp("labelled")
    await write_judged(folder / "judged")
    async with open_writer(folder / "open", META) as writer:
        await Scribe(writer).attempt(Attempt("half", task(1)), None)
    return folder


@pytest.fixture(scope="module")
async def viewer(root):
    async with viewing(root, "ann") as served:
        yield served


@pytest.fixture
async def http(viewer, root):
    labels_path(root / "judged").unlink(missing_ok=True)
    async with aiohttp.ClientSession(viewer.base, headers=LABELLER) as session:
        yield session


async def put(http, headers=None, **changes):
    async with http.post("/api/label", json=WISH | changes, headers=headers) as reply:
        return reply.status, await reply.json()


async def test_a_label_is_kept_beside_the_run_and_read_by_calibration(http, root):
    status, attempt = await put(http)
    assert status == 200, attempt
    (label,) = read_labels(root / "judged" / LABELS_FILE)
    assert (label.attempt_id, label.verdict, label.who, label.about) == ("fooled", "contradicted", "ann", FactRef(1, 1))
    assert (label.note, label.overruled) == ("the page says 0.4 l", "supported")
    shown = attempt["rubric"][0]["facts"][1]["labels"]
    assert [(one["who"], one["verdict"], one["stands"]) for one in shown] == [("ann", "contradicted", True)]
    truth = said(read_labels(labels_path(root / "judged")))["fooled"]
    assert truth.facts == {(1, 1): False}
    assert truth.success is False


async def test_a_newer_label_replaces_an_older_one_and_taking_back_leaves_none(http, root):
    await put(http)
    await put(http, verdict="supported", note="")
    _, attempt = await put(http, verdict="withdrawn", note="")
    labels = attempt["rubric"][0]["facts"][1]["labels"]
    assert [one["verdict"] for one in labels] == ["contradicted", "supported", "withdrawn"]
    assert not any(one["stands"] for one in labels)
    assert len(read_labels(labels_path(root / "judged"))) == 3
    assert said(read_labels(labels_path(root / "judged"))) == {}


async def test_rows_tell_what_was_overruled_and_can_be_asked_for_it(http):
    await put(http, about=None, verdict="failure", shown="success")
    async with http.get("/api/rows", params={"run": "judged", "label": "overruled"}) as reply:
        found = await reply.json()
    assert [row["attempt_id"] for row in found["rows"]] == ["fooled"]
    assert found["rows"][0]["said"]["whole"] == ["failure"]
    counts = {one["value"]: one["count"] for one in found["facets"]["label"]}
    assert counts == {"overruled": 1, "labelled": 1, "unlabelled": 4, "disagree": 1}
    async with http.get("/api/rows", params={"run": "judged", "label": "disagree"}) as reply:
        assert [row["attempt_id"] for row in (await reply.json())["rows"]] == ["both"]


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"note": "  "}, "explain in a note"),
        ({"note": "x" * 2001}, "at most 2000"),
        ({"shown": "contradicted"}, "reload the page"),
        ({"verdict": "failure"}, "no label for a fact"),
        ({"verdict": "supported", "about": None, "shown": "success"}, "no label for a whole attempt"),
        ({"verdict": "right"}, "invalid label"),
        ({"about": {"group": 1, "fact": 99}}, "no fact 1.99"),
        ({"about": "1.1"}, "invalid label"),
        ({"attempt": "none"}, "none"),
        ({"run": "../judged"}, "there is no run"),
        ({"run": "open", "attempt": "half", "about": None, "shown": "unfinished"}, "not ended"),
        ({"note": "x" * 20_000}, "at most 16384 bytes"),
    ],
)
async def test_what_does_not_fit_is_refused_and_nothing_is_kept(http, root, changes, why):
    status, told = await put(http, **changes)
    assert 400 <= status < 500
    assert why in told["message"]
    assert not labels_path(root / "judged").exists()


async def test_a_secret_is_wanted_the_token_is_not_enough(http, viewer, root):
    for headers in (BEARER, BEARER | {"X-WebGym-Label": "guessed"}, BEARER | {"X-WebGym-Label": ""}):
        async with aiohttp.ClientSession(viewer.base, headers=headers) as reader:
            assert (await put(reader))[0] == 403
            async with reader.get("/api/labeller") as reply:
                assert await reply.json() == {"who": ""}
    async with aiohttp.ClientSession(viewer.base, headers={"X-WebGym-Label": SECRET}) as stranger:
        async with stranger.post("/api/label", json=WISH) as reply:
            assert reply.status == 401
    assert not labels_path(root / "judged").exists()


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Host": "evil.example"},
    ],
)
async def test_other_sites_cannot_label_even_if_they_knew_the_secret(http, root, headers):
    async with http.post("/api/label", json=WISH, headers=headers) as reply:
        assert reply.status in (403, 421)
    assert not labels_path(root / "judged").exists()


async def test_the_page_itself_may(http, viewer):
    assert (await put(http, {"Origin": viewer.base, "Sec-Fetch-Site": "same-origin"}))[0] == 200


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", ""])
async def test_what_a_form_could_send_is_no_label(http, root, kind):
    async with http.post("/api/label", data=json.dumps(WISH), headers={"Content-Type": kind}) as reply:
        assert reply.status == 400
    assert not labels_path(root / "judged").exists()


async def test_a_viewer_that_nobody_labels_in_writes_nothing_and_shows_labels(http, root):
    await put(http)
    async with viewing(root) as served, aiohttp.ClientSession(served.base, headers=LABELLER) as reader:
        status, told = await put(reader)
        assert status == 403
        assert "--label" in told["message"]
        async with reader.get("/api/attempt", params={"run": "judged", "attempt": "fooled"}) as reply:
            labels = (await reply.json())["attempt"]["rubric"][0]["facts"][1]["labels"]
    assert len(labels) == 1
    assert len(read_labels(labels_path(root / "judged"))) == 1


async def test_labels_that_cannot_be_read_are_told_and_the_run_is_shown(http, root):
    labels_path(root / "judged").write_text('{"attempt_id": 3}\n')
    async with http.get("/api/rows", params={"run": "judged"}) as reply:
        found = await reply.json()
    assert found["total"] == 5
    assert "line 1" in found["problem"]
    status, told = await put(http)
    assert status == 409
    assert "repair the labels" in told["message"]
