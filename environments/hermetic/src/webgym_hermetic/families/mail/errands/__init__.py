"""What can be asked of a mailbox."""

from webgym_hermetic.errand import Errand
from webgym_hermetic.families.mail.errands.booked import EventFromMail
from webgym_hermetic.families.mail.errands.count import CountFrom, CountList, EndOfList
from webgym_hermetic.families.mail.errands.diary import CancelEvent, EventFact, MoveEvent, NewEvent
from webgym_hermetic.families.mail.errands.find import Compare, FindDetail, MessageFact
from webgym_hermetic.families.mail.errands.lists import SearchForm, ShowList
from webgym_hermetic.families.mail.errands.mark import BlockSender, Mark, Sweep
from webgym_hermetic.families.mail.errands.people import ContactFact, EditContact, NewContact
from webgym_hermetic.families.mail.errands.relay import FinishDraft, Relay
from webgym_hermetic.families.mail.errands.rules import AddRule
from webgym_hermetic.families.mail.errands.settings import Forwarding, Preferences, Signature, Vacation
from webgym_hermetic.families.mail.errands.write import Compose, Forward, Reply

ERRANDS: tuple[type[Errand], ...] = (
    AddRule, BlockSender, CancelEvent, Compare, Compose, ContactFact, CountFrom, CountList, EditContact, EventFact,
    EventFromMail, FindDetail, FinishDraft, Forward, Forwarding, EndOfList, Mark, MessageFact, MoveEvent, NewContact,
    NewEvent, Preferences, Relay, Reply, SearchForm, ShowList, Signature, Sweep, Vacation,
)  # fmt: skip
