from __future__ import annotations

import ipaddress
from ipaddress import IPv4Address, IPv4Network, IPv6Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webgym.browser.config import EgressConfig
from webgym.browser.server.proxy.addresses import Address, embedded, kind_of
from webgym.browser.server.proxy.hosts import Destination, destination_of, parse_destination, parse_host
from webgym.browser.server.proxy.policy import (
    AllowedDestination,
    EgressPolicy,
    RefusedDestination,
    narrowed,
    parse_policy,
)
from webgym.errors import ConfigError, RequestError

PUBLIC = ipaddress.ip_address("93.184.215.14")
PUBLIC_6 = ipaddress.ip_address("2606:4700::6810:1")
LOOPBACK = ipaddress.ip_address("127.0.0.1")
MINE = ipaddress.ip_address("198.41.0.4")

FORBIDDEN_4 = [
    IPv4Network(network)
    for network in [
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.168.0.0/16",
        "224.0.0.0/4",
        "240.0.0.0/4",
    ]
]

forbidden_addresses = st.sampled_from(FORBIDDEN_4).flatmap(
    lambda network: st.integers(int(network.network_address), int(network.broadcast_address)).map(IPv4Address)
)


@st.composite
def spellings(draw: st.DrawFn) -> tuple[IPv4Address, str]:
    """An address that may not be reached, in one of the ways in which a browser reads it."""
    address = draw(forbidden_addresses)
    octets = address.packed
    count = draw(st.integers(1, 4))
    numbers = [*octets[: count - 1], int.from_bytes(octets[count - 1 :], "big")]
    bases = st.sampled_from([str, hex, lambda n: f"0{n:o}", lambda n: f"0X{n:08X}", lambda n: f"00{n:o}"])
    host = ".".join(draw(bases)(number) for number in numbers)
    if draw(st.booleans()):
        host += "."
    if draw(st.booleans()):
        host = "".join(f"%{ord(letter):02x}" if draw(st.booleans()) else letter for letter in host)
    elif draw(st.booleans()):
        host = "".join(chr(ord(letter) - 0x30 + 0xFF10) if letter.isdigit() else letter for letter in host)
    return address, host


def policy(**fields: object) -> EgressPolicy:
    return parse_policy(EgressConfig.model_validate(fields), interfaces=[MINE])


def decide(rules: EgressPolicy, authority: str, *addresses: Address) -> AllowedDestination | RefusedDestination:
    return rules.decide(parse_destination(authority), addresses)


@given(spellings())
def test_every_spelling_of_a_forbidden_address_is_refused(spelling: tuple[IPv4Address, str]) -> None:
    address, host = spelling
    destination = parse_destination(f"user:secret@{host}:80")
    assert destination.address == address
    assert isinstance(policy().decide(destination, [address]), RefusedDestination)


@given(forbidden_addresses, st.sampled_from(["::ffff:0:0", "::", "::ffff:0:0:0", "64:ff9b::"]))
def test_a_forbidden_address_inside_an_ipv6_one_is_refused(address: IPv4Address, prefix: str) -> None:
    outer = IPv6Address(int(IPv6Address(prefix)) | int(address))
    assert isinstance(decide(policy(), f"[{outer}]:80", outer), RefusedDestination)


@given(forbidden_addresses)
def test_a_forbidden_address_behind_a_tunnel_is_refused(address: IPv4Address) -> None:
    via_6to4 = IPv6Address(0x2002 << 112 | int(address) << 80)
    via_teredo = IPv6Address(0x20010000 << 96 | (int(address) ^ 0xFFFF_FFFF))
    assert embedded(via_6to4) == embedded(via_teredo) == address
    assert isinstance(decide(policy(), "tunnel.test:80", via_6to4, via_teredo), RefusedDestination)


@pytest.mark.parametrize(
    ("address", "kind"),
    [
        ("127.0.0.53", "loopback"),
        ("169.254.169.254", "link-local"),
        ("168.63.129.16", "cloud metadata"),
        ("100.100.100.200", "carrier-shared"),
        ("192.0.0.192", "reserved"),
        ("255.255.255.255", "reserved"),
        ("0.0.0.0", "unspecified"),
        ("::", "unspecified"),
        ("::1", "loopback"),
        ("fe80::1%1", "link-local"),
        ("fd00:ec2::254", "unique-local"),
        ("fec0::1", "site-local"),
        ("ff02::1", "multicast"),
        ("64:ff9b:1::1", "reserved"),
        ("2001:db8::1", "documentation"),
        ("5f00::1", "reserved"),
    ],
)
def test_addresses_that_are_not_public_are_named_for_what_they_are(address: str, kind: str) -> None:
    assert kind_of(ipaddress.ip_address(address)) == kind


