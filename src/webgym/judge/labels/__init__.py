"""What people say of attempts, and what of it can stand as truth.

The record is `webgym.records.label`, its file beside a run `webgym.store.labels`: so the viewer, which may not know the
judge, writes the same labels that calibration reads.
"""
