"""The index of served websites, in a real browser: pictures, tasks and links of every site."""

from __future__ import annotations

import aiohttp
import pytest
from playwright.async_api import expect
from tests.integration.contrast import least_contrast

from webgym_hermetic.catalogue import sites
from webgym_hermetic.serve import serve_sites
from webgym_hermetic.tasks.generate import tasks_of

pytestmark = [pytest.mark.anyio, pytest.mark.chromium]
expect.set_options(timeout=20_000)
WIDE, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
CHOSEN = tuple(sites(6))


@pytest.fixture(scope="module")
async def server(anyio_backend):
    async with serve_sites(CHOSEN, token="t", index=True) as served:
        yield served


@pytest.fixture
async def page(bare_chromium):
    context = await bare_chromium.new_context(viewport=WIDE)
    page = await context.new_page()
    page.complaints = []
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    page.on("console", lambda said: page.complaints.append(said.text) if said.type in ("error", "warning") else None)
    yield page
    assert page.complaints == []
    await context.close()


DECODED = """all => Promise.all(all.map(async (one) => {
  one.loading = "eager";
  await one.decode();
  return one.naturalWidth > 0;
}))"""


async def test_the_root_shows_every_family_with_pictures_and_some_of_its_sites(page, server):
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    await page.goto(server.index)
    families = page.locator("main section")
    await expect(families).to_have_count(6)
    await expect(families.first.locator(".sites li")).to_have_count(4)
    pictures = page.locator("main img")
    assert await pictures.count() == 6 + 6 * 4
    assert all(await pictures.evaluate_all(DECODED))
    assert all(await pictures.evaluate_all("all => all.map((one) => one.alt.length > 0)"))
    assert all(url.startswith(server.index) for url in asked)


async def test_a_site_shows_all_of_its_tasks_with_their_levels_and_opens_in_the_readers_browser(page, server):
    site = CHOSEN[8]
    await page.goto(server.index)
    await page.get_by_role("navigation").get_by_role("link", name="Travel booking").click()
    await expect(page.locator(".sites li")).to_have_count(6)
    await page.get_by_role("link", name=site.brand, exact=True).click()
    tasks = list(tasks_of(site))
    await expect(page.locator(".tasks li")).to_have_count(len(tasks))
    await expect(page.locator(".tasks li > p:first-child")).to_have_text([task.instruction for task in tasks])
    await expect(page.locator(".tasks .level")).to_have_text([task.level for task in tasks])
    shown = await page.locator("main").inner_text()
    assert not [fact for task in tasks for group in task.rubric for fact in group.facts if fact in shown]
    await page.get_by_role("link", name=f"Open {site.name}.localhost").click()
    assert page.url == server.url(site.name)
    await expect(page.locator("body")).to_contain_text(site.brand)


async def test_it_can_be_walked_by_keyboard(page, server):
    await page.goto(server.index)
    await page.keyboard.press("Tab")
    await page.keyboard.press("Tab")
    await expect(page.get_by_role("link", name="Online shops", exact=True)).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", level=1)).to_have_text("Online shops")
    await expect(page.get_by_role("link", name="Online shops", exact=True)).to_have_attribute("aria-current", "page")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
async def test_it_fits_and_its_words_stand_out(bare_chromium, server, size, scheme):
    context = await bare_chromium.new_context(viewport=size, color_scheme=scheme)
    try:
        page = await context.new_page()
        for path in ("", "families/news", f"sites/{CHOSEN[0].name}"):
            await page.goto(server.index + path)
            assert await page.evaluate("document.documentElement.scrollWidth") <= size["width"]
            assert await least_contrast(page) >= 4.5, path
    finally:
        await context.close()


async def answered(server, path="/", *, host="localhost", **headers) -> tuple[int, str]:
    async with aiohttp.ClientSession() as http:
        url = f"http://127.0.0.1:{server.port}{path}"
        async with http.get(url, headers={"Host": f"{host}:{server.port}", **headers}) as reply:
            return reply.status, await reply.text()


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]", "node7.example"])
async def test_the_index_answers_whoever_asks_for_the_machine(server, host):
    status, text = await answered(server, host=host)
    assert status == 200
    assert f"http://{CHOSEN[0].name}.localhost:{server.port}/" in text


@pytest.mark.parametrize("host", ["nowhere.localhost", "a.b.localhost"])
async def test_a_website_that_is_not_served_is_not_there_as_before(server, host):
    assert await answered(server, host=host) == (404, "There is no such website here.\n")


async def test_no_agent_is_given_the_index(server):
    status, _ = await answered(server, **{"X-WebGym-State": "any"})
    assert status == 404


async def test_sites_of_a_run_have_no_index():
    async with serve_sites(CHOSEN[:1], token="t") as plain:
        assert (await answered(plain))[0] == 404
        assert (await answered(plain, host=f"{CHOSEN[0].name}.localhost"))[0] == 200


@pytest.mark.parametrize(
    "path", ["/sites/nobody", "/families/nobody", "/pictures/..%2Fapp.webp", "/sketches/x.svg", "/app.py", "/-/kit"]
)
async def test_what_is_not_in_the_index_is_not_found(server, path):
    status, text = await answered(server, path)
    assert (status, "no such page" in text) == (404, True)


async def test_addresses_in_a_host_header_cannot_become_markup(server):
    _, text = await answered(server, host='x"><script>alert(1)</script>')
    assert "<script>" not in text
