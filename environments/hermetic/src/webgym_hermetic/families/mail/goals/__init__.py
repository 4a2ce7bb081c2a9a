"""What can be asked of a mailbox."""

from webgym_hermetic.families.mail.goals.booked import EventFromMail
from webgym_hermetic.families.mail.goals.count import CountFrom, CountList, EndOfList
from webgym_hermetic.families.mail.goals.diary import CancelEvent, EventFact, MoveEvent, NewEvent
from webgym_hermetic.families.mail.goals.find import Compare, FindDetail, MessageFact
from webgym_hermetic.families.mail.goals.lists import SearchForm, ShowList
from webgym_hermetic.families.mail.goals.mark import BlockSender, Mark, Sweep
from webgym_hermetic.families.mail.goals.people import ContactFact, EditContact, NewContact
from webgym_hermetic.families.mail.goals.relay import FinishDraft, Relay
from webgym_hermetic.families.mail.goals.rules import AddRule
from webgym_hermetic.families.mail.goals.settings import Forwarding, Preferences, Signature, Vacation
from webgym_hermetic.families.mail.goals.write import Compose, Forward, Reply
from webgym_hermetic.goal import Goal

GOALS: tuple[type[Goal], ...] = (
    AddRule, BlockSender, CancelEvent, Compare, Compose, ContactFact, CountFrom, CountList, EditContact, EventFact,
    EventFromMail, FindDetail, FinishDraft, Forward, Forwarding, EndOfList, Mark, MessageFact, MoveEvent, NewContact,
    NewEvent, Preferences, Relay, Reply, SearchForm, ShowList, Signature, Sweep, Vacation,
)  # fmt: skip
