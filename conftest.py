"""Fixtures that every kind of test may use."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

# On a busy machine examples take long to make, which says nothing about what is tested.
settings.register_profile("any-machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any-machine")


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    if reporter := config.pluginmanager.get_plugin("terminalreporter"):
        config.pluginmanager.register(FailureTeller(reporter))


class FailureTeller:
    """Names each failure when it happens: the summary comes at the end of a run that may be stopped before."""

    def __init__(self, reporter: pytest.TerminalReporter) -> None:
        self._reporter = reporter

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            why = getattr(report.longrepr, "reprcrash", None)
            told = f": {why.message.partition(chr(10))[0]}" if why else ""
            self._reporter.write_line(f"\nFAILED {report.nodeid} ({report.when}){told}", red=True)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--turn", metavar="K/N", help="only the test files whose turn it is, of N turns counted from 0")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out files whose turn it is not: long proofs take turns, so that each run is short and none is forgotten."""
    if (turn := config.getoption("--turn")) is None:
        return
    now, _, turns = turn.partition("/")
    files = sorted({item.path for item in items if item.get_closest_marker("full")})
    due = set(files[int(now) :: int(turns)])
    config.hook.pytest_deselected(items=[item for item in items if item.path not in due])
    items[:] = [item for item in items if item.path in due]


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Playwright runs on asyncio only."""
    return "asyncio"


@pytest.fixture(autouse=True)
def home_of_its_own(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests never read or write the user's own tokens."""
    monkeypatch.setenv("WEBGYM_HOME", str(tmp_path_factory.getbasetemp() / "home"))
