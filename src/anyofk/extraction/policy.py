"""The rules that turn a reply into a program: pure, text in, record out."""

from __future__ import annotations

from anyofk.errors import UsageError
from anyofk.extraction.record import REPLY_MODES, Extraction, ReplyMode
from anyofk.extraction.reply import Reply
from anyofk.extraction.target import Target

EXTRACTION_VERSION = "1"
"""Named in every manifest; it changes with every rule that could change a program."""

_CUT = frozenset({"length", "max_tokens", "max_output_tokens", "model_length", "token_limit"})


def extract(
    reply: str,
    *,
    mode: ReplyMode,
    entry_point: str | None = None,
    prompt: str = "",
    finish_reason: str = "stop",
) -> Extraction:
    r"""Take the program out of a model's reply, or say why there is none.

    The reasoning is left out; of several blocks the last that defines the entry point is the
    answer; other blocks and parts of the prompt are joined where it needs them. Nothing is
    mended but the indent of the first line, and no function is renamed.

    Parameters
    ----------
    reply
        The model's text, raw.
    mode
        How the reply is to be read: ``function`` (tests call a function), ``completion`` (it
        continues the prompt), ``stdin`` (a whole program), ``method`` (``class Solution``).
    entry_point
        What the tests call: ``name``, ``Class.name`` or ``Class().name``. Unused for ``stdin``.
    prompt
        What the model was shown; its imports and helpers are used where it is code.
    finish_reason
        Why the model stopped. ``length`` and its kin mean that the text was cut: then only a
        whole answer counts, and never an earlier draft.

    Returns
    -------
    Extraction
        Its ``status``, ``code``, ``adapter`` and ``notes``. No reply raises an error.

    Raises
    ------
    UsageError
        For a mode that does not exist, or arguments that are not text.

    Examples
    --------
    >>> reply = "Sure:\n```python\ndef half(n):\n    return n // 2\n```\nDone."
    >>> found = extract(reply, mode="function", entry_point="half")
    >>> found.status, found.code
    ('ok', 'def half(n):\n    return n // 2\n')
    >>> extract("I can't.", mode="function", entry_point="half").status
    'no_code'
    """
    _check(reply, mode, entry_point, prompt, finish_reason)
    target = Target.of(mode, entry_point)
    cut = finish_reason.strip().lower() in _CUT
    return Reply(_plain(reply), target, mode, _plain(prompt), cut).extraction()


def _check(*arguments: str | None) -> None:
    names = ("reply", "mode", "entry_point", "prompt", "finish_reason")
    for name, value in zip(names, arguments, strict=True):
        if not isinstance(value, str) and not (name == "entry_point" and value is None):
            raise UsageError(f"{name} is {type(value).__name__}, not text", argument=name)
    if arguments[1] not in REPLY_MODES:
        modes = ", ".join(REPLY_MODES)
        raise UsageError(f"unknown mode {arguments[1]!r}", hint=f"use one of {modes}")


def _plain(text: str) -> str:
    """One kind of line end, no byte order mark."""
    return text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")
