"""The report is one file that needs nothing else."""

from __future__ import annotations

import base64
import hashlib
import json
import re

import pytest
from tests.unit.curves.made import ABOUT, run, screenshot

from webgym.curves.about import RunFacts
from webgym.curves.bundle import bundle
from webgym.curves.pictures import BLANK, WIDTH, inlined
from webgym.curves.report import ExampleStep, ReportExample, write_report
from webgym.errors import ConfigError
from webgym.store.statistics import Interval

HOSTILE = "</script><script>document.title='owned'</script><!--"


def data_of(text: str):
    return json.loads(re.findall(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)[0])


def test_everything_is_inside(tmp_path):
    path = tmp_path / "reports" / "report.html"
    steps = [ExampleStep(screenshot("Shop"), "Menu", "Click.", at=(0.25, 0.5)), ExampleStep(None, "answer")]
    examples = [ReportExample("Buy a mug", "success", steps, note="at the end")]
    write_report(path, run(3), ABOUT, examples, difference=Interval(0.2, 0.1, 0.3, 90))
    text = path.read_text()
    data = data_of(text)
    assert [one["iteration"] for one in data["iterations"]] == [0, 1, 2, 3]
    assert data["difference"]["n"] == 90
    [shown] = data["examples"]
    assert (shown["title"], shown["outcome"], shown["note"]) == ("Buy a mug", "success", "at the end")
    first, second = shown["steps"]
    assert first.pop("picture").startswith("data:image/webp;base64,")
    assert first == {"ratio": 1.6, "words": "Menu", "detail": "Click.", "at": [0.25, 0.5], "path": None}
    assert (second["picture"], second["words"], second["at"]) == ("", "answer", None)
    assert not re.search(
        r"""<(?:link|img|iframe)\b|(?:src|href)=|\burl\(|\bimport\b|https?://(?!www\.w3\.org/2000/svg)""", text
    )
    assert [one.name for one in path.parent.iterdir()] == ["report.html"]


def test_only_its_own_script_and_style_may_run(tmp_path):
    write_report(tmp_path / "report.html", run(1), ABOUT)
    text = (tmp_path / "report.html").read_text()
    policy = re.findall(r'Content-Security-Policy" content="([^"]+)"', text)[0]
    assert policy.startswith("default-src 'none'; ")
    for tag, part in (
        ("script", re.findall(r"<script>(.*?)</script>", text, re.DOTALL)),
        ("style", re.findall(r"<style>(.*?)</style>", text, re.DOTALL)),
    ):
        [source] = part
        wanted = base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{wanted}'" in policy


def test_text_of_others_cannot_leave_its_place(tmp_path):
    examples = [ReportExample(HOSTILE, "failure", [ExampleStep(None, HOSTILE, HOSTILE)], note=HOSTILE)]
    write_report(tmp_path / "report.html", run(1), RunFacts(HOSTILE, facts={HOSTILE: HOSTILE}), examples)
    text = (tmp_path / "report.html").read_text()
    assert HOSTILE not in text
    assert text.count("<script") == 2
    assert data_of(text)["examples"][0]["title"] == HOSTILE


def test_a_report_of_nothing_can_be_written(tmp_path):
    write_report(tmp_path / "report.html", [], RunFacts("empty"))
    assert data_of((tmp_path / "report.html").read_text())["iterations"] == []


def test_large_pictures_are_made_smaller_and_other_bytes_are_none():
    url = inlined(screenshot("Shop")).url
    assert len(url) < len(screenshot("Shop")) * 4 / 3
    assert WIDTH < 1280
    assert inlined(b"<svg onload=alert(1)>") == BLANK
    assert inlined(screenshot("Shop")[:200]) == BLANK


def test_modules_become_one_script_with_scopes_of_their_own(tmp_path):
    (tmp_path / "a.js").write_text('import { one, two } from "./b.js";\nconst hidden = 1;\nreport(one, two());\n')
    (tmp_path / "b.js").write_text(
        "const hidden = 2;\nexport const one = 1;\nexport function two() { return hidden; }\n"
    )
    script = bundle(tmp_path, "a.js")
    assert script.index("module_b = ") < script.index("module_a = ")
    assert "const { one, two } = module_b;" in script
    assert "return { one, two };" in script


@pytest.mark.parametrize("line", ['import * as b from "./b.js";', "export default 1;", 'export { x } from "./b.js";'])
def test_a_module_that_cannot_be_bundled_is_refused(tmp_path, line):
    (tmp_path / "a.js").write_text(f"{line}\n")
    (tmp_path / "b.js").write_text("")
    with pytest.raises(ConfigError, match=r"a\.js cannot be bundled"):
        bundle(tmp_path, "a.js")


def test_modules_that_import_each_other_are_refused(tmp_path):
    (tmp_path / "a.js").write_text('import { b } from "./b.js";\n')
    (tmp_path / "b.js").write_text('import { a } from "./a.js";\nexport const b = 1;\n')
    with pytest.raises(ConfigError, match="imports itself"):
        bundle(tmp_path, "a.js")
