"""Measurements of speed: `make bench` prints them as one table."""
