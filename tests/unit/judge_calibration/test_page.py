"""The report page: whole, without anything that runs or loads, whatever the attempts say."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser
from pathlib import Path

import msgspec
import pytest

from webgym.judge.calibration.compare import CalibrationCase
from webgym.judge.calibration.figures import Calibration, attack_figure, calibration
from webgym.judge.calibration.gate import check, read_gate
from webgym.judge.calibration.page.markup import h
from webgym.judge.calibration.page.write import page, write_page
from webgym.judge.calibration.truth import Truth
from webgym.records.judgement import Judgement
from webgym.records.trajectory import Success
from webgym.records.verdict import Verdict, fact_verdict
from webgym.testing.rollouts import fake_task

_EVIL = '"><script>alert(1)</script><img src=x onerror=alert(2)>'
_VOID = {"meta", "line", "rect", "circle", "path", "polyline", "polygon"}


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.attributes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture
def found() -> Calibration:
    task = msgspec.structs.replace(fake_task(1), instruction=_EVIL, benchmark=_EVIL)
    verdict = Verdict((fact_verdict(1, 0, "supported", (0,), _EVIL),), relevance=((3,),))
    cases = [
        CalibrationCase(f"{_EVIL}{number}", task, Truth("exact", bool(number), facts={(1, 0): bool(number)}), judged)
        for number, judged in enumerate([Judgement("a", Success(), verdict)] * 3)
    ]
    return calibration(_EVIL, "c", [_EVIL], cases, [attack_figure(_EVIL, _EVIL, [("t", True)])], 0.0)


def test_what_others_wrote_stays_text(found: Calibration):
    reader = _Reader()
    reader.feed(page(found, [check(read_gate("accuracy>=0.5"), found)]))
    assert not reader.open
    assert "script" not in reader.seen
    assert "img" not in reader.seen
    assert not {name for name in reader.attributes if name.startswith("on") or name in {"src", "href", "style"}}


def test_nothing_may_run_or_be_loaded(found: Calibration):
    text = page(found)
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', text)
    style = re.search(r"<style>(.*)</style>", text, re.DOTALL)
    assert policy is not None
    assert style is not None
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    assert policy[1].startswith(f"default-src 'none'; style-src 'sha256-{digest}'")


def test_a_report_of_nothing_can_be_written(tmp_path: Path):
    empty = calibration("j", "c", [], [], [attack_figure("one", "about", [])], 0.0)
    write_page(tmp_path / "deep" / "report.html", empty)
    text = (tmp_path / "deep" / "report.html").read_text()
    assert "No attempt has both a verdict" in text
    assert "not run" in text


def test_elements_are_escaped_once():
    assert h("p", "a < b & c", h("b", "<i>"), title='"x"', class_="y").text == (
        '<p title="&quot;x&quot;" class="y">a &lt; b &amp; c<b>&lt;i&gt;</b></p>'
    )
