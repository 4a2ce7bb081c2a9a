"""The rubric judge against the published pipeline's pattern of calls, on the same attempts and with the same eyes."""
