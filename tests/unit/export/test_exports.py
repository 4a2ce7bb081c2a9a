"""Exports hold what the run holds, in the shape that others expect."""

from __future__ import annotations

import base64
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.unit.store.making import META, SYSTEM, attempt, ending, picture, plain_step, step
from typer import Typer
from typer.testing import CliRunner

from webgym.cli.export import export as command
from webgym.errors import ConfigError
from webgym.interop.export.export import Format, export
from webgym.interop.export.pictures import Carrying
from webgym.records.observation import Blob, Observation, address_of
from webgym.records.prompt import Message, Picture, Prompt, Text, ToolCall
from webgym.records.trajectory import Cancellation, Failure, Infrastructure, Outcome, SiteBlock, Step, Success
from webgym.store.garbage_collection import collect
from webgym.store.read import Run, open_run
from webgym.store.write import open_writer

pytestmark = pytest.mark.anyio

LAST = picture(77)
HOSTILE = 'Click "<image>" \u2028 </script>\nnow'


async def write_run(folder: Path) -> None:
    outcomes: list[Outcome] = [
        Success(),
        Failure("no"),
        SiteBlock("captcha"),
        Infrastructure("timeout"),
        Cancellation("stop"),
    ]
    async with open_writer(folder, META) as writer:
        for number, outcome in enumerate(outcomes, 1):
            await writer.begin(attempt(number))
            for one in (1, 2):
                await writer.step(attempt(number), *step(one, picture_seed=10 * number + one, last=one == 2))
            await writer.step(attempt(number), plain_step(3), {})
            shot = Blob(address_of(LAST), "image/jpeg", len(LAST))
            told = msgspec.structs.replace(ending(outcome), last=Observation(4, "http://end/", screenshot=shot))
            await writer.end(attempt(number), told, {address_of(LAST): LAST})
        await writer.begin(attempt(9))


@pytest.fixture
async def run(tmp_path: Path) -> Any:
    await write_run(tmp_path / "run")
    with open_run(tmp_path / "run") as opened:
        yield opened


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def taken(run: Run) -> Iterator[Step]:
    for trajectory in run.trajectories():
        if isinstance(trajectory.ending.outcome, Success | Failure):
            yield from (one for one in trajectory.steps if one.turn.prompt)


async def test_messages_are_the_prompts_with_their_replies(run: Run, tmp_path: Path):
    done = export(run, "messages", tmp_path / "out")
    found = lines(tmp_path / "out" / "messages.jsonl")
    assert done.samples == len(found) == 4
    assert done.attempts == 2
    assert done.left_out == {
        "blocked attempts": 1,
        "infrastructure attempts": 1,
        "cancelled attempts": 1,
        "unfinished attempts": 1,
        "steps without a prompt": 2,
    }
    for line, one in zip(found, taken(run), strict=True):
        prompt, reply = one.turn.prompt, one.turn.completion
        assert prompt
        assert reply
        assert [message["role"] for message in line["messages"]] == [*(m.role for m in prompt.messages), "assistant"]
        assert line["messages"][0]["content"] == [{"type": "text", "text": SYSTEM}]
        words, shown, more = line["messages"][-2]["content"]
        assert (words["text"], more["text"]) == ("Now?", "\x00 <b>\u2028")
        file = tmp_path / "out" / shown["image_url"]["url"]
        assert file.read_bytes() == run.blob(prompt.pictures[0].address)
        assert file.suffix == ".jpg"
        assert line["messages"][-1] == {"role": "assistant", "content": reply.text, "reasoning_content": "Hm."}
        assert line["tools"][0]["name"] == "click"
        assert (line["step"], line["steps"]) == (one.number, 3)
    assert [line["reward"] for line in found] == [1.0, 1.0, 0.0, 0.0]


