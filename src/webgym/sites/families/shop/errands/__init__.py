"""What can be asked for in a shop."""

from webgym.sites.families.shop.errands.buying import FillCart, Purchase
from webgym.sites.families.shop.errands.lookup import LookUp

ERRANDS = (LookUp, FillCart, Purchase)
