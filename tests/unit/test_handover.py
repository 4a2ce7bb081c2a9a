"""The arguments that Chromium is started with."""

from __future__ import annotations

from webgym.browser.server.chromium.handover import with_features_joined


def test_features_that_two_sides_disable_are_all_disabled():
    given = ["--disable-features=One,Two", "--headless", "--disable-features=Three"]
    assert with_features_joined(given) == ["--headless", "--disable-features=One,Two,Three"]


def test_arguments_without_features_stay_as_they_are():
    assert with_features_joined(["--headless", "about:blank"]) == ["--headless", "about:blank"]
