"""Errands."""

from webgym.sites.errand import Errand

ERRANDS: tuple[type[Errand], ...] = ()
