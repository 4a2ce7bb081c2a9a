"""A custom loss: a function of the tokens that returns the loss of each, with options as keywords.

webgym train train.loss.use=examples.own_loss:spo train.loss.options.epsilon=0.1
"""

from torch import Tensor

from webgym.algorithms.losses.tokens import LossTokens


def spo(tokens: LossTokens, *, epsilon: float = 0.2) -> Tensor:
    """Simple policy optimization: instead of a clip, a parabola that is steepest where the ratio is far from 1."""
    ratio = tokens.log_ratio().exp()
    return -tokens.weights * ratio + tokens.weights.abs() / (2 * epsilon) * (ratio - 1).square()
