"""Names of people."""

from __future__ import annotations

from webgym.rng import Rng

FIRST = tuple(
    """
    Ada Adrian Agnes Aidan Alba Alma Amir Andre Anita Arlo Astrid Beatriz Bela Bianca Bruno Caleb Carla Cecil Celia
    Clara Conrad Cora Dalia Damian Daria Dario Diego Edith Edmund Elena Elias Elise Emil Emre Esther Felix Fiona
    Flora Gideon Greta Hana Harriet Hector Helena Hugo Ida Imran Ines Irene Ivan Jasper Joan Jonas Judith Karim
    Katya Lars Laszlo Leila Leo Lena Linus Lydia Magnus Malik Marek Margot Mateo Maya Mina Miriam Nadia Naomi Nico
    Nils Nora Olga Oscar Otto Paula Pavel Petra Rafael Renata Rosa Rufus Sami Selma Silas Simone Stella Tariq Tessa
    Theo Thora Tilda Tobias Ursula Vera Victor Viola Wanda Xavier Yara Yusuf Zoe
    """.split()
)
LAST = tuple(
    """
    Abbott Acheson Aldous Ambler Arden Ashby Baird Barlow Bassett Beck Bellamy Benham Birch Blackwood Bowen Brandt
    Byrne Calloway Carver Castell Chandler Clegg Coburn Corrie Crane Dalton Darby Deacon Delgado Denham Dewhurst
    Doyle Drummond Eastman Ellery Faulkner Fenn Ferris Finlay Forsyth Galloway Garrick Gentry Glover Granger Hadley
    Haines Halvorsen Hargrove Hawley Hendry Holt Hume Ibsen Jarvis Kade Keating Kemp Kendrick Keller Lachance Lambert
    Langley Lindgren Lockhart Lowell Mallory Marchand Marlowe Mercer Merritt Moreau Nash Navarro Norwood Novak Oakley
    Okafor Orton Osborn Paget Palmer Pascoe Penhale Quigley Radcliffe Ramsey Redmond Renner Rhodes Rowntree Sandoval
    Sawyer Selby Shaw Sheridan Sorrell Stanton Stroud Sutter Tanner Tate Thackeray Thorne Tilney Tolliver Turnbull
    Underhill Vance Vasquez Voss Wainwright Waller Webster Whitlock Wilder Winslow Wyatt Yates Yeager Zeller
    """.split()
)


def person(rng: Rng) -> str:
    """A first and a last name."""
    return f"{rng.pick(FIRST)} {rng.pick(LAST)}"


def people(rng: Rng, count: int) -> list[str]:
    """So many people, no two of whom share a last name."""
    return [f"{rng.pick(FIRST)} {last}" for last in rng.sample(LAST, count)]


def name_id(name: str) -> str:
    """A name as part of an address."""
    return "-".join("".join(char if char.isalnum() else " " for char in name.lower().replace("\u2019", "")).split())
