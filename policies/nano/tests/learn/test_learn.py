"""Nano learns from a folder: to the last letter, across kills, and what it publishes is what it learned."""

from __future__ import annotations

import io
import os
import signal
import threading
import time

import msgspec
import pytest
import torch
from PIL import Image
from policies.nano.tests.learn.pages import SMALL, page, small_settings, write_shard
from safetensors.torch import load_file
from transformers import AutoModelForImageTextToText

from webgym.errors import CheckpointError, ConfigError, LossNotFinite, TrainingError
from webgym.run.inference.processor import read_processor
from webgym.store.weights_manner import load_manner
from webgym_nano.folder import read_model
from webgym_nano.learn.budget import Budget
from webgym_nano.learn.checkpoint import NAME
from webgym_nano.learn.learn import FINAL, LOG, REPORT, VERSIONS, Entry, Learned, learn
from webgym_nano.learn.learner import Learner
from webgym_nano.learn.lesson_buffer import Pile
from webgym_nano.learn.publish import Publisher, versions
from webgym_nano.learn.replies import inside, read_decision, read_place
from webgym_nano.learn.segments import Preparer
from webgym_nano.learn.settings import LossSettings, ShelfSettings
from webgym_nano.learn.words import Words
from webgym_nano.manner import manner
from webgym_nano.model import new_model

PROMPT = "<|user|><|vision_start|><|image_pad|><|vision_end|>"
SIDE = Words().side(SMALL)


def taught(tmp_path, count=8, **settings):
    write_shard(tmp_path / "lessons", 1, [page(number, questions=2) for number in range(count)])
    return tmp_path / "lessons", tmp_path / "out", small_settings(text=120, **settings)


def said(model, processor, lesson, ask):
    image = Image.open(io.BytesIO(lesson.picture)).convert("RGB")
    made = processor(text=[f"{PROMPT}{ask}<|assistant|>"], images=[image], return_tensors="pt")
    with torch.no_grad():
        whole = model.generate(**made, do_sample=False, max_new_tokens=40, temperature=None, top_k=None, top_p=None)
    return processor.tokenizer.decode(whole[0, made["input_ids"].shape[1] :]).removesuffix("<|im_end|>")


@pytest.mark.timeout(600)
@pytest.mark.parametrize(("count", "steps"), [(2, 110), pytest.param(8, 260, marks=pytest.mark.full)])
def test_lessons_are_learned_to_the_last_letter(tmp_path, count, steps):
    lessons, out, settings = taught(tmp_path, count)
    found = learn(lessons, out, Budget(steps=steps), settings, config=SMALL)
    assert found.complete
    model = AutoModelForImageTextToText.from_pretrained(out / FINAL, dtype=torch.float32).eval()
    processor = read_processor(out / FINAL)
    for number in range(count):
        lesson = page(number, questions=2)
        for question in lesson.questions:
            reply = said(model, processor, lesson, question.ask)
            if question.kind == "where":
                assert inside(read_place(reply), question.box, SIDE), (question, reply)
            else:
                assert reply == question.reply
        done, wanted = read_decision(said(model, processor, lesson, lesson.ask)), read_decision(lesson.reply)
        assert (done.verb, done.text) == (wanted.verb, wanted.text)
        assert wanted.place is None or inside(done.place, lesson.box, SIDE)


def weights_in(out):
    return load_file(out / NAME)


def test_a_learner_that_was_stopped_ends_with_the_very_weights_of_one_that_was_not(tmp_path):
    lessons, out, settings = taught(tmp_path, recolour=True)
    learn(lessons, out, Budget(steps=7), settings, config=SMALL)
    learner = fresh(settings)
    pile = pile_of(learner, 8)
    for step in range(3):
        learner.learn(pile, step / 7)
    learner.save(tmp_path / "other", 1.5)
    found = learn(lessons, tmp_path / "other", Budget(steps=7), settings, config=SMALL)
    assert (found.step, found.complete) == (7, True)
    assert found.seconds > 1.5
    one, other = weights_in(out), weights_in(tmp_path / "other")
    assert one.keys() == other.keys()
    assert any(name.startswith("momentum:") for name in one)
    assert any(name.startswith("exp_avg_sq:") for name in one)
    assert [name for name in one if not torch.equal(one[name], other[name])] == []


