"""The sections of the report."""

from __future__ import annotations

import time
from collections.abc import Sequence

from webgym.judge.calibration.agreement import JudgeAgreement
from webgym.judge.calibration.figures import Calibration
from webgym.judge.calibration.gate import GateResult
from webgym.judge.calibration.page.chart import abstention_chart
from webgym.judge.calibration.page.figures import kappa, rate
from webgym.judge.calibration.page.markup import Child, Markup, h, joined
from webgym.store.statistics import Interval


def head(found: Calibration) -> Markup:
    """The judge, and the labelled attempts it was measured on."""
    when = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(found.when))
    sources = {"exact": "by exact checks", "people": "by people"}
    known = ", ".join(f"{count:,} {sources.get(name, name)}" for name, count in found.sources.items())
    return h(
        "header",
        h("h1", "Judge calibration"),
        h("p", h("b", found.judge), f" · configuration {found.config} · {when}"),
        h(
            "p",
            f"{found.labelled:,} labelled attempts ({known}) from {', '.join(found.runs) or 'no run'}",
            class_="quiet",
        ),
    )


def gates(passed: Sequence[GateResult]) -> Child:
    """The gates, each kept or missed."""
    if not passed:
        return None
    kept = all(result.passed for result in passed)
    items = [
        h(
            "li",
            h("span", "passed" if result.passed else "failed", class_="good" if result.passed else "bad"),
            h("code", result.gate),
            h(
                "span",
                "no data" if result.value is None else f"is {result.value:.4g} (n = {result.n:,})",
                class_="quiet",
            ),
        )
        for result in passed
    ]
    return h(
        "section",
        h("h2", "Gates"),
        h("p", "All gates passed." if kept else "Not all gates passed.", class_="good" if kept else "bad"),
        h("ul", *items, class_="gates"),
    )


def tiles(found: Calibration) -> Markup:
    """The headline figures."""
    attempts = found.attempts
    shown = (
        ("Accuracy", rate(attempts.accuracy), "verdicts that agree with the ground truth"),
        ("False positives", rate(attempts.false_positive_rate), "failures that were rewarded"),
        ("False negatives", rate(attempts.false_negative_rate), "successes that were not rewarded"),
        ("Cohen's κ", kappa(attempts.kappa), "agreement beyond chance"),
        ("Answered", rate(attempts.answered), "attempts with a reward"),
    )
    return h(
        "section", *(h("div", h("h3", name), value, h("p", about)) for name, value, about in shown), class_="tiles"
    )


def agreements(found: Calibration) -> Markup:
    """A table of agreement, one row per kind of question, level and benchmark."""
    rows: list[tuple[str, JudgeAgreement]] = [
        ("attempts", found.attempts),
        ("facts", found.facts),
        ("blocked or not", found.blocked),
        *((f"attempts, {level}", agreement) for level, agreement in found.by_level.items()),
    ]
    if len(found.by_benchmark) > 1:
        rows += [(f"attempts, {name or 'no benchmark'}", agreement) for name, agreement in found.by_benchmark.items()]
    columns = ("", "n", "answered", "accuracy", "precision", "recall", "false positives", "κ")
    body = [
        h(
            "tr",
            h("th", name),
            h("td", f"{agreement.n:,}"),
            *(h("td", cell) for cell in (*map(rate, _rates(agreement)), kappa(agreement.kappa))),
        )
        for name, agreement in rows
    ]
    return h(
        "section",
        h("h2", "Agreement with the ground truth"),
        _table(columns, body),
        h(
            "p",
            "95 % confidence intervals. They account for correlation between the facts of an attempt and between "
            "attempts at the same task.",
            class_="quiet",
        ),
        confusion(found),
    )


def confusion(found: Calibration) -> Markup:
    """The confusion matrices of attempts and facts."""

    def one(name: str, of: JudgeAgreement) -> Markup:
        rows = (
            ("true", of.true_positives, of.false_negatives),
            ("false", of.false_positives, of.true_negatives),
        )
        body = [h("tr", h("th", truth), h("td", f"{yes:,}"), h("td", f"{no:,}")) for truth, yes, no in rows]
        return _table((name, "judged true", "judged false"), body)

    return h("div", one("attempts", found.attempts), one("facts", found.facts), class_="pair")


