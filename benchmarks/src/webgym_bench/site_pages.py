"""Measures the page latency of the hermetic sites and the memory of the process that serves them."""

from __future__ import annotations

import re
import time
from collections import deque
from collections.abc import AsyncGenerator, Callable
from dataclasses import asdict, dataclass
from statistics import median, quantiles
from typing import Any

import aiohttp
import psutil
from webgym_hermetic.__main__ import SitesPlan
from webgym_hermetic.catalogue import sites
from webgym_hermetic.ground import run_sites
from webgym_hermetic.registry import FAMILIES
from webgym_hermetic.site import Site

from webgym.errors import SiteError

_LINK = re.compile(rb'href="(/[^"#]*)"')
_MEGABYTE = 2**20


@dataclass(frozen=True, slots=True)
class SitePages:
    """The results: latencies of sequential, complete requests from a client on the same machine."""

    sites: int
    pages: int
    p50_ms: float
    p95_ms: float
    slowest_ms: float
    cpu_ms: float
    """CPU time of the server per page, including the building of worlds and templates."""
    page_kb: float
    """Median page size."""
    memory_mb: float
    """PSS of the process that serves all sites, after every site was visited."""
    first_ms: float
    """Median latency of the first page of a site, which builds its world."""

    def as_json(self) -> dict[str, Any]:
        return {"benchmark": "sites", "version": 1, **asdict(self)}


async def measure(per_family: int, pages_per_site: int, told: Callable[[int, int], None]) -> SitePages:
    """Visit up to `pages_per_site` pages of every site by following links."""
    chosen = list(sites(per_family, FAMILIES))
    first: list[float] = []
    later: list[float] = []
    sizes: list[int] = []
    async with run_sites(SitesPlan("bench", per_family)) as server, aiohttp.ClientSession() as client:
        for number, site in enumerate(chosen, start=1):
            async for milliseconds, size in _visit(client, server.port, site, pages_per_site):
                (later if sizes and len(first) == number else first).append(milliseconds)
                sizes.append(size)
            told(number, len(chosen))
        memory, cpu = _taken_by_children()
    p95 = quantiles(later, n=20, method="inclusive")[-1]
    return SitePages(
        sites=len(chosen),
        pages=len(sizes),
        p50_ms=round(median(later), 2),
        p95_ms=round(p95, 2),
        slowest_ms=round(max(later), 2),
        cpu_ms=round(1000 * cpu / len(sizes), 2),
        page_kb=round(median(sizes) / 1000, 1),
        memory_mb=round(memory, 1),
        first_ms=round(median(first), 2),
    )


async def _visit(client: aiohttp.ClientSession, port: int, site: Site, most: int) -> AsyncGenerator[tuple[float, int]]:
    """Request the pages of a site breadth first. Yield the latency in milliseconds and the size in bytes of each."""
    headers = {"Host": f"{site.name}.localhost", "X-View": "1"}
    queue, seen = deque(["/"]), {"/"}
    for _ in range(most):
        if not queue:
            return
        path = queue.popleft()
        started = time.perf_counter()
        async with client.get(f"http://127.0.0.1:{port}{path}", headers=headers) as response:
            body = await response.read()
        yield 1000 * (time.perf_counter() - started), len(body)
        if response.status >= 500:
            raise SiteError(f"{site.name}{path} answered {response.status}")
        for link in _LINK.findall(body):
            target = link.decode().replace("&amp;", "&")
            if target not in seen and not target.startswith("/-/"):
                seen.add(target)
                queue.append(target)


def _taken_by_children() -> tuple[float, float]:
    """Return the memory of the child processes in megabytes and their CPU time in seconds."""
    children = psutil.Process().children()
    times = [child.cpu_times() for child in children]
    memory = sum(child.memory_full_info().pss for child in children) / _MEGABYTE
    return memory, sum(time.user + time.system for time in times)
