"""`webgym judge calibrate`: measure a judge against labels."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webgym.cli.failures import ExitCode
from webgym.cli.judge import options
from webgym.cli.outputs import new_folder

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from webgym.judge.calibration.figures import Calibration
    from webgym.run.judging.calibrate.calibrate import CalibrationResult
    from webgym.store.statistics import Interval


def calibrate(
    runs: Annotated[
        list[str],
        typer.Argument(
            help="Folders of labelled runs, or their names in runs/; and judge settings, such as judge.top=5."
        ),
    ],
    config: options.ConfigFile = None,
    out: Annotated[
        Path | None,
        typer.Option(
            callback=new_folder, help="Folder for the report and the attacks. Default: a folder inside the first run."
        ),
    ] = None,
    gate: Annotated[
        list[str] | None,
        typer.Option(
            help="Condition the judge must meet, such as 'accuracy>=0.9', 'false_positive_rate.high<=5%', "
            "'facts.kappa>=0.8', 'hard.recall>=0.7', 'attack<=0.02', 'dollars<=0.01'; repeatable. The command fails "
            "if one is not met."
        ),
    ] = None,
    attacks: Annotated[
        int,
        typer.Option(min=0, help="Maximum attacks of each kind to derive from labelled attempts; 0: none."),
    ] = 20,
    limit: Annotated[int, typer.Option(min=0, help="Maximum labelled attempts per run; 0: all.")] = 0,
    retry: Annotated[
        bool, typer.Option("--retry", help="Judge attempts without a verdict (judge_unknown) again.")
    ] = False,
    at_once: Annotated[int, typer.Option(min=1, max=1024, help="Concurrently judged attempts.")] = 16,
    server: options.Servers = None,
    model: options.Model = "",
    key_env: options.KeyEnv = "",
    price_in: options.PriceIn = 0.0,
    price_out: options.PriceOut = 0.0,
    budget: options.Budget = None,
    json: options.AsJson = False,
) -> None:
    """Measure a judge against labelled attempts and adversarial ones, and write a report.

    Ground truth are human labels (`webgym view --label`, `webgym judge import`)
    and, on hermetic sites, the verdict of the site itself. Runs are not
    changed. After a crash or an exhausted budget, run the same command again:
    nothing is judged or paid for twice.

    For example, as a gate in CI:

    webgym judge calibrate runs/labelled --server http://127.0.0.1:8001/v1
    --model Qwen/Qwen3-VL-32B-Instruct --gate 'false_positive_rate<=0.03' --gate
    'answered>=0.95' --gate 'attack<=0.05'
    """
    from functools import partial

    import anyio
    import msgspec
    from rich.console import Console

    from webgym.errors import ConfigError
    from webgym.judge.calibration.gate import read_gate
    from webgym.run.judging.calibrate.calibrate import Calibrating
    from webgym.run.judging.calibrate.calibrate import calibrate as calibrated
    from webgym.store.read import locate

    settings = [run for run in runs if run.startswith("judge.") and "=" in run]
    folders = [locate(run) for run in runs if run not in settings]
    if not folders:
        raise ConfigError("give at least one run")
    chosen = options.judge_config(
        config, settings, servers=server, model=model, key_env=key_env, prices=(price_in, price_out), budget=budget
    )
    gates = [read_gate(one) for one in gate or []]
    how = Calibrating(at_once, retry, attacks, limit)
    console = Console(stderr=json)
    with console.status("reading labels") as status:

        def tell(what: str, done: int, of: int) -> None:
            status.update(f"{what} {done}/{of}" if of else what)

        done = anyio.run(partial(calibrated, folders, chosen, how, gates, out, tell))
    if json:
        print(msgspec.json.encode(done).decode())
    _tell(done, console)
    if not done.passed:
        raise typer.Exit(ExitCode.FAILURES)


def _tell(done: CalibrationResult, console: Console) -> None:
    found = done.calibration
    console.print(f"{found.judge} ({found.config}) on {found.labelled} labelled attempts", markup=False)
    console.print(_table(found))
    for attack in found.attacks:
        told = f"{attack.fooled} of {attack.rate.n} rewarded" if attack.tried else "not possible with these attempts"
        told += f", {attack.unknown} without a verdict" if attack.unknown else ""
        console.print(f"  {attack.name}: {told}", style="red" if attack.fooled else "", markup=False)
    cost = found.cost
    console.print(f"{cost.calls:.2f} calls and ${cost.dollars:.4f} per attempt")
    for gate in done.gates:
        value = "no data" if gate.value is None else f"{gate.value:.4g} of {gate.n}"
        console.print(
            f"{'passed' if gate.passed else 'failed'} {gate.gate}: {value}", style="" if gate.passed else "red"
        )
    if done.stopped:
        console.print(f"not all attempts were judged: {done.stopped}", style="red", markup=False)
        console.print("run the same command again to resume")
    console.print(f"report: {Path(done.out) / 'report.html'}", markup=False, soft_wrap=True)


def _table(found: Calibration) -> Table:
    from rich.table import Table

    table = Table("", "asked", "answered", "accuracy", "precision", "recall", "false positives", "kappa", box=None)
    for name, one in (("attempts", found.attempts), ("facts", found.facts), *found.by_level.items()):
        rates = (one.answered, one.accuracy, one.precision, one.recall, one.false_positive_rate)
        table.add_row(name, str(one.n), *map(_share, rates), _number(one.kappa))
    return table


def _share(found: Interval) -> str:
    return f"{found.estimate:.1%} ({found.low:.0%} to {found.high:.0%})" if found.n else "·"


def _number(found: Interval) -> str:
    return f"{found.estimate:.2f} ({found.low:.2f} to {found.high:.2f})" if found.n else "·"
