"""Human labels of attempts, and the ground truth derived from them.

The record is `webgym.records.label`, and its file beside a run is `webgym.store.labels`, so that the viewer, which must
not depend on the judge, writes the same labels that calibration reads.
"""
