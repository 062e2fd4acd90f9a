"""Replies without a fence: prose around code, special tokens, prompts that come back."""

PROBE = "assert f(1) == 2"
BODY = "def f(x):\n    return x + 1\n"

CASES = [
    {"name": "code alone", "reply": BODY, "probe": PROBE},
    {"name": "prose before", "reply": f"Here you are:\n\n{BODY}", "probe": PROBE},
    {
        "name": "prose after that parses word by word",
        "reply": f"{BODY}\nExplanation\n\nTime: O(n)\n",
        "probe": PROBE,
        "lacks": ["Explanation", "Time"],
    },
    {
        "name": "headings",
        "reply": f"# Solution\n\n{BODY}\n## Complexity\n\nIt's O(1).\n",
        "probe": PROBE,
    },
    {
        "name": "imports and constants before it",
        "reply": (
            "We do it so:\n\nimport math\nONE = 1\n\n@staticmethod\ndef g():\n    pass\n\n"
            f"{BODY}That's all."
        ),
        "probe": PROBE + "\nassert math.pi > ONE",
    },
    {
        "name": "two functions with prose between",
        "reply": (
            "First:\n\ndef one():\n    return 1\n\nand with its help:\n\n"
            "def f(x):\n    return x + one()\n\nDone!"
        ),
        "probe": PROBE,
    },
    {
        "name": "an unfenced draft and its correction",
        "reply": f"def f(x):\n    return x\n\nNo, one more is needed:\n\n{BODY}",
        "probe": PROBE,
    },
    {
        "name": "indented as Markdown code",
        "reply": "The answer:\n\n    def f(x):\n        return x + 1\n\nBye.\n",
        "probe": PROBE,
    },
    {
        "name": "prose that begins like an import",
        "reply": f"import the module and then call it\nfrom there it's easy\n\n{BODY}",
        "probe": PROBE,
    },
    {
        "name": "quoted lines",
        "reply": "> def f(x):\n>     return x + 1\n",
        "probe": PROBE,
    },
    {
        "name": "an unfenced transcript",
        "reply": "Try:\n\n>>> def f(x):\n...     return x + 1\n...\n>>> f(1)\n2\n",
        "probe": PROBE,
    },
    {
        "name": "the reasoning is not closed by what it quotes at its end",
        "reply": f'<think>\nThey said "done"</think>\n```python\n{BODY}```',
        "probe": PROBE,
    },
    {
        "name": "a fenced demonstration after unfenced code",
        "reply": f"{BODY}\nUse it like this:\n\n```python\nprint(f(1))\n```\n",
        "probe": PROBE,
        "lacks": ["print"],
    },
    {
        "name": "a code span",
        "reply": "Just use `f = lambda x: x + 1`, no more is needed.",
        "probe": PROBE,
    },
    {
        "name": "a broken function alone",
        "reply": "def f(x)\n    return x + 1\n",
        "status": "syntax_error",
    },
    {
        "name": "a broken function in prose",
        "reply": "Here:\n\ndef f(x):\n    return (x + 1\n\nDone.\n",
        "status": "syntax_error",
    },
    {
        "name": "renamed without a fence",
        "reply": "def g(x):\n    return x + 1\n",
        "status": "missing_entry_point",
        "found": ["g"],
    },
    {
        "name": "nested in another function, without a fence",
        "reply": "def outer():\n    def f(x):\n        return x + 1\n    return f\n",
        "status": "missing_entry_point",
        "found": ["outer"],
    },
    {"name": "nothing", "reply": "", "status": "no_code"},
    {"name": "blanks", "reply": " \n\t\n", "status": "no_code"},
    {"name": "nothing, cut", "reply": "", "finish": "length", "status": "truncated"},
    {"name": "prose, cut", "reply": "To solve this we", "finish": "length", "status": "truncated"},
    {"name": "a number", "reply": "42", "status": "no_code"},
    {
        "name": "prose that names the function",
        "reply": "You should write f = some function of x. I'd rather not.",
        "status": "no_code",
    },
    {
        "name": "cut in the middle",
        "reply": "def f(x):\n    return (x +",
        "finish": "length",
        "status": "truncated",
    },
    {
        "name": "cut in the prose after it",
        "reply": f"{BODY}\nThis is what you",
        "finish": "length",
        "probe": PROBE,
    },
    {"name": "an end token", "reply": f"{BODY}</s>", "probe": PROBE, "lacks": ["</s>"]},
    {
        "name": "an end token after the last statement",
        "reply": "def f(x):\n    return x + 1<|endoftext|>",
        "probe": PROBE,
    },
    {
        "name": "another answer after the end token, on its line",
        "reply": f"{BODY}<|endoftext|>def f(x):\n    return x - 1\n",
        "probe": PROBE,
        "lacks": ["x - 1"],
    },
    {
        "name": "full-width bars",
        "reply": f"{BODY}<\uff5cend\u2581of\u2581sentence\uff5c>",
        "probe": PROBE,
    },
    {
        "name": "the model goes on with a turn of the user",
        "reply": (
            f"```python\n{BODY}```<|im_end|>\n<|im_start|>user\nNow subtract.<|im_end|>\n"
            "<|im_start|>assistant\n```python\ndef f(x):\n    return x - 1\n```<|im_end|>"
        ),
        "probe": PROBE,
        "lacks": ["x - 1"],
    },
    {
        "name": "a turn header first",
        "reply": f"<|start_header_id|>assistant<|end_header_id|>\n\n{BODY}<|eot_id|>",
        "probe": PROBE,
    },
    {
        "name": "a start of turn first",
        "reply": f"<start_of_turn>model\n```python\n{BODY}```<end_of_turn>",
        "probe": PROBE,
    },
    {
        "name": "instruction marks",
        "reply": f"<s> [INST] write f [/INST]\n```python\n{BODY}```</s>",
        "probe": PROBE,
    },
    {
        "name": "tokens that the program means",
        "reply": (
            "```python\ndef f(text):\n"
            '    for token in ("</s>", "<|im_end|>", "<|endoftext|>"):\n'
            '        text = text.replace(token, "")\n    return text\n```<|im_end|>'
        ),
        "probe": "assert f('a<|im_end|></s>') == 'a'",
    },
    {
        "name": "tokens in a docstring",
        "reply": (
            '```python\ndef f(x):\n    """Add one, like\n    </s>\n    does not."""\n'
            "    return x + 1\n```\n"
        ),
        "probe": PROBE,
    },
    {
        "name": "a plain class for a function, with another name",
        "reply": "```python\nclass Adder:\n    def f(self, x):\n        return x + 1\n```",
        "probe": PROBE,
        "adapter": "Adder().f",
    },
    {
        "name": "a static method of Solution",
        "reply": (
            "```python\nclass Solution:\n    @staticmethod\n"
            "    def f(x):\n        return x + 1\n```"
        ),
        "probe": PROBE,
        "adapter": "Solution().f",
    },
    {
        "name": "Solution beside a class of data",
        "reply": (
            "```python\nclass Node:\n    def __init__(self, v):\n        self.v = v\n\n"
            "class Solution:\n    def f(self, x):\n        return Node(x).v + 1\n```"
        ),
        "probe": PROBE,
        "adapter": "Solution().f",
    },
    {
        "name": "two classes have the method",
        "reply": (
            "```python\nclass A:\n    def f(self, x):\n        return 1\n\n"
            "class B:\n    def f(self, x):\n        return 2\n```"
        ),
        "status": "missing_entry_point",
        "found": ["A", "B"],
    },
    {
        "name": "a class that cannot be made without arguments",
        "reply": (
            "```python\nclass A:\n    def __init__(self, n):\n        self.n = n\n"
            "    def f(self, x):\n        return x + self.n\n```"
        ),
        "status": "missing_entry_point",
        "found": ["A"],
    },
    {
        "name": "Solution and the function that calls it",
        "reply": (
            "```python\nclass Solution:\n    def f(self, x):\n        return x + 1\n\n"
            "def f(x):\n    return Solution().f(x)\n```"
        ),
        "probe": PROBE,
    },
]
