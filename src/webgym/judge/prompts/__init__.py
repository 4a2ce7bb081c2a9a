"""The prompt files. Any change of wording is a new version, as verdicts are only comparable within one."""
