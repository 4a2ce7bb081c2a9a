"""Nano's definition: small enough to ship, read by transformers, and told everything an agent can say."""

from __future__ import annotations

import io

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from safetensors import safe_open
from transformers import AutoModelForImageTextToText, AutoTokenizer

from webgym.agent.budget import PromptBudget
from webgym.agent.context import Context
from webgym.agent.dialects.nano import CELLS, write_place
from webgym.agent.dialects.registry import dialect_named
from webgym.agent.settings import AgentSettings
from webgym.engine.preprocessing import Preprocessor
from webgym.engine.render import read_renderer
from webgym.engine.request import SamplingParams
from webgym.engine.wire import SampleOrder
from webgym.errors import ConfigError, PolicyRejected
from webgym.records.action import Click, Point
from webgym.records.decision import Decision
from webgym.records.observation import Blob, Observation, Viewport
from webgym.records.prompt import Message, Picture, Prompt, Text
from webgym.records.task import Task
from webgym.run.inference.processor import read_processor
from webgym_nano.characters import CHARACTERS, LOCATIONS, SPECIAL, vocabulary
from webgym_nano.config import NanoConfig
from webgym_nano.folder import read_model, write_folder
from webgym_nano.model import new_model
from webgym_nano.tokenizer import build_tokenizer, tokenizer_json

VIEWPORT = Viewport(448, 320)


@pytest.fixture(scope="module")
def model():
    return new_model(seed=1)


@pytest.fixture(scope="module")
def folder(model, tmp_path_factory):
    path = tmp_path_factory.mktemp("nano")
    write_folder(path, model)
    return path


def screenshot(width=448, height=320):
    pixels = np.random.default_rng(1).integers(0, 256, (height, width, 3), dtype=np.uint8)
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "PNG")
    return out.getvalue()


def test_it_is_small_enough_to_ship(model, folder):
    assert 8e6 < sum(weight.numel() for weight in model.parameters()) < 10e6
    assert sum(path.stat().st_size for path in folder.iterdir()) < 20_000_000


def test_transformers_loads_what_was_written_and_every_weight_is_there_once(model, folder):
    loaded = AutoModelForImageTextToText.from_pretrained(folder, dtype=torch.bfloat16)
    assert loaded.lm_head.weight is loaded.model.language_model.embed_tokens.weight
    expected = model.state_dict()
    assert all(torch.equal(weight, expected[name].bfloat16()) for name, weight in loaded.state_dict().items())
    with safe_open(folder / "model.safetensors", framework="pt") as file:
        assert "lm_head.weight" not in file.keys()  # noqa: SIM118 - it is no mapping
    assert loaded.generation_config.eos_token_id == vocabulary()["<|im_end|>"]


def test_the_same_seed_gives_the_same_weights(model):
    same, other = new_model(seed=1).state_dict(), new_model(seed=2).state_dict()
    assert all(torch.equal(weight, same[name]) for name, weight in model.state_dict().items())
    name = "model.language_model.embed_tokens.weight"
    assert not torch.equal(other[name], same[name])


def test_a_folder_that_is_not_whole_is_refused(folder, tmp_path):
    with pytest.raises(ConfigError, match="holds no model"):
        read_model(tmp_path)
    smaller = NanoConfig(layers=2)
    write_folder(tmp_path, new_model(smaller), smaller)
    (tmp_path / "model.safetensors").write_bytes((folder / "model.safetensors").read_bytes())
    with pytest.raises(ConfigError, match="do not fit"):
        read_model(tmp_path)


def test_every_character_is_one_token_and_the_vocabulary_is_full():
    tokenizer = build_tokenizer()
    assert tokenizer.get_vocab_size() == len(vocabulary()) == 592
    assert len(set(CHARACTERS)) == len(CHARACTERS)
    ids = tokenizer.encode(CHARACTERS).ids
    assert ids == [vocabulary()[character] for character in CHARACTERS]
    assert [len(tokenizer.encode(token).ids) for token in SPECIAL] == [1] * len(SPECIAL)
    assert tokenizer_json() == tokenizer_json()
    assert len(vocabulary()) % 16 == 0


def test_every_place_of_its_dialect_is_two_tokens_and_part_of_what_it_says(folder):
    tokenizer = build_tokenizer()
    assert len(LOCATIONS) == CELLS == NanoConfig().width // 4
    ids = [vocabulary()[one] for one in LOCATIONS]
    assert tokenizer.encode("".join(LOCATIONS)).ids == ids == list(range(27, 139))
    written = f"Search>s{write_place(Point(225, 30), VIEWPORT)}wool <hats> <57> <112>"
    pieces = tokenizer.encode(written).tokens
    assert pieces[:10] == [*"Search>s", "<056>", "<007>"]
    assert len(pieces) == len(written) - 8
    image = vocabulary()["<|image_pad|>"]
    assert read_renderer(folder, image).words(tokenizer.encode(f"{written}<|im_end|>").ids) == written


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=200).filter(lambda text: "<|" not in text))
def test_no_text_is_lost(text):
    tokenizer = build_tokenizer()
    assert tokenizer.decode(tokenizer.encode(text).ids) == text