def test_a_sigterm_is_obeyed_between_two_steps_and_learning_goes_on_when_asked(tmp_path):
    lessons, out, settings = taught(tmp_path, log_s=0.01)
    handler = signal.getsignal(signal.SIGTERM)
    watcher = threading.Thread(target=terminate_after, args=(out / LOG, 2), daemon=True)
    watcher.start()
    found = learn(lessons, out, Budget(seconds=1000), settings, config=SMALL)
    watcher.join()
    assert not found.complete
    assert signal.getsignal(signal.SIGTERM) is handler
    assert not (out / FINAL).exists()
    assert found.step > 0
    again = learn(lessons, out, Budget(steps=found.step + 2), settings, config=SMALL)
    assert (again.complete, again.step) == (True, found.step + 2)
    assert again.version > found.version


def terminate_after(log, lines):
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if log.exists() and len(log.read_bytes().splitlines()) >= lines:
            os.kill(os.getpid(), signal.SIGTERM)
            return
        time.sleep(0.02)


def test_held_out_websites_are_measured_and_everything_is_written_down(tmp_path):
    shelf = ShelfSettings(lessons=32, held_lessons=16, first=1, held_out=0.3, patience=20)
    lessons, out, settings = taught(tmp_path, count=20, shelf=shelf, log_s=0.01, measure_s=0.01, publish_s=0.01)
    found = learn(lessons, out, Budget(steps=6), settings, config=SMALL)
    assert found.measured.lessons > 0
    assert found == msgspec.json.decode((out / REPORT).read_bytes(), type=Learned)
    entries = [msgspec.json.decode(line, type=Entry) for line in (out / LOG).read_bytes().splitlines()]
    assert [entry.step for entry in entries] == sorted(entry.step for entry in entries)
    assert entries[-1].measured == found.measured
    assert {"total", "replies", "policy", "pointer", "letters", "norm"} == entries[-1].figures.keys()
    for rates in (found.measured.forced, found.measured.free):
        assert rates["named clicks"].attempts > 0
        assert rates["reading: text"].attempts > 0
        assert rates["decisions"].attempts == found.measured.lessons
        assert all(rate.low <= rate.rate <= rate.high for rate in rates.values())
    assert list(versions(out / VERSIONS)) == list(range(found.version - 3, found.version + 1))


def fresh(settings):
    return Learner(new_model(SMALL, seed=settings.seed), SMALL, settings, Words())


def pile_of(learner, count):
    pile = Pile(32, SMALL, learner.settings.shelf, learner.device)
    preparer = Preparer(
        SMALL, learner.settings.shelf, learner.words, learner.packer.room, learner.settings.rows.replies
    )
    pile.put("one", preparer.prepare([page(number, questions=2) for number in range(count)]))
    return pile


def test_what_is_published_is_the_average_with_its_trained_embedding(tmp_path):
    learner = fresh(small_settings(text=120))
    pile = pile_of(learner, 8)
    before = learner.pupil.embedding.detach().clone()
    for step in range(12):
        learner.learn(pile, step / 100)
    publisher = Publisher(tmp_path, SMALL, keep=2)
    folder = publisher.publish(learner.average.weights)
    assert folder.name == "v00001"
    carried = load_manner(folder)
    assert carried is not None
    assert carried.settings == manner(SMALL)
    loaded = read_model(folder)
    embedding = loaded.model.language_model.embed_tokens.weight
    assert loaded.lm_head.weight is embedding
    name = "model.language_model.embed_tokens.weight"
    assert not torch.allclose(embedding, before, atol=1e-3)
    for key, weight in loaded.named_parameters():
        assert torch.equal(weight, learner.average.weights[key].bfloat16().float()), key
    again = Learner(loaded, SMALL, learner.settings, Words())
    assert torch.equal(again.average.weights[name], learner.average.weights[name].bfloat16().float())
    theirs, ours = again.measure(pile, 8), learner.measure(pile, 8)
    assert theirs.free.keys() == ours.free.keys()


