"""Task templates of webmail sites."""

from webgym_hermetic.families.mail.tasks.easy import EASY
from webgym_hermetic.families.mail.tasks.hard import HARD
from webgym_hermetic.families.mail.tasks.medium import MEDIUM

TEMPLATES = (*EASY, *MEDIUM, *HARD)
