"""What it costs: unit cost, API, break-even, ownership, traffic."""