@pytest.mark.parametrize(
    "address", ["1.1.1.1", "2606:4700::1111", "64:ff9b::101:101", "::ffff:1.1.1.1", "2002:101:101::"]
)
def test_public_addresses_are_public_in_every_form(address: str) -> None:
    assert kind_of(ipaddress.ip_address(address)) is None


def test_a_public_name_is_allowed_at_all_its_addresses() -> None:
    assert decide(policy(), "example.com:443", PUBLIC, PUBLIC_6) == AllowedDestination((PUBLIC, PUBLIC_6), public=True)


def test_only_the_public_addresses_of_a_name_are_connected_to() -> None:
    assert decide(policy(), "example.com:443", LOOPBACK, PUBLIC) == AllowedDestination((PUBLIC,), public=True)


def test_a_name_without_addresses_is_refused() -> None:
    assert isinstance(decide(policy(), "example.com:443"), RefusedDestination)


def test_a_refusal_says_what_is_wrong() -> None:
    assert decide(policy(), "evil.test:80", LOOPBACK) == RefusedDestination(
        "evil.test:80: 127.0.0.1 is a loopback address"
    )


def test_allow_opens_exactly_one_host_and_port() -> None:
    rules = policy(allow=["intranet.test:8080", "[::1]:9000", "0x7f.1:80"])
    assert decide(rules, "intranet.test:8080", LOOPBACK) == AllowedDestination((LOOPBACK,), public=False)
    assert decide(rules, "INTRANET.test.:8080", LOOPBACK) == AllowedDestination((LOOPBACK,), public=False)
    assert isinstance(decide(rules, "[0:0::1]:9000", IPv6Address("::1")), AllowedDestination)
    assert isinstance(decide(rules, "2130706433:80", LOOPBACK), AllowedDestination)
    for other in ["intranet.test:80", "www.intranet.test:8080", "127.0.0.1:8080", "evil.test:80", "localhost:80"]:
        assert isinstance(decide(rules, other, LOOPBACK), RefusedDestination), other


@pytest.mark.parametrize(
    "own", ["127.0.0.1", "127.9.9.9", "0.0.0.0", "::1", "::ffff:127.0.0.1", "::ffff:0.0.0.0", str(MINE)]
)
def test_no_rule_opens_the_fleets_own_ports(own: str) -> None:
    address = ipaddress.ip_address(own)
    rules = policy(
        allow=["app.test:7000", f"[{own}]:7000" if ":" in own else f"{own}:7000"],
        hermetic={"*.shop.test:80": "app.test:7000"},
        deny_ports=[7000],
    )
    for authority in ["app.test:7000", "a.shop.test:80", f"[{own}]:7000" if ":" in own else f"{own}:7000"]:
        verdict = decide(rules, authority, address)
        assert isinstance(verdict, RefusedDestination), authority
        assert "belongs to the fleet" in verdict.reason
    assert isinstance(decide(rules, "app.test:7000", PUBLIC), AllowedDestination)


def test_a_session_gives_up_what_the_node_allows_and_adds_nothing_to_it() -> None:
    egress = EgressConfig(allow=("127.0.0.1:81", "localhost:82"), hermetic={"*.localhost:80": "127.0.0.1:4300"})
    own = narrowed(egress, ("0x7f.1:81", "127.0.0.1:83"))
    assert own.allow == ("127.0.0.1:81",)
    assert own.hermetic == egress.hermetic
    assert narrowed(egress, ()).allow == ()
    rules = parse_policy(own, interfaces=[MINE])
    loopback = IPv4Address("127.0.0.1")
    assert isinstance(decide(rules, "127.0.0.1:81", loopback), AllowedDestination)
    assert isinstance(decide(rules, "localhost:82", loopback), RefusedDestination)
    assert isinstance(decide(rules, "127.0.0.1:83", loopback), RefusedDestination)
    with pytest.raises(RequestError):
        narrowed(egress, ("no port",))


def test_hermetic_hosts_are_found_by_exact_name_then_by_longest_suffix() -> None:
    rules = policy(
        hermetic={
            "*.sites.test:80": "127.0.0.1:8000",
            "*.shop.sites.test:80": "127.0.0.1:8001",
            "www.shop.sites.test:80": "[::1]:8002",
        }
    )

    def port_for(authority: str) -> int | None:
        served = rules.served_at(parse_destination(authority, 80))
        return None if served is None else served.port

    assert port_for("a.sites.test") == 8000
    assert port_for("A.b.SITES.test.") == 8000
    assert port_for("a.shop.sites.test") == 8001
    assert port_for("www.shop.sites.test") == 8002
    assert port_for("shop.sites.test") == 8000
    assert port_for("sites.test") is None
    assert port_for("evilsites.test") is None
    assert port_for("a.sites.test:81") is None
    assert port_for("a.sites.test.evil.test") is None


