"""How fast: roofline, decode, prefill, serving."""
