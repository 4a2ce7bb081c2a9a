"""`webgym bench judge`: the rubric judge against the published pipeline's calls."""

from __future__ import annotations

from typing import Annotated

import typer


def judge(
    attempts: Annotated[int, typer.Option(min=2, help="Drawn, half of them successes.")] = 120,
    mean_steps: Annotated[float, typer.Option(min=1, help="Screenshots of an attempt, on average.")] = 9.9,
    longest: Annotated[int, typer.Option(min=2, help="At most.")] = 30,
    easy: Annotated[float, typer.Option(min=0, max=1, help="Share of tasks with 1 to 3 facts.")] = 0.8,
    false_positive: Annotated[
        float, typer.Option(min=0, max=1, help="Chance that the model sees a fact that does not hold.")
    ] = 0.02,
    false_negative: Annotated[
        float, typer.Option(min=0, max=1, help="Chance that it does not see one that holds.")
    ] = 0.02,
    full_size: Annotated[bool, typer.Option(help="Screenshots of 1280 x 768; else tiny ones, for tests.")] = True,
    seed: Annotated[int, typer.Option(help="Of attempts and errors.")] = 0,
    json: Annotated[bool, typer.Option("--json", help="End with one line of JSON.")] = False,
) -> None:
    """Requests, image bytes and accuracy of the rubric judge against the published pipeline, on the same attempts.

    The model is scripted: it sees what the pictures of a request show, and errs as often as it is told to, whoever
    asks. So what differs is what each judge asks for.
    """
    from functools import partial

    import anyio
    import msgspec
    from rich.console import Console

    from webgym.bench.judge.compare import compare
    from webgym.bench.judge.conditions import Conditions
    from webgym.bench.judge.table import table

    conditions = Conditions(
        attempts=attempts,
        mean_steps=mean_steps,
        longest=longest,
        easy=easy,
        false_positive=false_positive,
        false_negative=false_negative,
        full_size=full_size,
        seed=seed,
    )
    with Console(stderr=True).status("starting") as status:

        def told(what: str, done: int, of: int) -> None:
            status.update(f"{what} {done}/{of}" if of else what)

        found = anyio.run(partial(compare, conditions, told), backend_options={"use_uvloop": True})
    Console(stderr=json).print(table(found))
    if json:
        typer.echo(msgspec.json.encode(found.as_json()).decode())