def test_a_hermetic_host_may_be_served_from_a_private_address() -> None:
    rules = policy(hermetic={"*.sites.test:80": "10.0.0.7:8000"})
    private = IPv4Address("10.0.0.7")
    assert decide(rules, "a.sites.test:80", private) == AllowedDestination((private,), public=False)
    assert isinstance(decide(rules, "10.0.0.7:8000", private), RefusedDestination)


def test_an_upstream_proxy_may_be_private_but_neither_metadata_nor_the_fleet() -> None:
    rules = policy(deny_ports=[7000])

    def decide_upstream(authority: str, address: str) -> AllowedDestination | RefusedDestination:
        return rules.decide_upstream(parse_destination(authority), [ipaddress.ip_address(address)])

    assert isinstance(decide_upstream("proxy.test:3128", "10.0.0.1"), AllowedDestination)
    assert isinstance(decide_upstream("127.0.0.1:3128", "127.0.0.1"), AllowedDestination)
    assert isinstance(decide_upstream("127.0.0.1:7000", "127.0.0.1"), RefusedDestination)
    assert isinstance(decide_upstream("169.254.169.254:80", "169.254.169.254"), RefusedDestination)


@pytest.mark.parametrize(
    "fields",
    [
        {"allow": ["example.test"]},
        {"allow": ["http://example.test:80"]},
        {"allow": ["*.example.test:80"]},
        {"allow": ["example.test:0"]},
        {"allow": ["example.test:65536"]},
        {"allow": ["user@example.test:80"]},
        {"allow": ["::1:80"]},
        {"allow": ["999.1.1.1:80"]},
        {"hermetic": {"*.sites.test": "127.0.0.1:80"}},
        {"hermetic": {"*.sites.test:80": "127.0.0.1"}},
        {"hermetic": {"a.*.test:80": "127.0.0.1:80"}},
        {"hermetic": {"*.:80": "127.0.0.1:80"}},
        {"deny_ports": [0]},
    ],
)
def test_entries_that_cannot_be_meant_are_refused_at_once(fields: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match="egress"):
        policy(**fields)


@pytest.mark.parametrize(
    ("text", "host"),
    [
        ("Example.COM.", "example.com"),
        ("bücher.test", "xn--bcher-kva.test"),
        ("ex%61mple.com", "example.com"),
        ("127.1", "127.0.0.1"),
        ("0x7f000001", "127.0.0.1"),
        ("017700000001", "127.0.0.1"),
        ("\uff11\uff12\uff17\u3002\uff10\u3002\uff10\u3002\uff11", "127.0.0.1"),
        ("[::FFFF:127.0.0.1]", "127.0.0.1"),
        ("[0:0:0:0:0:0:0:1]", "::1"),
        ("1.2.3.test", "1.2.3.test"),
        ("under_score.test", "under_score.test"),
    ],
)
def test_a_host_has_one_spelling(text: str, host: str) -> None:
    assert parse_host(text) == host


@pytest.mark.parametrize(
    "text",
    [
        "",
        ".",
        "a..b",
        "1.2.3.4.5",
        "256.1.1.1",
        "1.2.3.08",
        "0x100000000",
        "a b",
        "a\\b",
        "a%00b",
        "[::1",
        "[1]",
        "[1.2.3.4]",
        "[fe80::1%25eth0]",
        "a%2fb",
    ],
)
def test_what_no_browser_takes_as_a_host_is_refused(text: str) -> None:
    with pytest.raises(RequestError):
        parse_host(text)


@given(st.text(max_size=40))
def test_reading_a_host_fails_in_one_way_only_and_is_idempotent(text: str) -> None:
    try:
        host = parse_host(text)
    except RequestError:
        return
    assert parse_host(f"[{host}]" if ":" in host else host) == host


def test_a_url_is_reduced_to_host_and_port() -> None:
    assert destination_of("https://user:pw@Example.com/a?b#c") == Destination("example.com", 443)
    assert destination_of("ws://[::1]:8080/x") == Destination("::1", 8080)
    for url in ["about:blank", "data:text/html,x", "http://", "http://[x/", "http://a:b/", "ftp://a/"]:
        assert destination_of(url) is None, url
