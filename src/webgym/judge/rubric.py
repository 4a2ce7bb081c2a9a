"""The rubric judge: keyframe selection, then a verdict on claims, facts and reference, in one or two requests."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager

import anyio
import msgspec

from webgym.errors import JudgeUnavailable
from webgym.judge.cached_client import CachedClient, models_of, open_cached_client
from webgym.judge.evidence import Evidence, evidence_of
from webgym.judge.keyframes import keyframes
from webgym.judge.pictures import FindPicture, LoadedPicture, PictureLoader
from webgym.judge.prompt import judge_prompt
from webgym.judge.prompt_files import text
from webgym.judge.replies import (
    ANSWER,
    BlockedReply,
    ClaimReply,
    FactReply,
    MarkReply,
    RefusalReply,
    RelevanceReply,
    VerdictReply,
    WholeReply,
    check_marks,
    check_verdict,
    read,
)
from webgym.judge.settings import JudgeSettings
from webgym.llm.paid_reply import MemoryReplyStore, PaidReply, ReplyStore
from webgym.llm.untrusted import storable
from webgym.records.observation import Observation
from webgym.records.trajectory import Attempt, Step
from webgym.records.verdict import ClaimVerdict, Finding, Verdict, VerdictCost, fact_verdict

_LAST_LOOKS = 4
"""Number of final screenshots checked for a refusal, if the attempt gave no answer."""
_MOST_WHY = 500


class RubricJudge:
    """Judges with a vision-language model. Created by `open_rubric_judge` or `rubric_judge`."""

    exact = False

    def __init__(
        self, client: CachedClient, pictures: PictureLoader, settings: JudgeSettings, name: str, config: str
    ) -> None:
        self.name = name
        self.config = config
        self._client = client
        self._pictures = pictures
        self._settings = settings

    async def judge(self, attempt: Attempt, steps: Sequence[Step], last: Observation | None, answer: str) -> Verdict:
        """Return the model's verdict on an attempt.

        Raises:
            JudgeError: There is none: the reply was a refusal, cut off or unreadable, or it timed out.
            BudgetSpent: The next request could exceed the budget.
        """
        with anyio.move_on_after(self._settings.seconds):
            return await self._judged(attempt.attempt_id, self._evidence(attempt, steps, last, answer))
        raise self._late()

    async def blocked(
        self, attempt: Attempt, steps: Sequence[Step], last: Observation | None, pictures: Mapping[str, bytes]
    ) -> str:
        """Return why the website refused to serve an attempt that ended without an answer; empty if it did not.

        Raises:
            JudgeError: There is no verdict.
            BudgetSpent: The next request could exceed the budget.
        """
        if not self._settings.blocked:
            return ""
        with anyio.move_on_after(self._settings.seconds):
            evidence = self._evidence(attempt, steps, last, "")
            refusal, _ = await self._refusal(attempt.attempt_id, evidence, pictures)
            return _why_refused(refusal)
        raise self._late()

    def _evidence(self, attempt: Attempt, steps: Sequence[Step], last: Observation | None, answer: str) -> Evidence:
        chosen = self._settings
        return evidence_of(attempt.task, steps, last, answer, thoughts=chosen.thoughts, other_sites=chosen.other_sites)

    async def _judged(self, attempt: str, evidence: Evidence) -> Verdict:
        if len(evidence.seen) <= self._settings.all_shown:
            said, spent = await self._whole(attempt, evidence)
            marks, refusal, shown = said.marks, said.refusal, range(len(evidence.seen))
        else:
            marks, refusal, before = await self._relevance(attempt, evidence)
            *facts, answer = _rows(evidence, marks)
            shown = keyframes(facts, answer, self._settings.top, self._settings.most_shown)
            said, spent = await self._verdict(attempt, evidence, shown)
            spent = before + spent
        if self._settings.blocked and self._settings.blocked_model is not None:
            refusal, more = await self._refusal(attempt, evidence, {})
            spent += more
        return self._verdict_of(evidence, said, marks, refusal, shown, spent)

    async def _whole(self, attempt: str, evidence: Evidence) -> tuple[WholeReply, VerdictCost]:
        numbers = range(1, len(evidence.seen) + 1)
        shown = [(number, await self._pictures.full(evidence.seen[number - 1])) for number in numbers]

        def use(said: PaidReply) -> WholeReply:
            reply = read(said.finish, said.text, WholeReply)
            check_marks(reply.marks, tuple(evidence.facts), numbers)
            check_verdict(reply, tuple(evidence.facts), numbers, evidence.answer, evidence.task.reference)
            return reply

        prompt = judge_prompt(evidence, shown, "whole", self._settings.structured)
        return await self._client.ask("whole", attempt, prompt, _bytes(shown), use)

    async def _relevance(self, attempt: str, evidence: Evidence) -> tuple[list[MarkReply], RefusalReply, VerdictCost]:
        marks: list[MarkReply] = []
        refusal, spent = RefusalReply("", refused=False), VerdictCost()
        for start in range(0, len(evidence.seen), self._settings.most_small):
            numbers = range(start + 1, min(start + self._settings.most_small, len(evidence.seen)) + 1)
            shown = [(number, await self._pictures.small(evidence.seen[number - 1])) for number in numbers]

            def use(said: PaidReply, numbers: range = numbers) -> RelevanceReply:
                reply = read(said.finish, said.text, RelevanceReply)
                check_marks(reply.marks, tuple(evidence.facts), numbers)
                return reply

            prompt = judge_prompt(evidence, shown, "relevance", self._settings.structured)
            reply, more = await self._client.ask("relevance", attempt, prompt, _bytes(shown), use)
            marks += reply.marks
            refusal, spent = reply.refusal, spent + more
        return marks, refusal, spent

    async def _verdict(
        self, attempt: str, evidence: Evidence, places: Sequence[int]
    ) -> tuple[VerdictReply, VerdictCost]:
        shown = [(place + 1, await self._pictures.full(evidence.seen[place])) for place in places]
        numbers = [number for number, _ in shown]

        def use(said: PaidReply) -> VerdictReply:
            reply = read(said.finish, said.text, VerdictReply)
            check_verdict(reply, tuple(evidence.facts), numbers, evidence.answer, evidence.task.reference)
            return reply

        prompt = judge_prompt(evidence, shown, "verdict", self._settings.structured)
        return await self._client.ask("verdict", attempt, prompt, _bytes(shown), use)

    async def _refusal(
        self, attempt: str, evidence: Evidence, pictures: Mapping[str, bytes]
    ) -> tuple[RefusalReply, VerdictCost]:
        numbers = range(1, len(evidence.seen) + 1)[-_LAST_LOOKS:]
        shown = [(number, await self._pictures.small(evidence.seen[number - 1], pictures)) for number in numbers]

        def use(said: PaidReply) -> RefusalReply:
            return read(said.finish, said.text, BlockedReply).refusal

        prompt = judge_prompt(evidence, shown, "blocked", self._settings.structured)
        return await self._client.ask("blocked", attempt, prompt, _bytes(shown), use)

    def _verdict_of(
        self,
        evidence: Evidence,
        said: VerdictReply | WholeReply,
        marks: Sequence[MarkReply],
        refusal: RefusalReply,
        shown: Sequence[int],
        spent: VerdictCost,
    ) -> Verdict:
        found = {fact.fact: fact for fact in said.facts}
        return Verdict(
            facts=tuple(
                fact_verdict(group, index, *_weighed(found[key], evidence))
                for key, (group, index) in evidence.facts.items()
            ),
            claims=tuple(ClaimVerdict(_words(claim.claim), *_weighed(claim, evidence)) for claim in said.claims),
            reference=said.reference.finding if said.reference else None,
            blocked=_why_refused(refusal) if self._settings.blocked else "",
            shots=tuple(
                msgspec.structs.replace(page.shot, shown=place in shown) for place, page in enumerate(evidence.seen)
            ),
            relevance=_rows(evidence, marks)[:-1],
            judge=self.name,
            config=self.config,
            spent=spent,
        )

    def _late(self) -> JudgeUnavailable:
        return JudgeUnavailable(
            f"no verdict within {self._settings.seconds:g} s, including time spent waiting for servers"
        )


def _rows(evidence: Evidence, marks: Sequence[MarkReply]) -> tuple[tuple[int, ...], ...]:
    """One row per fact and one for the answer, one column per screenshot; the highest of several marks counts."""
    rows = {key: [0] * len(evidence.seen) for key in (*evidence.facts, ANSWER)}
    for mark in marks:
        row = rows[mark.fact]
        row[mark.screenshot - 1] = max(row[mark.screenshot - 1], mark.relevance)
    return tuple(tuple(row) for row in rows.values())


def _weighed(one: FactReply | ClaimReply, evidence: Evidence) -> tuple[Finding, tuple[int, ...], str]:
    """Return finding, evidence and reason; support from other websites alone becomes `not_shown`."""
    places = tuple(sorted({number - 1 for number in one.screenshots}))
    if one.finding == "supported" and places and all(evidence.seen[place].elsewhere for place in places):
        return "not_shown", places, _words(f"only other websites show it: {one.why}")
    return one.finding, places, _words(one.why)


def _words(words: str) -> str:
    return storable(words[:_MOST_WHY])


def _why_refused(refusal: RefusalReply) -> str:
    return (_words(refusal.why).strip() or "seen by the judge") if refusal.refused else ""


def _bytes(shown: Sequence[tuple[int, LoadedPicture]]) -> dict[str, bytes]:
    return {loaded.picture.address: loaded.data for _, loaded in shown}


def config_hash(settings: JudgeSettings) -> str:
    """Hash everything that affects a verdict: prompts, models, sampling, evidence shown. Not servers and limits."""
    models = [
        [kind, model.model, model.temperature, model.top_p, model.top_k, model.max_tokens, model.extra_body]
        for kind, model in models_of(settings).items()
    ]
    words = [text(name) for name in ("system", "relevance", "blocked", "verdict", "whole", "again")]
    shown = [settings.all_shown, settings.top, settings.most_shown, settings.most_small, settings.small_side]
    told = [settings.small_quality, settings.thoughts, settings.blocked, settings.rounds, settings.structured]
    told += [settings.other_sites]
    body = msgspec.json.encode([models, words, shown, told, settings.blocked_model is not None])
    return hashlib.blake2b(body, digest_size=8).hexdigest()


def rubric_judge(settings: JudgeSettings, client: CachedClient, find: FindPicture) -> RubricJudge:
    """Create a judge on a shared client. `find` returns the bytes of a screenshot by address.

    Raises:
        ConfigError: No model is configured, or Pillow is missing.
    """
    name = f"rubric:{models_of(settings)['verdict'].model}"
    pictures = PictureLoader(find, settings.small_side, settings.small_quality)
    return RubricJudge(client, pictures, settings, name, config_hash(settings))


@asynccontextmanager
async def open_rubric_judge(
    settings: JudgeSettings, find: FindPicture, replies: ReplyStore | None = None, *, spent: float = 0.0
) -> AsyncGenerator[RubricJudge]:
    """Open a judge for the duration of the block.

    Raises:
        ConfigError: No model is configured, or an API key is missing.
    """
    async with open_cached_client(settings, replies or MemoryReplyStore(), spent=spent) as client:
        yield rubric_judge(settings, client, find)
