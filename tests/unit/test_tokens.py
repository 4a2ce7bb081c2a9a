"""Where tokens are kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from webgym.browser.tokens import load_tokens
from webgym.errors import ConfigError


@pytest.mark.parametrize("place", ["/proc/webgym", "file", "file/within"])
def test_a_folder_that_cannot_keep_them_is_told_with_the_variable_for_it(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("WEBGYM_HOME", str(tmp_path / place))
    with pytest.raises(ConfigError, match=rf"cannot keep tokens in {tmp_path / place}: .*; set WEBGYM_HOME to a"):
        load_tokens()


def test_a_file_that_holds_no_token_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "token").write_bytes(b"\xff\xfe")
    monkeypatch.setenv("WEBGYM_HOME", str(tmp_path))
    with pytest.raises(ConfigError, match=r"a token in .* is not text"):
        load_tokens()
