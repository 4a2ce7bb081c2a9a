"""A custom policy: any class that completes a prompt.

webgym eval agent.policy=examples.own_policy:Scroller agent.dialect=compact
"""

from collections.abc import Mapping

from webgym.records.prompt import Completion, Prompt


class Scroller:
    """Scrolls until the prompt contains three rounds, then answers. A real policy would send the prompt to a model."""

    async def sample(self, prompt: Prompt, pictures: Mapping[str, bytes], *, affinity: str = "") -> Completion:
        del affinity
        assert all(picture.address in pictures for picture in prompt.pictures)
        rounds = sum(message.role == "assistant" for message in prompt.messages)
        return Completion("scroll down" if rounds < 3 else 'answer "I have seen the whole page."')
