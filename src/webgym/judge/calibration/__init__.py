"""Judge calibration: verdicts against ground truth with confidence intervals, abstention, attacks and cost."""
