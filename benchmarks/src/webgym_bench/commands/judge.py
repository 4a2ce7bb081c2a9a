"""`webgym bench judge`: compare the rubric judge with the published pipeline."""

from __future__ import annotations

from typing import Annotated

import typer


def judge(
    attempts: Annotated[int, typer.Option(min=2, help="Number of attempts, half of them successes.")] = 120,
    mean_steps: Annotated[float, typer.Option(min=1, help="Mean screenshots per attempt.")] = 9.9,
    longest: Annotated[int, typer.Option(min=2, help="Maximum screenshots per attempt.")] = 30,
    easy: Annotated[float, typer.Option(min=0, max=1, help="Fraction of tasks with 1 to 3 facts.")] = 0.8,
    false_positive: Annotated[
        float, typer.Option(min=0, max=1, help="Probability that the model accepts a fact that does not hold.")
    ] = 0.02,
    false_negative: Annotated[
        float, typer.Option(min=0, max=1, help="Probability that the model rejects a fact that holds.")
    ] = 0.02,
    full_size: Annotated[
        bool, typer.Option(help="Use screenshots of 1280 x 768 pixels; otherwise tiny ones, for tests.")
    ] = True,
    seed: Annotated[int, typer.Option(help="Seed for attempts and errors.")] = 0,
    json: Annotated[bool, typer.Option("--json", help="Print the result as one line of JSON.")] = False,
) -> None:
    """Compare requests, image bytes and accuracy of the rubric judge with the published pipeline.

    Both judge the same attempts with a scripted model, which sees what the
    images of a request show and errs at the given rates, so that only what each
    judge asks for differs.
    """
    from functools import partial

    import anyio
    import msgspec
    from rich.console import Console

    from webgym_bench.judge.compare import compare
    from webgym_bench.judge.conditions import Conditions
    from webgym_bench.judge.table import table

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
