"""Does it fit: weights, cache, capacity."""
