"""Reinforcement learning on the web in one file, from a task to a gradient. Read it from top to bottom.

pip install '.[gym,train]' ./environments/hermetic ./policies/nano
python examples/one_file_rl.py

A policy of 10 million parameters looks at screenshots of a website, clicks and types, and answers when it is done. The
website itself then tells whether the task was accomplished. Attempts at the same task are compared: what was said in
the better ones becomes more likely, what was said in the worse ones less likely. `webgym train` does the same with many
browsers, an inference engine, larger models, and weights that change while attempts are under way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from PIL import Image
from torch import Tensor

from webgym.agent.dialects.nano import NANO
from webgym.interop.gym import WebEnv
from webgym.records.decision import MalformedReply
from webgym.records.prompt import Completion
from webgym.run.inference.processor import read_processor
from webgym_nano.folder import read_model
from webgym_nano.shipped import checkpoint

TASKS = ("fenwellescapes-008", "sprucelineboards-064")  # save a city, follow a member: solved some of the time
VIEWPORT = (448, 320)  # what this policy was made for
MOST_TOKENS = 96  # of a reply
REMEMBERED = 6  # earlier steps that a prompt mentions


# The policy: a screenshot and a few words in, one line of text out --------------------------------------------------


@dataclass(frozen=True)
class Prompt:
    screenshot: Image.Image
    words: str


class Policy:
    """The checkpoint that ships with WebGym: a Qwen3-VL, small enough for a CPU, that has learned to use websites."""

    def __init__(self) -> None:
        self.model: Any = read_model(checkpoint())
        self.processor: Any = read_processor(checkpoint())

    @torch.no_grad()
    def sample(self, prompts: Sequence[Prompt]) -> list[Tensor]:
        """Draw a reply to every prompt. What is drawn is what is learned from, so nothing cuts the distribution."""
        inputs = self._inputs(prompts)
        rows = self.model.generate(**inputs, do_sample=True, temperature=1.0, top_k=0, max_new_tokens=MOST_TOKENS)
        end, start = self.model.generation_config.eos_token_id, inputs["input_ids"].shape[1]
        # Replies end at different times: the token that ends one is the policy's choice, what follows is padding.
        return [row[: (row == end).cumsum(0).eq(0).sum() + 1] for row in rows[:, start:]]

    def logprobs(self, prompt: Prompt, reply: Tensor) -> Tensor:
        """Return the log-probability of every token of a reply, differentiable with respect to the weights."""
        inputs = self._inputs([prompt])
        before = inputs["input_ids"]
        ids = torch.cat([before, reply[None]], 1)
        pictured = (ids == self.model.config.image_token_id).int()
        inputs |= {"input_ids": ids, "attention_mask": torch.ones_like(ids), "mm_token_type_ids": pictured}
        logits = self.model(**inputs).logits[0, before.shape[1] - 1 : -1]
        return logits.log_softmax(-1).gather(1, reply[:, None])[:, 0]

    def text(self, reply: Tensor) -> str:
        return self.processor.decode(reply, skip_special_tokens=True)

    def _inputs(self, prompts: Sequence[Prompt]) -> dict[str, Tensor]:
        """Turn prompts into tokens and pixels, padded on the left: replies continue on the right."""
        contents = [[{"type": "image"}, {"type": "text", "text": prompt.words}] for prompt in prompts]
        chats = [[{"role": "user", "content": content}] for content in contents]
        texts = self.processor.apply_chat_template(chats, add_generation_prompt=True, tokenize=False)
        images = [prompt.screenshot for prompt in prompts]
        return dict(self.processor(text=texts, images=images, padding=True, return_tensors="pt"))


# An attempt: what is seen becomes a prompt, what is said becomes an action, until the policy answers ----------------


@dataclass
class Attempt:
    env: WebEnv
    seen: dict[str, Any]
    past: list[str] = field(default_factory=list)
    said: list[tuple[Prompt, Tensor]] = field(default_factory=list)
    reward: float = 0.0
    over: bool = False

    def prompt(self) -> Prompt:
        """Show the page, and tell the task and the last steps."""
        words = [self.seen["instruction"], "\n".join(self.past[-REMEMBERED:])]
        return Prompt(Image.fromarray(self.seen["screenshot"]), "\n\n".join(filter(None, words)))

    def act(self, prompt: Prompt, reply: Tensor, text: str) -> None:
        """Do what the reply says. A reply that says nothing that can be done is a wasted step, not an error."""
        self.said.append((prompt, reply))
        page = self.env.capture.observation
        choice = NANO.parse(Completion(text), page)
        if isinstance(choice, MalformedReply):
            self.past.append("?")
        else:
            self.seen, self.reward, answered, truncated, _ = self.env.step(choice.action)
            self.past.append(NANO.remember(choice, page) + ("" if self.seen["effect"].startswith("changed") else "!"))
            self.over = answered or truncated
        self.over = self.over or len(self.said) == self.env.config.max_steps


def attempts_at(task_id: str, policy: Policy, envs: Sequence[WebEnv]) -> list[Attempt]:
    """Attempt a task once in every environment, side by side, so that the policy is asked for all of them at once.

    Every environment has a browser session and a website of its own, in the same state at the beginning.
    """
    attempts = [Attempt(env, env.reset(options={"task_id": task_id})[0]) for env in envs]
    while under_way := [attempt for attempt in attempts if not attempt.over]:
        prompts = [attempt.prompt() for attempt in under_way]
        for attempt, prompt, reply in zip(under_way, prompts, policy.sample(prompts), strict=True):
            attempt.act(prompt, reply, policy.text(reply))
    return attempts


# Learning: every token of an attempt is credited with how much better than its group the attempt was ----------------


def advantages(rewards: Sequence[float]) -> list[float]:
    """Compare every attempt with its group. Where all went well, or none did, there is nothing to learn."""
    mean = sum(rewards) / len(rewards)
    spread = (sum((reward - mean) ** 2 for reward in rewards) / len(rewards)) ** 0.5
    return [(reward - mean) / spread if spread else 0.0 for reward in rewards]


def update(policy: Policy, optimizer: torch.optim.Optimizer, groups: Sequence[Sequence[Attempt]]) -> None:
    """Take one step up the policy gradient: the mean over all tokens of advantage times log-probability."""
    credited = [
        (advantage, prompt, reply)
        for group in groups
        for attempt, advantage in zip(group, advantages([one.reward for one in group]), strict=True)
        for prompt, reply in attempt.said
        if advantage
    ]
    tokens = sum(len(reply) for _, _, reply in credited)
    for advantage, prompt, reply in credited:
        loss = -advantage * policy.logprobs(prompt, reply).sum() / tokens
        loss.backward()  # gradients add up over all replies
    if credited:
        torch.nn.utils.clip_grad_norm_(policy.model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()


def learn(
    policy: Policy, tasks: Sequence[str], *, iterations: int, group: int = 8, most_steps: int = 5, lr: float = 1e-4
) -> Iterator[float]:
    """Alternate between attempts and updates. Yield the mean reward of every iteration's attempts."""
    optimizer = torch.optim.AdamW(policy.model.parameters(), lr, betas=(0.9, 0.95), weight_decay=0.0)
    envs = [WebEnv(viewport=VIEWPORT, max_steps=most_steps) for _ in range(group)]
    try:
        for _ in range(iterations):
            groups = [attempts_at(task_id, policy, envs) for task_id in tasks]
            update(policy, optimizer, groups)
            yield sum(attempt.reward for group in groups for attempt in group) / sum(map(len, groups))
    finally:
        for env in envs:
            env.close()


def main() -> None:
    torch.manual_seed(0)
    torch.set_num_threads(1)  # the browsers need the other cores
    policy = Policy()
    for iteration, reward in enumerate(learn(policy, TASKS, iterations=8), 1):
        print(f"{iteration:3}  {reward:4.0%}  {'#' * round(40 * reward)}", flush=True)


if __name__ == "__main__":
    main()
