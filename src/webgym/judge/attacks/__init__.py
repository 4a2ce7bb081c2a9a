"""Adversarial attempts built from honest ones: reward-hacking strategies that a judge must not reward."""
