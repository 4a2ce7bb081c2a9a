"""On the path of the vLLM server of these checks only.

torchvision's wheel is built for CUDA: beside a torch for processors its library does not load, and it ends at import
because operators are missing that it wants to describe. vLLM needs its transforms, not those operators: declaring them
just before it is imported is enough. It also reaches the processes that vLLM starts.
"""

import sys
from importlib.abc import MetaPathFinder


class _DeclareOperators(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name == "torchvision":
            sys.meta_path.remove(self)
            import torch

            library = torch.library.Library("torchvision", "FRAGMENT")
            for operator in ("nms", "qnms"):
                library.define(f"{operator}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
            torch._webgym_torchvision_operators = library  # declared as long as it lives


sys.meta_path.insert(0, _DeclareOperators())
