"""What can be asked for in a shop."""

from webgym_hermetic.families.shop.errands.buying import FillCart, Purchase
from webgym_hermetic.families.shop.errands.choosing import CompareProducts, FindBest, NarrowList, OpenBest
from webgym_hermetic.families.shop.errands.lists import AskForAlert, PutSideBySide, Wish
from webgym_hermetic.families.shop.errands.lookup import LookUp, ReadReview
from webgym_hermetic.families.shop.errands.policies import AskAccount, AskOrder, AskPolicy, AskStore
from webgym_hermetic.families.shop.errands.settings import ChangeSettings
from webgym_hermetic.families.shop.errands.writing import ReturnItem, SendMessage, Subscribe, WriteReview

ERRANDS = (
    LookUp,
    ReadReview,
    AskPolicy,
    AskStore,
    AskOrder,
    AskAccount,
    FindBest,
    CompareProducts,
    NarrowList,
    OpenBest,
    Wish,
    PutSideBySide,
    AskForAlert,
    FillCart,
    Purchase,
    WriteReview,
    SendMessage,
    Subscribe,
    ReturnItem,
    ChangeSettings,
)