async def test_pictures_can_travel_within_the_messages(run: Run, tmp_path: Path):
    export(run, "messages", tmp_path / "out", carrying="embed")
    assert not (tmp_path / "out" / "images").exists()
    url = lines(tmp_path / "out" / "messages.jsonl")[0]["messages"][-2]["content"][1]["image_url"]["url"]
    start, _, data = url.partition(",")
    assert start == "data:image/jpeg;base64"
    assert base64.b64decode(data) == picture(11)


async def test_only_the_outcomes_asked_for_are_exported(run: Run, tmp_path: Path):
    done = export(run, "messages", tmp_path / "out", outcomes=("success",))
    assert {line["outcome"] for line in lines(tmp_path / "out" / "messages.jsonl")} == {"success"}
    assert done.left_out["failure attempts"] == 1
    assert export(run, "messages", tmp_path / "other", outcomes=("blocked",)).attempts == 1


async def test_sharegpt_alternates_and_has_a_placeholder_for_every_image(run: Run, tmp_path: Path):
    export(run, "sharegpt", tmp_path / "out")
    info = json.loads((tmp_path / "out" / "dataset_info.json").read_bytes())["tried"]
    assert info["formatting"] == "sharegpt"
    assert set(info["columns"].values()) == {"conversations", "system", "tools", "images"}
    found = lines(tmp_path / "out" / info["file_name"])
    assert len(found) == 4
    for line in found:
        speakers = [turn["from"] for turn in line["conversations"]]
        assert speakers == ["human", "gpt"] * (len(speakers) // 2)
        assert sum(turn["value"].count("<image>") for turn in line["conversations"]) == len(line["images"]) == 1
        assert (tmp_path / "out" / line["images"][0]).is_file()
        assert line["conversations"][-1]["value"] == "<think>\nHm.\n</think>\n\nClick it."
        assert line["system"] == SYSTEM
        assert json.loads(line["tools"])[0]["name"] == "click"


async def test_text_that_looks_like_a_placeholder_is_not_one(tmp_path: Path):
    taken_step, blobs = step(1)
    turn = taken_step.turn
    assert turn.prompt
    assert turn.completion
    shown = Picture(next(iter(blobs)), 10, 10)
    prompt = Prompt((Message("user", (Text(HOSTILE), shown)), Message("user", (Text("and more"),))))
    calls = (ToolCall("click", '{"x": 1}'),)
    replies = [msgspec.structs.replace(turn.completion, text=text, calls=calls) for text in ("fine", "see <image>")]
    async with open_writer(tmp_path / "run", META) as writer:
        await writer.begin(attempt())
        for number, reply in enumerate(replies, 1):
            changed = msgspec.structs.replace(turn, prompt=prompt, completion=reply)
            await writer.step(attempt(), msgspec.structs.replace(taken_step, number=number, turn=changed), blobs)
        await writer.end(attempt(), ending(), {})
    with open_run(tmp_path / "run") as run:
        done = export(run, "sharegpt", tmp_path / "out")
    (line,) = lines(tmp_path / "out" / "conversations.jsonl")
    asked, said = line["conversations"]
    assert asked["value"] == 'Click "<image >" \u2028 </script>\nnow<image>\nand more'
    assert said["value"].endswith('fine\n<tool_call>\n{"name": "click", "arguments": {"x": 1}}\n</tool_call>')
    assert done.left_out["steps whose reply holds a placeholder such as <image>"] == 1


async def test_atif_documents_are_valid_and_complete(run: Run, tmp_path: Path):
    done = export(run, "atif", tmp_path / "out")
    files = sorted((tmp_path / "out" / "trajectories").iterdir())
    assert done.samples == len(files) == 2
    document = json.loads(files[0].read_bytes())
    assert document["schema_version"] == "ATIF-v1.7"
    first, click, answer, malformed = document["steps"]
    assert [part["type"] for part in first["message"]] == ["text", "image"]
    assert click["tool_calls"][0]["function_name"] == "click"
    assert click["tool_calls"][0]["arguments"]["target"] == {"kind": "point", "x": 10, "y": 1}
    assert click["observation"]["results"][0]["source_call_id"] == click["tool_calls"][0]["tool_call_id"]
    assert answer["tool_calls"][0] == {
        "tool_call_id": "call_3",
        "function_name": "answer",
        "arguments": {"text": "It is 7 €."},
    }
    assert malformed["observation"]["results"][0]["content"][0]["text"] == "Call a tool."
    assert len(click["metrics"]["prompt_token_ids"]) == 1001
    assert click["metrics"]["completion_token_ids"] == list(range(20))
    assert click["metrics"]["extra"]["policy_versions"] == [3] * 20
    assert document["extra"]["outcome"] == "success"
    source = malformed["observation"]["results"][0]["content"][2]["source"]
    assert (files[0].parent / source["path"]).read_bytes() == LAST


async def test_atif_documents_pass_the_formats_own_models(run: Run, tmp_path: Path):
    atif = pytest.importorskip("atif")
    for carrying in ("files", "embed"):
        export(run, "atif", tmp_path / carrying, carrying=carrying)
        for file in (tmp_path / carrying / "trajectories").iterdir():
            assert atif.Trajectory.model_validate_json(file.read_bytes()).has_multimodal_content()


async def test_parquet_reads_back_with_pictures_and_tokens(run: Run, tmp_path: Path):
    parquet = pytest.importorskip("pyarrow.parquet")
    done = export(run, "parquet", tmp_path / "out")
    table = parquet.read_table(tmp_path / "out" / "steps" / "train-00000-of-00001.parquet")
    features = json.loads(table.schema.metadata[b"huggingface"])["info"]["features"]
    assert features["image"] == {"_type": "Image"}
    assert str(table.schema.field("image").type) == "struct<bytes: binary, path: string>"
    rows = table.to_pylist()
    assert done.samples == len(rows) == 6
    assert rows[0]["image"]["bytes"] == picture(11)
    assert rows[0]["prompt_images"] == [rows[0]["image"]["path"]]
    assert msgspec.json.decode(rows[0]["prompt"], type=Prompt) == run.steps("a-00001")[0].turn.prompt
    assert rows[0]["sampled_token_ids"] == list(range(20))
    assert rows[0]["logprobs"] == pytest.approx([-0.1] * 20)
    assert [row["action_kind"] for row in rows[:3]] == ["click", "answer", "malformed"]
    assert rows[2]["image"] is None
    attempts = parquet.read_table(tmp_path / "out" / "attempts" / "train-00000-of-00001.parquet").to_pylist()
    assert [(row["attempt_id"], row["reward"]) for row in attempts] == [("a-00001", 1.0), ("a-00002", 0.0)]
    card = (tmp_path / "out" / "README.md").read_text()
    assert "path: steps/train-*" in card
    assert "  - name: image\n    dtype: image\n" in card


@pytest.mark.parametrize("carrying", ["embed", "files"])
async def test_parquet_holds_the_marked_pictures_that_prompts_show(tmp_path: Path, carrying: Carrying):
    parquet = pytest.importorskip("pyarrow.parquet")
    taken, blobs = step(1)
    marked, prompt = picture(5), taken.turn.prompt
    assert prompt
    seen = msgspec.structs.replace(taken.observation, labelled=Blob(address_of(marked), "image/jpeg", len(marked)))
    shown = Message("user", (Picture(address_of(marked), 1280, 768),))
    turn = msgspec.structs.replace(taken.turn, prompt=msgspec.structs.replace(prompt, messages=(shown,)))
    async with open_writer(tmp_path / "run", META) as writer:
        await writer.begin(attempt())
        marking = msgspec.structs.replace(taken, observation=seen, turn=turn)
        await writer.step(attempt(), marking, {**blobs, address_of(marked): marked})
        await writer.step(attempt(), plain_step(2), {})
        await writer.end(attempt(), ending(), {})
    with open_run(tmp_path / "run") as run:
        done = export(run, "parquet", tmp_path / "out", carrying=carrying)
    first, second = parquet.read_table(tmp_path / "out" / "steps" / "train-00000-of-00001.parquet").to_pylist()
    assert first["prompt_images"] == [address_of(marked)]
    path = first["labelled"]["path"]
    assert address_of(marked).removeprefix("sha256:") in path
    assert (first["labelled"]["bytes"] or (tmp_path / "out" / path).read_bytes()) == marked
    assert second["labelled"] is None
    assert (done.images, dict(done.left_out)) == (2, {})


async def test_parquet_is_cut_into_shards(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    parquet = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr("webgym.interop.export.parquet.SHARD_BYTES", 1)
    monkeypatch.setattr("webgym.interop.export.parquet._ROWS_AT_ONCE", 4)
    export(run, "parquet", tmp_path / "out")
    shards = sorted((tmp_path / "out" / "steps").iterdir())
    total = f"{len(shards):05d}"
    assert len(shards) >= 2
    assert [shard.name for shard in shards] == [
        f"train-{number:05d}-of-{total}.parquet" for number in range(len(shards))
    ]
    assert sum(parquet.read_table(shard).num_rows for shard in shards) == 6


async def test_parquet_says_what_it_needs(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ConfigError, match="pip install pyarrow"):
        export(run, "parquet", tmp_path / "out")
    assert list(tmp_path.iterdir()) == [tmp_path / "run"], "nothing half done is left"


@pytest.mark.parametrize("form", ["messages", "sharegpt", "atif", "parquet"])
async def test_dropped_pictures_are_told_and_stop_nothing(tmp_path: Path, form: Format):
    if form == "parquet":
        pytest.importorskip("pyarrow")
    await write_run(tmp_path / "run")
    assert collect(tmp_path / "run", 1).dropped
    with open_run(tmp_path / "run") as run:
        done = export(run, form, tmp_path / "out")
    assert done.images == 0
    assert any("no longer stored" in why for why in done.left_out)


async def test_an_export_overwrites_nothing(run: Run, tmp_path: Path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine").touch()
    with pytest.raises(ConfigError, match="already exists"):
        export(run, "messages", tmp_path / "out")
    with pytest.raises(ConfigError, match="by path"):
        export(run, "sharegpt", tmp_path / "other", carrying="embed")


async def test_the_command_says_what_it_left_out(run: Run, tmp_path: Path):
    app = Typer()
    app.command()(command)
    out = str(tmp_path / "out")
    told = CliRunner().invoke(app, [str(run.path), "--format", "messages", "--out", out, "--outcome", "success"])
    assert told.exit_code == 0, told.output
    assert "2 samples of 1 attempts with 2 images" in told.output
    assert "1 blocked attempts" in told.output
    told = CliRunner().invoke(app, [str(run.path), "--format", "atif", "--out", out + "2", "--json"])
    assert json.loads(told.output)["left_out"]["infrastructure attempts"] == 1


async def test_attempts_whose_names_look_alike_in_files_have_documents_of_their_own(tmp_path: Path):
    names = ["订单/0", "退货/0", "a b/0", "a_b/0", "A_B/0", "." * 3, "x" * 400 + "/0", "x" * 400 + "/1"]
    async with open_writer(tmp_path / "run", META) as writer:
        for name in names:
            one = msgspec.structs.replace(attempt(), attempt_id=name)
            await writer.begin(one)
            await writer.end(one, ending(Failure("no"), steps=0), {})
    with open_run(tmp_path / "run") as run:
        done = export(run, "atif", tmp_path / "out")
    documents = [json.loads(file.read_bytes()) for file in (tmp_path / "out" / "trajectories").iterdir()]
    assert sorted(one["trajectory_id"] for one in documents) == sorted(names)
    assert done.samples == len(names)
