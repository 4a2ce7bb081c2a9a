"""The judge is kept off the servers that the policy is sampled from, however these are configured."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.judged_runs import cases, store

from webgym.errors import ConfigError
from webgym.judge.settings import JudgeSettings
from webgym.llm.config import ModelConfig
from webgym.run.checks import check_cast
from webgym.run.config import RunConfig
from webgym.run.judges import open_judges, refuse_policy_servers
from webgym.run.judging.rerun import Rejudging, judge_again
from webgym.run.load import load_config_as, to_toml
from webgym.run.train_config import TrainConfig
from webgym.store.meta import RunMeta
from webgym.testing.vlm_world import World

REFUSED = "where the policy is served"


def attached(judge: str, *more: str, kind: type[RunConfig] = TrainConfig) -> RunConfig:
    """A run whose policy is on servers that run already, and whose judge is asked there."""
    servers = ["policy.model=nano", "policy.server=vllm", "policy.servers.urls=['http://h:8000']"]
    asked = ["judge.use=rubric", f"judge.model.servers=['{judge}']", "judge.model.model=judge", "judge.seconds=1"]
    return load_config_as(kind, None, [*servers, *asked, *more])


@pytest.mark.anyio
@pytest.mark.parametrize("kind", [RunConfig, TrainConfig])
@pytest.mark.parametrize("judge", ["http://h:8000/v1", "http://H:8000", "http://h:8000/judge/v1"])
async def test_a_judge_on_the_servers_that_training_refreshes_is_refused(judge: str, kind: type[RunConfig]):
    config = attached(judge, kind=kind)
    with pytest.raises(ConfigError, match=REFUSED):
        check_cast(config)
    with pytest.raises(ConfigError, match=REFUSED):
        async with open_judges(config):
            pass


@pytest.mark.parametrize("model", ["policy", "nano"])
def test_a_judge_beside_the_policy_behind_one_address_is_another_model(model: str):
    check_cast(attached("http://h:8001/v1"))
    check_cast(attached("http://h:8000/v1", "judge.shares_servers=true"))
    with pytest.raises(ConfigError, match=REFUSED):
        check_cast(attached("http://h:8000/v1", "judge.shares_servers=true", f"judge.model.model={model}"))


def test_another_path_of_the_policys_server_is_the_same_server():
    served = RunConfig(model=ModelConfig(servers=("http://gpu-1:8000/v1",), model="policy"))
    judge = JudgeSettings(model=ModelConfig(servers=("http://gpu-1:8000/other/v1",), model="judge"))
    with pytest.raises(ConfigError, match=REFUSED):
        refuse_policy_servers(judge, served)


@pytest.mark.anyio
@pytest.mark.parametrize("kind", [RunConfig, TrainConfig])
async def test_a_stored_run_is_not_judged_by_the_servers_it_was_sampled_from(tmp_path: Path, kind: type[RunConfig]):
    sampled = attached("http://h:8001/v1", kind=kind)
    await store(tmp_path / "run", cases(1, World()), RunMeta("own", 1.0, config=to_toml(sampled), kind="eval"))
    with pytest.raises(ConfigError, match=REFUSED):
        await judge_again(tmp_path / "run", attached("http://h:8000/v1").judge, Rejudging())
