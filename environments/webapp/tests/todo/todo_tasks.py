"""Verdicts and solvers for the to-do list."""

from webgym.rng import Rng

from webgym_webapp import Preparation, Say, Script, Tap, WebappTask, Write


def state(instance):
    return (instance.folder / "list.txt").read_text().splitlines()


def seeded(instance):
    instance.text("/add", method="POST", body=b"item=seeded")


def added(attempt):
    there = state(attempt.instance)
    return [attempt.values["item"] in there, {"bread", "rice"} <= set(there)]


def add_it(attempt):
    return Script([Write("New", attempt.values["item"]), Tap("add"), Say("It is there.")])


def drawn(attempt):
    return {"item": Rng("item", attempt.seed).pick(("tea", "salt", "oil"))}


def greeted(attempt, instance):
    """Seeds the list over HTTP, and starts elsewhere."""
    instance.text("/add", method="POST", body=b"item=water")
    return Preparation(start="/list", headers={"X-Task": attempt.task.task_id}, values={"first": state(instance)})


async def removed(attempt):
    there = state(attempt.instance)
    gone = ["bread" not in there, "rice" not in there]
    return attempt.verdict([*gone, "2" in attempt.answer], credit=0.25 * sum(gone))


def remove_all(attempt):
    return Script([Tap("Remove bread"), Tap("Remove rice"), Say("I removed 2.")])


def more():
    facts = ("Bread is gone.", "Rice is gone.", "The answer says how many were removed.")
    yield WebappTask(
        "remove-all",
        "Remove everything from the list, and say how many things that were.",
        "todo_tasks:removed",
        facts,
        solver="todo_tasks:remove_all",
    )
