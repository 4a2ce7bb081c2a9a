"""The same recipe synchronous and asynchronous: in real processes, with sleeps for models and pages."""
