"""The accessibility tree as text."""

from __future__ import annotations

import pytest
from tests.integration.action_pages import showing

from webgym.browser.server.chromium import accessibility

pytestmark = [pytest.mark.anyio, pytest.mark.chromium]


async def test_the_tree_is_compact_and_says_what_matters(tab):
    html = """<title>Shop</title><main><div><div><h1>Offers</h1></div></div>
      <a href=/x><span>First</span> offer</a>
      <label>E-mail <input type=email required value=me@example.org></label>
      <label><input type=checkbox checked> Agree</label><button disabled>Send</button>
      <button aria-expanded=true>Menu</button><input type=password aria-label=Secret value=hunter2>
      <p>Plain <b>words</b></p><div aria-hidden=true>hidden</div></main>"""
    async with showing(tab, html):
        text = await accessibility.tree(tab)
    assert text.splitlines()[0].startswith('document "Shop"')
    for line in (
        '  main',
        '    heading "Offers" [level=1]',
        '    link "First offer"',
        '    textbox "E-mail" [required]: me@example.org',
        '    checkbox "Agree" [checked]',
        '    button "Send" [disabled]',
        '    button "Menu" [expanded]',
        '    paragraph',
        '      text "Plain"',
    ):  # fmt: skip
        assert line in text.splitlines(), text
    assert "hidden" not in text
    assert "hunter2" not in text


async def test_frames_are_included_where_they_are_in_the_page(tab):
    pages = {
        "a/": """<button>Before</button><iframe title=Same src=/same></iframe>
          <iframe title=Other src='http://b.localhost:PORT/other'></iframe><button>After</button>""",
        "a/same": "<button>In same</button>",
        "b/other": "<button>In other</button><iframe title=Inner src='http://a.localhost:PORT/inner'></iframe>",
        "a/inner": "<button>In inner</button>",
    }
    async with showing(tab, pages):
        text = await accessibility.tree(tab)
    buttons = [line.strip() for line in text.splitlines() if "button" in line]
    assert buttons == [f'button "{name}"' for name in ("Before", "In same", "In other", "In inner", "After")]
    depth = {line.strip(): len(line) - len(line.lstrip()) for line in text.splitlines()}
    assert depth['button "In inner"'] > depth['button "In other"'] > depth['button "Before"']


async def test_shadow_roots_are_included(tab):
    html = "<div id=h></div><script>h.attachShadow({mode: 'closed'}).innerHTML = '<button>In closed</button>'</script>"
    async with showing(tab, html):
        assert 'button "In closed"' in await accessibility.tree(tab)


async def test_a_very_long_tree_is_cut_off_and_says_so(tab):
    async with showing(tab, "".join(f"<p>Paragraph number {n} of very many</p>" for n in range(3000))):
        text = await accessibility.tree(tab)
    assert len(text) <= accessibility.MOST_CHARACTERS + 50
    assert text.endswith("… (the rest is left out)")
