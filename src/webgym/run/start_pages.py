"""Check that the run's own fleet lets sessions reach the pages that tasks start at."""

from __future__ import annotations

import socket
from collections.abc import Iterable, Mapping
from contextlib import suppress
from ipaddress import IPv4Address

import anyio

from webgym.browser.config import EgressConfig
from webgym.browser.server.proxy.addresses import Address, parse_address
from webgym.browser.server.proxy.hosts import Destination, destination_of
from webgym.browser.server.proxy.policy import EgressPolicy, RefusedDestination, parse_policy
from webgym.errors import ConfigError
from webgym.records.task import Task
from webgym.run.config import BrowserConfig
from webgym.stages import Environment

_LOCAL = (".corp", ".home.arpa", ".internal", ".intranet", ".lan", ".local")
"""Suffixes of names that may have a private address. The thousands of public names are not resolved here."""
_RESOLVE_SECONDS = 5.0
_MOST_SHOWN = 20


async def check_start_pages(browser: BrowserConfig, environment: Environment, tasks: Iterable[Task]) -> None:
    """Check the start pages of these tasks against the egress policy of the fleet that the run starts.

    Not those that the environment serves, which says itself what sessions must reach.

    Of a running fleet nobody here knows the policy: there, an attempt ends with `EgressRefused`.

    Raises:
        ConfigError: Some would be refused in every attempt; the message has the setting that allows them.
    """
    if browser.url:
        return
    starts = _starts(task for task in tasks if not environment.supports(task).served)
    policy = parse_policy(EgressConfig(allow=browser.allow))
    refused = {there: reason for there in starts if (reason := await _refusal(policy, there))}
    if not refused:
        return
    first = next(iter(refused))
    allow = ", ".join(f'"{there}"' for there in dict.fromkeys((*browser.allow, *map(str, refused))))
    if len(refused) > _MOST_SHOWN:
        allow = f'"{first}", …'
    raise ConfigError(
        f"sessions may not reach the page that a task starts at, {starts[first]} ({refused[first]}): by default they "
        f"reach public addresses only. To allow it, set browser.allow='[{allow}]'"
    )


def _starts(tasks: Iterable[Task]) -> Mapping[Destination, str]:
    """Return a start page for each host and port."""
    found: dict[Destination, str] = {}
    for task in tasks:
        there = destination_of(task.website)
        if there is not None:
            found.setdefault(there, task.website)
    return found


async def _refusal(policy: EgressPolicy, there: Destination) -> str:
    addresses = await _addresses(there)
    verdict = policy.decide(there, addresses) if addresses else None
    return verdict.reason.removeprefix(f"{there}: ") if isinstance(verdict, RefusedDestination) else ""


async def _addresses(there: Destination) -> list[Address]:
    """Return the addresses of a host that may be private; none if it looks public or does not resolve."""
    if there.address is not None:
        return [there.address]
    if there.is_localhost:
        return [IPv4Address("127.0.0.1")]
    if "." in there.host and not there.host.endswith(_LOCAL):
        return []
    with suppress(OSError), anyio.move_on_after(_RESOLVE_SECONDS):
        found = await anyio.getaddrinfo(there.host, there.port, type=socket.SOCK_STREAM)
        return [address for *_, place in found if (address := parse_address(str(place[0]))) is not None]
    return []
