"""The discrete-event simulation behind `webgym plan`: predicts the throughput of a farm of browsers and GPUs."""
