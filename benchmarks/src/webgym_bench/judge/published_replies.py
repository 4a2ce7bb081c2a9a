"""How the scripted model answers the published pipeline: about the same pictures, with the same error rates."""

from __future__ import annotations

import re

from webgym.testing.policy_replies import PolicyRequest
from webgym.testing.vlm import ScriptedVlm
from webgym.testing.vlm_reading import sentences
from webgym.testing.vlm_world import plain
from webgym_bench.judge.published import BLOCKED, CRITERION_A, CRITERION_B, KEYPOINT, REFERENCE_FACT

_ABOUT_ANSWER = "The answer says that "
_FACT = re.compile(r"^Fact to check: (.*)$", re.MULTILINE)
_LISTED = re.compile(r"^- (.*)$", re.MULTILINE)
_ANSWER = re.compile(rf"^Final answer: (.*)\n{re.escape(CRITERION_B)}$", re.MULTILINE | re.DOTALL)


def published_reply(ask: PolicyRequest, vlm: ScriptedVlm) -> str | None:
    """Return the reply to a request of the published pipeline, or None for any other request."""
    words = ask.text
    if words.endswith(KEYPOINT):
        return "YES" if _matters(ask, vlm, words) else "NO"
    if words.endswith(BLOCKED):
        return "YES" if any(vlm.world.page(one).refuses for one in ask.pictures) else "NO"
    if words.endswith(CRITERION_B) and (found := _ANSWER.search(words)):
        return _verdict(all(_seen(ask, vlm, claim) for claim in sentences(found[1])))
    if words.endswith(CRITERION_A) and (found := _FACT.search(words)):
        return _verdict(_holds(ask, vlm, found[1]))
    return None


def _matters(ask: PolicyRequest, vlm: ScriptedVlm, words: str) -> bool:
    """Return whether the picture shows or contradicts a fact: without errors, like relevance for the rubric judge."""
    facts = [plain(one) for one in _LISTED.findall(words)]
    page = vlm.world.page(ask.pictures[0])
    return any(fact in page.shows or fact in page.denies for fact in facts)


def _holds(ask: PolicyRequest, vlm: ScriptedVlm, fact: str) -> bool:
    """Return whether a fact holds. The prompt lacks the answer, so facts about it are checked against pages only."""
    if fact.startswith(REFERENCE_FACT):
        reference = plain(fact.removeprefix(REFERENCE_FACT))
        return any(reference in shown for picture in ask.pictures for shown in vlm.world.page(picture).shows)
    return _seen(ask, vlm, fact.removeprefix(_ABOUT_ANSWER))


def _seen(ask: PolicyRequest, vlm: ScriptedVlm, statement: str) -> bool:
    return vlm.finding(ask.pictures, statement)[0] == "supported"


def _verdict(success: bool) -> str:
    return f"I looked at every screenshot.\nVerdict: {'SUCCESS' if success else 'NOT SUCCESS'}"
