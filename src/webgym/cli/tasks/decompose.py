"""`webgym tasks decompose`: derive smaller tasks from the fact groups of larger ones."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from webgym.cli.tasks import model_options as options
from webgym.cli.tasks.options import AsJson, Out, Rejects, Replace, SetNames, joined, tell_card


def decompose(
    names: SetNames,
    out: Out = Path("decomposed"),
    replace: Replace = False,
    rejects: Rejects = None,
    most: Annotated[int, typer.Option(min=1, max=64, help="Maximum number of parts per task.")] = 6,
    test: Annotated[bool, typer.Option("--test", help="Also decompose tasks of the test split.")] = False,
    parts_only: Annotated[
        bool, typer.Option("--parts-only", help="Write only the parts, without the original tasks.")
    ] = False,
    server: options.Servers = None,
    model: options.Model = "",
    key_env: options.KeyEnv = "",
    structured: options.Structured = options.ReplyForm.SCHEMA,
    temperature: options.Temperature = None,
    max_tokens: options.MaxTokens = 1024,
    long_field: options.LongField = False,
    concurrency: options.Concurrency = 128,
    timeout: options.Timeout = 120.0,
    rounds: options.Rounds = 3,
    price_in: options.PriceIn = 0.0,
    price_out: options.PriceOut = 0.0,
    budget: options.Budget = None,
    journal: options.JournalPath = None,
    partial: options.Partial = False,
    json: AsJson = False,
) -> None:
    """Decompose tasks into smaller ones.

    A task is decomposed if it has at least two fact groups, one of them with at
    least three facts. A part is a proper subset of the groups that includes
    such a large one; it is added to the set and refers to its original task.
    Instructions for hermetic tasks come from templates. For all others a model
    writes the instruction, and must then pick exactly the part's facts out of
    all the task's facts. Without --model only hermetic tasks are decomposed.

    For example: webgym tasks decompose sets/hermetic --out sets/parts

    webgym tasks decompose sets/rich --out sets/parts --server
    http://127.0.0.1:8000/v1 --model Qwen/Qwen3-8B
    """
    import anyio

    from webgym.run.task_sets.decompose.run import DecomposePlan, Decomposition
    from webgym.run.task_sets.decompose.run import decompose as run
    from webgym.tasks.sets import save_set, set_of

    tasks = joined(names)
    config = (
        options.model_config(
            server,
            model,
            key_env=key_env,
            temperature=temperature,
            max_tokens=max_tokens,
            long_field=long_field,
            concurrency=concurrency,
            timeout=timeout,
            prices=(price_in, price_out),
            budget=budget,
        )
        if model or server
        else None
    )
    rows = list(tasks.rows())
    book = options.journal_of(journal, out)
    options.refuse_existing(out, replace=replace)
    with options.Bar("parts", 0) as bar:

        def watch(going: Decomposition) -> None:
            bar.update(going, going.planned)

        done = anyio.run(run, rows, DecomposePlan(most, test, structured.value, rounds), config, book, watch)
    kept = done.parts if parts_only else [*rows, *done.parts]
    made = (*tasks.made, f"decomposed{f' by {model}' if model else ''}: {len(done.parts)} parts of {done.cut} tasks")
    card = None if done.stopped and not partial else save_set(set_of(out.name, kept, made), out, replace=replace)
    if json:
        options.tell_json(done, card is not None, cut=done.cut, parts=len(done.parts), alike=done.alike, left=done.left)
    else:
        if card is not None:
            tell_card(card, out)
        typer.echo(f"  {len(done.parts):,} parts of {done.cut:,} decomposable tasks; {done.alike:,} duplicates dropped")
        if done.left:
            typer.echo(f"  {done.left:,} parts need a model to write them: give --server and --model")
        if config is not None:
            options.tell_bill(done.asked, done.remembered, done.dollars, book)
    options.tell_rejects(done.rejects, rejects, quiet=json)
    options.end(done.stopped, done.rejects, written=card is not None)
