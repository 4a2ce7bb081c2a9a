"""`webgym train`, as it is typed."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from tests.unit.store.making import META
from typer.testing import CliRunner

from webgym.cli.main import app
from webgym.errors import ConfigError
from webgym.store.meta import RunKind, save_meta


@pytest.mark.parametrize("kind", ["eval", "rollout"])
def test_a_run_of_another_command_is_not_gone_on_with_but_told_whose_it_is(tmp_path: Path, kind: RunKind):
    save_meta(tmp_path, msgspec.structs.replace(META, config="", kind=kind))
    told = CliRunner().invoke(app, ["train", "--resume", str(tmp_path)])
    assert isinstance(told.exception, ConfigError)
    assert str(told.exception) == (
        f"{tmp_path} is a run of `webgym {kind}`, not of `webgym train`: webgym {kind} --resume {tmp_path}"
    )


def test_a_single_try_cannot_be_gone_on_with_at_all(tmp_path: Path):
    save_meta(tmp_path, msgspec.structs.replace(META, config="", kind="try"))
    told = CliRunner().invoke(app, ["train", "--resume", str(tmp_path)])
    assert str(told.exception) == f"{tmp_path} is a run of `webgym try`, not of `webgym train`"
