"""Environments are found by name and by import path, and made with their options."""

from __future__ import annotations

from importlib.metadata import EntryPoint

import pytest

from webgym.environments import registry
from webgym.environments.live import LiveEnvironment
from webgym.environments.registry import environment_named, installed_environments
from webgym.environments.template.shopping_list import ShoppingListEnvironment
from webgym.errors import ConfigError
from webgym.plugins import ENVIRONMENTS
from webgym.records.environment import TaskSelection
from webgym.stages import Environment


class Optioned(ShoppingListEnvironment):
    def __init__(self, goods: str = "tea") -> None:
        self.goods = goods


READY = Optioned("salt")


def test_the_environments_of_the_package_are_installed():
    assert {"hermetic", "live"} <= installed_environments().keys()
    assert isinstance(environment_named("live"), LiveEnvironment)
    assert isinstance(environment_named("hermetic"), Environment)


def test_ones_own_goes_by_its_import_path_and_is_made_with_its_options():
    made = environment_named("tests.unit.environments.test_registry:Optioned", {"goods": "rice"})
    assert made.goods == "rice"
    assert environment_named("tests.unit.environments.test_registry:READY").goods == "salt"


@pytest.mark.parametrize(
    ("use", "options", "told"),
    [
        ("hermetics", {}, "did you mean 'hermetic'"),
        ("nothing-like-it", {}, r"installed are .*hermetic.*module:Name"),
        ("tests.unit.environments.nowhere:Thing", {}, "cannot be imported"),
        ("tests.unit.environments.test_registry:Missing", {}, "cannot be imported"),
        ("tests.unit.environments.test_registry:pytest", {}, "does not implement Environment"),
        ("tests.unit.environments.test_registry:Optioned", {"colour": 1}, "does not take these env.options.*colour"),
        ("live", {"colour": 1}, "does not take these env.options"),
    ],
)
def test_what_cannot_be_is_told(use: str, options: dict[str, object], told: str):
    with pytest.raises(ConfigError, match=told):
        environment_named(use, options)


def test_an_installed_environment_that_cannot_be_imported_is_named(monkeypatch: pytest.MonkeyPatch):
    broken = EntryPoint("broken", "no_such_package.environment:Thing", ENVIRONMENTS)
    monkeypatch.setattr(registry, "installed_environments", lambda: {"broken": broken})
    with pytest.raises(ConfigError, match=r"'broken' of webgym\.environments cannot be imported"):
        environment_named("broken")


def test_live_websites_come_without_tasks():
    with pytest.raises(ConfigError, match=r"tasks\.use=set"):
        LiveEnvironment().tasks(TaskSelection())
