"""The trades that shops are in."""

from webgym.sites.families.shop.trades import (
    books,
    electronics,
    fashion,
    furniture,
    garden,
    kitchen,
    music,
    outdoor,
    sports,
    toys,
)

TRADES = (
    furniture.TRADE,
    outdoor.TRADE,
    electronics.TRADE,
    kitchen.TRADE,
    fashion.TRADE,
    books.TRADE,
    toys.TRADE,
    garden.TRADE,
    music.TRADE,
    sports.TRADE,
)
