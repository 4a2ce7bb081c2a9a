"""`python -m webgym_hermetic < PLAN`: serve the sites from a separate process, which prints its addresses as JSON."""

from __future__ import annotations

import signal
import sys

import anyio
import msgspec

from webgym.records.base import Record
from webgym.serving.parent_death import die_with_parent
from webgym_hermetic.catalogue import SITES_PER_FAMILY, sites
from webgym_hermetic.registry import FAMILIES
from webgym_hermetic.serve import serve_sites


class SitesPlan(Record, frozen=True):
    """Configuration read from stdin: which sites to serve, where, and the control plane's token."""

    token: str
    per_family: int = SITES_PER_FAMILY
    families: tuple[str, ...] = FAMILIES
    host: str = "127.0.0.1"
    port: int = 0
    control_port: int = 0


async def _serve(plan: SitesPlan) -> None:
    chosen = tuple(sites(plan.per_family, plan.families))
    serving = serve_sites(chosen, token=plan.token, host=plan.host, port=plan.port, control_port=plan.control_port)
    async with serving as server:
        sys.stdout.buffer.write(msgspec.json.encode(server) + b"\n")
        sys.stdout.buffer.flush()
        with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
            async for _ in signals:
                return


if __name__ == "__main__":
    die_with_parent()
    anyio.run(
        _serve, msgspec.json.decode(sys.stdin.buffer.read(), type=SitesPlan), backend_options={"use_uvloop": True}
    )
