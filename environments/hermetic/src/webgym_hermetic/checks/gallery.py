"""A page with screenshots of every site in two viewport sizes."""

from __future__ import annotations

import html
from collections.abc import Callable
from pathlib import Path

import anyio

from webgym.records.session import Look, SessionSpec
from webgym_hermetic.catalogue import sites
from webgym_hermetic.checks.jobs import SMALL, WIDE
from webgym_hermetic.checks.spread import spread
from webgym_hermetic.ground import Ground, hermetic_ground
from webgym_hermetic.site import Site

_SIZES = {"wide": WIDE, "small": SMALL}
_STYLE = """
body { margin: 24px; font: 14px/1.4 sans-serif; background: #f4f4f5; color: #18181b; }
h2 { margin: 32px 0 12px; } h2 small { color: #71717a; font-weight: 400; }
.sites { display: grid; grid-template-columns: repeat(auto-fill, minmax(520px, 1fr)); gap: 20px; }
figure { margin: 0; background: #fff; border: 1px solid #e4e4e7; border-radius: 8px; overflow: hidden; }
.pair { display: flex; gap: 8px; align-items: flex-start; background: #e4e4e7; padding: 8px; }
.pair img { display: block; max-width: 70%; height: auto; } .pair img + img { max-width: 28%; }
figcaption { padding: 10px 12px; } figcaption small { color: #71717a; }
"""


async def make_gallery(
    out: Path, families: tuple[str, ...], per_family: int, sessions: int, told: Callable[[int, int], None]
) -> Path:
    """Visit every site and write the page; return its path."""
    chosen = list(sites(per_family, families))
    (out / "pictures").mkdir(parents=True, exist_ok=True)
    todo = [(site, size) for site in chosen for size in _SIZES]
    done = 0
    async with hermetic_ground(sessions, per_family, families) as ground:

        async def work(one: tuple[Site, str]) -> None:
            nonlocal done
            site, size = one
            data = await _picture(ground, site, size)
            await anyio.Path(out / "pictures" / f"{site.name}-{size}.jpg").write_bytes(data)
            done += 1
            told(done, len(todo))

        await spread(todo, sessions, work)
    page = out / "index.html"
    await anyio.Path(page).write_text(_page(chosen, families), encoding="utf-8")
    return page


async def _picture(ground: Ground, site: Site, size: str) -> bytes:
    async with ground.control.state(site.name) as key:
        spec = SessionSpec(start_url=f"http://{site.name}.localhost/", viewport=_SIZES[size], state_key=key)
        async with ground.browser.open(spec) as session:
            capture = await session.step(None, Look(quality=80))
    shot = capture.observation.screenshot
    return capture.blobs[shot.address] if shot else b""


def _page(chosen: list[Site], families: tuple[str, ...]) -> str:
    parts = [f"<!doctype html><meta charset=utf-8><title>Hermetic websites</title><style>{_STYLE}</style>"]
    parts.append(f"<h1>{len(chosen)} hermetic websites</h1>")
    for family in families:
        own = [site for site in chosen if site.family == family]
        parts.append(f"<h2>{html.escape(family)} <small>{len(own)} sites</small></h2><div class=sites>")
        parts += [_figure(site) for site in own]
        parts.append("</div>")
    return "\n".join(parts)


def _figure(site: Site) -> str:
    pictures = "".join(
        f'<img loading=lazy src="pictures/{site.name}-{size}.jpg" alt="" width={view.width} height={view.height}>'
        for size, view in _SIZES.items()
    )
    about = html.escape(f"{site.family}-{site.number}, {site.structure}, {site.shell}, {site.split}")
    return (
        f"<figure><div class=pair>{pictures}</div><figcaption>{html.escape(site.brand)} <small>{about}</small>"
        "</figcaption></figure>"
    )
