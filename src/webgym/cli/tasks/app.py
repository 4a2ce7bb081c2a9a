"""`webgym tasks`: the list of its commands."""

from __future__ import annotations

import typer

from webgym.cli.tasks import clean, decompose, draw, enrich, export, health, import_files, pull, show, split, stats

app = typer.Typer(
    no_args_is_help=True,
    help="Task sets: bring tasks in, fill in what they lack, clean and split them, look at them, draw from them.",
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