def test_published_versions_go_on_after_a_restart_and_half_written_ones_do_not_count(tmp_path):
    weights = dict(new_model(SMALL).named_parameters())
    publisher = Publisher(tmp_path, SMALL, keep=2)
    for _ in range(3):
        publisher.publish(weights)
    assert list(versions(tmp_path)) == [2, 3]
    (tmp_path / "v00004").mkdir()
    (tmp_path / "v00004" / "config.json").write_text("{}")
    assert list(versions(tmp_path)) == [2, 3]
    other = Publisher(tmp_path, SMALL, keep=2)
    assert other.publish(weights).name == "v00004"
    assert list(versions(tmp_path)) == [3, 4]
    assert read_model(tmp_path / "v00004") is not None


def test_weights_that_are_no_numbers_are_neither_published_nor_saved(tmp_path):
    learner = fresh(small_settings(text=120))
    pile = pile_of(learner, 4)
    learner.learn(pile, 0.0)
    learner.save(tmp_path, 1.0)
    good = (tmp_path / NAME).read_bytes()
    with torch.no_grad():
        learner.pupil.embedding[5] = torch.nan
    learner.learn(pile, 0.0)
    with pytest.raises(LossNotFinite):
        learner.save(tmp_path, 2.0)
    assert (tmp_path / NAME).read_bytes() == good
    with pytest.raises(LossNotFinite):
        Publisher(tmp_path / VERSIONS, SMALL, keep=2).publish(learner.average.weights)
    assert not versions(tmp_path / VERSIONS)


def test_a_checkpoint_that_is_damaged_or_of_other_settings_is_refused(tmp_path):
    settings = small_settings(text=120)
    learner = fresh(settings)
    learner.learn(pile_of(learner, 4), 0.0)
    learner.save(tmp_path, 1.0)
    other = settings.model_copy(update={"loss": LossSettings(policy=1.0)})
    with pytest.raises(CheckpointError, match="different settings: loss"):
        fresh(other).resume(tmp_path)
    path = tmp_path / NAME
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(CheckpointError, match="damaged"):
        fresh(settings).resume(tmp_path)
    assert not fresh(settings).resume(tmp_path / "nowhere")


def test_learning_starts_from_a_checkpoint_of_the_same_size(tmp_path):
    lessons, out, settings = taught(tmp_path)
    learn(lessons, out, Budget(steps=1), settings, config=SMALL)
    again = learn(lessons, tmp_path / "again", Budget(steps=1), settings, config=SMALL, start=out / FINAL)
    assert again.step == 1
    first, second = weights_in(out), weights_in(tmp_path / "again")
    name = "weight:model.model.language_model.embed_tokens.weight"
    assert not torch.equal(first[name], second[name])
    assert float((first[name] - second[name]).abs().max()) < 0.1
    other = msgspec.structs.replace(SMALL, layers=1)
    with pytest.raises(ConfigError, match="a different size"):
        learn(lessons, tmp_path / "other", Budget(steps=1), settings, config=other, start=out / FINAL)


def test_learning_without_an_end_or_without_lessons_is_refused(tmp_path):
    shelf = ShelfSettings(lessons=4, held_lessons=4, first=1, patience=0.5)
    with pytest.raises(ConfigError, match="how long"):
        learn(tmp_path, tmp_path / "out", Budget(), config=SMALL)
    with pytest.raises(TrainingError, match=r"0 lessons came|not read"):
        learn(tmp_path, tmp_path / "out", Budget(steps=1), small_settings(shelf=shelf), config=SMALL)
