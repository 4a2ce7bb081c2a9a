"""A website is the same one under each of its hosts: what is tested on was not trained on."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from webgym.errors import ConfigError, TrainingError
from webgym.records.task import Task
from webgym.records.trajectory import Attempt
from webgym.run import train_test_overlap
from webgym.run.train_test_overlap import check_rows, check_tasks
from webgym.store.meta import RunMeta
from webgym.store.read import open_run
from webgym.store.rows import Row
from webgym.store.write import open_writer

WWW = ("https://amazon.com/", "https://www.amazon.com/dp/1")
SAME = [WWW, ("https://shop.example.co.uk/", "https://www.example.co.uk/"), ("http://a.com./", "http://A.com:8080/")]
DIFFERENT = [
    ("http://one.localhost:4300/", "http://two.localhost:4300/"),
    ("https://one.co.uk/", "https://two.co.uk/"),
    ("http://10.0.0.1/", "http://10.0.0.2/"),
]


def on(website: str) -> list[Task]:
    return [Task("t", "Do it.", website, ())]


async def stored(folder: Path, website: str) -> list[Row]:
    async with open_writer(folder, RunMeta("r", 1.0, kind="eval")) as writer:
        await writer.begin(Attempt("a", on(website)[0]))
    with open_run(folder) as run:
        return run.rows()


@pytest.fixture
def without_the_list(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As where only the extra `train` is installed."""
    monkeypatch.setitem(sys.modules, "publicsuffixlist", None)
    monkeypatch.delitem(sys.modules, "webgym.tasks.websites", raising=False)
    train_test_overlap.site_rule.cache_clear()
    yield
    train_test_overlap.site_rule.cache_clear()


@pytest.mark.parametrize(("train", "test"), SAME)
def test_a_website_under_another_of_its_hosts_is_refused(train: str, test: str):
    with pytest.raises(ConfigError, match="in both training and test tasks"):
        check_tasks(on(train), on(test))


@pytest.mark.parametrize(("train", "test"), DIFFERENT)
def test_different_websites_pass(train: str, test: str):
    check_tasks(on(train), on(test))


def test_one_application_may_have_tasks_in_both_splits_but_no_task_is_in_both():
    first, other = (Task(name, "Do it.", "http://127.0.0.1:81/", (), site="mlflow") for name in ("a", "b"))
    check_tasks([first], [other])
    with pytest.raises(ConfigError, match="1 tasks are in both training and test tasks, such as mlflow/a"):
        check_tasks([first, other], [first])
    with pytest.raises(ConfigError, match="1 websites are in both"):
        check_tasks(on("http://127.0.0.1:81/"), on("http://127.0.0.1:82/"))


@pytest.mark.anyio
async def test_what_the_store_tells_is_held_to_the_same(tmp_path: Path):
    trained, tested = await stored(tmp_path / "train", WWW[0]), await stored(tmp_path / "test", WWW[1])
    with pytest.raises(TrainingError, match=r"amazon\.com"):
        check_rows(trained, tested)
    check_rows(trained, await stored(tmp_path / "other", "http://one.localhost/"))


@pytest.mark.usefixtures("without_the_list")
def test_without_the_list_of_suffixes_www_is_still_the_same_website():
    with pytest.raises(ConfigError, match=r"amazon\.com"):
        check_tasks(on(WWW[0]), on(WWW[1]))
    for train, test in DIFFERENT:
        check_tasks(on(train), on(test))