def abstention(found: Calibration) -> Markup:
    """The abstention curve."""
    return h(
        "section",
        h("h2", "Abstention curve"),
        h("p", h("span", "accuracy", class_="key accuracy"), h("span", "false positives", class_="key false-positive")),
        abstention_chart(found.curve),
        h(
            "p",
            "From left to right, the threshold for trusting a verdict gets lower; verdicts below it count as unknown. "
            "Verdicts are ranked by the evidence that the judge cites for them.",
            class_="quiet",
        ),
    )


def attacks(found: Calibration) -> Child:
    """The attacks, and how often each was rewarded."""
    if not found.attacks:
        return None
    body = [
        h(
            "tr",
            h("th", h("code", attack.name), h("span", attack.about, class_="about")),
            h("td", f"{attack.tried:,}"),
            h("td", f"{attack.fooled:,}", class_="bad" if attack.fooled else "good"),
            h("td", f"{attack.unknown:,}"),
            h("td", rate(attack.rate) if attack.tried else "not run: no suitable attempt"),
        )
        for attack in found.attacks
    ]
    columns = ("attack", "tried", "rewarded", "no verdict", "success rate")
    return h("section", h("h2", "Attacks"), _table(columns, body))


def costs(found: Calibration) -> Markup:
    """The mean and total cost of verdicts."""
    cost = found.cost
    rows = (
        ("requests", f"{cost.calls:,.2f}", f"{cost.total.calls:,}"),
        ("prompt tokens", f"{cost.prompt_tokens:,.0f}", f"{cost.total.prompt_tokens:,}"),
        ("sampled tokens", f"{cost.sampled_tokens:,.0f}", f"{cost.total.sampled_tokens:,}"),
        ("screenshots sent", f"{cost.pictures:,.1f}", f"{cost.total.pictures:,}"),
        ("kilobytes of screenshots", f"{cost.picture_bytes / 1000:,.0f}", f"{cost.total.picture_bytes / 1000:,.0f}"),
        ("US dollars", f"{cost.dollars:.4f}", f"{cost.total.dollars:,.2f}"),
    )
    body = [h("tr", h("th", name), h("td", mean), h("td", total)) for name, mean, total in rows]
    return h(
        "section",
        h("h2", "Cost"),
        _table((f"{cost.attempts:,} verdicts", "per attempt", "total"), body),
        h("p", f"{cost.total.remembered:,} further requests were answered from the cache.", class_="quiet"),
    )


def wrong(found: Calibration) -> Markup:
    """The attempts that were judged wrong, and the reasons for missing verdicts."""
    body = [
        h(
            "tr",
            h("td", h("code", mistake.attempt_id)),
            h("td", mistake.truth),
            h("td", mistake.judged, class_="bad"),
            h("td", mistake.task, h("span", mistake.why, class_="about")),
        )
        for mistake in found.wrong
    ]
    unknown = [h("tr", h("th", why), h("td", f"{count:,}")) for why, count in found.unknown.items()]
    return joined(
        h(
            "section",
            h("h2", "Wrong verdicts"),
            _table(("attempt", "truth", "judged", "task and reason"), body) if body else h("p", "None in this sample."),
            class_="wrong",
        ),
        h("section", h("h2", "No verdict"), _table(("reason", "attempts"), unknown)) if unknown else None,
    )


def _rates(one: JudgeAgreement) -> tuple[Interval, ...]:
    return (one.answered, one.accuracy, one.precision, one.recall, one.false_positive_rate)


def _table(columns: Sequence[str], body: Sequence[Markup]) -> Markup:
    header = h("thead", h("tr", *(h("th", name) for name in columns)))
    return h("div", h("table", header, h("tbody", *body)), class_="scrolls")
