"""Turn validation errors into messages that say what to change."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

_UNKNOWN = "extra_forbidden"


def problems_of(
    error: ValidationError, kind: type[BaseModel], *, whole: str = "configuration", below: str = "", more: str = ""
) -> list[str]:
    """Return one line per problem; for an unknown setting, suggest the closest existing one.

    Args:
        error: The validation error.
        kind: The model that was validated.
        whole: Name to use for a problem that concerns no single setting.
        below: Prefix of setting names, such as `train.`.
        more: Hint on how to list all settings, such as a command.
    """
    return [_problem(one["type"], one["loc"], one["msg"], kind, whole, below, more) for one in error.errors()]


def _problem(
    what: str, loc: Sequence[str | int], message: str, kind: type[BaseModel], whole: str, below: str, more: str
) -> str:
    names, model = _place(kind, loc[:-1] if what == _UNKNOWN else loc)
    if what != _UNKNOWN:
        where = ".".join(names)
        return f"{below + where if where else whole}: {message.removeprefix('Value error, ')}"
    before, name = below + "".join(f"{name}." for name in names), str(loc[-1])
    near = difflib.get_close_matches(name, model.model_fields if model else (), n=1)
    asked = [f"did you mean {before}{near[0]}?"] if near else []
    rest = " ".join([*asked, *([more] if more else [])])
    return f"there is no setting {before}{name}" + (f"; {rest}" if rest else "")


def _place(kind: type[BaseModel], loc: Sequence[str | int]) -> tuple[list[str], type[BaseModel] | None]:
    """Return the setting names along an error location, and the model there if it is unambiguous.

    For discriminated unions pydantic adds the chosen tag to the location, which is not part of the setting's name.
    """
    names: list[str] = []
    there: list[type[BaseModel]] = [kind]
    told_by: str | None = None
    for part in loc:
        if told_by is not None:
            there = [one for one in there if one.model_fields[told_by].default == part]
            told_by = None
            continue
        names.append(str(part))
        field = there[0].model_fields.get(part) if there and isinstance(part, str) else None
        if field is not None:
            there = _models(field.annotation)
            told_by = field.discriminator if isinstance(field.discriminator, str) else None
    return names, there[0] if len(there) == 1 else None


def _models(annotation: Any) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for part in get_args(annotation) for model in _models(part)]
