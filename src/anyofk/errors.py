"""Every exception that anyofk raises, in one tree.

.. code-block:: text

    AnyofkError                     exit code 1; our own fault unless a subclass says otherwise
    ├── UsageError      (ValueError)    2  an argument that cannot mean anything
    │   ├── TooFewDrawsError            2  k is larger than some problem's n
    │   └── UnlikeRunsError             2  two runs that must not be pooled or compared
    ├── DataError       (ValueError)    3  a file, record or field that is not as it must be
    │   ├── CandidateFileError          3  ... in a file of candidates
    │   ├── ProblemError                3  ... in a problem set, or a fault of a problem itself
    │   └── StoreError                  3  ... in a stored run
    ├── UnavailableError (OSError)      4  something outside us that does not work here
    │   ├── ProviderError               4  a model provider that is not there, or refuses us
    │   ├── SandboxError                4  no sandbox of the wanted level on this machine
    │   └── PluginError                 4  a plug-in that is unknown or does not load
    └── IncompleteError                 5  the work ended with something not drawn or not judged

Warnings are types too: AnyofkWarning (UserWarning) > DuplicateWarning, IdenticalDrawsWarning,
UnequalDrawsWarning, FewProblemsWarning, ...

A candidate's failure is a verdict, never one of these.
A message says what is wrong, with the value and whose it is: lower case, no full stop.
``hint`` says what to do. Facts are attributes, so that no one parses messages.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final

_SHOWN: Final = 120


class AnyofkError(Exception):
    """The root: catch this to catch all of ours."""

    exit_code: ClassVar[int] = 1

    def __init__(self, message: str, *, hint: str = "", **facts: Any) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.facts = facts

    def __getattr__(self, name: str) -> Any:
        """Read a fact as an attribute: ``error.line``, ``error.problem``, ``error.k``."""
        facts = self.__dict__.get("facts", {})
        if name in facts:
            return facts[name]
        raise AttributeError(name)


class UsageError(AnyofkError, ValueError):
    """An argument that cannot mean anything."""

    exit_code = 2


class TooFewDrawsError(UsageError):
    """k is larger than some problem's n, where no unbiased estimator exists."""


class UnlikeRunsError(UsageError):
    """Two runs that must not be pooled or compared; ``differences`` names why."""


class DataError(AnyofkError, ValueError):
    """A file, record or field that is not as it must be; facts: ``file``, ``line``, ``field``."""

    exit_code = 3


class CandidateFileError(DataError):
    """A fault in a file of candidates."""


class ProblemError(DataError):
    """A fault in a problem set, or of a problem itself (no checks, a reference that fails)."""


class StoreError(DataError):
    """A fault in a stored run."""


class UnavailableError(AnyofkError, OSError):
    """Something outside us that does not work here."""

    exit_code = 4


class SandboxError(UnavailableError):
    """No sandbox of the wanted level works on this machine; nothing was run or counted."""


class ProviderError(UnavailableError):
    """A model provider that is not there, or refuses us; what was drawn is kept."""


class PluginError(UnavailableError):
    """A plug-in that is unknown or does not load."""


class IncompleteError(AnyofkError):
    """The work ended with something not drawn or not judged."""

    exit_code = 5


def shown(value: object) -> str:
    """Show a value of any kind and size in a message: never fails, never floods.

    Examples
    --------
    >>> shown([1, "x"])
    "[1, 'x']"
    >>> shown(10**5000)[:20], len(shown("a" * 5000))
    ('a whole number of 16', 120)
    """
    if isinstance(value, int) and abs(value).bit_length() > _SHOWN:
        return f"a whole number of {value.bit_length()} bits"
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # a number with too many digits somewhere inside
        text = f"a value of type {type(value).__name__}"
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 21]}…{text[-20:]}"


class AnyofkWarning(UserWarning):
    """The root of our warnings."""


class DuplicateWarning(AnyofkWarning):
    """Something stood twice and was counted once."""


class IdenticalDrawsWarning(AnyofkWarning):
    """Candidates repeat far more than independent draws would."""


class UnequalDrawsWarning(AnyofkWarning):
    """Problems have different n."""


class FewProblemsWarning(AnyofkWarning):
    """Few problems carry the mean, so that an interval cannot be narrow."""


class FewDifferencesWarning(FewProblemsWarning):
    """Few problems differ between two runs, so that a t interval covers too little."""


class UnlikeRunsWarning(AnyofkWarning):
    """Two runs were compared in spite of differences other than the model."""
