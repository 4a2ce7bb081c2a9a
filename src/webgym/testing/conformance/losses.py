"""What every loss must do. Needs torch, which is why the package imports this on first use."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, fields, replace
from typing import Any

import torch
from torch import Tensor

from webgym.algorithms.losses.chosen import OfTokens, as_loss
from webgym.algorithms.losses.tokens import LossTokens, TokenLoss
from webgym.errors import ConfigError
from webgym.testing.conformance.checking import bounded

_TOKENS, _ROWS = 60, 7
_STEP = 1e-6


@dataclass(frozen=True, slots=True)
class LossExample:
    """How to exercise a loss."""

    options: dict[str, Any] = field(default_factory=dict[str, Any])
    """`train.loss.options`."""
    detached: bool = False
    """Whether a part of it gets no gradient on purpose, so that gradients are not those of its value."""


LossFunction = Callable[..., Tensor | TokenLoss]
LossCheck = Callable[[LossFunction, LossExample], Awaitable[None]]


async def tokens_that_do_not_count_have_no_part(loss: LossFunction, example: LossExample) -> None:
    """With a weight of 0, a token has no gradient, and its values change nothing for the others."""
    of_tokens, tokens = _bound(loss, example), _tokens(1)
    live = tokens.live
    found, gradient = _computed(of_tokens, tokens)
    assert not gradient[~live].any(), "tokens with a weight of 0 have a gradient"
    other, moved = _computed(of_tokens, _joined(tokens, _tokens(2), live))
    _equal(other[live], found[live], "values of tokens with a weight of 0 change the loss of others")
    _equal(moved[live], gradient[live], "values of tokens with a weight of 0 change the gradients of others")


async def it_is_linear_in_the_weights(loss: LossFunction, example: LossExample) -> None:
    """With twice the weight, a token has twice the loss and the others have the same."""
    of_tokens, tokens = _bound(loss, example), _tokens(3)
    factors = torch.where(torch.arange(_TOKENS) % 3 == 0, 2.0, 1.0).double()
    found, _ = _computed(of_tokens, tokens)
    other, _ = _computed(of_tokens, replace(tokens, weights=tokens.weights * factors))
    _equal(other, found * factors, "tokens with twice the weight do not have twice the loss, and the others the same")


async def its_gradients_are_those_of_its_value(loss: LossFunction, example: LossExample) -> None:
    """Gradients agree with finite differences, near the policy that sampled and farther from it."""
    if example.detached:
        return
    of_tokens = _bound(loss, example)
    for seed, spread in ((4, 0.01), (5, 0.5)):
        tokens = _tokens(seed, spread)
        _, gradient = _computed(of_tokens, tokens)
        for place in range(_TOKENS):
            step = torch.zeros(_TOKENS, dtype=torch.float64)
            step[place] = _STEP
            up, down = (
                float(_computed(of_tokens, replace(tokens, current=tokens.current + sign * step))[0].sum())
                for sign in (1, -1)
            )
            told, is_so = float(gradient[place]), (up - down) / (2 * _STEP)
            assert math.isclose(told, is_so, rel_tol=1e-4, abs_tol=1e-6), (
                f"a gradient is {told:.6g}, but the loss changes by {is_so:.6g}: if it is meant to, set "
                "LossExample(detached=True)"
            )


async def the_order_of_rows_does_not_matter(loss: LossFunction, example: LossExample) -> None:
    """If rows change places, so do the losses of their tokens."""
    of_tokens, tokens = _bound(loss, example), _tokens(6)
    rows = _rows(tokens)
    order = torch.cat([(rows == row).nonzero().flatten() for row in reversed(range(_ROWS))])
    found, gradient = _computed(of_tokens, tokens)
    moved, other = _computed(of_tokens, _at(tokens, order))
    _equal(moved, found[order], "the loss of a token depends on the order of the rows")
    _equal(other, gradient[order], "the gradient of a token depends on the order of the rows")


async def rows_may_be_split_over_passes(loss: LossFunction, example: LossExample) -> None:
    """Micro-batches add up to the same loss and gradients: a token depends on tokens of its own row only."""
    of_tokens, tokens = _bound(loss, example), _tokens(7)
    rows = _rows(tokens)
    found, gradient = _computed(of_tokens, tokens)
    for parts in (((0, 1, 2), (3, 4, 5, 6)), tuple((row,) for row in range(_ROWS))):
        places = [torch.isin(rows, torch.tensor(part)).nonzero().flatten() for part in parts]
        alone = [_computed(of_tokens, _at(tokens, place)) for place in places]
        what = f"in {len(parts)} passes it gives another {{}}: is something averaged over a pass?"
        _equal(torch.cat([loss for loss, _ in alone]), found[torch.cat(places)], what.format("loss"))
        _equal(torch.cat([slope for _, slope in alone]), gradient[torch.cat(places)], what.format("gradient"))


async def it_stays_finite_at_extreme_ratios(loss: LossFunction, example: LossExample) -> None:
    """Loss and gradients are finite however improbable a token was or is."""
    of_tokens = _bound(loss, example)
    for dtype in (torch.float32, torch.float64):
        for seed, spread in ((8, 50.0), (9, 1_000.0), (10, 1e6)):
            tokens = _tokens(seed, spread, dtype)
            for what, values in zip(("loss", "gradient"), _computed(of_tokens, tokens), strict=True):
                assert values.isfinite().all(), (
                    f"a {what} is not finite where log ratios reach {spread:g}: `tokens.log_ratio()` is clamped"
                )


def _bound(loss: LossFunction, example: LossExample) -> OfTokens:
    try:
        return as_loss(loss, example.options, "the loss")
    except ConfigError as error:
        raise AssertionError(str(error)) from error


def _computed(of_tokens: OfTokens, tokens: LossTokens) -> tuple[Tensor, Tensor]:
    """Return the loss of each token and the gradient, as the trainer computes it: tokens that count are summed up."""
    current = tokens.current.detach().clone().requires_grad_()
    try:
        found = of_tokens(replace(tokens, current=current)).loss
    except ConfigError as error:
        raise AssertionError(str(error)) from error
    assert found.requires_grad, "the loss has no gradient: compute it from `tokens.current`"
    found = torch.where(tokens.live, found, 0.0)
    [gradient] = torch.autograd.grad(found.sum(), [current])
    return found.detach(), gradient


def _tokens(seed: int, spread: float = 0.3, dtype: torch.dtype = torch.float64) -> LossTokens:
    """Tokens of rows of different lengths, a few of which do not count."""
    chance = torch.Generator().manual_seed(seed)

    def drawn() -> Tensor:
        return torch.rand(_TOKENS, generator=chance, dtype=torch.float64)

    def near() -> Tensor:
        return (current + spread * (2 * drawn() - 1)).clamp(max=0).to(dtype)

    current = -3 * drawn() - 0.05
    rows = torch.cat([torch.arange(_ROWS), torch.randint(_ROWS, (_TOKENS - _ROWS,), generator=chance)]).sort().values
    advantages = torch.tensor([1.5, -0.7, 0.4, -1.2, 0.9, -0.3, 1.0], dtype=torch.float64)[rows]
    weights = torch.where(drawn() < 0.15, 0.0, advantages * (0.5 + drawn()))
    behaviour, proximal, reference = near(), near(), near()
    return LossTokens(
        current=current.to(dtype),
        weights=weights.to(dtype),
        behaviour=behaviour,
        proximal=proximal,
        reference=reference,
        advantages=advantages.to(dtype),
        rows=rows,
        entropy=drawn().to(dtype),
        anchor=proximal,
    )


def _columns(tokens: LossTokens) -> dict[str, Tensor]:
    columns = {column.name: getattr(tokens, column.name) for column in fields(tokens)}
    return {name: values for name, values in columns.items() if values is not None}


def _joined(tokens: LossTokens, others: LossTokens, live: Tensor) -> LossTokens:
    """Return the tokens, with other values where they do not count."""
    there = _columns(others)
    kept = {"weights", "rows"}
    columns = {
        name: torch.where(live, column, there[name]) for name, column in _columns(tokens).items() if name not in kept
    }
    return replace(tokens, **columns)


def _at(tokens: LossTokens, places: Tensor) -> LossTokens:
    """Return the tokens at these places, their rows numbered from 0 in the order in which they come."""
    columns = {name: column[places] for name, column in _columns(tokens).items()}
    numbers = {int(row): number for number, row in enumerate(dict.fromkeys(map(int, columns["rows"])))}
    columns["rows"] = torch.tensor([numbers[int(row)] for row in columns["rows"]])
    return LossTokens(**columns)


def _rows(tokens: LossTokens) -> Tensor:
    assert tokens.rows is not None
    return tokens.rows


def _equal(found: Tensor, wanted: Tensor, what: str) -> None:
    apart = (found - wanted).abs().max().item() if found.numel() else 0.0
    assert torch.allclose(found, wanted, rtol=1e-9, atol=1e-12), f"{what}; the difference is {apart:.3g}"


LOSS_CHECKS: tuple[LossCheck, ...] = bounded(
    tokens_that_do_not_count_have_no_part,
    it_is_linear_in_the_weights,
    its_gradients_are_those_of_its_value,
    the_order_of_rows_does_not_matter,
    rows_may_be_split_over_passes,
    it_stays_finite_at_extreme_ratios,
)
