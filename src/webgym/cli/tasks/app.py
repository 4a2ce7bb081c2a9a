"""`webgym tasks`: the command group."""

from __future__ import annotations

import typer

from webgym.cli.tasks import clean, decompose, draw, enrich, export, health, import_files, pull, show, split, stats

app = typer.Typer(
    no_args_is_help=True,
    help="Import, enrich, clean, split, inspect and sample task sets.",
)
app.command("pull")(pull.pull)
app.command("import")(import_files.import_files)
app.command("sources")(import_files.sources)
app.command("enrich")(enrich.enrich)
app.command("decompose")(decompose.decompose)
app.command("clean")(clean.clean)
app.command("split")(split.split)
app.command("check")(split.check)
app.command("draw")(draw.draw)
app.command("export")(export.export)
app.command("health")(health.health)
app.command("stats")(stats.stats)
app.command("show")(show.show)
