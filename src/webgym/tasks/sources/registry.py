"""The registry of importers."""

from __future__ import annotations

from webgym.tasks.sources.browsecomp import BROWSECOMP
from webgym.tasks.sources.mind2web import LIVE, ONLINE, SECOND, TRAIN
from webgym.tasks.sources.others import AGENTSYNTH, DEEPSHOP, INSTA, TRAVELPLANNER
from webgym.tasks.sources.published import WEBGYM
from webgym.tasks.sources.source import Source
from webgym.tasks.sources.webvoyager import GAIA, PAE, WEBVOYAGER

SOURCES: dict[str, Source] = {
    source.name: source
    for source in (
        WEBGYM,
        INSTA,
        PAE,
        AGENTSYNTH,
        BROWSECOMP,
        TRAVELPLANNER,
        LIVE,
        ONLINE,
        DEEPSHOP,
        SECOND,
        GAIA,
        WEBVOYAGER,
        TRAIN,
    )
}
