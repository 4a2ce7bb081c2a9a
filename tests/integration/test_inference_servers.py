"""Inference servers over real HTTP and as real processes: tokens, versions, refreshes in flight, restarts, replicas.

The servers are scripted (`scripted_inference.py`). For SGLang that is all there is; vLLM itself is asked in
`make test-vllm`.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import anyio
import psutil
import pytest
from tests.child_environment import child_environment, python_path
from tests.integration.scripted_inference import IMAGE, Scripted, expanded, next_token, serving
from tests.small_nano import SMALL
from tests.unit.engine.tiny import write_tiny

from webgym.curves.file import read
from webgym.errors import ConfigError, PolicyRejected, PolicyUnavailable, TrainingError
from webgym.inference.config import ServersConfig
from webgym.inference.launch import Serving
from webgym.inference.opening import open_replicas
from webgym.inference.policy import Asking, open_inference
from webgym.inference.weights import ServerWeights
from webgym.llm.config import Retries, Timeouts
from webgym.records.observation import address_of
from webgym.records.prompt import Completion, Message, Picture, Prompt, Text, unpack_ids, unpack_logprobs
from webgym.records.sample import PolicyVersion
from webgym.records.vocabulary import ImageTokens
from webgym.run.config import PolicyConfig
from webgym.run.folders import Folders
from webgym.run.inference.check import Questions, ServerCheck, check_servers, open_plain
from webgym.run.load import load_config
from webgym.run.servers import open_servers
from webgym.stages import Policy, Weights
from webgym.train.batch_file import read_batch
from webgym_nano.folder import write_folder
from webgym_nano.model import new_model

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(400)]
ROOT = Path(__file__).parents[2]
KINDS = pytest.mark.parametrize("kind", ["vllm", "sglang"])
RETRIES = Retries(tries=4, pause=0.05, longest_pause=0.5)
PICTURE = b"\x89PNG\r\n\x1a\n, as far as anybody looks"


class Bytes:
    """A tokenizer for tests: every byte a token."""

    def ids(self, prompt: Prompt, picture_tokens: Sequence[int]) -> list[int]:
        counts = iter(picture_tokens)
        found = [3]
        for message in prompt.messages:
            for part in message.parts:
                found += [byte % 100 + 50 for byte in part.text.encode()] if isinstance(part, Text) else []
                found += [5, *[IMAGE] * next(counts), 6] if isinstance(part, Picture) else []
        return found

    def words(self, ids: Sequence[int]) -> str:
        return " ".join(map(str, ids))


def prompt(words: str, pictures: int = 1) -> Prompt:
    address = address_of(PICTURE)
    return Prompt((Message("user", (*[Picture(address, 64, 48)] * pictures, Text(words))),))


@pytest.fixture
def folders(tmp_path) -> list[PolicyVersion]:
    """Checkpoints, as far as these servers look."""
    made = []
    for version in range(4):
        folder = tmp_path / f"v{version}"
        folder.mkdir()
        (folder / "config.json").write_text("{}")
        (folder / "model.safetensors").write_bytes(b"")
        made.append(PolicyVersion(version, str(folder)))
    return made


@asynccontextmanager
async def attached(kind: str, policy: PolicyVersion, *servers: Scripted, **config):
    """Replicas on servers that run, and what makes policies."""
    async with AsyncExitStack() as stack:
        urls = [(await stack.enter_async_context(serving(one))).url for one in servers]
        chosen = ServersConfig(urls=tuple(urls), retries=RETRIES, **({"refresh_seconds": 20} | config))
        replicas = await stack.enter_async_context(open_replicas(Serving(kind), chosen, policy))
        make = await stack.enter_async_context(open_inference(replicas, Bytes(), ImageTokens(IMAGE, (IMAGE,))))
        yield replicas, make


def chosen_by(completion: Completion) -> None:
    """Every token and logprob is what the version told for it says after the tokens before."""
    tokens = completion.tokens
    before = list(unpack_ids(tokens.prompt))
    versions, logprobs = unpack_ids(tokens.versions), unpack_logprobs(tokens.logprobs)
    sampled = unpack_ids(tokens.sampled)
    assert len(versions) == len(logprobs) == len(sampled) > 0
    for version, token, logprob in zip(versions, sampled, logprobs, strict=True):
        said, told = next_token(str(version), before)
        assert (said, told) == (token, pytest.approx(logprob, rel=1e-6))
        before.append(token)


@KINDS
async def test_prompts_go_as_token_ids_and_come_back_with_all_that_training_needs(kind, folders):
    server = Scripted(kind, label="0")
    async with attached(kind, folders[0], server) as (_, make):
        policy = make(Asking(temperature=0.5, max_tokens=9))
        assert isinstance(policy, Policy)
        completion = await policy.sample(prompt("find it", 2), {address_of(PICTURE): PICTURE}, affinity="a")
    ids = Bytes().ids(prompt("find it", 2), [1, 1])
    assert list(unpack_ids(completion.tokens.prompt)) == expanded(ids)
    assert (completion.version, completion.tokens.temperature) == (0, 0.5)
    assert (completion.prompt_tokens, completion.sampled_tokens) == (len(expanded(ids)), 9)
    assert completion.finish == "length"
    assert completion.text == " ".join(map(str, unpack_ids(completion.tokens.sampled)))
    chosen_by(completion)
    (asked,) = server.asked
    assert asked["token_ids" if kind == "vllm" else "input_ids"] == ids
    assert asked["sampling_params"]["temperature"] == 0.5
    assert asked["sampling_params"]["stop_token_ids"] == [IMAGE]


@KINDS
@pytest.mark.parametrize("in_flight", ["recompute", "wait"])
async def test_a_refresh_in_flight_loses_no_reply_and_every_token_tells_who_chose_it(kind, in_flight, folders):
    servers = [Scripted(kind, label="0", step_seconds=0.01) for _ in range(2)]
    replies: list[Completion] = []
    async with attached(kind, folders[0], *servers, in_flight=in_flight) as (replicas, make):
        policy = make(Asking(max_tokens=40))

        async def ask(number: int) -> None:
            replies.append(
                await policy.sample(prompt(f"{number}"), {address_of(PICTURE): PICTURE}, affinity=f"{number}")
            )

        async with anyio.create_task_group() as tasks:
            for number in range(8):
                tasks.start_soon(ask, number)
            while sum(server.running for server in servers) < 8:
                await anyio.sleep(0.01)
            await anyio.sleep(0.1)
            await replicas.refresh(folders[1])
        after = await policy.sample(prompt("after"), {address_of(PICTURE): PICTURE})
    assert len(replies) == 8
    versions = [set(unpack_ids(one.tokens.versions)) for one in replies]
    for completion in [*replies, after]:
        chosen_by(completion)
    assert after.version == 1
    # SGLang begins replies anew that vLLM goes on with.
    recomputed = {0, 1} if kind == "vllm" else {1}
    assert versions == [recomputed if in_flight == "recompute" else {0}] * 8
    pause = {("vllm", "recompute"): ["pause keep"], ("vllm", "wait"): ["pause wait"]} | {
        ("sglang", "recompute"): ["pause abort"],
        ("sglang", "wait"): [],
    }
    label = ["label 1"] if kind == "vllm" else []
    for server in servers:
        assert server.orders == [*pause[kind, in_flight], "load v1", *label, "resume"]


async def test_vllm_takes_weights_through_its_own_transfer_routes(folders):
    server = Scripted("vllm", label="0")
    async with attached("vllm", folders[0], server, refresh="transfer") as (replicas, make):
        await replicas.refresh(folders[2])
        completion = await make(Asking()).sample(prompt("hello", 0), {})
    routes = ["init_weight_transfer_engine", "start_weight_update", "load v2", "finish"]
    assert server.orders == ["pause keep", *routes, "resume"]
    assert completion.version == 2


async def test_sglang_has_no_transfer_here(folders):
    with pytest.raises(ConfigError, match="is for vLLM"):
        async with attached("sglang", folders[0], Scripted("sglang"), refresh="transfer"):
            pass


@KINDS
async def test_a_prompt_that_is_read_as_other_tokens_is_refused(kind, folders):
    async with attached(kind, folders[0], Scripted(kind, label="0", retokenises=True)) as (_, make):
        with pytest.raises(PolicyRejected, match="processed different tokens than it was sent, from token 3 on"):
            await make(Asking()).sample(prompt("", 1), {address_of(PICTURE): PICTURE})


async def test_versions_that_are_not_told_token_by_token_are_believed_only_between_refreshes(folders):
    server = Scripted("sglang", label="0", step_seconds=0.01, spans=False)
    replies: dict[str, Completion] = {}
    async with attached("sglang", folders[0], server, in_flight="wait") as (replicas, make):
        policy = make(Asking(max_tokens=30))

        async def ask(name: str) -> None:
            replies[name] = await policy.sample(prompt(name, 0), {})

        await ask("before")
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(ask, "during")
            while not server.running:
                await anyio.sleep(0.01)
            await replicas.refresh(folders[1])
        await ask("after")
    assert {name: one.version for name, one in replies.items()} == {"before": 0, "during": None, "after": 1}
    assert replies["during"].tokens.versions == b""


async def test_weights_without_a_number_give_tokens_without_a_version(folders):
    async with attached("vllm", folders[0], Scripted("vllm")) as (replicas, make):
        completion = await make(Asking()).sample(prompt("hello", 0), {})
        assert (await replicas.state())[0].version == "default"
    assert (completion.version, completion.tokens.versions) == (None, b"")


async def test_at_temperature_0_no_logprobs_are_given(folders):
    async with attached("vllm", folders[0], Scripted("vllm", label="0")) as (_, make):
        completion = await make(Asking(temperature=0.0)).sample(prompt("hello", 0), {})
    assert completion.tokens.logprobs == b""


@KINDS
async def test_a_load_that_fails_is_tried_again_and_nothing_is_sampled_meanwhile(kind, folders):
    server = Scripted(kind, label="0", fails_loading=1)
    async with attached(kind, folders[0], server) as (replicas, make):
        await replicas.refresh(folders[1])
        assert (await make(Asking()).sample(prompt("hello", 0), {})).version == 1
    loads = [order for order in server.orders if order.startswith(("load", "resume"))]
    assert loads == ["load v1", "load v1", "resume"]


@KINDS
async def test_a_server_that_cannot_load_stays_paused_and_is_named(kind, folders):
    good, bad = Scripted(kind, label="0"), Scripted(kind, label="0", fails_loading=1000)
    async with attached(kind, folders[0], good, bad, refresh_seconds=1.5) as (replicas, _):
        with pytest.raises(TrainingError, match=f"1 of 2 servers.*{bad.url if kind == 'vllm' else 'no such weights'}"):
            await ServerWeights(replicas).publish(folders[1])
        assert [one.version for one in await replicas.state()] == ["1", "0"]
    assert "resume" not in bad.orders


async def test_weights_that_are_not_there_never_reach_a_server(folders, tmp_path):
    server = Scripted("vllm", label="0")
    async with attached("vllm", folders[0], server) as (replicas, _):
        with pytest.raises(ConfigError, match="holds no weights"):
            await replicas.refresh(PolicyVersion(1, str(tmp_path / "nowhere")))
    assert server.orders == []


@KINDS
async def test_servers_rest_while_the_policy_learns_and_wake_with_new_weights(kind, folders):
    server = Scripted(kind, label="0")
    async with attached(kind, folders[0], server, sleep=True) as (replicas, make):
        weights = ServerWeights(replicas)
        assert isinstance(weights, Weights)
        await weights.rest()
        with pytest.raises(ConfigError, match="wake only when new weights are loaded"):
            await replicas.resume()
        with anyio.move_on_after(0.3) as waited:
            await make(Asking()).sample(prompt("hello", 0), {})
        assert waited.cancelled_caught
        await weights.publish(folders[1])
        assert (await make(Asking()).sample(prompt("hello", 0), {})).version == 1
    sleep, wake = {"vllm": ("sleep", "wake_up")}.get(kind, ("release_memory_occupation", "resume_memory_occupation"))
    assert [order for order in server.orders if order in {sleep, wake}] == [sleep, wake]
    assert server.orders.index(wake) < server.orders.index("load v1") < server.orders.index("resume")


async def test_an_attempts_prompts_go_to_one_replica_and_to_another_when_it_is_gone(folders):
    async with AsyncExitStack() as stack:
        servers = [Scripted("sglang", label="0") for _ in range(3)]
        runners = [AsyncExitStack() for _ in servers]
        for server, runner in zip(servers, runners, strict=True):
            await runner.enter_async_context(serving(server))
        config = ServersConfig(urls=tuple(server.url for server in servers), retries=RETRIES)
        replicas = await stack.enter_async_context(open_replicas(Serving("sglang"), config, folders[0]))
        make = await stack.enter_async_context(open_inference(replicas, Bytes(), ImageTokens(IMAGE)))
        policy = make(Asking(max_tokens=2))
        for _ in range(6):
            await policy.sample(prompt("step", 0), {}, affinity="attempt")
        counts = [len(server.asked) for server in servers]
        assert sorted(counts) == [0, 0, 6]
        home = counts.index(6)
        await runners[home].aclose()
        assert (await policy.sample(prompt("step", 0), {}, affinity="attempt")).version == 0
        assert [one.healthy for one in await replicas.state()].count(False) == 1
        for runner in runners:
            await runner.aclose()


async def test_a_server_that_does_not_answer_is_said_at_once(folders):
    config = ServersConfig(urls=("http://127.0.0.1:9",))
    with pytest.raises(ConfigError, match=r"no vllm server answers at http://127\.0\.0\.1:9/health"):
        async with open_replicas(Serving("vllm"), config, folders[0]):
            pass


async def test_an_attached_vllm_without_its_dev_routes_is_told_what_it_lacks(folders):
    async with attached("sglang", folders[0], Scripted("sglang")) as (others, _):
        config = ServersConfig(urls=others.urls, refresh_seconds=5)
        async with open_replicas(Serving("vllm"), config, folders[0]) as replicas:
            with pytest.raises(PolicyUnavailable, match="VLLM_SERVER_DEV_MODE=1"):
                await replicas.refresh(folders[1])


async def test_the_check_tells_tokens_logprobs_and_weights_apart(folders, tmp_path):
    folder = write_tiny(tmp_path / "model", seed=1)
    server = Scripted("vllm", label="0")
    async with serving(server), AsyncExitStack() as stack:
        config = PolicyConfig(server="vllm", max_tokens=6, servers=ServersConfig(urls=(server.url,)))
        opened = open_servers(config, "vllm", PolicyVersion(0, str(folder)), tmp_path, print)
        servers = await stack.enter_async_context(opened)

        async def checked(policy: Policy, *, side: int = 64) -> ServerCheck:
            questions = Questions(2, side, side)
            return await check_servers(servers, policy, open_plain(folder, "float32", "cpu"), questions, print)

        stranger = await checked(servers.policy(config, 1.0))
        greedy = await checked(servers.policy(config, 0.0))
        smaller = await checked(servers.policy(config, 1.0), side=96)
    assert (stranger.replies, stranger.same_prompts, stranger.with_logprobs, stranger.versioned) == (2, 2, 2, 2)
    assert stranger.agreement is not None
    assert stranger.agreement.tokens == 12
    assert stranger.agreement.mean > 0.5
    assert not stranger.sound(0.02)
    assert stranger.sound(100)
    assert (greedy.agreement, greedy.sound(100)) == (None, False)
    # It takes four tokens for a picture that should take nine.
    assert (smaller.replies + len(smaller.failed), smaller.same_prompts, smaller.sound(100)) == (2, 0, False)


# -- servers that we start --------------------------------------------------------------------------------------------


@pytest.fixture
def python(tmp_path) -> str:
    """An interpreter that runs a scripted server, whichever it is asked for."""
    path = tmp_path / "python"
    path.write_text(
        f'#!/bin/sh\nPYTHONPATH={python_path()} exec {sys.executable} -m tests.integration.scripted_inference "$@"\n'
    )
    path.chmod(0o755)
    return str(path)


def below(pid: int) -> list[psutil.Process]:
    return psutil.Process(pid).children(recursive=True)


@KINDS
async def test_replicas_are_started_labelled_logged_and_ended(kind, python, folders, tmp_path):
    said: list[str] = []
    config = ServersConfig(python=python, replicas=2, start_seconds=60, arguments=("--extra", "1"))
    async with open_replicas(Serving(kind), config, folders[3], logs=tmp_path / "logs", say=said.append) as replicas:
        states = await replicas.state()
        assert [(one.healthy, one.version, one.restarts) for one in states] == [(True, "3", 0)] * 2
        running = below(os.getpid())
        log = Path(states[0].log).read_text()
        async with open_inference(replicas, Bytes(), ImageTokens(IMAGE)) as make:
            assert (await make(Asking()).sample(prompt("hello", 0), {})).version == 3
    assert {"--extra", str(folders[3].path)} <= set(log.replace('"', " ").replace(",", " ").split())
    assert any("serves at http://127.0.0.1:" in line for line in said)
    assert sum("987654" in " ".join(one.cmdline()) for one in running if one.is_running()) == 0
    assert not [one for one in running if one.is_running() and one.status() != psutil.STATUS_ZOMBIE]


async def test_a_killed_server_is_started_again_with_the_weights_of_now(python, folders, tmp_path):
    config = ServersConfig(python=python, start_seconds=60, retries=RETRIES, timeouts=Timeouts(deadline=60))
    async with open_replicas(Serving("sglang"), config, folders[0], logs=tmp_path) as replicas:
        await replicas.refresh(folders[2])
        async with open_inference(replicas, Bytes(), ImageTokens(IMAGE)) as make:
            policy = make(Asking(max_tokens=5))
            assert (await policy.sample(prompt("before", 0), {})).version == 2
            for one in below(os.getpid()):
                if "scripted_inference" in " ".join(one.cmdline()):
                    one.send_signal(signal.SIGKILL)
            assert (await policy.sample(prompt("after", 0), {})).version == 2
        assert (await replicas.state())[0].restarts == 1


async def test_a_server_that_does_not_start_ends_with_the_end_of_its_log(python, folders, tmp_path):
    config = ServersConfig(python=python, environment={"SCRIPTED_FAILS": "1"}, start_seconds=60)
    with pytest.raises(ConfigError, match=r"(?s)vllm 0 failed to start: it ended with code 3.*no such GPU"):
        async with open_replicas(Serving("vllm"), config, folders[0], logs=tmp_path):
            pass


async def test_an_interpreter_that_is_not_there_is_named(folders, tmp_path):
    with pytest.raises(ConfigError, match=r"policy\.servers\.python is not an executable: .venv-nowhere/bin/python"):
        async with open_replicas(Serving("vllm"), ServersConfig(python=".venv-nowhere/bin/python"), folders[0]):
            pass


async def test_a_server_that_never_serves_is_given_up_at_its_deadline(folders, tmp_path):
    path = tmp_path / "idle"
    path.write_text("#!/bin/sh\nexec sleep 987654\n")
    path.chmod(0o755)
    config = ServersConfig(python=str(path), start_seconds=1)
    with pytest.raises(ConfigError, match=r"was not ready in 1 s \(policy.servers.start_seconds\)"):
        async with open_replicas(Serving("vllm"), config, folders[0], logs=tmp_path):
            pass


PARENT = """
import sys, anyio
from webgym.inference.config import ServersConfig
from webgym.inference.launch import Serving
from webgym.inference.opening import open_replicas
from webgym.records.sample import PolicyVersion

