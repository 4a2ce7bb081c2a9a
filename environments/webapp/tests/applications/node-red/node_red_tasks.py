"""Ten tasks in the editor of Node-RED: flows and nodes, all read back from the server."""

from __future__ import annotations

import json

from webgym.records.action import Click, Point, TypeText, Wait
from webgym.rng import Rng

from webgym_webapp import Do, Keys, Say, Script, Tap, WebappTask, Write

CANVAS = Point(180, 83)
"""Where the canvas begins, in a viewport of 1280 by 768."""
GIVEN = {"t1", "t2", "t3", "n1", "n2", "n3", "n4", "n5"}
KITCHEN = [
    {"id": "k1", "type": "tab", "label": "Kitchen"},
    {"id": "k2", "type": "comment", "z": "k1", "name": "Kettle", "x": 160, "y": 100, "wires": []},
]


def flows(instance):
    return instance.json("/flows")


def by_id(attempt):
    return {one["id"]: one for one in flows(attempt.instance)}


def changed(attempt, node, **wanted):
    """Whether the node is as wanted, and all others are still there."""
    there = by_id(attempt)
    right = node in there and all(there[node].get(name) == value for name, value in wanted.items())
    return [right, set(there) == GIVEN]


def gone(attempt, *nodes):
    there = set(by_id(attempt))
    return [not there & set(nodes), there >= GIVEN - set(nodes)]


def drawn(attempt):
    rng = Rng("node-red", attempt.seed)
    return {"name": rng.pick(("Front door", "Back door", "Gate")), "number": rng.between(30, 90)}


def numbered(attempt, instance):
    """Have the node send another number in every attempt."""
    nodes = [one | {"payload": str(attempt.values["number"])} if one["id"] == "n1" else one for one in flows(instance)]
    instance.json("/flows", nodes)


LOADED = (Tap("Greenhouse"), Do(Wait(2.0)))
"""The canvas is drawn a moment after its flows are named."""


def node(x, y, count=1):
    return Do(Click(Point(CANVAS.x + x, CANVAS.y + y), count=count))


def deployed(*moves):
    return Script([*LOADED, *moves, Tap("Deploy"), Do(Wait(1.0)), Say("It is deployed.")])


def renamed_flow(attempt):
    return changed(attempt, "t2", label=attempt.values["name"])


def rename_flow(attempt):
    return deployed(Tap("Doorbell", count=2), Write("Name", attempt.values["name"]), Tap("Done"))


def disabled_flow(attempt):
    return changed(attempt, "t3", disabled=True)


def disable_flow(attempt):
    return deployed(Tap("Old experiments", count=2), Tap("Enabled"), Tap("Done"))


def deleted_flow(attempt):
    return gone(attempt, "t3")


def delete_flow(attempt):
    return deployed(Tap("Old experiments", count=2), Tap("Delete"))


def added_flow(attempt):
    labels = [one.get("label") for one in by_id(attempt).values() if one["type"] == "tab"]
    return [attempt.values["name"] in labels, len(labels) == 4]


def add_flow(attempt):
    return deployed(
        Do(Click(Point(909, 66))), Tap("Flow 1", count=2), Write("Name", attempt.values["name"]), Tap("Done")
    )


def imported_flow(attempt):
    there = by_id(attempt).values()
    tabs = [one["id"] for one in there if one.get("label") == "Kitchen"]
    return [len(tabs) == 1, any(one.get("name") == "Kettle" and one["z"] in tabs for one in there)]


def import_flow(attempt):
    return deployed(Keys(("Control", "i")), Do(Wait(1.0)), Do(TypeText(json.dumps(KITCHEN))), Tap("Import"))


def renamed_node(attempt):
    return changed(attempt, "n1", name=attempt.values["name"])


def rename_node(attempt):
    return deployed(node(160, 100, 2), Write("Name", attempt.values["name"]), Tap("Done"))


def changed_number(attempt):
    return changed(attempt, "n1", payload=str(attempt.values["number"]), payloadType="num")


def change_number(attempt):
    def value(element):
        return element.tag == "input" and element.value == "21"

    return deployed(node(160, 100, 2), Write(value, str(attempt.values["number"])), Tap("Done"))


def deleted_node(attempt):
    return gone(attempt, "n4")


def delete_node(attempt):
    return deployed(node(400, 220), Keys(("Delete",)))


def disabled_node(attempt):
    return changed(attempt, "n3", d=True)


def disable_node(attempt):
    return deployed(node(160, 220, 2), Tap("Enabled"), Tap("Done"))


def told_number(attempt):
    return [str(attempt.values["number"]) in attempt.answer, set(by_id(attempt)) == GIVEN]


def tell_number(attempt):
    def read(seen):
        [field] = [one for one in seen.elements if one.value.isdecimal() and one.tag == "input" and one.shown]
        found.append(field.value)
        return Wait(0.1)

    class Reader(Script):
        async def decide(self, capture):
            if found:
                self._moves = [Say(found[0])]
            return await super().decide(capture)

    found: list[str] = []
    return Reader([*LOADED, node(160, 100, 2), Do(Wait(1.0)), Do(read)])


REST = "Everything else is still there."
TASKS = (
    ("rename-flow", 'Rename the flow "Doorbell" to "{name}" and deploy.', 'The flow is called "{name}".'),
    ("disable-flow", 'Disable the flow "Old experiments" and deploy.', "The flow is disabled."),
    ("delete-flow", 'Delete the flow "Old experiments" and deploy.', "The flow is gone."),
    ("add-flow", 'Add a flow called "{name}" and deploy.', 'There is a flow "{name}".'),
    ("import-flow", f"Import this and deploy: {json.dumps(KITCHEN)}", 'There is a flow "Kitchen".'),
    ("rename-node", 'Rename the node "Every minute" to "{name}" and deploy.', 'The node is called "{name}".'),
    ("change-number", 'Have the node "Every minute" send {number}, and deploy.', "The node sends {number}."),
    ("delete-node", 'Delete the comment "Remove me" and deploy.', "The comment is gone."),
    ("disable-node", 'Disable the node "Alarm" and deploy.', "The node is disabled."),
    ("tell-number", 'Which number does the node "Every minute" send?', "The answer has the number."),
)
FUNCTIONS = {
    "rename-flow": (renamed_flow, rename_flow),
    "disable-flow": (disabled_flow, disable_flow),
    "delete-flow": (deleted_flow, delete_flow),
    "add-flow": (added_flow, add_flow),
    "import-flow": (imported_flow, import_flow),
    "rename-node": (renamed_node, rename_node),
    "change-number": (changed_number, change_number),
    "delete-node": (deleted_node, delete_node),
    "disable-node": (disabled_node, disable_node),
    "tell-number": (told_number, tell_number),
}


def tasks():
    for name, instruction, fact in TASKS:
        verdict, solver = (f"node_red_tasks:{one.__name__}" for one in FUNCTIONS[name])
        yield WebappTask(
            name,
            instruction,
            verdict,
            (fact, REST),
            fill="" if name == "import-flow" else "node_red_tasks:drawn",
            prepare="node_red_tasks:numbered" if name == "tell-number" else "",
            solver=solver,
        )
