"""Why Chromium did not start is told in one line."""

from __future__ import annotations

from webgym.browser.server.chromium.launch import _reason

LONG = """BrowserType.launch: Target page, context or browser has been closed
Browser logs:

<launching> /tmp/line.sh --disable-field-trial-config --no-startup-window
<launched> pid=123
[pid=123][err] [1:1:FATAL:zygote_host_impl_linux.cc(128)] No usable sandbox! You probably need --no-sandbox.
[pid=123][err] #0 0x55d0c0ffee base::debug::StackTrace::StackTrace()
[pid=123] <process did exit: exitCode=null, signal=SIGTRAP>
[pid=123] starting temporary directories cleanup
Call log:
  - <launching> /tmp/line.sh --disable-field-trial-config --no-startup-window
  - [pid=123] <process did exit: exitCode=null, signal=SIGTRAP>"""


def test_the_browsers_own_words_are_kept_and_its_command_line_is_not():
    assert _reason(LONG) == (
        "BrowserType.launch: Target page, context or browser has been closed; "
        "[1:1:FATAL:zygote_host_impl_linux.cc(128)] No usable sandbox! You probably need --no-sandbox.; "
        "<process did exit: exitCode=null, signal=SIGTRAP>"
    )


def test_a_message_of_one_line_stays_as_it_is():
    assert _reason("BrowserType.launch: Timeout 30000ms exceeded.") == "BrowserType.launch: Timeout 30000ms exceeded."
