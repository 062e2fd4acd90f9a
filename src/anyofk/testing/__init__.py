"""What tests and extensions of anyofk build on: reference values, fakes, contract kits."""

from anyofk.testing.golden import golden_functions

__all__ = ["golden_functions"]
