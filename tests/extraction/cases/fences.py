"""Fenced replies: several blocks, odd fences, other languages, cut and unclosed ones."""

PROBE = "assert f(1) == 2"
BODY = "def f(x):\n    return x + 1\n"

CASES = [
    {"name": "one plain block", "reply": f"```python\n{BODY}```", "probe": PROBE},
    {"name": "no tag", "reply": f"Here:\n```\n{BODY}```\n", "probe": PROBE},
    {"name": "py tag", "reply": f"```py\n{BODY}```", "probe": PROBE},
    {"name": "tag in braces", "reply": f"```{{.python}}\n{BODY}```", "probe": PROBE},
    {"name": "tag with a file name", "reply": f"```python:src/a.py\n{BODY}```", "probe": PROBE},
    {"name": "tag with a title", "reply": f'```python title="a.py"\n{BODY}```', "probe": PROBE},
    {"name": "a file name as tag", "reply": f"```solution.py\n{BODY}```", "probe": PROBE},
    {"name": "tildes", "reply": f"~~~python\n{BODY}~~~\n", "probe": PROBE},
    {
        "name": "tildes around backticks",
        "reply": f'~~~python\nNOTE = """\n```\n"""\n{BODY}~~~\n',
        "probe": PROBE,
    },
    {"name": "four backticks", "reply": f"````python\n{BODY}````\n", "probe": PROBE},
    {
        "name": "a block inside a Markdown block",
        "reply": f"````markdown\n# Answer\n\n```python\n{BODY}```\n````\n",
        "probe": PROBE,
    },
    {
        "name": "a Markdown block with fences of the same length",
        "reply": f"```markdown\n# Answer\n```python\n{BODY}```\nDone\n```\n",
        "probe": PROBE,
    },
    {
        "name": "fence lines in a docstring",
        "reply": (
            '```python\ndef f(x):\n    """Add one.\n\n    ```python\n    f(1)\n    ```\n    """\n'
            "    return x + 1\n```\nThat's it.\n"
        ),
        "probe": PROBE,
        "has": ["return x + 1"],
    },
    {
        "name": "a fence line in column 0 of a string",
        "reply": f'```python\nHEAD = """\n```\nx\n```\n"""\n\n{BODY}```\n',
        "probe": PROBE + "\nassert HEAD.count('`') == 6",
    },
    {
        "name": "code on the line of the fence",
        "reply": "```def f(x):\n    return x + 1\n```",
        "probe": PROBE,
    },
    {
        "name": "a second block opens before the first is closed",
        "reply": f"```python\n{BODY}\n```python\nprint(f(1))\n```\n",
        "probe": PROBE,
        "lacks": ["print"],
    },
    {
        "name": "the prompt had opened the fence",
        "reply": f"{BODY}```\n\nThis adds one. For example:\n\n```python\nf(1)\n```\n",
        "probe": PROBE,
        "lacks": ["This"],
    },
    {
        "name": "an empty block first",
        "reply": f"```\n```\nOops.\n```python\n{BODY}```",
        "probe": PROBE,
    },
    {
        "name": "a quoted block",
        "reply": "> ```python\n> def f(x):\n>     return x + 1\n> ```\n",
        "probe": PROBE,
    },
    {
        "name": "a block in a bullet",
        "reply": "- ```python\n  def f(x):\n      return x + 1\n  ```\n- done\n",
        "probe": PROBE,
    },
    {
        "name": "a block under a bullet, indented by a tab",
        "reply": "* code:\n\t```python\n\tdef f(x):\n\t    return x + 1\n\t```\n",
        "probe": PROBE,
    },
    {
        "name": "the last of three drafts",
        "reply": "\n".join(f"```python\ndef f(x):\n    return x + {n}\n```" for n in (3, 2, 1)),
        "probe": PROBE,
    },
    {
        "name": "a broken last draft is not replaced by an earlier one",
        "reply": f"```python\n{BODY}```\nBetter:\n```python\ndef f(x)\n    return x + 1\n```\n",
        "status": "syntax_error",
        "has": ["def f(x)\n"],
    },
    {
        "name": "a broken demonstration does not matter",
        "reply": f"```python\n{BODY}```\nUse:\n```python\nf(1) -> 2\n```\n",
        "probe": PROBE,
    },
    {
        "name": "expected output in a block of its own",
        "reply": f"```python\n{BODY}```\nOutput:\n```\n2\n```\n",
        "probe": PROBE,
    },
    {
        "name": "tests in the last block",
        "reply": (
            f"```python\n{BODY}```\n```python\nimport unittest\n\nclass TestF(unittest.TestCase):\n"
            "    def test_f(self):\n        self.assertEqual(f(1), 2)\n```\n"
        ),
        "probe": PROBE,
        "lacks": ["unittest"],
    },
    {
        "name": "an import of the answer is no definition",
        "reply": f"```python\n{BODY}```\n```python\nfrom solution import f\nprint(f(1))\n```\n",
        "probe": PROBE,
        "lacks": ["solution"],
    },
    {
        "name": "a wrong tag on Python",
        "reply": f"```javascript\n{BODY}```\n",
        "probe": PROBE,
    },
    {
        "name": "another language that has the name",
        "reply": f"```python\n{BODY}```\n```javascript\nfunction f(x) {{ return x }}\n```\n",
        "probe": PROBE,
        "lacks": ["function"],
    },
    {
        "name": "only another language",
        "reply": "```java\nclass A { int f(int x) { return x + 1; } }\n```",
        "status": "no_code",
    },
    {
        "name": "only a shell command",
        "reply": "Run this:\n```bash\npip install numpy\n```\n",
        "status": "no_code",
    },
    {
        "name": "glued fences twice",
        "reply": f"```python\n{BODY.rstrip()}``` and\n\nthen",
        "probe": PROBE,
        "lacks": ["then"],
    },
    {
        "name": "prose after an unclosed block",
        "reply": f"```python\n{BODY}\nThis function adds one to its argument.\n",
        "probe": PROBE,
        "lacks": ["This"],
    },
    {
        "name": "prose and another block after an unclosed one",
        "reply": f"```python\n{BODY}\nExplanation: it adds one.\n\n```text\n2\n```\n",
        "probe": PROBE,
        "lacks": ["Explanation"],
    },
    {
        "name": "unclosed and broken is broken",
        "reply": f"```python\n{BODY}\nprint(f(1)\n",
        "status": "syntax_error",
    },
    {
        "name": "prose inside a closed block is the model's error",
        "reply": f"```python\n{BODY}\nThis function adds one.\n```\n",
        "status": "syntax_error",
    },
    {
        "name": "a helper in an earlier block, with a draft beside it",
        "reply": (
            "```python\ndef one():\n    return 1\n\ndef f(x):\n    return one\n```\nFixed:\n"
            "```python\ndef f(x):\n    return x + one()\n```\n"
        ),
        "probe": PROBE,
        "lacks": ["return one\n"],
    },
    {
        "name": "a helper in a later block",
        "reply": (
            "```python\ndef f(x):\n    return x + one()\n```\nwith\n"
            "```python\ndef one():\n    return 1\n\nprint(f(5))\n```\n"
        ),
        "probe": PROBE,
        "lacks": ["print"],
    },
    {
        "name": "an import in a block of its own",
        "reply": (
            "```python\nimport math\n```\n```python\ndef f(x):\n    return math.floor(x) + 1\n```"
        ),
        "probe": PROBE,
    },
    {
        "name": "a helper of a helper",
        "reply": (
            "```python\nZERO = 0\n```\n```python\ndef one():\n    return ZERO + 1\n```\n"
            "```python\ndef f(x):\n    return x + one()\n```"
        ),
        "probe": PROBE,
    },
    {
        "name": "the newer of two helpers",
        "reply": (
            "```python\ndef one():\n    return 5\n```\nno:\n"
            "```python\ndef one():\n    return 1\n```\n"
            "```python\ndef f(x):\n    return x + one()\n```"
        ),
        "probe": PROBE,
    },
    {
        "name": "a local variable does not ask for a block",
        "reply": (
            "```python\ntotal = 1 / 0\n```\n"
            "```python\ndef f(x):\n    total = x + 1\n    return total\n```"
        ),
        "probe": PROBE,
        "lacks": ["1 / 0"],
    },
    {
        "name": "a future import stays first",
        "reply": (
            "```python\nONE = 1\n```\n```python\nfrom __future__ import annotations\n\n"
            "def f(x: Never) -> Never:\n    return x + ONE\n```"
        ),
        "probe": PROBE,
    },
    {
        "name": "cut inside the last block, a draft before it",
        "reply": f"```python\n{BODY}```\nBetter:\n```python\ndef f(x):\n    y = x",
        "finish": "length",
        "status": "truncated",
    },
    {
        "name": "cut when the second block had just begun",
        "reply": f"```python\n{BODY}```\nBetter:\n```python\n",
        "finish": "length",
        "status": "truncated",
    },
    {
        "name": "cut in the prose after the answer",
        "reply": f"```python\n{BODY}```\nThis function takes a num",
        "finish": "length",
        "probe": PROBE,
    },
    {
        "name": "cut in a demonstration in the same block",
        "reply": f"```python\n{BODY}\nif __name__ == '__main__':\n    print(f(",
        "finish": "length",
        "probe": PROBE,
        "lacks": ["print"],
    },
    {
        "name": "cut in the function, which parses by chance",
        "reply": "```python\ndef f(x):\n    x = x + 1",
        "finish": "length",
        "status": "truncated",
    },
    {
        "name": "cut after a comment in column 0 inside the function",
        "reply": "```python\ndef f(x):\n    y = x + 1\n# now give it back\n    return (y",
        "finish": "length",
        "status": "truncated",
    },
    {
        "name": "cut before the helper that the answer calls",
        "reply": "```python\ndef f(x):\n    return x + _one()\n\ndef _one(",
        "finish": "length",
        "status": "truncated",
    },
    {
        "name": "cut in a function with examples in its docstring, after its import",
        "reply": (
            '```python\nimport os\n\n\ndef f(x):\n    """Add.\n\n    >>> f(1)\n    2\n    """\n'
            "    for y in x:\n        "
        ),
        "prompt": 'import os\n\n\ndef f(x):\n    """Add."""\n',
        "finish": "length",
        "status": "truncated",
    },
    {
        "name": "broken, with examples in its docstring",
        "reply": (
            '```python\ndef f(x):\n    """Add.\n\n    >>> f(1)\n    2\n    """\n    return (x\n```'
        ),
        "status": "syntax_error",
    },
    {
        "name": "cut by a limit of another server's name",
        "reply": "```python\ndef f(x):\n    return (x",
        "finish": "MAX_TOKENS",
        "status": "truncated",
    },
    {
        "name": "cut in an output block",
        "reply": f"```python\n{BODY}```\nOutput:\n```text\n1\n2",
        "finish": "length",
        "probe": PROBE,
    },
    {
        "name": "a fence alone is no code",
        "reply": "```python\n```",
        "status": "no_code",
    },
    {
        "name": "a lambda defines it",
        "reply": "```python\nf = lambda x: x + 1\n```",
        "probe": PROBE,
    },
    {
        "name": "defined under a condition",
        "reply": (
            "```python\ntry:\n    import nothing_of_this_name\nexcept ImportError:\n"
            "    def f(x):\n        return x + 1\n```"
        ),
        "probe": PROBE,
    },
    {
        "name": "defined only under the main guard",
        "reply": "```python\nif __name__ == '__main__':\n    def f(x):\n        return x + 1\n```",
        "status": "missing_entry_point",
    },
    {
        "name": "taken from the standard library",
        "reply": "```python\nfrom math import gcd\n```",
        "entry": "gcd",
        "probe": "assert gcd(4, 6) == 2",
    },
    {
        "name": "an async function",
        "reply": "```python\nasync def f(x):\n    return x + 1\n```",
        "probe": "import asyncio\nassert asyncio.run(f(1)) == 2",
    },
    {
        "name": "a nested function is no entry point",
        "reply": "```python\ndef outer():\n    def f(x):\n        return x + 1\n    return f\n```",
        "status": "missing_entry_point",
        "found": ["outer"],
    },
    {
        "name": "the name in another case",
        "reply": "```python\ndef F(x):\n    return x + 1\n```",
        "status": "missing_entry_point",
        "found": ["F"],
    },
    {
        "name": "only a call of it",
        "reply": "```python\nprint(f(1))\n```",
        "status": "missing_entry_point",
        "found": [],
    },
    {
        "name": "Python 2",
        "reply": "```python\ndef f(x):\n    print x\n```",
        "status": "syntax_error",
    },
    {
        "name": "mixed tabs and blanks",
        "reply": "```python\ndef f(x):\n\tif x:\n        return 1\n\treturn x + 1\n```",
        "status": "syntax_error",
    },
]
