"""`webgym tasks enrich`: fill in missing task fields with a model."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import Annotated

import typer

from webgym.cli.tasks import model_options as options
from webgym.cli.tasks.options import AsJson, Out, Rejects, Replace, SetNames, joined, tell_card


class TaskField(enum.StrEnum):
    """A task field that a model can fill in."""

    WEBSITE = "website"
    DOMAIN = "domain"
    RUBRIC = "rubric"


def enrich(
    names: SetNames,
    out: Out = Path("enriched"),
    replace: Replace = False,
    rejects: Rejects = None,
    field: Annotated[
        list[TaskField] | None, typer.Option(help="Field to fill in; repeatable. Default: all three.")
    ] = None,
    refile: Annotated[
        bool, typer.Option("--refile", help="Also replace domains outside the taxonomy of 6 domains and 24 subdomains.")
    ] = False,
    sealed: Annotated[
        bool,
        typer.Option(
            "--sealed", help="Also enrich encrypted tasks: they are sent to the model in plain text, and get no rubric."
        ),
    ] = False,
    limit: Annotated[int, typer.Option(min=0, help="Maximum number of tasks, to estimate the cost; 0: all.")] = 0,
    server: options.Servers = None,
    model: options.Model = "",
    key_env: options.KeyEnv = "",
    structured: options.Structured = options.ReplyForm.SCHEMA,
    temperature: options.Temperature = None,
    max_tokens: options.MaxTokens = 2048,
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
    """Fill in missing websites, domains and rubrics with a model.

    Existing values are never changed, except by --refile. Every reply is
    validated; an invalid one is sent back with the reason, and after --rounds
    replies the task is left unchanged and written to --rejects. Replies are
    kept in a journal: after a crash or an exhausted budget, run the same
    command again to request only what is missing.

    For example, with a local model, and with a hosted one and a budget:

    webgym tasks enrich sets/mine --out sets/rich --server
    http://127.0.0.1:8000/v1 --model Qwen/Qwen3-8B

    webgym tasks enrich sets/mine --out sets/rich --server
    https://api.openai.com/v1 --model gpt-4o --key-env OPENAI_API_KEY --price-in
    2.5 --price-out 10 --budget 25
    """
    import anyio

    from webgym.run.task_sets.enrich.needs import FIELDS, Field
    from webgym.run.task_sets.enrich.run import EnrichPlan, jobs_of
    from webgym.run.task_sets.enrich.run import enrich as run
    from webgym.tasks.sets import save_set, set_of

    tasks = joined(names)
    config = options.model_config(
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
    chosen: tuple[Field, ...] = tuple(part.value for part in field) if field else FIELDS
    plan = EnrichPlan(chosen, refile, sealed, limit, structured.value, rounds)
    rows = list(tasks.rows())
    book = options.journal_of(journal, out)
    options.refuse_existing(out, replace=replace)
    with options.Bar("tasks", len(jobs_of(rows, plan))) as bar:
        done = anyio.run(run, rows, config, book, plan, bar.update)
    made = (*tasks.made, f"enriched by {model}: {', '.join(chosen)}")
    card = None if done.stopped and not partial else save_set(set_of(out.name, done.rows, made), out, replace=replace)
    if json:
        options.tell_json(done, card is not None, filled=dict(done.filled), wanted=done.wanted)
    else:
        if card is not None:
            tell_card(card, out)
        filled = ", ".join(f"{number:,} {what}" for what, number in sorted(done.filled.items()))
        typer.echo(f"  {done.wanted:,} tasks had missing fields; filled in: {filled or 'nothing'}")
        options.tell_bill(done.asked, done.remembered, done.dollars, book)
    options.tell_rejects(done.rejects, rejects, quiet=json)
    options.end(done.stopped, done.rejects, written=card is not None)
