"""What can be asked for in a shop."""

from webgym_hermetic.families.shop.goals.buying import FillCart, Purchase
from webgym_hermetic.families.shop.goals.choosing import CompareProducts, FindBest, NarrowList, OpenBest
from webgym_hermetic.families.shop.goals.lists import AskForAlert, PutSideBySide, Wish
from webgym_hermetic.families.shop.goals.lookup import LookUp, ReadReview
from webgym_hermetic.families.shop.goals.policies import AskAccount, AskOrder, AskPolicy, AskStore
from webgym_hermetic.families.shop.goals.settings import ChangeSettings
from webgym_hermetic.families.shop.goals.writing import ReturnItem, SendMessage, Subscribe, WriteReview

GOALS = (
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
