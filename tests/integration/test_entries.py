"""What is told of an entry into a field: not that it worked when the page did not let it."""

from __future__ import annotations

import pytest
from tests.integration.sessions import AREA, button

from webgym.records.action import Point, Press, Select, TypeText
from webgym.records.observation import NoChange, PageChange

pytestmark = [pytest.mark.anyio, pytest.mark.chromium]

HERE = Point(50, 20)
FIELD = f"<input id=f value=5 style='{AREA}'>"
SELECT = f"<select id=f style='{AREA}'><option>S<option selected>M<option>L</select>"
MARKED = "document.body.className='x'+Math.random()"
STILL_5 = "the value of the field did not change: it is still '5'"

# Each: the page, its script, what is done, what is told.
UNEXPECTED = {
    "all keys cancelled": (FIELD, f"f.onkeydown=e=>{{e.preventDefault();{MARKED}}}", TypeText("7", HERE), STILL_5),
    "a key cancelled": (FIELD, f"f.focus();f.onkeydown=e=>{{e.preventDefault();{MARKED}}}", Press(("7",)), STILL_5),
    "erasing cancelled": (
        FIELD,
        f"f.focus();f.onkeydown=e=>{{e.preventDefault();{MARKED}}}",
        Press(("Delete",)),
        STILL_5,
    ),
    "set back at once": (FIELD, "f.oninput=()=>{f.value='5'}", TypeText("7", HERE), STILL_5),
    "set back later": (FIELD, "f.oninput=()=>setTimeout(()=>{f.value='5'},200)", TypeText("7", HERE), STILL_5),
    "cancelled before it is submitted": (
        f"<form onsubmit='return false'>{FIELD}</form>",
        "f.onbeforeinput=e=>e.preventDefault()",
        TypeText("7", HERE, submit=True),
        STILL_5,
    ),
    "cancelled in an empty field": (
        FIELD,
        "f.value='';f.onkeydown=e=>e.preventDefault()",
        TypeText("7", HERE),
        "the value of the field did not change: it is still empty",
    ),
    "cut off": (FIELD, "f.maxLength=3", TypeText("12345", HERE), "the value of the field is now '123'"),
    "put in form": (
        FIELD,
        "f.oninput=()=>{f.value=f.value.replace(/^(\\d{3})(\\d+)$/,'($1) $2')}",
        TypeText("55512", HERE),
        "the value of the field is now '(555) 12'",
    ),
    "typed again": (FIELD, "", TypeText("5", HERE), "the value of the field was this already"),
    "a secret": (
        FIELD,
        "f.type='password';f.onkeydown=e=>e.preventDefault()",
        TypeText("7", HERE),
        "the value of the field did not change: it is still not shown",
    ),
    "a text that is edited": (
        f"<div id=f contenteditable style='{AREA}'>five</div>",
        "f.onbeforeinput=e=>e.preventDefault()",
        TypeText("7", HERE),
        "the value of the field did not change: it is still 'five'",
    ),
    "a date": (
        f"<input type=date id=f value=2024-01-02 style='{AREA}'>",
        "f.onchange=()=>{f.value='2024-01-02'}",
        TypeText("2024-05-06", HERE),
        "the value of the field did not change: it is still '2024-01-02'",
    ),
    "an option": (
        SELECT,
        "f.onchange=()=>{f.value='M'}",
        Select(HERE, ("L",)),
        "the selection did not change: it is still 'M'",
    ),
    "another option": (SELECT, "f.onchange=()=>{f.value='S'}", Select(HERE, ("L",)), "the selection is now 'S'"),
    "the same option": (SELECT, "", Select(HERE, ("M",)), "the selection was this already"),
}


@pytest.mark.parametrize("case", UNEXPECTED)
async def test_a_value_that_is_not_what_was_entered_is_told(session, pages, case):
    body, code, action, told = UNEXPECTED[case]
    await session.go(pages.page(f"{body}<script>{code}</script>"))
    effect = (await session.do(action)).effect
    assert isinstance(effect, PageChange | NoChange)
    assert effect.detail == told
    assert isinstance(effect, NoChange) or ("value" in effect.what) == ("did not" not in told and "already" not in told)


EXPECTED = {
    "typed": (FIELD, "", TypeText("7", HERE)),
    "added": (FIELD, "", TypeText("7", HERE, mode="append")),
    "emptied": (FIELD, "", TypeText("", HERE)),
    "a key": (FIELD, "f.focus()", Press(("7",))),
    "a shortcut": (FIELD, "f.focus();onkeydown=e=>e.preventDefault()", Press(("Control", "7"))),
    "a key without a field": (FIELD, f"onkeydown=()=>{{{MARKED}}}", Press(("7",))),
    "sent": (
        f"<form onsubmit='f.value=\"\";return false'>{FIELD}</form>",
        "f.value=''",
        TypeText("hello", HERE, submit=True),
    ),
    "the field goes away": (FIELD, "f.oninput=()=>f.remove()", TypeText("7", HERE)),
    "completed": (FIELD, "f.onkeyup=({key})=>{if(key==='s')f.value+='ville'}", TypeText("Paris", HERE)),
    "several lines": (f"<textarea id=f style='{AREA}'></textarea>", "", TypeText("one\n two", HERE)),
    "a date": (f"<input type=date id=f style='{AREA}'>", "", TypeText("2024-05-06", HERE)),
    "a colour": (f"<input type=color id=f style='{AREA}'>", "", TypeText("#FF0000", HERE)),
    "an option": (SELECT, "", Select(HERE, ("L",))),
    "a field that only takes keys": (
        "<textarea id=f style='width:2px;height:2px;padding:0;border:0'></textarea>",
        "f.focus();f.oninput=()=>{f.value='';" + MARKED + "}",
        TypeText("ls"),
    ),
}


@pytest.mark.parametrize("case", EXPECTED)
async def test_nothing_is_told_of_a_value_that_is_as_entered_or_unknown(session, pages, case):
    body, code, action = EXPECTED[case]
    await session.go(pages.page(f"{body}<script>{code}</script>"))
    effect = (await session.do(action)).effect
    assert isinstance(effect, PageChange | NoChange)
    assert effect.detail == ""


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_fields_in_frames_are_told_of(session, pages, host):
    inner = pages.page(f"{FIELD}<script>f.onkeydown=e=>e.preventDefault()</script>", "/inner").replace(
        "127.0.0.1", host
    )
    await session.go(pages.page(f"<iframe src='{inner}' style='{AREA};border:0'></iframe>", "/outer"))
    assert (await session.do(TypeText("7", HERE))).effect.detail == STILL_5


async def test_what_was_entered_is_not_told_of_later_actions(session, pages):
    await session.go(pages.page(FIELD + "<script>f.onkeydown=e=>e.preventDefault()</script>" + button("", "x")))
    assert (await session.do(TypeText("7", Point(10, 10)))).effect is not None
    assert (await session.do(Press(("Escape",)))).effect == NoChange()
