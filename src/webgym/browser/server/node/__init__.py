"""One machine of the fleet: leases, worker processes, admission."""