def test_transformers_has_the_same_tokenizer(folder):
    theirs, ours = AutoTokenizer.from_pretrained(folder), build_tokenizer()
    texts = ("Find “wool hats” – £5 · 3 × 4", "日本語 🧢", "a\n\nb  c\t", "# note\nback<|im_end|>")  # noqa: RUF001
    for text in texts:
        ids = theirs(text, add_special_tokens=False)["input_ids"]
        assert ids == ours.encode(text).ids
        assert theirs.decode(ids) == text


def prompts(dialect, version, instruction, steps):
    """What an agent says to nano as it goes: one picture, what was done so far in words."""
    agent = AgentSettings(dialect=dialect, prompt=version, rounds=0, max_images=1, past_steps=8)
    task = Task("t", instruction, "http://shop.test/", ())
    context = Context(task, dialect_named(dialect), agent, PromptBudget(4000, 1))
    for number in range(steps + 1):
        seen = Observation(number, "http://shop.test/", "Shop", VIEWPORT, screenshot=Blob("a" * 64, "image/png", 1))
        yield context.prompt(seen)
        context.add(seen, Decision(Click(Point(100, 100)), sentence="Hat"), "-")


def test_a_prompt_begins_with_the_picture_so_that_several_texts_can_share_it(folder):
    renderer = read_renderer(folder, vocabulary()["<|image_pad|>"])
    *_, last = prompts("nano", "nano-1", "Find a “wool hat”", 2)
    ask = "Find a “wool hat”\n\nHat>c<025><025>\nHat>c<025><025>"
    assert last.messages[0].text == ask
    assert renderer.text(last) == f"<|user|><|vision_start|><|image_pad|><|vision_end|>{ask}<|assistant|>"


@pytest.mark.parametrize(("dialect", "version"), [("compact", "bare-1"), ("nano", "nano-1")])
def test_prompts_fit_with_room_to_spare(folder, dialect, version):
    preprocessor = Preprocessor(folder, 2**20)
    instruction = "Find the cheapest “wool hat” in size M and tell me its price. " * 3
    sizes = []
    for number, prompt in enumerate(prompts(dialect, version, instruction.strip(), 8)):
        ask = SampleOrder(number, prompt, SamplingParams(), 0, {"a" * 64: screenshot()})
        prepared = preprocessor.prepare(ask)
        assert prepared.ids.count(7) == NanoConfig().picture_tokens == 140
        sizes.append(len(prepared.ids))
    assert sizes[0] == 140 + 2 + 2 + len(instruction.strip())
    assert sizes == sorted(sizes)
    assert sizes[-1] < 600


@pytest.mark.parametrize("size", [(448, 320), (1280, 720), (320, 448), (64, 64)])
def test_prompts_are_rendered_as_transformers_renders_them(folder, size):
    data = screenshot(*size)
    messages = (
        Message("system", (Text("Be brief."),)),
        Message("user", (Picture("one", *size), Text("Find “wool hats”"))),
        Message("assistant", (Text('# seen\ntype 500 100 "wool hats" enter'),)),
        Message("user", (Picture("two", *size), Text("no change"))),
    )
    prepared = Preprocessor(folder, 2**24).prepare(
        SampleOrder(1, Prompt(messages), SamplingParams(), 0, {"one": data, "two": data})
    )
    theirs = read_processor(folder)
    content = [
        {
            "role": message.role,
            "content": [
                {"type": "text", "text": part.text} if isinstance(part, Text) else {"type": "image"}
                for part in message.parts
            ],
        }
        for message in messages
    ]
    text = theirs.apply_chat_template(content, add_generation_prompt=True)
    images = [Image.open(io.BytesIO(data))] * 2
    made = theirs(text=[text], images=images, return_tensors="pt")
    assert prepared.ids == made["input_ids"][0].tolist()
    assert prepared.ids.count(7) <= 2 * 140


def test_a_text_cannot_pass_for_a_picture(folder):
    message = Message("user", (Picture("one", 448, 320), Text("<|image_pad|>")))
    ask = SampleOrder(1, Prompt((message,)), SamplingParams(), 0, {"one": screenshot()})
    with pytest.raises(PolicyRejected, match="2 placeholders for 1 pictures"):
        Preprocessor(folder, 2**20).prepare(ask)
