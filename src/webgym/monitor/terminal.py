"""The monitor in a terminal."""

from __future__ import annotations

from rich.bar import Bar
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from webgym.monitor import states
from webgym.monitor.client import MonitorClient
from webgym.monitor.mirror import Mirror, MirrorCell
from webgym.monitor.states import Status
from webgym.monitor.wire import BoardFacts, BoardTotals, OperationFigures, Throughput
from webgym.records.event import OPERATIONS
from webgym.records.trajectory import OUTCOME_KINDS

_STYLES: dict[Status, str] = {
    "waiting": "#566070",
    "queued": "#7fa6d8",
    "running": "#4f8cf0",
    "success": "#3cc79d",
    "failure": "#d9601a",
    "truncated": "#eba023",
    "blocked": "#d583b9",
    "infrastructure": "#b5a5ff",
    "judge_unknown": "#f1e987",
    "cancelled": "#8a93a0",
}
_BLOCKS = " ▁▂▃▄▅▆▇█"
_SLOWEST = 8


async def watch(client: MonitorClient, console: Console) -> None:
    """Show a run until it ends; print it once if the console is not a terminal."""
    about, mirror = await client.about(), Mirror()
    if not console.is_terminal:
        async for update in client.updates():
            mirror.apply(update)
            console.print(screen(mirror, about, console.width))
            return
    with Live(console=console, auto_refresh=False, screen=True) as live:
        async for update in client.updates():
            mirror.apply(update)
            live.update(screen(mirror, about, console.width), refresh=True)
    console.print(screen(mirror, about, console.width))


def screen(mirror: Mirror, about: BoardFacts, width: int) -> RenderableType:
    """Render the whole screen."""
    if mirror.totals is None:
        return Text("waiting for the first update")
    return Group(
        _header(mirror, about),
        _bar(mirror.totals, width),
        _equation(mirror.totals),
        *_warnings(mirror.totals),
        Text(),
        _throughput("steps", mirror.totals.steps, width),
        _throughput("attempts", mirror.totals.attempts, width),
        Text(),
        _operations(mirror.totals),
        Text(),
        _slowest(mirror),
    )


def plain(text: str) -> str:
    """Replace unprintable characters, such as terminal control codes, in untrusted text."""
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text)


def _header(mirror: Mirror, about: BoardFacts) -> Text:
    text = Text(plain(about.run) or "monitor", style="bold")
    if about.simulated:
        text.append("  simulated, not a real run", style="yellow not bold")
    text.append(f"  {_duration(mirror.elapsed)}", style="not bold")
    text.append("  over" if mirror.over else "  live", style="dim" if mirror.over else "green not bold")
    return text


def _bar(totals: BoardTotals, width: int) -> Text:
    """Render a bar with a segment per status; a non-zero count is at least one block wide."""
    counts = states.by_status(totals.counts)
    order: tuple[Status, ...] = (*OUTCOME_KINDS, "running", "queued", "waiting")
    text = Text(no_wrap=True, overflow="crop")
    for status in order:
        share = counts[status] / max(1, totals.submitted) * width
        text.append("█" * (max(1, int(share)) if counts[status] else 0), style=_STYLES[status])
    return text


def _equation(totals: BoardTotals) -> Text:
    counts = states.by_status(totals.counts)
    text = Text(f"{totals.submitted:,} submitted", style="bold")
    text.append(" = ", style="not bold")
    for outcome in OUTCOME_KINDS:
        if counts[outcome]:
            text.append(f"{counts[outcome]:,} {_words(outcome)}", style=f"not bold {_STYLES[outcome]}")
            text.append(" + ", style="not bold")
    for status in ("running", "queued", "waiting"):
        text.append(f"{counts[status]:,} {status}", style=f"not bold {_STYLES[status]}")
        text.append(" + " if status != "waiting" else "", style="not bold")
    return text


def _warnings(totals: BoardTotals) -> list[Text]:
    lines: list[Text] = []
    if totals.lost:
        lines.append(Text(f"{totals.lost:,} events were lost: counts may be wrong", style="red"))
    if totals.hidden:
        lines.append(Text(f"{totals.hidden:,} open attempts are only counted: there are too many", style="yellow"))
    return lines


def _throughput(what: str, throughput: Throughput, width: int) -> Text:
    text = Text(f"{throughput.last_minute:>9,.1f}", style="bold", no_wrap=True, overflow="crop")
    text.append(f" {what}/min".ljust(14), style="not bold")
    text.append(f"  {throughput.overall:,.1f} overall  ".ljust(22), style="not bold dim")
    values = throughput.recent[:-1][-max(0, width - 50) :]
    most = max(values, default=0) or 1
    text.append(
        "".join(_BLOCKS[round(value / most * (len(_BLOCKS) - 1))] for value in values), style="not bold #4f8cf0"
    )
    return text


def _operations(totals: BoardTotals) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("operation")
    for name in ("running", "", "queued", "waits p50", "p95", "takes p50", "p95", "errors"):
        table.add_column(name, justify="left" if not name else "right")
    for operation, figures in zip(OPERATIONS, totals.operations, strict=True):
        table.add_row(*_operation(operation, figures))
    return table


def _operation(operation: str, figures: OperationFigures) -> tuple[RenderableType, ...]:
    limit = "" if figures.limit is None else f"/{figures.limit}"
    return (
        operation,
        f"{figures.running}{limit}",
        Bar(figures.limit or 1, 0, min(figures.running, figures.limit or 0), width=12, color="#4f8cf0"),
        f"{figures.queued:,}",
        *(_seconds(value) for value in (figures.queued_p50, figures.queued_p95, figures.p50, figures.p95)),
        Text(f"{figures.errors:,}", style="red" if figures.errors else "dim"),
    )


def _slowest(mirror: Mirror) -> Table:
    table = Table(title="under way for longest", title_justify="left", title_style="dim", box=None, pad_edge=False)
    for name in ("attempt", "site", "doing", "step", "for", "began"):
        table.add_column(name, no_wrap=True, justify="right" if name in ("step", "for", "began") else "left")
    for seen in mirror.slowest(_SLOWEST):
        table.add_row(*_attempt(seen, mirror.elapsed))
    return table


def _attempt(seen: MirrorCell, now: float) -> tuple[RenderableType, ...]:
    status, operation = states.STATES[seen.state]
    return (
        Text(plain(seen.name.attempt)),
        Text(plain(seen.name.site)),
        Text(f"{status} {operation}", style=_STYLES[status]),
        str(seen.step),
        _duration(now - seen.since),
        f"{_duration(now - seen.began)} ago",
    )


def _words(status: str) -> str:
    return status.replace("_", " ")


def _seconds(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"  # noqa: RUF001 - a dash, as on the page


def _duration(seconds: float) -> str:
    minutes, rest = divmod(int(max(0, seconds)), 60)
    return f"{minutes // 60}:{minutes % 60:02d}:{rest:02d}" if minutes >= 60 else f"{minutes}:{rest:02d}"
