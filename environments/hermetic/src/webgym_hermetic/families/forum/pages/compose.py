"""Where new threads are written: on one page, or in steps."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from webgym_hermetic.families.forum.family import FAMILY
from webgym_hermetic.families.forum.pages.showing import choosable, show
from webgym_hermetic.families.forum.records import World
from webgym_hermetic.families.forum.state import Draft, State, split_tags
from webgym_hermetic.family import Event, Go, Reply, Visit

STEPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Subject", ("board", "title")),
    ("Text", ("body", "tags")),
    ("Options", ("poll", "option1", "option2", "option3", "follow")),
)
WIZARDS = ("qanda",)
"""Structures that ask for one thing after the other."""
_FLAGS = ("poll", "follow")


@FAMILY.get("/new")
def new(visit: Visit) -> Reply:
    """The empty form, or a step of it with what was written so far."""
    state: State = visit.state
    if visit.site.structure not in WIZARDS:
        draft = msgspec.structs.replace(state.draft, board=visit.query.get("board", "") or state.draft.board)
        return _page(visit, 0, draft, {})
    asked = visit.query.get("step", "1")
    step = int(asked) if asked in ("1", "2", "3") else 1
    for before in range(1, step):
        if errors := _errors(visit.world, state.draft, STEPS[before - 1][1]):
            return _page(visit, before, state.draft, errors)
    draft = msgspec.structs.replace(state.draft, board=state.draft.board or visit.query.get("board", ""))
    return _page(visit, step, draft, {})


@FAMILY.post("/new")
def create(visit: Visit) -> Reply:
    """Go on to the next step, or publish."""
    asked = visit.form.get("step", "0")
    step = int(asked) if asked in ("1", "2", "3") else 0
    names = STEPS[step - 1][1] if step else tuple(name for _, group in STEPS for name in group)
    draft = _merged(visit.state.draft, visit.form, names)
    if errors := _errors(visit.world, draft, names):
        return _page(visit, step, draft, errors)
    kept = Event("draft", msgspec.structs.asdict(draft))
    if 0 < step < len(STEPS):
        return Go(f"/new?step={step + 1}", (kept,))
    for before, (_, group) in enumerate(STEPS, start=1):
        if errors := _errors(visit.world, draft, group):
            return _page(visit, before if step else 0, draft, errors)
    key = f"n{len(visit.state.threads) + 1}"
    return Go(f"/thread/{key}", (kept, Event("publish")), notice="Your thread was published.")


def _merged(draft: Draft, form: Mapping[str, str], names: tuple[str, ...]) -> Draft:
    values = {name: form.get(name, "").strip() for name in names if name not in _FLAGS}
    flags = {name: form.get(name) == "on" for name in names if name in _FLAGS}
    return msgspec.convert({**msgspec.structs.asdict(draft), **values, **flags}, Draft)


def _errors(world: World, draft: Draft, names: tuple[str, ...]) -> dict[str, str]:
    errors: dict[str, str] = {}
    if "board" in names and draft.board not in world.board_of:
        errors["board"] = "Choose the board it belongs to."
    if "title" in names and len(draft.title) < world.least_title:
        errors["title"] = f"The title needs at least {world.least_title} characters."
    if "body" in names and not draft.body:
        errors["body"] = "Write what it is about."
    if "tags" in names:
        tags = split_tags(draft.tags)
        unknown = [tag for tag in tags if tag not in world.tags]
        if len(tags) > world.most_tags:
            errors["tags"] = f"Too many tags: at most {world.most_tags}."
        elif unknown:
            errors["tags"] = f"There is no tag “{unknown[0]}”."
    options = (draft.option1, draft.option2)
    if "poll" in names and draft.poll and not all(options):
        errors["option1"] = "A poll needs at least two options."
    return errors


def _page(visit: Visit, step: int, draft: Draft, errors: dict[str, str]) -> Reply:
    boards = choosable(visit, [(board.slug, board.name) for board in visit.world.boards], "Choose a board")
    return show(
        visit,
        "new.html",
        "Start a new thread",
        step=step,
        steps=[title for title, _ in STEPS],
        draft=draft,
        errors=errors,
        board_options=boards,
        most_tags=visit.world.most_tags,
        all_tags=visit.world.tags,
    )
