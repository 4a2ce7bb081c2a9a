"""A node, one machine of the fleet: leases, worker processes, admission control."""
