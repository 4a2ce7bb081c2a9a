"""Enrichment of one task: the prompt, and the interpretation of the reply."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import msgspec

from webgym.llm.paid_reply import PaidReply
from webgym.records.prompt import Prompt
from webgym.records.task_row import TaskRow
from webgym.run.task_sets.enrich.needs import Field
from webgym.run.task_sets.enrich.rubric import WrittenGroup, rubric_of
from webgym.run.task_sets.enrich.taxonomy import DOMAIN_OF, told
from webgym.run.task_sets.writing.prompt_files import filled, prompt_of
from webgym.run.task_sets.writing.structured import Unusable, read
from webgym.tasks.address import as_url, host_of
from webgym.tasks.extra import revised
from webgym.tasks.problem import BadEntry
from webgym.tasks.websites import has_known_suffix

ENRICH = "enrich"
_PROMPT = "enrich-1"


class Enrichment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The reply of the model."""

    website: str | None
    domain: str | None
    subdomain: str | None
    rubric: list[WrittenGroup] | None


def question(clear: TaskRow, fields: Collection[Field]) -> Prompt:
    """Build the prompt for a decrypted task."""
    asked = ", ".join("domain and subdomain" if field == "domain" else field for field in fields)
    values = {"FIELDS": asked, "WEBSITE": clear.website or "not known", "TASK": clear.instruction}
    system = filled(_PROMPT, {"TAXONOMY": told()})
    return prompt_of(_PROMPT, system, filled("enrich-task-1", values))


def filled_in(row: TaskRow, clear: TaskRow, fields: Collection[Field], said: PaidReply) -> TaskRow:
    """Return the row with the requested fields from a reply.

    Raises:
        Unusable: A field is missing or invalid.
    """
    reply = read(said, Enrichment)
    changes: dict[str, Any] = {}
    for field in fields:
        match field:
            case "website":
                changes["website"] = _website(reply.website)
            case "domain":
                changes["domain"], changes["subdomain"] = _filed(reply.domain, reply.subdomain)
            case "rubric":
                if reply.rubric is None:
                    raise Unusable("the rubric was asked for, and is null")
                website = clear.website or changes.get("website", "")
                changes["rubric"] = rubric_of(reply.rubric, f"{clear.instruction}\n{website}")
    inferred = (*row.inferred, *(f"{field}:{said.model}" for field in fields))
    return revised(row, inferred=inferred, **changes)


def _website(given: str | None) -> str:
    if not given:
        raise Unusable("the website was asked for, and is null")
    try:
        url = as_url(given)
    except BadEntry as error:
        raise Unusable(str(error)) from None
    if not has_known_suffix(host_of(url)):
        raise Unusable(f"{given!r} is no website on the public web")
    return url


def _filed(domain: str | None, subdomain: str | None) -> tuple[str, str]:
    if not subdomain or subdomain not in DOMAIN_OF:
        raise Unusable(f"there is no subdomain {subdomain!r}; copy one from the list")
    if domain != DOMAIN_OF[subdomain]:
        raise Unusable(f"{subdomain!r} stands under {DOMAIN_OF[subdomain]!r}, not under {domain!r}")
    return DOMAIN_OF[subdomain], subdomain
