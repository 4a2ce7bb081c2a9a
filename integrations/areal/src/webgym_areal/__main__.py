"""`python -m webgym_areal`: train with AReaL, or only check a configuration."""

from __future__ import annotations

import sys

from webgym.errors import ConfigError

_USAGE = """\
usage: python -m webgym_areal train --config configs/areal/sglang-8b.yaml [actor.optimizer.lr=1e-6 ...]
       python -m webgym_areal check --config configs/areal/sglang-8b.yaml

Trains on WebGym attempts with AReaL, or checks a configuration. Needs AReaL: docs/areal.md.
"""


def main(arguments: list[str]) -> int:
    """Run the command line. Return the exit code."""
    if not arguments or arguments[0] not in {"train", "check"}:
        sys.stderr.write(_USAGE)
        return 0 if arguments in (["--help"], ["-h"]) else 2
    try:
        # AReaL takes seconds to import, and may not be installed.
        from webgym_areal import trainer  # noqa: PLC0415

        if arguments[0] == "check":
            config, run = trainer.checked(arguments[1:])
            groups, members = config.train_dataset.batch_size, config.webgym.members
            sys.stdout.write(
                f"the configuration is valid: {groups} groups of {members} attempts per update, "
                f"{run.browser.sessions} sessions per rollout worker\n"
            )
        else:
            trainer.train(arguments[1:])
    except ConfigError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
