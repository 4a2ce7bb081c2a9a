"""A policy of one's own: anything that continues a prompt.

    webgym eval agent.policy=examples.own_policy:Scroller agent.dialect=compact
"""

from collections.abc import Mapping

from webgym.records.prompt import Completion, Prompt


class Scroller:
    """Scrolls three times, then answers. A real one would send the prompt and its pictures to a model."""

    def __init__(self) -> None:
        self._asked: dict[str, int] = {}

    async def sample(self, prompt: Prompt, pictures: Mapping[str, bytes], *, affinity: str = "") -> Completion:
        assert all(picture.address in pictures for picture in prompt.pictures)
        self._asked[affinity] = self._asked.get(affinity, 0) + 1
        if self._asked[affinity] <= 3:
            return Completion("scroll down")
        return Completion('answer "I have seen the whole page."')
