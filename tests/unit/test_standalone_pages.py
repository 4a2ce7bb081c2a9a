"""A page in one file runs and loads nothing but what was put into it on purpose."""

from __future__ import annotations

import base64
import hashlib
import re

from webgym.serving.standalone import standalone_page


def policy_of(page: str) -> list[str]:
    found = re.findall(r'Content-Security-Policy" content="([^"]+)"', page)
    assert len(found) == 1
    return found[0].split("; ")


def hash_of(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def test_a_page_without_a_script_may_run_none():
    page = standalone_page("R&D <1>", "p { color: red }", "<p>Hello</p>")
    assert "<title>R&amp;D &lt;1&gt;</title>" in page
    assert "<body>\n<p>Hello</p>\n</body>" in page
    assert "<script" not in page
    policy = policy_of(page)
    assert policy[:2] == ["default-src 'none'", f"style-src {hash_of('p { color: red }')}"]
    assert not any(rule.startswith("script-src") for rule in policy)


def test_a_script_runs_only_as_it_was_given():
    page = standalone_page("Run", "", "<main></main>", "let ü = {1: 2};")
    assert page.endswith("<main></main>\n<script>let ü = {1: 2};</script>\n</body>\n</html>\n")
    policy = policy_of(page)
    assert f"script-src {hash_of('let ü = {1: 2};')}" in policy
    assert "require-trusted-types-for 'script'" in policy
