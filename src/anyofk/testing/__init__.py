"""What tests and extensions of anyofk build on: reference values, hostile corpus, contract kits.

Names load on use, for processes in a sandbox import this package too.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from anyofk.testing.contracts import check_sandbox, sandbox_violations
    from anyofk.testing.golden import golden_functions
    from anyofk.testing.hostile import (
        HonestProgram,
        HostileProgram,
        corpus_problems,
        honest_corpus,
        hostile_corpus,
    )
    from anyofk.testing.providers import check_provider

_HOMES = {
    "HonestProgram": "hostile",
    "HostileProgram": "hostile",
    "check_provider": "providers",
    "check_sandbox": "contracts",
    "corpus_problems": "hostile",
    "golden_functions": "golden",
    "honest_corpus": "hostile",
    "hostile_corpus": "hostile",
    "sandbox_violations": "contracts",
}

__all__ = [
    "HonestProgram",
    "HostileProgram",
    "check_provider",
    "check_sandbox",
    "corpus_problems",
    "golden_functions",
    "honest_corpus",
    "hostile_corpus",
    "sandbox_violations",
]


def __getattr__(name: str) -> Any:
    """Load a public name from its home on first use."""
    if name not in _HOMES:
        message = f"module 'anyofk.testing' has no attribute {name!r}"
        raise AttributeError(message)
    return getattr(import_module(f"anyofk.testing.{_HOMES[name]}"), name)
