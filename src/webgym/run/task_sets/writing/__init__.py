"""Model-written parts of task sets: concurrent, validated, and journaled so that no reply is paid for twice."""
