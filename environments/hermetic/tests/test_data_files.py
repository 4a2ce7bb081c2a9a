"""Tables and drawings that are files rather than code."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path
from xml.etree import ElementTree as ET

import msgspec
import pytest

from webgym_hermetic.families.forum.communities import BANKS, bank_of
from webgym_hermetic.families.shop.trades import TRADES, trade_of
from webgym_hermetic.kit.data import Table, read_table
from webgym_hermetic.kit.pictures import marks, products
from webgym_hermetic.kit.pictures.canvas import Tones
from webgym_hermetic.kit.pictures.dishes import DISHES
from webgym_hermetic.kit.pictures.news import STORIES
from webgym_hermetic.kit.pictures.products_home import HOME
from webgym_hermetic.kit.pictures.products_things import THINGS

DRAWINGS = Path(str(files("webgym_hermetic.kit"))) / "drawings"
SLOTS = {
    "products": set(Tones.__dataclass_fields__),
    "marks": {"main", "other", "third"},
    "dishes": set[str](),
    "news": set[str](),
}


def test_every_community_and_trade_is_the_file_of_its_name():
    assert [bank_of(name).key for name in BANKS] == list(BANKS)
    assert [trade_of(name).key for name in TRADES] == list(TRADES)


def test_a_misspelt_name_in_a_table_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    class Misspelt(Table, frozen=True):
        names: tuple[str, ...] = ()

    folder = tmp_path / "misspelt_tables"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "people.toml").write_text('name = ["Ada"]', encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(msgspec.ValidationError, match="name"):
        read_table("misspelt_tables.people", Misspelt)


def test_every_drawing_is_used_and_every_product_is_a_file_or_code():
    assert {file.stem for file in (DRAWINGS / "marks").iterdir()} == set(marks.MARKS)
    drawn = {file.stem for file in (DRAWINGS / "products").iterdir()}
    assert not drawn & {*HOME, *THINGS}
    assert drawn | {*HOME, *THINGS} == set(products.PRODUCTS)
    assert {file.stem for file in (DRAWINGS / "dishes").iterdir()} <= set(DISHES)
    assert {file.stem for file in (DRAWINGS / "news").iterdir()} <= {
        name for story in STORIES.values() for name in story
    }


@pytest.mark.parametrize("file", sorted(DRAWINGS.rglob("*.svg")), ids=lambda file: file.stem)
def test_a_drawing_has_an_element_a_line_and_slots_that_are_filled(file: Path):
    text = file.read_text(encoding="utf-8")
    root = ET.fromstring(text)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    lots = {name.removeprefix("data-"): value.split() for name, value in root.items() if name.startswith("data-")}
    assert set(re.findall(r"\{(.*?)\}", text)) <= {*lots, *SLOTS[file.parent.name]}
    assert all(f"{{{slot}}}" in text and len(options) > 1 for slot, options in lots.items())
    assert text.startswith("<svg ")
    assert text.endswith(">\n</svg>\n")
    assert all(re.fullmatch(r"\s+<[^<>]+>", line) for line in text.splitlines()[1:-1])
