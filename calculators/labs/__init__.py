"""Mechanisms shown on small models."""
