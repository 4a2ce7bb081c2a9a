"""What travels between the control plane and its clients."""

from __future__ import annotations

from webgym.records.base import Record
from webgym.sites.family import Event
from webgym.sites.weather import CLEAR, Weather


class Begin(Record, frozen=True, forbid_unknown_fields=True):
    """A new state: on this site, with these events already happened."""

    site: str
    events: tuple[Event, ...] = ()
    weather: Weather = CLEAR


class Begun(Record, frozen=True):
    """The key under which sessions find their state (`SessionSpec.state_key`)."""

    key: str


class Restart(Record, frozen=True, forbid_unknown_fields=True):
    """A state that becomes a new one, under the same key."""

    like: str
    """Key of the state that it starts equal to."""


class Status(Record, frozen=True):
    """What the server has."""

    sites: int
    states: int
    pages_port: int


class Problem(Record, frozen=True):
    """Why a request was refused."""

    code: str
    message: str
