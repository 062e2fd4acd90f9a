"""Programs in, exits out: run what cannot be trusted where it can do no harm."""
