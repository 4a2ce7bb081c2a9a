"""Losses and estimators of one's own, most of them not as they have to be."""

from __future__ import annotations

from webgym.algorithms.advantages.estimator import estimator


def pull(tokens, *, strength=1.0):
    return -strength * tokens.weights * tokens.current


def summed(tokens):
    return pull(tokens).sum()


def without_gradient(tokens):
    return pull(tokens).detach()


def broken(tokens):
    raise ZeroDivisionError("oh no")


def without_arguments():
    return None


def centred(members, *, scale=1.0):
    middle = sum(one.reward for one in members) / len(members)
    return [scale * (one.reward - middle) for one in members]


def one_too_few(members):
    return centred(members)[1:]


def not_finite(members):
    return [float("nan")] * len(members)


def of_no_number(members):
    return 1


def nothing(members):
    return [0.0] * len(members)


@estimator(by_step=True)
def whole_instead_of_steps(members):
    return centred(members)


class Class:
    def __init__(self, tokens):
        pass
