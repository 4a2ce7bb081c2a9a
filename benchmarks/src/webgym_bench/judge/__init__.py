"""The rubric judge against the published judging pipeline, on the same attempts and with the same model."""
