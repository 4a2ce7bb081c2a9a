"""Task templates of webmail sites."""

from webgym.sites.families.mail.tasks.easy import EASY
from webgym.sites.families.mail.tasks.hard import HARD
from webgym.sites.families.mail.tasks.medium import MEDIUM

TEMPLATES = (*EASY, *MEDIUM, *HARD)
