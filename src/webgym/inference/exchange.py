"""Token-level requests, for the client that handles servers, retries and affinity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import msgspec

from webgym.inference.api import Choosing, GenerateRequest, ServerApi, shown
from webgym.inference.reply import ServerReply, VersionSpan, checked_reply
from webgym.llm.config import ModelConfig
from webgym.llm.exchange import Wire, naming
from webgym.llm.failures import TryFailed
from webgym.llm.ledger import Usage
from webgym.llm.reply import ChatReply
from webgym.llm.sampling import sampling_of
from webgym.records.prompt import Completion, Prompt
from webgym.records.vocabulary import ImageTokens


class CheckpointTokenizer(Protocol):
    """The tokenizer and the chat template of a checkpoint."""

    def ids(self, prompt: Prompt, picture_tokens: Sequence[int]) -> list[int]:
        """Return the prompt's tokens; `picture_tokens` is the number of placeholders of each image."""
        ...

    def words(self, ids: Sequence[int]) -> str:
        """Decode sampled tokens to text."""
        ...


class ReplicaStates(Protocol):
    """State of the servers: `replicas.Replicas`."""

    @property
    def changes(self) -> int:
        """Incremented when a refresh begins and when it ends: odd while one is under way."""
        ...

    def serves(self, url: str) -> bool:
        """Whether requests may be sent to a server."""
        ...


class TokenExchange:
    """Sends prompts as token ids."""

    def __init__(
        self,
        api: ServerApi,
        wire: Wire,
        config: ModelConfig,
        words: CheckpointTokenizer,
        vocabulary: ImageTokens,
        servers: ReplicaStates,
    ) -> None:
        self._api = api
        self._wire = wire
        self._config = config
        self._words = words
        self._vocabulary = vocabulary
        self._servers = servers
        self._sampling = sampling_of(config)
        self._choosing = Choosing(
            temperature=1.0 if config.temperature is None else config.temperature,
            max_tokens=config.max_tokens,
            stop=vocabulary.never,
        )

    def encode(self, prompt: Prompt, pictures: Mapping[str, bytes]) -> bytes:
        """Return the body of a request. Raises `PolicyRejected` for a prompt that cannot be sent."""
        ids = self._words.ids(prompt, [1] * len(prompt.pictures))
        ask = GenerateRequest(tuple(ids), shown(prompt.pictures, pictures), self._choosing)
        return self._api.encode(ask)

    async def ask(self, server: str, body: bytes) -> ChatReply:
        """Send a request once. Raises `TryFailed`, or `PolicyRejected` if the server read other tokens than sent."""
        root = self._root(server)
        before = self._servers.changes
        _, content = await self._wire.post(root, self._api.generate, body)
        with naming(root):
            reply = self._api.read(content)
            # The label holds for all tokens only if no refresh could have reached this server meanwhile.
            unchanged = before % 2 == 0 and self._servers.changes == before
            if not reply.spans and reply.label and unchanged:
                reply = msgspec.structs.replace(reply, spans=(VersionSpan(reply.label, 0, len(reply.sampled)),))
            return self._reply(reply, body)

    async def probe(self, server: str) -> None:
        """Raise `TryFailed` if a server does not answer."""
        await self._wire.probe(self._root(server), self._api.health)

    def _root(self, server: str) -> str:
        root = server.removesuffix("/v1")
        if not self._servers.serves(root):
            raise TryFailed("unreachable", f"{root}: it is being started")
        return root

    def _reply(self, reply: ServerReply, body: bytes) -> ChatReply:
        found = checked_reply(reply, self._api.sent(body), self._vocabulary.image, self._sampling)
        completion = Completion(
            text=self._words.words(reply.sampled),
            finish=reply.finish,
            model=self._config.model,
            version=found.version,
            prompt_tokens=len(reply.prompt),
            sampled_tokens=len(reply.sampled),
            tokens=found.tokens,
        )
        return ChatReply(completion, Usage(len(reply.prompt), len(reply.sampled), reply.cached))
