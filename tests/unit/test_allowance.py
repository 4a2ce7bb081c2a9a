"""What pages may send through the pipe that they share, and who is ended for more."""

from __future__ import annotations

import msgspec

from webgym.browser.server.chromium.allowance import FREE, SESSIONS_SHARE, WITH_REQUESTS, Account, Accounts, Allowance


def attached(session: str, target: str, kind: str = "page", context: str = "C", opener: str = "") -> bytes:
    info = {"targetId": target, "type": kind, "title": "", "url": "", "browserContextId": context}
    params = {"sessionId": session, "targetInfo": info | ({"openerId": opener} if opener else {})}
    return msgspec.json.encode({"method": "Target.attachedToTarget", "params": params})


def detached(session: str) -> bytes:
    return msgspec.json.encode({"method": "Target.detachedFromTarget", "params": {"sessionId": session}})


def spend(account: Account, events: int) -> bool:
    within = True
    for _ in range(events):
        within = account.spend(0)
    return within


def accounts_at_once(*, quiet: bool = True) -> Accounts:
    """Accounts for which no time passes, however busy the machine is."""
    return Accounts(quiet=quiet, clock=lambda: 0.0)


def test_what_is_spent_slowly_is_free():
    now = [0.0]
    allowance = Allowance(10, 5, clock=lambda: now[0])
    assert all(allowance.spend(1) for _ in range(10))
    assert not allowance.spend(1)
    now[0] += 0.25
    for _ in range(100):
        now[0] += 0.25
        assert allowance.spend(1)
    assert not allowance.spend(100)


def test_one_event_larger_than_the_allowance_is_too_much():
    assert not Allowance(10, 5).spend(11)


def test_workers_and_frames_are_charged_to_their_page_and_both_lines_of_it_too():
    accounts = accounts_at_once()
    accounts.attached(attached("S1", "T"), "")
    accounts.attached(attached("S2", "T"), "browser")
    accounts.attached(attached("W1", "W", "worker"), "S1")
    accounts.attached(attached("W2", "W/W", "worker"), "W1")
    accounts.attached(attached("F", "frame", "iframe"), "S1")
    page = accounts.get("S1")
    assert page is not None
    assert [accounts.get(session) for session in ("S2", "W1", "W2", "F")] == [page] * 4
    assert [accounts.is_worker(session) for session in ("S1", "W1", "W2", "F")] == [False, True, True, False]


def test_pages_have_allowances_of_their_own_and_those_of_one_session_share_another():
    accounts = accounts_at_once()
    pages = []
    for number in range(4):
        accounts.attached(attached(f"S{number}", f"T{number}"), "")
        pages.append(accounts.get(f"S{number}"))
    accounts.attached(attached("other", "T", context="D"), "")
    share = int(FREE * SESSIONS_SHARE / 4) + 500
    assert [spend(page, share) for page in pages] == [True, True, True, False]
    assert not any(page.page.exceeded for page in pages)
    assert spend(accounts.get("other"), share)
    assert spend(pages[0], 0)
    pages[2].page.spent += 1
    assert accounts.heaviest("C") is pages[2]


def test_the_page_that_replaces_an_ended_one_is_not_ended_for_what_its_session_has_spent():
    accounts = accounts_at_once()
    for number in range(3):
        accounts.attached(attached(f"S{number}", f"T{number}"), "")
        page = accounts.get(f"S{number}")
        assert page is not None
        if number < 2:
            while page.spend(0):
                pass
            page.end()
    assert spend(page, int(FREE) - 1000)


def test_a_browser_that_reports_requests_allows_more():
    accounts = accounts_at_once(quiet=False)
    accounts.attached(attached("S", "T"), "")
    assert spend(accounts.get("S"), int(FREE * WITH_REQUESTS) - 1)


def test_the_windows_of_a_page_are_known():
    accounts = accounts_at_once()
    accounts.attached(attached("S", "T"), "")
    accounts.attached(attached("P", "popup", opener="T"), "")
    accounts.attached(attached("Q", "other"), "")
    assert [one.target for one in accounts.opened_by(accounts.get("S"))] == ["popup"]


def test_nothing_is_kept_of_pages_that_are_gone():
    accounts = accounts_at_once()
    accounts.attached(attached("S1", "T"), "")
    accounts.attached(attached("S2", "T"), "browser")
    accounts.attached(attached("W", "W", "worker"), "S1")
    first = accounts.get("S1")
    for session in ("S2", "W", "S1"):
        accounts.detached(detached(session))
    assert accounts.get("S1") is None
    assert not accounts.is_worker("W")
    accounts.attached(attached("S3", "T"), "")
    again = accounts.get("S3")
    assert again is not first
    assert again.session is not first.session
