"""Reading the answers of OpenAI-compatible servers: pure, and trusting nothing."""

from __future__ import annotations

import json
from typing import Any, Final

from anyofk.drawing.provider import Came, Choice, Trouble, Usage

_CUT: Final = frozenset({"max_tokens", "max_output_tokens", "model_length", "token_limit"})
_FAULTS: Final = frozenset({"error", "abort", "aborted", "cancelled", "server_error", "load"})
_SLACK: Final = 64
_LONGEST_TOKEN: Final = 8.0
"""Characters a token, on average: no tokenizer comes near it on code."""


def read_answer(data: Any, asked: int, token_limit: int | None = None) -> Came:
    r"""Read what a server answered.

    Parameters
    ----------
    data
        The JSON of the answer.
    asked
        How many replies were asked for.
    token_limit
        The most tokens of a reply, to tell usage that cannot be true.

    Returns
    -------
    Came
        The replies that came whole; those with a fault of the server's are left out.

    Raises
    ------
    Trouble
        None came whole.

    Examples
    --------
    >>> choice = {"message": {"content": "def f(): ...\n"}, "finish_reason": "stop"}
    >>> len(read_answer({"choices": [choice]}, asked=5).choices)
    1
    """
    if not isinstance(data, dict):
        raise Trouble(f"the answer is {type(data).__name__}, not an object")
    listed = data.get("choices")
    choices = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    usage = _usage(data.get("usage"), asked, token_limit)
    if data.get("error") and not choices:
        raise Trouble(f"the server answered with an error: {error_text(data)}", usage=usage)
    spoke = bool(usage.completion)
    read = [found for one in _in_order(choices) if (found := _choice(one, spoke=spoke))][:asked]
    if not read:
        raise Trouble(
            f"no whole reply among {len(choices)} in the server's answer: {_faults(choices)}",
            usage=usage,
        )
    return Came(
        tuple(read), _for_all(usage, read), _text(data, "model"), _text(data, "system_fingerprint")
    )


def error_text(data: Any, limit: int = 300) -> str:
    """Give what a server says went wrong, in one short line."""
    error = data.get("error", data) if isinstance(data, dict) else data
    said = error.get("message", error) if isinstance(error, dict) else error
    text = said if isinstance(said, str) else json.dumps(said)
    return " ".join(text.split())[:limit]


def _in_order(choices: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Sort by index where each has one of its own: servers seed them in that order."""
    indices = [choice.get("index") for choice in choices]
    if len(set(map(str, indices))) == len(indices) and all(type(i) is int for i in indices):
        return sorted(choices, key=lambda choice: int(choice["index"]))
    return choices


def _choice(data: dict[str, Any], *, spoke: bool) -> Choice | None:
    """Read one reply, or none where the server did not finish it."""
    reason = data.get("finish_reason")
    if not isinstance(reason, str) or not reason or reason.lower() in _FAULTS:
        return None
    message = data.get("message")
    said = message if isinstance(message, dict) else {"content": data.get("text")}
    text, reasoning = _content(said), _reasoning(said)
    reason = "length" if reason.lower() in _CUT else reason
    # a server that lost the reply and a model that said nothing look alike, but for tokens
    if not text and not (reasoning or spoke or reason in {"length", "content_filter"}):
        return None
    return Choice(text, reason, reasoning)


def _content(message: dict[str, Any]) -> str:
    content = message.get("content")
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        content = "".join(part for part in parts if isinstance(part, str))
    if isinstance(content, str) and content:
        return content
    if calls := message.get("tool_calls"):
        return json.dumps(calls)
    refusal = message.get("refusal")
    return refusal if isinstance(refusal, str) else ""


def _reasoning(message: dict[str, Any]) -> str:
    found = (message.get(name) for name in ("reasoning_content", "reasoning", "thinking"))
    return next((text for text in found if isinstance(text, str) and text), "")


def _usage(data: Any, asked: int, token_limit: int | None) -> Usage:
    """Read the token counts, leaving out what cannot be true."""
    if not isinstance(data, dict):
        return Usage()
    prompt, completion = (_count(data.get(f"{name}_tokens")) for name in ("prompt", "completion"))
    most = None if token_limit is None else asked * (token_limit + _SLACK)
    if completion is not None and most is not None and completion > most:
        completion = None
    return Usage(prompt, completion)


def _count(value: Any) -> int | None:
    return value if type(value) is int and 0 <= value < 1 << 40 else None


def _for_all(usage: Usage, choices: list[Choice]) -> Usage:
    """Count all replies: some servers count one of them alone.

    That is seen where all the text would take tokens longer than any tokenizer's, and one
    reply's would not.
    """
    sizes = [len(choice.text) + len(choice.reasoning) for choice in choices]
    tokens = usage.completion
    if not tokens or len(sizes) == 1:
        return usage
    if sum(sizes) <= _LONGEST_TOKEN * tokens or max(sizes) > _LONGEST_TOKEN * tokens:
        return usage
    return Usage(usage.prompt, tokens * len(sizes))


def _faults(choices: list[dict[str, Any]]) -> str:
    reasons = sorted({str(choice.get("finish_reason"))[:40] for choice in choices})
    return f"finish_reason {', '.join(reasons)}" if reasons else "no choices"


def _text(data: dict[str, Any], name: str) -> str:
    value = data.get(name)
    return value[:200] if isinstance(value, str) else ""
