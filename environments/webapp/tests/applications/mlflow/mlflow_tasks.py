"""Ten tasks on an MLflow server: experiments, runs and models."""

from __future__ import annotations

import re

from webgym.records.action import Answer, Wait
from webgym.rng import Rng

from webgym_webapp import Do, Go, Say, Script, Tap, WebappTask, Write

DATABASE = "mlflow.db"
API = "/api/2.0/mlflow"
RUNS = {
    "churn": (("forest", 0.81, 0.1), ("boosted", 0.93, 0.3), ("linear", 0.74, 0.01), ("failed-start", 0.05, 9.0)),
    "prices": (("ridge", 0.55, 0.5), ("lasso", 0.61, 0.2)),
    "old-tests": (),
}


def seeded(instance):
    """Fill the server that all others are copied from."""
    for name, runs in RUNS.items():
        experiment = instance.json(f"{API}/experiments/create", {"name": name})["experiment_id"]
        for number, (run, accuracy, rate) in enumerate(runs):
            asked = {"experiment_id": experiment, "run_name": run, "start_time": 1_750_000_000_000 + number * 60_000}
            made = instance.json(f"{API}/runs/create", asked)["run"]["info"]["run_id"]
            metrics = [{"key": "accuracy", "value": accuracy, "timestamp": 1_750_000_000_000, "step": 0}]
            params = [{"key": "learning_rate", "value": str(rate)}]
            instance.json(f"{API}/runs/log-batch", {"run_id": made, "metrics": metrics, "params": params})
            done = {"run_id": made, "status": "FINISHED", "end_time": 1_750_000_030_000 + number * 60_000}
            instance.json(f"{API}/runs/update", done)
    instance.json(f"{API}/registered-models/create", {"name": "churn-model"})


def state(instance):
    return {
        "experiments": dict(instance.rows(DATABASE, "select name, lifecycle_stage from experiments")),
        "runs": dict(instance.rows(DATABASE, "select name, lifecycle_stage from runs")),
        "models": [name for (name,) in instance.rows(DATABASE, "select name from registered_models")],
    }


def drawn(attempt):
    rng = Rng("mlflow", attempt.seed)
    run, accuracy, rate = rng.pick(RUNS["churn"])
    name = rng.pick(("spring", "summer", "autumn")) + f"-{rng.below(1000)}"
    return {"name": name, "run": run, "accuracy": accuracy, "rate": rate}


def like(attempt, **changes):
    """Whether the state is as it was, but for these changes: the first fact, and the rest."""
    now, was = state(attempt.instance), given()
    done = [now[kind] == wanted for kind, wanted in changes.items()]
    return [all(done), all(now[kind] == was[kind] for kind in was if kind not in changes)]


def given():
    runs = {name: "active" for made in RUNS.values() for name, *_ in made}
    return {"experiments": dict.fromkeys(("Default", *RUNS), "active"), "runs": runs, "models": ["churn-model"]}


def created_experiment(attempt):
    return like(attempt, experiments=given()["experiments"] | {attempt.values["name"]: "active"})


def create_experiment(attempt):
    name = Write("Experiment Name", attempt.values["name"])
    return Script([Tap("create-experiment-button"), name, Tap(in_front("Create")), LATER])


def deleted_experiment(attempt):
    return like(attempt, experiments=given()["experiments"] | {"old-tests": "deleted"})


def delete_experiment(attempt):
    return Script([*opened(attempt, "old-tests"), Tap("overflow-menu-trigger"), Tap(MENU + "delete"), confirm(), LATER])


def renamed_experiment(attempt):
    wanted = given()["experiments"]
    del wanted["prices"]
    return like(attempt, experiments=wanted | {attempt.values["name"]: "active"})


def rename_experiment(attempt):
    edit = Write(valued("prices"), attempt.values["name"])
    menu = (Tap("overflow-menu-trigger"), Tap(MENU + "edit-experiment"))
    return Script([*opened(attempt, "prices"), *menu, edit, Tap(in_front("Save")), LATER])


def created_model(attempt):
    return like(attempt, models=[*given()["models"], attempt.values["name"]])


def create_model(attempt):
    way = (Go(f"{attempt.base}/#/models"), Do(Wait(2.0)), Tap(in_front("Close")), Tap("create-model-button"))
    return Script([*way, Write("Model name", attempt.values["name"]), Tap(in_front("Create")), LATER])


def deleted_run(attempt):
    return like(attempt, runs=given()["runs"] | {"failed-start": "deleted"})


def delete_run(attempt):
    menu = (Tap("overflow-menu-trigger"), Tap("overflow-delete-button"), Tap(in_front("Delete selected")))
    return Script([*opened(attempt, "churn"), Tap("failed-start"), Do(Wait(2.0)), *menu, LATER])


