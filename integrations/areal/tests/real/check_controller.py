"""AReaL's own controller and a rollout worker of its own process: submit, play, give back, fetch pictures across.

Only the inference server is scripted, and everything listens on the loopback interface.
"""

from __future__ import annotations

import itertools
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from areal.api.cli_args import InferenceEngineConfig, SchedulingSpec
from areal.api.io_struct import LocalInfServerInfo
from areal.engine.sglang_remote import RemoteSGLangEngine
from areal.infra.controller import rollout_controller
from areal.infra.rpc.rtensor import RTensor
from areal.infra.scheduler import local
from integrations.areal.tests.real.playing import MODEL, ScriptedEngine, settings

from webgym.testing.rollouts import fake_task
from webgym_areal.feeder import Feeder
from webgym_areal.materialise import Gallery, materialised
from webgym_areal.pictures import read_cutter
from webgym_areal.workflow import NAME, items

ROOT = Path(__file__).parents[4]
TASKS = items([fake_task(number) for number in range(6)])


ASKED, HELD = threading.Event(), threading.Event()
"""Set when the server was asked; it answers while this one is set."""
HELD.set()


class Loader(list[list[dict[str, Any]]]):
    batch_size = 2


@contextmanager
def scripted_sglang() -> Iterator[int]:
    """Says yes and no by turns."""
    words, turns, lock = ScriptedEngine().words, itertools.count(), threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._say({})

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            ASKED.set()
            HELD.wait(timeout=60.0)
            with lock:
                said = words.encode("no" if next(turns) % 2 else "yes", add_special_tokens=False).ids
            logprobs = [[-0.5, token, None] for token in said]
            self._say({"meta_info": {"finish_reason": {"type": "stop"}, "output_token_logprobs": logprobs}})

        def _say(self, what: dict[str, Any]) -> None:
            data = json.dumps(what).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_arguments: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture(scope="module")
def controller(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with pytest.MonkeyPatch.context() as patch:
        for module in (local, rollout_controller):
            patch.setattr(module, "gethostip", lambda: "127.0.0.1")
        yield from _controlled(tmp_path_factory.mktemp("areal"))


def _controlled(tmp_path: Path) -> Iterator[Any]:
    names = tmp_path / "names"
    names.mkdir()
    paths = f"{ROOT}:{ROOT / 'tests' / 'areal' / 'dashboards'}"
    config = InferenceEngineConfig(
        backend="sglang:d1",
        experiment_name="check",
        trial_name="controller",
        consumer_batch_size=2,
        max_concurrent_rollouts=4,
        max_head_offpolicyness=2,
        request_timeout=120,
        setup_timeout=60.0,
        scheduling_spec=(
            SchedulingSpec(
                cpu=1,
                gpu=0,
                mem=1,
                port_count=2,
                cmd="python -m areal.infra.rpc.rpc_server --host 127.0.0.1",
                env_vars={"PYTHONPATH": paths, "TORCHDYNAMO_DISABLE": "1", "WEBGYM_HOME": str(tmp_path / "home")},
            ),
        ),
    )
    scheduler = local.LocalScheduler(
        gpu_devices=[0],
        log_dir=str(tmp_path / "logs"),
        startup_timeout=200.0,
        experiment_name="check",
        trial_name="controller",
        fileroot=str(tmp_path),
        nfs_record_root=str(names),
    )
    with scripted_sglang() as port:
        made = RemoteSGLangEngine.as_controller(config, scheduler)
        try:
            made.initialize(role="rollout", server_infos=[LocalInfServerInfo("127.0.0.1", port, None)])
            yield made
        finally:
            made.destroy()


def check_trap_request_timeout_ends_whole_episodes_while_the_worker_goes_on(controller):
    whole = controller.config.request_timeout
    controller.config.request_timeout = 10.0
    ASKED.clear()
    HELD.clear()
    try:
        controller.submit(TASKS[0], NAME, {"settings": settings(source={"members": 2}).model_dump(mode="json")})
        assert ASKED.wait(timeout=60)
        assert controller.wait(1, timeout=60) == [None]
    finally:
        HELD.set()
        controller.config.request_timeout = whole


def check_groups_come_back_by_reference_from_a_worker_of_another_process(controller):
    told = settings(tells_oldest=True, source={"members": 4}).model_dump(mode="json")
    feeder = Feeder(controller, controller.staleness_manager, max_lag=2, refill=20.0, patience=200.0)
    batch = feeder.batch(Loader([TASKS[:2], TASKS[2:4], TASKS[4:]]), 2, NAME, {"settings": told})
    feeder.close()
    assert len(batch) == 2
    assert feeder.lags == [0, 0]
    gallery = Gallery(read_cutter(Path(MODEL)))
    for group in batch:
        # Tensors stay with the worker until a trainer wants them; references to pictures are strings.
        assert isinstance(group["input_ids"], RTensor)
        assert group["input_ids"].data.is_meta
        here = materialised(RTensor.localize(group), gallery)
        assert here["rewards"].min() < 0 < here["rewards"].max()
        assert here["loss_mask"].sum() > 0
        assert all(one["pixel_values"].std() > 0 for one in here["multi_modal_input"])
    assert gallery.missing == 0
    assert gallery.fetched > 0
