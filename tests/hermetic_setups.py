"""Setups of attempts, as environments prepare them, without servers."""

from __future__ import annotations

from typing import cast

from webgym.environments.spec import attempt_spec
from webgym.records.trajectory import Attempt
from webgym.stages import AttemptSetup, AttemptTerms
from webgym_hermetic.control.client import SitesControl
from webgym_hermetic.environment import HermeticState
from webgym_hermetic.site import Site
from webgym_hermetic.states import Snapshot


class StillControl:
    """A control plane on which every site is as it was begun."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot

    async def read(self, key: str, site: str) -> Snapshot:
        assert (key, site) == ("key", self._snapshot.site)
        return self._snapshot


def hermetic_setup(attempt: Attempt, site: Site, snapshot: Snapshot | None = None) -> AttemptSetup:
    """On a site that nobody did anything to, or where this was done."""
    control = cast("SitesControl", StillControl(snapshot or Snapshot(site.name)))
    return HermeticState(control, site, "key", attempt, AttemptTerms()).setup()


def open_setup(attempt: Attempt) -> AttemptSetup:
    """On the open web."""
    return AttemptSetup(attempt, attempt_spec(attempt, AttemptTerms()))
