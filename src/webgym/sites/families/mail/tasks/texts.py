"""Texts that tasks ask to be written."""

from __future__ import annotations

SUBJECTS = (
    "Parking on Thursday", "Keys for the new office", "Feedback on the brochure", "Change of plan",
    "Numbers for the board", "Visit next week", "Question about the contract", "Photos from the event",
    "Holiday cover", "Printer on the second floor", "Training dates", "Missing receipt", "Guest list",
    "New meeting room", "Handover notes", "Reading list", "Samples arrived", "Invoice address", "Car pool",
    "Summer party", "Desk move", "Lost umbrella", "Delivery window", "Phone conference", "Translation needed",
    "Access card", "Draft agenda", "Coffee machine", "Team photo", "Quarterly figures",
)  # fmt: skip
BODIES = (
    "Could you send me the latest version by noon?",
    "Please bring two copies to the meeting.",
    "I will be ten minutes late on Monday.",
    "The supplier has confirmed the new price.",
    "Can we talk about this tomorrow morning?",
    "The keys are at the front desk.",
    "Everything is ready for the visit.",
    "Please check the attached figures once more.",
    "The room on the third floor is free all day.",
    "I have moved our call to Friday at ten.",
    "We need one more signature before we can start.",
    "Thank you for the quick help yesterday.",
    "The courier comes between two and four.",
    "Please do not change the dates any more.",
    "Let us order lunch for twelve people.",
    "The plan looks good to me.",
    "I could not open the second file.",
    "The customer would like to start a week earlier.",
    "Please add the new address to the list.",
    "We should ask for a second offer.",
    "The projector in the large room is broken.",
    "I am back in the office on Wednesday.",
)
REPLIES = (
    "Thanks, that works for me.",
    "I will get back to you tomorrow.",
    "Could you send me the details again?",
    "Please go ahead.",
    "I cannot make it, sorry.",
    "Great news, thank you!",
    "Let us talk about it on the phone.",
    "I have a question about the price.",
    "Count me in.",
    "Please wait until next week.",
    "Noted, I have put it into my calendar.",
    "Can we move it by one day?",
    "I agree with the proposal.",
    "Who else has seen this?",
)
NOTES = (
    "Please have a look at this.",
    "For your information.",
    "Can you take care of this?",
    "You may need this later.",
    "What do you think?",
    "Please keep this for our records.",
    "This concerns you as well.",
    "Could you answer them directly?",
    "Just so that you know.",
    "Is this right?",
)
RELAYED = (
    "As discussed", "The figure you asked for", "Short note", "For your list", "Looked it up", "Details as promised",
    "Here it is", "Your question", "For the files", "Quick answer",
)  # fmt: skip
EVENTS = (
    "Quarterly planning", "Piano lesson", "Product demo", "Flat viewing", "Blood donation", "Press briefing",
    "Book club", "Vet visit", "Kick-off call", "Tax appointment", "Swimming lesson", "Farewell drinks",
    "Fire drill", "Supplier visit", "Language exchange", "Photo shoot", "Board games night", "Eye test",
    "Inventory count", "Town hall meeting",
)  # fmt: skip
PLACES = (
    "Room Juniper 204", "Cafe Orion", "Main Street 40", "Lobby bar", "Room Cedar 118", "Community centre",
    "Studio 3", "Room Willow 321", "City park", "Conference hall B", "Station square", "Meeting point 2",
)  # fmt: skip
AWAY_SUBJECTS = (
    "Out of office",
    "On vacation",
    "Away until further notice",
    "Not in the office",
    "Back soon",
    "On leave",
)
AWAY_TEXTS = (
    "I am out of the office and will answer when I am back.",
    "Thank you for your message. I am travelling and read mail once a day.",
    "I am on vacation. In urgent cases please call the front desk.",
    "I am away this week. My colleagues will help you.",
    "Thank you for writing. I will answer all messages after my return.",
    "I am at a conference and hard to reach.",
)
SIGNATURES = (
    "Best regards, {name}",
    "{name}, {company}",
    "Kind regards, {first}",
    "{name} - {role}",
    "Warm wishes from {first}",
    "{first} ({company})",
    "Many thanks, {name}",
    "{name}, working Monday to Thursday",
    "Sent with care by {first}",
    "{role} at {company}",
    "Yours, {name}",
    "{name} - please call before eleven",
)
RULE_WORDS = (
    "invoice", "newsletter", "urgent", "weekly report", "discount", "delivery", "minutes", "survey", "holiday",
    "reminder",     "statement", "webinar", "parking", "lunch", "ticket",
)  # fmt: skip
FIRMS = (
    "Tallow & Finch", "Beacon Tours", "Pebble Press", "Orion Freight", "Calloway Farms", "Delft Studio",
    "Hexham Glass", "Juno Ceramics", "Larkspur Events", "Monarch Tiles", "Nimbus Labs", "Quarry Music",
)  # fmt: skip