async def main():
    config = ServersConfig(python=sys.argv[1])
    async with open_replicas(Serving("vllm"), config, PolicyVersion(0, sys.argv[2]), logs=sys.argv[3]):
        print("up", flush=True)
        await anyio.sleep_forever()

anyio.run(main)
"""


def test_servers_end_with_whoever_started_them_however_that_ends(python, folders, tmp_path):
    code = PARENT.replace("logs=sys.argv[3]", "logs=__import__('pathlib').Path(sys.argv[3])")
    command = [sys.executable, "-c", code, python, folders[0].path, str(tmp_path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == b"up\n"
        running = below(parent.pid)
        assert any("987654" in " ".join(one.cmdline()) for one in running)
        parent.send_signal(signal.SIGKILL)
        parent.wait()
        gone, alive = psutil.wait_procs(running, timeout=30)
    assert alive == []
    assert len(gone) == len(running) >= 3


@pytest.mark.parametrize("ended_by", [signal.SIGINT, signal.SIGTERM])
def test_webgym_inference_serve_says_how_to_attach_and_ends_its_servers(python, tmp_path, ended_by):
    model = write_tiny(tmp_path / "model", seed=1)
    command = [sys.executable, "-m", "webgym", "inference", "serve", "--model", str(model), "--kind", "sglang"]
    command += ["--set", f"python={python}", "--set", "replicas=2", "--logs", str(tmp_path / "logs")]
    environment = os.environ | {"COLUMNS": "300"}
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, env=environment) as serve:
        assert serve.stdout is not None
        lines = iter(serve.stdout.readline, "")
        attach = next(line for line in lines if line.startswith("policy.server"))
        running = below(serve.pid)
        serve.send_signal(ended_by)
        rest = serve.stdout.read()
    assert (serve.returncode, rest.strip()) == (0, "ended")
    config = load_config(None, [f"policy.model={model}", *attach.strip().split(" ", 1)]).policy
    assert (config.server, len(config.servers.urls)) == ("sglang", 2)
    assert psutil.wait_procs(running, timeout=30)[1] == []


@pytest.mark.full
@pytest.mark.chromium
def test_a_training_run_samples_from_sglang_and_gives_it_every_version(python, tmp_path):
    """The whole loop with a scripted SGLang: its tokens are no model's, but go the way of one's."""
    model = tmp_path / "model"
    write_folder(model, new_model(SMALL), SMALL)
    settings = [
        f"policy.model='{model}'",
        f"store.root='{tmp_path}'",
        "name=run",
        "iterations=2",
        "evaluate.every=0",
        "evaluate.tasks.count=2",
        "train.source.groups=2",
        "train.source.members=3",
        "train.keep=9",
        "browser.sessions=4",
        "browser.width=448",
        "browser.height=320",
        "agent.dialect=tests.guessing:BLURTING",
        "agent.prompt=bare-1",
        "agent.rounds=0",
        "judge.use=tests.guessing:Coin",
        "policy.max_tokens=16",
        "trainer.device=cpu",
        "trainer.precision=float32",
        "policy.server=sglang",
        f"policy.servers.python={python}",
        "policy.servers.replicas=2",
        'policy.servers.environment={SCRIPTED_PICTURE_TOKENS = "140"}',
    ]
    command = [sys.executable, "-m", "webgym", "train", *settings, "--json"]
    environment = child_environment(COLUMNS="200")
    done = subprocess.run(command, check=False, cwd=ROOT, capture_output=True, text=True, timeout=900, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    folders = Folders(tmp_path / "run")
    versions = [one.version for one in read(folders.curve) if one.learned is not None]
    assert versions == list(range(1, len(versions) + 1))
    assert versions
    for version in range(len(versions)):
        batch = read_batch(folders.batch(version))
        for sample in batch.samples:
            assert set(unpack_ids(sample.versions)) == {version}
            assert list(unpack_ids(sample.prompt)).count(IMAGE) == 140
