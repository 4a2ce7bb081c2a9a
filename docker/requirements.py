"""Print what the named packages and extras of this clone need from an index, one requirement per line.

python3 docker/requirements.py . pyproject.toml:server,judge environments/hermetic/pyproject.toml
"""

import sys
import tomllib
from pathlib import Path

OURS = ("webgym", "webgym-hermetic", "webgym-nano")


def requirements_of(project: Path, extras: list[str]) -> list[str]:
    about = tomllib.loads(project.read_text("utf-8"))["project"]
    optional = about.get("optional-dependencies", {})
    return [*about["dependencies"], *(one for extra in extras for one in optional[extra])]


def is_ours(requirement: str) -> bool:
    return requirement.partition("[")[0] in OURS


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    for given in sys.argv[2:]:
        name, _, extras = given.partition(":")
        wanted = requirements_of(folder / name, extras.split(",") if extras else [])
        print(*(one for one in wanted if not is_ours(one)), sep="\n")
