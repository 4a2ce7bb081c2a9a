"""Our attempts inside AReaL: a rollout workflow, rows for its trainers, and what keeps its traps shut.

AReaL is no dependency of ours. Modules here that cannot do without it say so in their first line, and are imported by
AReaL itself; `docs/areal.md` names the version and how to install it. All of this is tested against the real package on
a CPU, and was never run at scale.
"""
