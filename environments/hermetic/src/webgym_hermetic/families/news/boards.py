"""Tables beside the articles: results, prices, forecasts, codes, plans."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

from webgym.rng import Rng
from webgym_hermetic.families.news.bank import Flavour, lists
from webgym_hermetic.families.news.records import Board, Column, Line, Plan, Release
from webgym_hermetic.families.news.slots import clock, dollars, draw, long_day


def news_boards(names: tuple[str, ...], today: str, rng: Rng) -> tuple[Board, ...]:
    return tuple(_MAKERS[name](today, rng.fork("board", name)) for name in names)


def docs_boards(flavour: Flavour, releases: tuple[Release, ...], today: str, rng: Rng) -> tuple[Board, ...]:
    return (_codes(flavour, rng.fork("codes")), _releases(flavour, releases, rng.fork("releases")), _status(today, rng))


def plans_board(plans: tuple[Plan, ...]) -> Board:
    """The plans side by side; their page shows them as a table."""
    columns = (
        Column("Plan"),
        Column("Per month", "the price of the {row} plan per month, in dollars", "costs more per month", number=True),
        Column("Per year", "the price of the {row} plan per year, in dollars", "costs more per year", number=True),
        Column("Devices", "on how many devices the {row} plan can be used", "", number=True),
        Column("Archive", "how many years of the archive the {row} plan opens", "", number=True),
    )
    lines = tuple(
        Line(
            "all",
            plan.name,
            (plan.name, dollars(plan.monthly), dollars(plan.yearly), str(plan.devices), f"{plan.archive} years"),
        )
        for plan in plans
    )
    return Board("plans", "Plans", "/plans", "credit-card", columns, (("all", "All plans"),), lines)


def _weather(today: str, rng: Rng) -> Board:
    towns = rng.sample(lists()["town"], 5)
    groups = tuple((town.lower().replace(" ", "-"), town) for town in towns)
    start = date.fromisoformat(today)
    lines: list[Line] = []
    for group, _ in groups:
        base = rng.between(8, 24)
        for ahead in range(7):
            day = start + timedelta(days=ahead)
            high = base + rng.between(-4, 5)
            sky = rng.pick(("Sunny", "Cloudy", "Light rain", "Showers", "Clear", "Fog early", "Windy"))
            cells = (f"{day:%A}", sky, f"{high} °C", f"{high - rng.between(5, 9)} °C", f"{rng.between(0, 24)} mm")
            cells += (f"{rng.between(6, 58)} km/h",)
            lines.append(Line(group, f"{day:%A}", cells))
    columns = (
        Column("Day"),
        Column("Sky"),
        Column("High", "the high forecast for {row} in {group}", "", number=True),
        Column("Low", "the low forecast for {row} in {group}", "", number=True),
        Column("Rain", "how many millimetres of rain are forecast for {row} in {group}", "", number=True),
        Column("Wind", "the wind speed forecast for {row} in {group}", "will be windier in {group}", number=True),
    )
    return Board("weather", "Weather", "/live/weather", "sun", columns, groups, tuple(lines), "Forecast for seven days")


def _scores(today: str, rng: Rng) -> Board:
    del today
    last = rng.between(14, 30)
    groups = tuple((f"round-{number}", f"Round {number}") for number in range(last, last - 5, -1))
    lines: list[Line] = []
    for group, _ in groups:
        teams = rng.shuffled(lists()["football"])
        for home, away in zip(teams[::2], teams[1::2], strict=True):
            crowd, referee = rng.between(210, 2900) * 10, rng.pick(_REFEREES)
            cells = (home, away, f"{rng.below(5)}-{rng.below(4)}", f"{crowd:,}", referee)
            lines.append(Line(group, f"{home} against {away}", cells))
    columns = (
        Column("Home"),
        Column("Away"),
        Column("Result", "the result of {row} in {group}"),
        Column("Crowd", "how many people watched {row} in {group}", "had the larger crowd in {group}", number=True),
        Column("Referee", "the referee of {row} in {group}"),
    )
    return Board("scores", "Scores", "/live/scores", "trophy", columns, groups, tuple(lines), "Regional league")


def _standings(today: str, rng: Rng) -> Board:
    year = int(today[:4])
    groups = tuple((f"season-{one}", f"Season {one - 1}/{one % 100:02d}") for one in range(year, year - 3, -1))
    lines: list[Line] = []
    for group, _ in groups:
        points = rng.between(60, 70)
        for place, team in enumerate(rng.shuffled(lists()["football"]), start=1):
            won, goals = points // 3 - rng.below(3), rng.between(24, 88)
            lines.append(Line(group, team, (str(place), team, "30", str(won), str(goals), str(points))))
            points -= rng.between(1, 6)
    columns = (
        Column("Place"),
        Column("Team"),
        Column("Played"),
        Column("Won", "how many matches {row} won in {group}", "", number=True),
        Column("Goals", "how many goals {row} scored in {group}", "scored more goals in {group}", number=True),
        Column("Points", "how many points {row} had in {group}", "", number=True),
    )
    return Board(
        "standings", "Standings", "/live/standings", "list-ordered", columns, groups, tuple(lines), "League table"
    )


def _markets(today: str, rng: Rng) -> Board:
    past = [date.fromisoformat(today) - timedelta(days=back) for back in range(1, 8)]
    days = [day for day in past if day.weekday() < 5][:4]
    groups = tuple((day.isoformat(), f"{day:%A}") for day in days)
    companies = rng.sample(lists()["company"], 12)
    prices = {company: rng.between(900, 24000) for company in companies}
    lines: list[Line] = []
    for group, _ in groups:
        for company in companies:
            move = rng.between(-420, 460)
            prices[company] = max(100, prices[company] + prices[company] * move // 10000)
            cells = (company, dollars_two(prices[company]), f"{move / 100:+.2f}%", f"{rng.between(11, 990) * 1000:,}")
            lines.append(Line(group, company, cells))
    columns = (
        Column("Company"),
        Column("Close", "the closing price of {row} on {group}, in dollars", "", number=True),
        Column("Change"),
        Column("Volume", "the trading volume of {row} on {group}", "had the larger volume on {group}", number=True),
    )
    return Board(
        "markets", "Markets", "/live/markets", "chart-line", columns, groups, tuple(lines), "Regional exchange"
    )


def _prices(today: str, rng: Rng) -> Board:
    first = date.fromisoformat(today).replace(day=1)
    months = [first, (first - timedelta(days=1)).replace(day=1)]
    months.append((months[1] - timedelta(days=1)).replace(day=1))
    groups = tuple((f"{month:%Y-%m}", f"{month:%B} {month.year}") for month in months)
    goods = rng.sample(_GOODS, 12)
    lines: list[Line] = []
    for group, _ in groups:
        for good in goods:
            cells = (good, dollars_two(rng.between(80, 1900)), rng.pick(lists()["town"]), f"{rng.between(2, 90)} t")
            lines.append(Line(group, good, cells))
    columns = (
        Column("Product"),
        Column(
            "Per kilo",
            "the price of {row} per kilo in {group}, in dollars",
            "cost more per kilo in {group}",
            number=True,
        ),
        Column("Main origin", "the main origin of {row} in {group}"),
        Column("Sold", "how many tonnes of {row} were sold in {group}", "", number=True),
    )
    return Board("prices", "Market prices", "/live/prices", "tag", columns, groups, tuple(lines), "Wholesale market")


def _launches(today: str, rng: Rng) -> Board:
    year = int(today[:4])
    groups = tuple((str(one), str(one)) for one in (year, year - 1, year - 2))
    lines: list[Line] = []
    for group, _ in groups:
        for mission in rng.sample(lists()["mission"], 8):
            day = date(int(group), rng.between(1, 12), rng.between(1, 28))
            cells = (mission, long_day(day.isoformat()), rng.pick(lists()["town"]), f"{rng.between(21, 390) * 10:,} kg")
            lines.append(Line(group, mission, cells))
    columns = (
        Column("Mission"),
        Column("Launch"),
        Column("Site", "the launch site of {row} in {group}"),
        Column(
            "Mass",
            "the mass of {row} in the {group} list, in kilograms",
            "was heavier in the {group} list",
            number=True,
        ),
    )
    return Board(
        "launches", "Launch list", "/live/launches", "rocket", columns, groups, tuple(lines), "Orbital launches"
    )


def _cinema(today: str, rng: Rng) -> Board:
    days = [date.fromisoformat(today) + timedelta(days=ahead) for ahead in range(4)]
    groups = tuple((day.isoformat(), f"{day:%A}") for day in days)
    films = rng.sample(lists()["play"], 8)
    minutes = {film: rng.between(84, 171) for film in films}
    lines: list[Line] = []
    for group, _ in groups:
        for film in films:
            hour, seats = rng.between(12, 21), rng.between(3, 140)
            cells = (film, f"Screen {rng.between(1, 6)}", clock(f"{hour}:{rng.pick(('00', '15', '30', '45'))}"))
            lines.append(Line(group, film, (*cells, f"{minutes[film]} min", str(seats))))
    columns = (
        Column("Film"),
        Column("Screen", "the screen on which {row} is shown on {group}"),
        Column("Start", "the time at which {row} starts on {group}"),
        Column("Length", "the length of {row} in minutes", "is the longer film", number=True),
        Column("Seats left", "how many seats are left for {row} on {group}", "", number=True),
    )
    return Board("cinema", "Cinema", "/live/cinema", "ticket", columns, groups, tuple(lines), "Odeon and Tivoli")


def _codes(flavour: Flavour, rng: Rng) -> Board:
    number = rng.between(101, 120)
    lines: list[Line] = []
    for entry in rng.shuffled(flavour.codes):
        meaning, remedy, spec = (part.strip() for part in entry.split("|"))
        code = f"{flavour.codes_prefix}{number}"
        lines.append(Line("all", code, (code, meaning, remedy, draw(spec, rng, {}, "2026-01-01"))))
        number += rng.between(1, 14)
    heads = flavour.codes_heads
    columns = (
        Column(heads[0]),
        Column(heads[1], "the meaning of {row}"),
        Column(
            heads[2],
            f"the entry in the column \u201c{heads[2]}\u201d for {{row}}",
        ),
        Column(heads[3], f"the number in the column \u201c{heads[3]}\u201d for {{row}}", "", number=True),
    )
    groups = (("all", "All"),)
    return Board("codes", flavour.codes_title, "/live/codes", "circle-alert", columns, groups, tuple(lines))


def _releases(flavour: Flavour, releases: tuple[Release, ...], rng: Rng) -> Board:
    lines = tuple(
        Line(
            "all",
            release.name,
            (release.name, long_day(release.date), str(rng.between(11, 96)), rng.pick(_REFEREES)),
        )
        for release in releases
    )
    word = "Version" if flavour.version_word in ("version", "patch") else "Issue"
    columns = (
        Column(word),
        Column("Date", "the date of {row}"),
        Column("Changes", "how many changes the release table gives for {row}", "has more changes", number=True),
        Column("Editor", "the editor of {row} in the release table"),
    )
    groups = (("all", "All"),)
    return Board("releases", flavour.release_title, "/live/releases", "history", columns, groups, lines)


def _status(today: str, rng: Rng) -> Board:
    first = date.fromisoformat(today).replace(day=1)
    months = [(first - timedelta(days=31 * back)).replace(day=1) for back in range(4)]
    groups = tuple((f"{month:%Y-%m}", f"{month:%B} {month.year}") for month in months)
    parts = ("Website", "Search", "Downloads", "Sign-in", "Mail", "Forms", "Pictures", "Feeds")
    lines = tuple(
        Line(
            group,
            part,
            (part, f"{99 + rng.between(0, 99) / 100:.2f}%", str(rng.between(0, 9)), f"{rng.between(2, 240)} min"),
        )
        for group, _ in groups
        for part in parts
    )
    columns = (
        Column("Part"),
        Column("Uptime", "the uptime of {row} in {group}", "", number=True),
        Column("Incidents", "how many incidents {row} had in {group}", "", number=True),
        Column(
            "Longest outage",
            "how many minutes the longest outage of {row} in {group} took",
            "had the longer outage in {group}",
            number=True,
        ),
    )
    return Board("status", "Service status", "/live/status", "activity", columns, groups, lines)


def dollars_two(cents: int) -> str:
    return f"${cents // 100:,}.{cents % 100:02d}"


_MAKERS: dict[str, Callable[[str, Rng], Board]] = {
    "weather": _weather,
    "scores": _scores,
    "standings": _standings,
    "markets": _markets,
    "prices": _prices,
    "launches": _launches,
    "cinema": _cinema,
}
_REFEREES = (
    "Anton Weir", "Carla Moss", "Dennis Pohl", "Eva Brandon", "Frank Ilves", "Gina Sato", "Henrik Bo", "Iris Calder",
)  # fmt: skip
_GOODS = (
    "Apples", "Asparagus", "Beetroot", "Butter", "Carrots", "Cherries", "Hake", "Honey", "Lamb", "Leeks", "Mussels",
    "Onions", "Pears", "Potatoes", "Pumpkin", "Spinach", "Trout", "Walnuts",
)  # fmt: skip
