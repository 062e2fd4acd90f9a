"""Replies that think aloud: the tags of every family, closed, open and lost."""

GOOD = "```python\ndef f(x):\n    return x + 1\n```\n"
DRAFT = "```python\ndef f(x):\n    return x - 1\n```\n"
PROBE = "assert f(1) == 2"


def passage(name, opening, closing):
    return {
        "name": name,
        "reply": f"{opening}\nPerhaps\n{DRAFT}No, that is wrong.\n{closing}\n\n{GOOD}",
        "probe": PROBE,
        "lacks": ["x - 1"],
    }


CASES = [
    passage("think tags", "<think>", "</think>"),
    passage("thinking tags", "<thinking>", "</thinking>"),
    passage("reasoning tags", "<reasoning>", "</reasoning>"),
    passage("thought tags", "<thought>", "</thought>"),
    passage("scratchpad tags", "<scratchpad>", "</scratchpad>"),
    passage("reflection tags", "<reflection>", "</reflection>"),
    passage("capital tags with an attribute", '<Think duration="3">', "</Think>"),
    passage("a seed model's prefix", "<seed:think>", "</seed:think>"),
    passage("an underscored prefix", "<longcat_think>", "</longcat_think>"),
    passage("bracket tags", "[THINK]", "[/THINK]"),
    passage("triangle tags", "◁think▷", "◁/think▷"),
    passage("thought tokens", "<|begin_of_thought|>", "<|end_of_thought|>"),
    passage("thinking tokens", "<|START_THINKING|>", "<|END_THINKING|>"),
    passage("inner tokens", "<|inner_prefix|>", "<|inner_suffix|>"),
    passage("folded details", '<details type="reasoning" done="true">', "</details>"),
    passage("a heading of its own", "Here is my thought process:", "Here is my response:"),
    passage(
        "channels",
        "<|channel|>analysis<|message|>",
        "<|end|><|start|>assistant<|channel|>final<|message|>",
    ),
    passage("channels without markers", "analysisWe need f.", "assistantfinal"),
    passage("the opening tag was in the prompt", "The user wants f.", "</think>"),
    passage("think twice", "<think>", "</think>\n<think>\nSurely.\n</think>"),
    {
        "name": "code that handles channels",
        "reply": (
            '```python\ndef f(x):\n    return x.split("<|channel|>final<|message|>")[-1]\n```\n'
        ),
        "probe": "assert f('a<|channel|>final<|message|>b') == 'b'",
    },
    {
        "name": "a preamble in the commentary channel",
        "reply": (
            "<|channel|>commentary<|message|>Soon.<|end|><|start|>assistant"
            f"<|channel|>final<|message|>{GOOD}<|return|>"
        ),
        "probe": PROBE,
    },
    {
        "name": "an empty passage",
        "reply": f"<think>\n\n</think>\n\n{GOOD}",
        "probe": PROBE,
    },
    {
        "name": "the closing tag follows the last word",
        "reply": f"<think>Easy: add one.</think>{GOOD}",
        "probe": PROBE,
    },
    {
        "name": "prose before the passage",
        "reply": f"Sure!\n<think>\n{DRAFT}</think>\n{GOOD}",
        "probe": PROBE,
        "lacks": ["x - 1"],
    },
    {
        "name": "a fence left open inside the passage",
        "reply": f"<think>\n```python\ndef f(x):\n    return x -\n</think>\n\n{GOOD}",
        "probe": PROBE,
    },
    {
        "name": "a fence left open before a closing tag alone",
        "reply": f"Try\n```python\ndef f(x):\n    return x -\n</think>\n\n{GOOD}",
        "probe": PROBE,
    },
    {
        "name": "the reasoning quotes its own closing tag",
        "reply": "<think>\nThey want me to split at '</think>' maybe.\n"
        + DRAFT
        + "</think>\n"
        + GOOD,
        "probe": PROBE,
        "lacks": ["x - 1"],
    },
    {
        "name": "code that handles think tags",
        "reply": (
            "```python\ndef f(text):\n"
            '    head, _, tail = text.partition("</think>")\n'
            '    return tail if head.startswith("<think>") else text\n```\n'
        ),
        "probe": "assert f('<think>a</think>b') == 'b'",
    },
    {
        "name": "a docstring with tags on lines of their own",
        "reply": (
            '```python\ndef f(text):\n    """Cut\n\n    <think>\n'
            '    like this\n    </think>\n    """\n'
            "    return len(text)\n```\nDone.\n"
        ),
        "probe": "assert f('ab') == 2",
    },
    {
        "name": "prose that names a tag",
        "reply": f"I leave out the `<think>` part.\n\n{GOOD}",
        "probe": PROBE,
    },
    {
        "name": "an answer tag after the passage",
        "reply": "<think>hm</think>\n<answer>\ndef f(x):\n    return x + 1\n</answer>",
        "probe": PROBE,
        "lacks": ["answer"],
    },
    {
        "name": "never closed, cut by the limit",
        "reply": f"<think>\n{DRAFT}and then",
        "finish": "length",
        "status": "truncated",
    },
    {
        "name": "never closed, stopped by itself",
        "reply": f"<think>\n{DRAFT}That is all.",
        "status": "no_code",
    },
    {
        "name": "only the analysis channel, cut",
        "reply": f"<|channel|>analysis<|message|>Let us see.\n{DRAFT}",
        "finish": "length",
        "status": "truncated",
    },
    {
        "name": "only the analysis channel, stopped",
        "reply": f"<|channel|>analysis<|message|>Let us see.\n{DRAFT}",
        "status": "no_code",
    },
    {
        "name": "the passage is all there is",
        "reply": f"<think>\n{DRAFT}</think>\n",
        "status": "no_code",
    },
    {
        "name": "plain details are no reasoning",
        "reply": f"{GOOD}\n<details><summary>Tests</summary>\nnone\n</details>\n",
        "probe": PROBE,
    },
    {
        "name": "cut by the limit after a closed passage",
        "reply": "<think>ok</think>\n```python\ndef f(x):\n    return x",
        "finish": "length",
        "status": "truncated",
    },
]
