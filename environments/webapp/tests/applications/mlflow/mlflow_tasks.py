"""Ten tasks on an MLflow server: experiments, runs and models."""

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
    return 1


def tasks():
    from webgym_webapp import WebappTask

    yield WebappTask("a", "b", "mlflow_tasks:state", ("x",), start="/#/experiments")
