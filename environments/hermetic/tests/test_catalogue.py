"""Which sites there are."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest

from webgym.errors import SiteUnknown
from webgym_hermetic.brands import brand
from webgym_hermetic.catalogue import site, site_named, sites
from webgym_hermetic.registry import FAMILIES, family


def test_there_are_at_least_three_hundred_sites_with_names_of_their_own():
    names = [one.name for one in sites()]
    assert len(names) >= 300
    assert len(set(names)) == len(names)


def test_no_two_numbers_of_a_family_share_a_name():
    for name in FAMILIES:
        endings = family(name).brand_endings
        assert len({brand(name, endings, number) for number in range(5000)}) == 5000


def test_families_do_not_share_endings_of_names():
    endings = [ending for name in FAMILIES for ending in family(name).brand_endings]
    assert len(set(endings)) == len(endings)


@pytest.mark.parametrize("name", FAMILIES)
def test_a_family_has_at_least_four_structures_to_train_on_and_one_that_is_held_out(name: str):
    structures = defaultdict(set)
    for one in sites(families=(name,)):
        structures[one.split].add(one.structure)
    held_out = structures.pop("test_structure")
    assert held_out == {family(name).structures[-1]}
    assert len(structures["train"]) >= 4
    assert not held_out & set.union(*structures.values())


def test_every_split_has_sites_of_every_family():
    counts = Counter((one.family, one.split) for one in sites())
    for name in FAMILIES:
        assert counts[name, "train"] >= 25
        assert all(counts[name, split] >= 5 for split in ("validation", "test", "test_structure"))


def test_a_site_is_found_by_its_name_and_by_family_and_number():
    seventh = site("mail", 7)
    assert site_named(seventh.name) == site_named("mail-7") == seventh
    assert site_named("shop-400").number == 400


@pytest.mark.parametrize("name", ["nowhere", "shop-", "bank-3", "shop-99999", ""])
def test_an_unknown_site_gets_a_clear_error(name: str):
    with pytest.raises(SiteUnknown, match=r"no site|numbered|no family"):
        site_named(name)


def test_an_unknown_family_gets_a_clear_error():
    with pytest.raises(SiteUnknown, match="the families are shop"):
        site("bank", 1)
