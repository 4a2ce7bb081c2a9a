"""Subtask instructions written by a model, and verified by a blind check of which facts they ask for."""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Sequence

import msgspec

from webgym.llm.paid_reply import PaidReply
from webgym.records.prompt import Prompt
from webgym.records.task import FactGroup
from webgym.records.task_row import TaskRow
from webgym.run.task_sets.decompose.jobs import Subtask
from webgym.run.task_sets.writing.journaled_client import GaveUp, JournaledClient
from webgym.run.task_sets.writing.prompt_files import complained, filled, prompt_of, text
from webgym.run.task_sets.writing.structured import Unusable, read
from webgym.tasks.decompose.alike import plain

REWRITE = "rewrite"
CHECK = "check"
LONGEST = 4000
_PLACEHOLDER = re.compile(r"\{\{[^{}]*\}\}")


class RewriteReply(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The reply to a rewrite request."""

    instruction: str


class AskedFor(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The reply to a check request."""

    asked_for: list[int]


KINDS: dict[str, type] = {REWRITE: RewriteReply, CHECK: AskedFor}


async def written_part(client: JournaledClient, part: Subtask, rounds: int) -> TaskRow:
    """Return the subtask as a row. If the check finds other facts, the model is told which and rewrites.

    Raises:
        GaveUp: No instruction passed within `rounds`.
        Stopped: Requests are no longer sent.
    """
    prompt = _question(part)
    for last in (False,) * (rounds - 1) + (True,):
        said = await client.ask(REWRITE, part.task_id, prompt)
        try:
            instruction = _instruction(said, part)
            await _check(client, part, instruction)
        except Unusable as unusable:
            if last:
                raise GaveUp("unusable", str(unusable), said) from None
            prompt = complained(prompt, said.text, str(unusable))
        else:
            return row_of_part(part, instruction, said.model)
    raise AssertionError("there is a round at least")


def row_of_part(part: Subtask, instruction: str, model: str) -> TaskRow:
    """Build the row. The parent's reference answer and extra fields do not apply to a subtask, and are dropped."""
    return msgspec.structs.replace(
        part.row,
        task_id=part.task_id,
        instruction=instruction,
        rubric=part.kept,
        answer=None,
        decomposed_from=part.row.task_id,
        original="",
        inferred=(*part.row.inferred, f"instruction:{model}"),
        extra="",
    )


def _question(part: Subtask) -> Prompt:
    values = {
        "WEBSITE": part.row.website or "not known",
        "KEPT": _listed(part.kept),
        "DROPPED": _listed(part.dropped),
        "TASK": part.row.instruction,
    }
    return prompt_of("rewrite-1", text("rewrite-1"), filled("rewrite-task-1", values))


def _listed(groups: Sequence[FactGroup]) -> str:
    return "\n".join(f"- ({group.description}) {fact}" for group in groups for fact in group.facts)


def _instruction(said: PaidReply, part: Subtask) -> str:
    instruction = read(said, RewriteReply).instruction.strip()
    if not instruction or len(instruction) > LONGEST:
        raise Unusable(f"the instruction has {len(instruction)} characters: it needs 1 to {LONGEST}")
    if plain(instruction) == plain(part.row.instruction):
        raise Unusable("the instruction is the original one: it still asks for the dropped facts")
    known = set(_PLACEHOLDER.findall(part.row.instruction)) | set(_PLACEHOLDER.findall(_listed(part.kept)))
    unknown = set(_PLACEHOLDER.findall(instruction)) - known
    if unknown:
        raise Unusable(f"{unknown.pop()} is in the instruction, and not in the original")
    return instruction


async def _check(client: JournaledClient, part: Subtask, instruction: str) -> None:
    """Check blindly: the model is not told which facts are kept, and they are shuffled."""
    facts = [(fact, True) for group in part.kept for fact in group.facts]
    facts += [(fact, False) for group in part.dropped for fact in group.facts]
    seed = hashlib.blake2b(part.task_id.encode(), digest_size=8).hexdigest()
    random.Random(seed).shuffle(facts)  # noqa: S311 - not a secret
    listed = "\n".join(f"{number}. {fact}" for number, (fact, _) in enumerate(facts, start=1))
    values = {"WEBSITE": part.row.website or "not known", "FACTS": listed, "TASK": instruction}
    prompt = prompt_of("check-1", text("check-1"), filled("check-task-1", values))
    found = await client.settle(CHECK, part.task_id, prompt, lambda said: _numbers(said, len(facts)))
    missing = [fact for number, (fact, kept) in enumerate(facts, start=1) if kept and number not in found]
    more = [fact for number, (fact, kept) in enumerate(facts, start=1) if not kept and number in found]
    if missing or more:
        told = [f"it does not ask for {fact!r}" for fact in missing] + [f"it also asks for {fact!r}" for fact in more]
        raise Unusable(f"the instruction does not ask for exactly the kept facts: {'; '.join(told)}")


def _numbers(said: PaidReply, most: int) -> frozenset[int]:
    numbers = frozenset(read(said, AskedFor).asked_for)
    wrong = sorted(number for number in numbers if not 1 <= number <= most)
    if wrong:
        raise Unusable(f"there is no fact {wrong[0]}: they are numbered 1 to {most}")
    return numbers
