"""The statistics of a task set as one self-contained HTML file."""

from __future__ import annotations

from html import escape
from importlib.resources import files
from pathlib import Path

from webgym.files import write_whole
from webgym.records.task import MOST_EASY_FACTS, MOST_MEDIUM_FACTS
from webgym.serving.standalone import standalone_page
from webgym.tasks.stats.charts import curve, lying, stacked, standing
from webgym.tasks.stats.figures import Figures

_BODY = """<header>
<h1>{name}</h1>
<p class="quiet">{subtitle}</p>
</header>
<main>
{sections}
</main>"""
_KEYS = """<p class="keys quiet"><span class="easy">easy</span><span class="medium">medium</span>
<span class="hard">hard</span><span class="none">no rubric</span></p>"""


def write_page(path: Path, figures: Figures) -> None:
    """Write the page, replacing an earlier one."""
    style = (files("webgym.tasks.stats") / "page.css").read_text("utf-8")
    card = figures.card
    body = _BODY.format(
        name=escape(card.name),
        subtitle=f"{card.rows:,} tasks on {card.websites:,} websites",
        sections="\n".join(_sections(figures)),
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, standalone_page(f"{card.name} · tasks", style, body))


def _sections(figures: Figures) -> list[str]:
    card = figures.card
    spread = figures.concentration
    made = "".join(f"<li>{escape(step)}</li>" for step in card.made) or "<li>not recorded</li>"
    return [
        _section("", _tiles(figures), wide=True),
        _section("Facts per task", standing(figures.facts, _level_of_facts()) + _KEYS),
        _section("Sources, by level", stacked(figures.levels_by_source) + _KEYS),
        _section("Domains", lying(card.domains)),
        _section("Subdomains", lying(figures.subdomains)),
        _section("Largest websites", lying(figures.sites)),
        _section("Share of tasks on the largest websites", curve(spread.websites, spread.shares)),
        _section("Splits", lying(card.splits)),
        _section("Benchmarks", lying(figures.benchmarks)),
        _section("Licences", lying(card.licences)),
        _section("How it was made", f"<ol>{made}</ol>"),
    ]


def _tiles(figures: Figures) -> str:
    card, words = figures.card, figures.words
    tiles = {
        "tasks": card.rows,
        "websites": card.websites,
        "with one task": figures.single_task_sites,
        "easy": card.levels["easy"],
        "medium": card.levels["medium"],
        "hard": card.levels["hard"],
        "subtasks": card.decomposed,
        "without a website": card.without_website,
        "without a rubric": card.without_rubric,
        "encrypted": card.sealed,
        "words, median": words.get("median", 0),
    }
    told = "".join(f'<span class="quiet"><b>{number:,}</b>{name}</span>' for name, number in tiles.items())
    return f'<div class="tiles">{told}</div>'


def _level_of_facts() -> dict[str, str]:
    easy = dict.fromkeys(map(str, range(1, MOST_EASY_FACTS + 1)), "easy")
    medium = dict.fromkeys(map(str, range(MOST_EASY_FACTS + 1, MOST_MEDIUM_FACTS + 1)), "medium")
    hard = dict.fromkeys([*map(str, range(MOST_MEDIUM_FACTS + 1, 15)), "15+"], "hard")
    return {"0": "none", **easy, **medium, **hard}


def _section(title: str, body: str, *, wide: bool = False) -> str:
    heading = f"<h2>{escape(title)}</h2>" if title else ""
    kind = ' class="wide"' if wide else ""
    return f"<section{kind}>{heading}{body}</section>"