def renamed_run(attempt):
    wanted = given()["runs"]
    del wanted["linear"]
    return like(attempt, runs=wanted | {attempt.values["name"]: "active"})


def rename_run(attempt):
    menu = (Tap("overflow-menu-trigger"), Tap("overflow-rename-button"))
    edit = (Write(valued("linear"), attempt.values["name"]), Tap(in_front("Save")))
    return Script([*opened(attempt, "churn"), Tap("linear"), Do(Wait(2.0)), *menu, *edit, LATER])


def told(attempt, what):
    return [str(what) in attempt.answer.split(), *like(attempt)[1:]]


def told_best(attempt):
    return told(attempt, "boosted")


def tell_best(attempt):
    return Script([*opened(attempt, "churn"), Tap("boosted"), Do(Wait(1.0)), Say("It is boosted")])


def told_rate(attempt):
    return told(attempt, attempt.values["rate"])


def tell_rate(attempt):
    return Script([*opened(attempt, "churn"), Tap(attempt.values["run"]), *shown(f"learning_rate {NUMBER}")])


def told_accuracy(attempt):
    return told(attempt, attempt.values["accuracy"])


def tell_accuracy(attempt):
    return Script([*opened(attempt, "churn"), Tap(attempt.values["run"]), *shown(f"accuracy {NUMBER}")])


def told_count(attempt):
    return told(attempt, len(RUNS["churn"]))


def tell_count(attempt):
    def count(seen):
        runs = [one for one in seen.elements if one.text in dict(given()["runs"])]
        return Answer(str(len(runs)))

    return Script([*opened(attempt, "churn"), Do(Wait(2.0)), Do(count)])


LATER = Do(Wait(2.0))
MENU = "mlflow.experiment_page.managementMenu."
NUMBER = "([0-9.]+)"


def opened(attempt, experiment):
    """The runs of an experiment; with the assistant closed, which covers part of them."""
    [(number,)] = attempt.instance.rows(DATABASE, "select experiment_id from experiments where name = ?", experiment)
    page = f"{attempt.base}/#/experiments/{number}/runs?workflowType=machine_learning"
    return Go(page), Do(Wait(2.0)), Tap(in_front("Close"))


def in_front(text):
    """An element without a test id that nothing covers, such as one of a dialog."""
    return lambda element: element.text == text and not element.key and element.point is not None


def confirm():
    return Tap(lambda element: element.text.startswith("Delete") and element.tag == "button" and element.point)


def valued(value):
    return lambda element: element.tag == "input" and element.value == value


def shown(pattern):
    """Answers what the page says of the run."""

    def read(seen):
        texts = [one.text for one in seen.elements if one.key == "entity-overview-container"]
        return Answer(re.search(pattern, texts[0])[1])

    return Do(Wait(3.0)), Do(read)


REST = "Everything else is as it was."
TASKS = (
    ("create-experiment", "Create an experiment called {name}.", "There is an experiment {name}."),
    ("delete-experiment", "Delete the experiment old-tests.", "The experiment is deleted."),
    ("rename-experiment", "Rename the experiment prices to {name}.", "The experiment is called {name}."),
    ("create-model", "Create a model called {name} in the model registry.", "There is a model {name}."),
    ("delete-run", "Delete the run failed-start of the experiment churn.", "The run is deleted."),
    ("rename-run", "Rename the run linear of the experiment churn to {name}.", "The run is called {name}."),
    ("tell-best", "Which run of the experiment churn has the highest accuracy?", "The answer names the run."),
    ("tell-rate", "What was the learning_rate of the run {run} of the experiment churn?", "The answer is right."),
    ("tell-accuracy", "Which accuracy did the run {run} of the experiment churn reach?", "The answer is right."),
    ("tell-count", "How many runs does the experiment churn have?", "The answer has the number."),
)
FUNCTIONS = {
    "create-experiment": (created_experiment, create_experiment),
    "delete-experiment": (deleted_experiment, delete_experiment),
    "rename-experiment": (renamed_experiment, rename_experiment),
    "create-model": (created_model, create_model),
    "delete-run": (deleted_run, delete_run),
    "rename-run": (renamed_run, rename_run),
    "tell-best": (told_best, tell_best),
    "tell-rate": (told_rate, tell_rate),
    "tell-accuracy": (told_accuracy, tell_accuracy),
    "tell-count": (told_count, tell_count),
}


def tasks():
    for name, instruction, fact in TASKS:
        verdict, solver = (f"mlflow_tasks:{one.__name__}" for one in FUNCTIONS[name])
        start = "/#/experiments?workflowType=machine_learning"
        yield WebappTask(
            name, instruction, verdict, (fact, REST), start=start, fill="mlflow_tasks:drawn", solver=solver
        )
