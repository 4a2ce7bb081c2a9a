"""Sentences that people of every community write."""

from __future__ import annotations

FILLERS = (
    "Thanks for posting this.", "Following this one.", "Same experience here.", "Good question.", "It depends on what you want out of it.",
    "I would not overthink it.", "Others may disagree.", "Please report back how it went.", "A picture would help.",
    "Took me years to find that out.", "Worth a try, it costs nothing.", "I wrote about this last spring as well.",
    "That matches what I read elsewhere.", "Be patient with it.", "Start small and see.", "My partner thinks I am mad.",
    "I was sceptical at first.", "Search for the older thread, there is more in it.", "Could you say a bit more about your setup?",
    "That was new to me, thank you.", "Not cheap, but it lasts.", "I keep a notebook for exactly this.", "Never had a problem since.",
    "It was raining, so I had time.", "I asked the same thing here two years ago.", "Take the advice of the others first.",
    "There is no single right answer.", "Sorry for the late reply.", "Sounds familiar.", "Best of luck!",
)  # fmt: skip
ASK = (
    "I read three different answers and all of them sounded sure of themselves.", "What do you go by, and why?",
    "I would like real numbers from people who do it.", "The books do not agree with each other.", "Last year I guessed and it showed.",
    "Please give a figure, not only a feeling.", "First time for me, so be kind.", "I have a free weekend coming up and want to get it right.",
)  # fmt: skip
WORRY = (
    "It was fine until two weeks ago.", "I changed nothing that I know of.", "It has happened three times now.", "I searched here and found nothing that fits.",
    "The shop had no idea either.", "I can post pictures if that helps.", "It is not getting better on its own.",
)  # fmt: skip
FIGURE = (
    "{value} for me, every time.", "Here it is {value}, and I am happy with that.", "My notes say {value}.", "In my case {value}.",
    "I would say {value}, give or take.", "Last time it was {value}.", "For what it is worth: {value}.", "About {value} in my experience.",
    "{value}, if I remember correctly.", "It came to {value} here.", "Mine: {value}.", "I wrote down {value} last season.",
)  # fmt: skip
BLAME = (
    "That looks like {cause} to me.", "I would bet on {cause}.", "Had exactly this, and it was {cause}.", "My first suspect would be {cause}.",
    "Nine times out of ten it is {cause}.", "Sounds like {cause}.", "Check for {cause} before you do anything else.",
)  # fmt: skip
SOLVED = ("That was it, thanks @{name}!", "You were right, @{name}. All good now.", "Solved, thank you @{name}.", "Spot on, @{name}.")
SELL = (
    "Selling my {ware}, {condition}.", "I have a {ware} to pass on, {condition}.", "Time to let go of this {ware}, {condition}.",
)  # fmt: skip
CONDITIONS = (
    "hardly used", "in good order", "with a few scratches", "complete with the box", "recently serviced", "as new", "honest wear but works",
)  # fmt: skip
OFFER = ("Would you take ${price}?", "I could offer ${price}, collected this week.", "${price} and I come tomorrow?")
SALE_CHAT = (
    "Still available?", "Would you post it abroad?", "Price is fair, good luck with the sale.", "Sent you a message.",
    "Can you add a picture of the underside?", "I had one of these, you will not regret it.", "Wrong end of the country for me.",
    "How old is it?", "Bump for a good seller.",
)  # fmt: skip
SHOW = (
    "Finally done: my {project}.", "Here is the {project} I have been going on about.", "Sharing my {project}.", "It is finished, the {project}.",
)  # fmt: skip
PRAISE = (
    "That looks great.", "Lovely work.", "I would be proud of that.", "What was the hardest part?", "Now I want one.",
    "How did you do the corners?", "You have more patience than me.", "Would you do it again?", "The colour suits it.",
    "Clean lines, well done.", "Any plans for the next one?",
)  # fmt: skip
CHAT = (
    ("Introduce yourself here", "New or old, tell us who you are and what brought you to us."),
    ("What are you working on this weekend?", "Small or large, finished or not."),
    ("Your best find of the year so far", "Shops, tools, tricks, people."),
    ("Things you wish you had known earlier", "I will start: ask sooner."),
    ("What is your most useful tool under $20?", "Cheap and good, please."),
    ("How did you get started?", "I am curious about the first step, not the last one."),
    ("Books worth reading this winter", "Old ones count."),
    ("A mistake you made more than once", "No judgement here."),
    ("Where do you get your ideas from?", "Mine come when I should be doing something else."),
    ("Who got you into this?", "A neighbour, a parent, a film?"),
    ("Best podcast for a long afternoon", "With or without a connection to our subject."),
    ("What would you do with a free week?", "No phone, no visitors."),
)  # fmt: skip
MONTHLY = ("Photo of the month: {month}", "Monthly challenge: {month}", "Coffee and chat, {month}")
MONTHLY_TEXT = (
    "One entry each, please. The winner of last month picks the subject.", "Post yours below before the month is over.",
    "Everything goes as long as you are polite.",
)  # fmt: skip
CHATTY = (
    "I found this place while looking for something else and stayed.", "Number one: patience.", "For me it was my uncle.",
    "Nothing spectacular, but it made me smile.", "I would rather not say in public.", "A cheap one from the market, ten years old.",
    "It started as a rainy afternoon.", "My list is too long for one post.", "The library had it, to my surprise.",
    "I am slow, so still at it.", "Good thread, keep them coming.", "I have the same one at home.", "Ask me again in autumn.",
)  # fmt: skip
NOTICE = (
    "Please read this before you post.", "It answers most of what new members ask.", "The team keeps this thread up to date.",
    "Questions about it can be sent to any moderator.",
)  # fmt: skip
LETTERS = (
    ("Pick-up of the {ware}", "Hello, I am happy with ${a} for the {ware}.", "offer", "${}", "Great. I live at number {b}, third floor.", "house number", "number {}"),
    ("Parcel for you", "Your parcel is on its way, postage was ${a}.", "postage", "${}", "It weighs {b} kg, so be home when it comes.", "weight of the parcel", "{} kg"),
    ("Lift to the meetup", "I have {a} seats left in the car.", "free seats", "{} seats", "I would leave at half past, it is {b} km to the venue.", "distance", "{} km"),
    ("About your question", "I looked it up: {a} mm is what I used.", "size", "{} mm", "The supplier wanted ${b} for a pack.", "price of a pack", "${}"),
    ("Workshop key", "The code of the key box is {a}.", "code", "{}", "Please be out by half past nine, locker {b} is yours.", "locker", "locker {}"),
    ("Group order", "With you we are {a} people.", "number of people", "{} people", "Your share comes to ${b}.", "share", "${}"),
    ("Loan of the {ware}", "You can have it for {a} days.", "loan time", "{} days", "I would like a deposit of ${b}.", "deposit", "${}"),
)  # fmt: skip
LETTER_CHAT = (
    "Thanks for the quick answer.", "Sounds good to me.", "Let me check and come back to you.", "No hurry from my side.",
    "See you soon.", "I will write again at the weekend.", "Perfect.", "Say hello to the others.",
)  # fmt: skip
