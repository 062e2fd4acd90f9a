"""A busy machine is no fault of a property: examples have no deadline."""

from hypothesis import settings

settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")
