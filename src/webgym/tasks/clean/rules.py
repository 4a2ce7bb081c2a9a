"""Rules for tasks that should not be attempted: dead websites, harmful requests, required accounts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from webgym.tasks.arrow import arrow, compute

Kind = Literal["dead", "unsafe", "login"]
KINDS: tuple[Kind, ...] = ("dead", "unsafe", "login")


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern in the instruction, or a set of websites."""

    kind: Kind
    reason: str
    pattern: str = ""
    unless: str = ""
    """If this matches too, the rule does not apply."""
    sites: frozenset[str] = frozenset()

    def matches(self, table: Any) -> NDArray[np.bool_]:
        """Return for each task whether the rule applies."""
        pc = compute()
        if self.sites:
            found = pc.is_in(table["site"], value_set=arrow().array(sorted(self.sites)))
        else:
            texts = table["instruction"]
            found = pc.match_substring_regex(texts, self.pattern, ignore_case=True)
            found = pc.and_(found, pc.equal(table["sealed"].cast("string"), ""))
            if self.unless:
                found = pc.and_not(found, pc.match_substring_regex(texts, self.unless, ignore_case=True))
        return found.combine_chunks().to_numpy(zero_copy_only=False).astype(bool)


def _sites(words: str) -> frozenset[str]:
    return frozenset(words.split())


RULES: tuple[Rule, ...] = (
    Rule(
        "dead",
        "the website has shut down",
        sites=_sites(
            "bookdepository.com redbox.com mint.com omegle.com vine.co yahooanswers.com posterous.com geocities.com "
            "friendster.com megaupload.com grooveshark.com rdio.com skype.com pocket.com getpocket.com anandtech.com "
            "fivethirtyeight.com cohost.org wunderlist.com"
        ),
    ),
    Rule(
        "unsafe",
        "an adult website",
        sites=_sites(
            "pornhub.com xvideos.com xnxx.com xhamster.com redtube.com youporn.com spankbang.com onlyfans.com "
            "chaturbate.com stripchat.com livejasmin.com brazzers.com eporner.com tube8.com rule34.xxx nhentai.net"
        ),
    ),
    Rule("unsafe", "a piracy website", sites=_sites("thepiratebay.org 1337x.to fmovies.to sci-hub.se rarbg.to")),
    Rule("unsafe", "asks for adult content", r"\b(porn|xxx|escort service|nude|nsfw|hentai)\b"),
    Rule(
        "unsafe",
        "asks for weapons or drugs",
        r"\b(buy|order|purchase|acquire|get)\b.{0,60}\b(firearms?|handguns?|rifles?|ammunition|explosives?|cocaine|heroin|"
        r"fentanyl|meth|mdma|lsd)\b",
    ),
    Rule(
        "unsafe",
        "asks to do harm",
        r"\b(hack into|steal|phish(ing)?|malware|ransomware|ddos|counterfeit|launder|dox|self[- ]harm|suicide method|"
        r"how to kill|make a bomb|build a bomb)\b",
    ),
    Rule(
        "unsafe",
        "asks to enter payment or identity data",
        r"\b((credit|debit|bank) card number|cvv|cvc|social security number|ssn|passport number|bank account number|"
        r"routing number)\b",
    ),
    Rule(
        "unsafe",
        "asks to spend money",
        r"\b(complete (the|my|your) (purchase|payment|order|checkout)|place (the|an|my) order|pay for (it|the|them)|"
        r"make (a|the) (payment|donation)|submit (the )?payment|confirm (the )?(purchase|payment))\b",
    ),
    Rule(
        "login",
        "asks to log in or create an account",
        r"\b(log ?in|log into|logged in|sign ?in|sign into|signed in|sign ?up|create (an?|a new|my) account|"
        r"register (for )?(an?|a new) account|(using|with) (my|the) (password|credentials))\b",
        unless=r"\b(without (having to )?(an account|log|sign|register)|no login|log ?in page|sign ?up page)",
    ),
    Rule(
        "login",
        "asks for data that needs an account",
        r"\bmy (account|accounts|order history|orders|past orders|profile|inbox|messages|subscriptions?|library|"
        r"purchase history|saved items|bookings|reservations|statements?)\b",
    ),
    Rule(
        "login",
        "a website that shows little without an account",
        sites=_sites(
            "facebook.com instagram.com linkedin.com x.com twitter.com netflix.com discord.com whatsapp.com "
            "snapchat.com"
        ),
    ),
)
