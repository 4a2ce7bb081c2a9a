"""Training that starts from random weights."""

from __future__ import annotations

from pathlib import Path

import pytest

from webgym.errors import ConfigError
from webgym.run.load import load_config_as
from webgym.run.settings_of_weights import settings_of
from webgym.run.training.config import TrainConfig
from webgym.run.training.folders import Folders
from webgym.run.training.models import check_model, model_folder
from webgym_nano.folder import read_model
from webgym_nano.shipped import FOLDER


@pytest.mark.parametrize(
    "settings", [("policy.model=random-nano",), ("policy.model=nano", "control=random-weights")], ids=str
)
def test_random_weights_are_of_the_policys_dimensions_and_known_for_its_kind(settings: tuple[str, ...], tmp_path: Path):
    config = load_config_as(TrainConfig, overrides=settings)
    check_model(config)
    folder = model_folder(config, Folders(tmp_path))
    made, shipped = read_model(folder), read_model(FOLDER)
    assert [one.shape for one in made.parameters()] == [one.shape for one in shipped.parameters()]
    assert not next(made.parameters()).equal(next(shipped.parameters()))
    (folder / "webgym.json").unlink()
    known = settings_of({"policy": {"model": str(folder)}}, trains=True)
    assert known is not None
    assert known.settings["agent"]["dialect"] == "nano"


def test_random_weights_of_unknown_dimensions_are_refused(tmp_path: Path):
    config = load_config_as(TrainConfig, overrides=[f"policy.model='{tmp_path}'", "control=random-weights"])
    with pytest.raises(ConfigError, match="control=random-weights needs a policy of known dimensions"):
        check_model(config)
