"""The taxonomy of tasks: 6 domains and 24 subdomains, as in the published set."""

from __future__ import annotations

TAXONOMY: dict[str, tuple[str, ...]] = {
    "Career & Education": ("Education & Learning", "Jobs & Career"),
    "Entertainment": (
        "Books & Reading",
        "Films & TV Shows",
        "Gaming & Virtual Worlds",
        "Live Shows & Performances",
        "Music",
    ),
    "Lifestyle & Leisure": (
        "Fashion & Beauty",
        "Food & Cooking",
        "Health & Medicine",
        "Hobbies & DIY",
        "Pets & Animal Welfare",
        "Shopping",
        "Sports & Fitness",
    ),
    "Misc.": (
        "Finance & Investment",
        "General Info.",
        "Legal & Government Services",
        "News",
        "Real Estate",
    ),
    "Science & Research": ("Research & Academia", "Technology & Science"),
    "Travel & Transportation": ("Outdoor & Recreation", "Ticketed Activities", "Travel & Accommodation"),
}
DOMAIN_OF: dict[str, str] = {subdomain: domain for domain, subdomains in TAXONOMY.items() for subdomain in subdomains}


def told() -> str:
    """Render the taxonomy for a prompt, one line per domain."""
    return "\n".join(f"- {domain}: {'; '.join(subdomains)}" for domain, subdomains in TAXONOMY.items())
