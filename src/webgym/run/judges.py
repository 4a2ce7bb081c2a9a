"""Open the judge that a configuration names, with the models it queries."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import ExitStack, asynccontextmanager, closing
from pathlib import Path
from urllib.parse import urlsplit

from webgym.errors import ConfigError
from webgym.inference.launch import NAME
from webgym.judge.cached_client import models_of, open_cached_client
from webgym.judge.pictures import FindPicture
from webgym.judge.rubric import RubricJudge, rubric_judge
from webgym.judge.settings import JudgeSettings
from webgym.llm.paid_reply import MemoryReplyStore
from webgym.llm.reply_file import FileReplyStore
from webgym.run.complete_verdicts import CompleteVerdictJudge
from webgym.run.config import RunConfig
from webgym.run.episodes import MakeJudge, NoJudge, exact_judge
from webgym.run.import_path import made
from webgym.run.second_judge import WithSecondJudge
from webgym.stages import AttemptSetup, Judge

MEMORY_FILE = "judge.sqlite"
"""Cache of the judge models' replies, in the run's folder."""
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1", "0.0.0.0"})  # noqa: S104 - compared, never bound

ASKING = ("rubric", "both")
"""Judges that query a model."""
PLAIN = ("exact", "none")
"""Judges that query none."""
EXACT = ("exact", "both")
"""Judges that ask the environment's own."""
JudgesFor = Callable[[FindPicture], MakeJudge]
"""Returns the judges of attempts, given where to find their screenshots."""


@asynccontextmanager
async def open_judges(config: RunConfig, folder: Path | None = None) -> AsyncGenerator[JudgesFor]:
    """Open the judge of `judge.use`. With a folder, replies of models are cached there, and not paid for again.

    Raises:
        ConfigError: The judge does not exist, or would query the servers of the policy.
    """
    settings = config.judge
    if settings.use not in ASKING:
        plain = plain_judge(settings.use)
        yield lambda _find: plain
        return
    refuse_policy_servers(settings, config)
    with ExitStack() as stack:
        replies = (
            MemoryReplyStore() if folder is None else stack.enter_context(closing(FileReplyStore(folder / MEMORY_FILE)))
        )
        async with open_cached_client(settings, replies, spent=replies.dollars) as client:

            def judges(find: FindPicture) -> MakeJudge:
                rubric = rubric_judge(settings, client, find)
                return _both(rubric) if settings.use == "both" else lambda _setup: rubric

            yield judges


def plain_judge(use: str) -> MakeJudge:
    """Return a judge that queries no configured model.

    Raises:
        ConfigError: It queries one, or it does not exist.
    """
    match use:
        case "exact":
            return exact_judge
        case "none":
            return lambda _setup: NoJudge()
        case "rubric" | "both":
            raise ConfigError(f"judge.use = {use!r} needs a model, which cannot be used here: use 'exact' or your own")
        case path:
            own = CompleteVerdictJudge(made(path, "judge.use", Judge))
            return lambda _setup: own


def _both(rubric: RubricJudge) -> MakeJudge:
    def make(setup: AttemptSetup) -> Judge:
        return WithSecondJudge(exact_judge(setup), rubric)

    return make


def refuse_policy_servers(judge: JudgeSettings, run: RunConfig) -> None:
    """Check that the judge does not query the policy: a policy that grades itself learns to please itself.

    Raises:
        ConfigError: The judge would query servers that the configuration names for the policy.
    """
    theirs = _served(run)
    for model in models_of(judge).values():
        shared = sorted(url for url in model.servers if _place(url) in theirs)
        if shared and (not judge.shares_servers or any(model.model in theirs[_place(url)] for url in shared)):
            raise ConfigError(
                f"the judge would use {shared[0]}, where the policy is served: set other servers in judge.model. If "
                "that address serves several models and the judge uses another one, set judge.shares_servers=true"
            )


def _served(run: RunConfig) -> dict[tuple[str, int], set[str]]:
    """Return the addresses where the policy is served, with its model names there."""
    found: dict[tuple[str, int], set[str]] = {}
    if run.model is not None:
        for url in run.model.servers:
            found.setdefault(_place(url), set()).add(run.model.model)
    for url in run.policy.servers.urls:
        found.setdefault(_place(url), set()).update((NAME, run.policy.model))
    return found


def _place(url: str) -> tuple[str, int]:
    """Return host and port, which identify a server regardless of path."""
    parts = urlsplit(url)
    host = (parts.hostname or "").lower()
    return "loopback" if host in _LOOPBACK else host, parts.port or (443 if parts.scheme == "https" else 80)
