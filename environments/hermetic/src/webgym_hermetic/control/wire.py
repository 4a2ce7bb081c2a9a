"""Request and response bodies of the control plane."""

from __future__ import annotations

from webgym.records.base import Record
from webgym_hermetic.family import Event
from webgym_hermetic.weather import CLEAR, Weather


class Begin(Record, frozen=True, forbid_unknown_fields=True):
    """Request for a new state on a site, with these events already applied."""

    site: str
    events: tuple[Event, ...] = ()
    weather: Weather = CLEAR
    visits: tuple[str, ...] = ()
    """Pages that count as shown before."""


class Begun(Record, frozen=True):
    """The key of a new state, for `SessionSpec.state_key`."""

    key: str


class Restart(Record, frozen=True, forbid_unknown_fields=True):
    """Request to replace a state by a fork of another, under the same key."""

    like: str
    """Key of the state to fork."""


class Status(Record, frozen=True):
    """Counts of sites and open states, and the port of the pages."""

    sites: int
    states: int
    pages_port: int


class Problem(Record, frozen=True):
    """Error response."""

    code: str
    message: str
