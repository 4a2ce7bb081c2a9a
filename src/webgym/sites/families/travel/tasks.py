"""Tasks."""

from webgym.sites.family import Template

TEMPLATES: tuple[Template, ...] = ()
