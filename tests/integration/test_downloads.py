"""Files that pages give to the browser."""

from __future__ import annotations

import pytest
from tests.integration.sessions import button, driving, link

from webgym.records.observation import Blob, Download, address_of

pytestmark = [pytest.mark.anyio, pytest.mark.chromium]

CONTENT = b"a,b\n" * 5000


@pytest.fixture
def table(pages):
    headers = {"Content-Disposition": "attachment; filename=table.csv"}
    return pages.put("/table", CONTENT, headers=headers, media_type="text/csv", after=0.3)


def complete(url: str, content: bytes = CONTENT) -> Download:
    return Download("table.csv", "complete", Blob(address_of(content), "text/csv", len(content)), url, len(content))


async def test_a_download_is_observed_complete_with_its_bytes(session, pages, table):
    await session.go(pages.page(link("/table"), title="stays"))
    seen = await session.click()
    assert (seen.title, seen.downloads, seen.settled) == ("stays", (complete(table),), True)
    assert "download" in seen.effect.what
    assert await session.session.blob(seen.downloads[0].blob.address) == CONTENT
    assert (await session.do()).downloads == seen.downloads


async def test_a_download_attribute_and_a_made_up_file_work_too(session, pages, table):
    pages.put("/plain", CONTENT, media_type="text/csv")
    await session.go(pages.page(link("/plain", "download=table.csv"), "/one"))
    assert (await session.click()).downloads == (complete(pages.url("/plain")),)
    script = (
        "let a=document.createElement('a');a.href=window.URL.createObjectURL(new Blob(['made up']));"
        "a.download='made.txt';a.click()"
    )
    await session.go(pages.page(button(script), "/two"))
    made = (await session.click()).downloads[1]
    assert (made.name, made.state) == ("made.txt", "complete")
    assert await session.session.blob(made.blob.address) == b"made up"


async def test_navigating_to_a_download_leaves_the_page(session, pages, table):
    await session.go(pages.page("x", title="stays"))
    seen = await session.go(table)
    assert (seen.title, seen.downloads, seen.effect.what) == ("stays", (complete(table),), ("download",))


async def test_a_window_opened_only_for_a_download_is_gone_again(session, pages, table):
    await session.go(pages.page(link("/table", "target=_blank"), title="stays"))
    seen = await session.click()
    assert (seen.title, seen.downloads) == ("stays", (complete(table),))


async def test_a_file_over_the_quota_is_not_kept(chromium, pages, table):
    async with driving(chromium, download_quota_bytes=10_000) as session:
        await session.go(pages.page(link("/table")))
        (download,) = (await session.click()).downloads
    assert (download.state, download.blob) == ("over_quota", None)


async def test_an_endless_file_is_cut_at_the_quota(chromium, pages):
    headers = {"Content-Disposition": "attachment; filename=endless.bin"}
    pages.trickle("/endless", headers=headers, chunk=b"x" * 100_000)
    async with driving(chromium, download_quota_bytes=300_000) as session:
        await session.go(pages.page(link("/endless")))
        (download,) = (await session.click()).downloads
    assert (download.state, download.blob) == ("over_quota", None)
    assert download.size < 3_000_000


async def test_a_slow_file_is_reported_in_progress(session, pages):
    pages.trickle("/slow", headers={"Content-Disposition": "attachment; filename=slow.bin"})
    await session.go(pages.page(link("/slow")))
    assert (await session.click()).downloads[0].state == "in_progress"


async def test_names_cannot_lead_out_of_the_folder(session, pages):
    headers = {"Content-Disposition": 'attachment; filename="../../etc/passwd"'}
    pages.put("/evil", b"x", headers=headers)
    await session.go(pages.page(link("/evil")))
    assert "/" not in (await session.click()).downloads[0].name


async def test_sessions_do_not_see_each_others_downloads(chromium, session, pages, table):
    async with driving(chromium) as other:
        await session.go(pages.page(link("/table")))
        await session.click()
        assert (await other.do()).downloads == ()
