"""WebGym rollouts inside AReaL: a rollout workflow, training rows, and checks for settings that silently go wrong.

AReaL is not a dependency. Modules that need it say so in their first line; `docs/areal.md` names the supported version
and how to install it. All of this is tested against the real package on a CPU, and has not been run at scale.
"""
