"""Linting: what is wrong with reported numbers, and what they should have been."""

from anyofk.linting.fault import Fault, Linting, Weight
from anyofk.linting.lint import lint

__all__ = ["Fault", "Linting", "Weight", "lint"]
