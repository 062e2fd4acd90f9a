"""Replies read as a continuation, as a whole program, as a method, or for code in the prompt."""

PROMPT = 'def f(x):\n    """Add one."""\n'
HELPED = (
    'import math\n\n\ndef one(x):\n    return math.floor(x)\n\n\ndef f(x):\n    """Add one."""\n'
)
SITE = "class Solution:\n    def f(self, xs: List[int]) -> int:\n        "
PROBE = "assert f(1) == 2"
SITE_PROBE = "assert Solution().f([1, 2]) == 3"
STDIN = "n = int(input())\nprint(n + 1)\n"


def completion(name, reply, **more):
    return {
        "name": name,
        "mode": "completion",
        "prompt": PROMPT,
        "reply": reply,
        **({"probe": PROBE} if "status" not in more else {}),
        **more,
    }


def program(name, reply, **more):
    ok = "status" not in more
    run = {"stdin": "4\n", "stdout": "5"} if ok else {}
    return {"name": name, "mode": "stdin", "entry": None, "reply": reply, **run, **more}


def method(name, reply, **more):
    ok = "status" not in more
    run = {"probe": SITE_PROBE} if ok else {}
    return {"name": name, "mode": "method", "reply": reply, **run, **more}


CASES = [
    completion("a body", "    return x + 1\n"),
    completion("the first line lost its indent", "y = x\n    return y + 1\n"),
    completion("the first line has an indent too many", "        y = x\n    return y + 1\n"),
    completion("one line without indent", "return x + 1"),
    completion("the prompt ends in an indent", "return x + 1\n", prompt=PROMPT + "    "),
    completion("the prompt ends without a line feed", "\n    return x + 1", prompt=PROMPT.rstrip()),
    completion("the prompt ends in a statement", " + 1\n", prompt=PROMPT + "    return x"),
    completion("the prompt has no docstring", "    return x + 1\n", prompt="def f(x):\n"),
    completion("the prompt comes back", PROMPT + "    return x + 1\n"),
    completion(
        "only the definition comes back", "def f(x):\n    return x + 1\n", lacks=["Add one"]
    ),
    completion("the prompt comes back in a fence", f"```python\n{PROMPT}    return x + 1\n```"),
    completion(
        "a body without any indent is not mended",
        "y = x\nfor n in range(1):\n    y += 1\nreturn y\n",
        status="syntax_error",
    ),
    completion(
        "statements beside the function",
        "y = 1\nfor n in range(y):\n    y += 1\n",
        status="missing_entry_point",
    ),
    completion("a body in a fence", "Sure:\n```python\n    return x + 1\n```\n"),
    completion("a body in a fence without indent", "```python\nreturn x + 1\n```\n"),
    completion("the fence was opened by the prompt", "    return x + 1\n```\nThis adds one.\n"),
    completion(
        "the model goes on with other functions",
        "    return x + 1\n\n\ndef g(x):\n    return 1 / 0\n\nassert f(1) == 7\n",
        lacks=["assert", "def g"],
    ),
    completion(
        "the model writes the function again",
        "    return x + 1\n\n\ndef f(x):\n    return x - 1\n",
        lacks=["x - 1"],
    ),
    completion(
        "a helper and its constant follow",
        "    return x + one()\n\n\ndef one():\n    return ONE\n\n\nONE = 1\n",
    ),
    completion("an import follows", "    return floor(x) + 1\n\nfrom math import floor\n"),
    completion("prose follows", "    return x + 1\n\nThis adds one, doesn't it?\n"),
    completion("a nested function", "    def g(y):\n        return y + 1\n\n    return g(x)\n"),
    completion("a helper of the prompt", "    return one(x) + 1\n", prompt=HELPED),
    completion("cut in the body", "    y = x\n    if y", finish="length", status="truncated"),
    completion(
        "cut in the body, which parses", "    y = x + 1", finish="length", status="truncated"
    ),
    completion("broken in the body", "    return (x + 1\n", status="syntax_error"),
    completion(
        "an indent of its own in the rest", "    y = x\n  return y\n", status="syntax_error"
    ),
    completion("a continuation that refuses", "I'm sorry, I can't do that.", status="no_code"),
    completion("an empty continuation", "", status="no_code"),
    completion("a special token at the end", "    return x + 1<|endoftext|>\n\nimport os\n"),
    completion(
        "another file follows", "    return x + 1\n<file_sep>other.py\ndef f(x):\n    pass\n"
    ),
    completion(
        "a prompt in prose", "```python\ndef f(x):\n    return x + 1\n```", prompt="Write f."
    ),
    completion(
        "renamed", "```python\ndef g(x):\n    return x + 1\n```", status="missing_entry_point"
    ),
    {
        "name": "a body in function mode, in a fence",
        "prompt": PROMPT,
        "reply": "```python\n    return x + 1\n```",
        "probe": PROBE,
    },
    {
        "name": "imports and helpers of the prompt, only what is needed",
        "prompt": "import os\n" + HELPED,
        "reply": "```python\ndef f(x):\n    return one(x) + 1\n```",
        "probe": PROBE,
        "lacks": ["import os"],
    },
    {
        "name": "a star import of the prompt",
        "prompt": 'from math import *\n\n\ndef f(x):\n    """Add."""\n',
        "reply": "```python\ndef f(x):\n    return floor(x) + 1\n```",
        "probe": PROBE,
    },
    {
        "name": "a helper in a block of the prompt",
        "prompt": "Use this:\n```python\ndef one():\n    return 1\n```\nand write f(x).",
        "reply": "```python\ndef f(x):\n    return x + one()\n```",
        "probe": PROBE,
    },
    {
        "name": "an import below the prose of the prompt",
        "prompt": "Complete this, please.\n\nfrom math import floor\n\n" + PROMPT,
        "reply": "```python\ndef f(x):\n    return floor(x) + 1\n```",
        "probe": PROBE,
    },
    {
        "name": "the reply's own helper wins over the prompt's",
        "prompt": 'def one():\n    return 7\n\n\ndef f(x):\n    """Add."""\n',
        "reply": "```python\ndef one():\n    return 1\n\ndef f(x):\n    return x + one()\n```",
        "probe": PROBE,
        "lacks": ["7"],
    },
    {
        "name": "no entry point is asked for",
        "entry": None,
        "reply": "```python\ndef g():\n    return 1\n```\n```python\ndef h():\n    return 2\n```",
        "probe": "assert h() == 2",
    },
    program("a program", f"```python\n{STDIN}```\nInput:\n```\n4\n```\nOutput:\n```\n5\n```\n"),
    program("a program without a fence", STDIN),
    program(
        "a program in prose", f"The program:\n\n{STDIN}\nIt reads a number.\n", lacks=["reads"]
    ),
    program(
        "a program with a main guard",
        "```python\nimport sys\n\ndef main():\n    print(int(sys.stdin.read()) + 1)\n\n"
        "if __name__ == '__main__':\n    main()\n```\n",
    ),
    program(
        "a demonstration after the program",
        f"```python\n{STDIN}```\nOr by hand:\n```python\nprint(4 + 1)\n```\n",
    ),
    program(
        "the later of two programs",
        f"```python\nprint(input())\n```\nWrong, one more:\n```python\n{STDIN}```\n",
    ),
    program(
        "a helper in a block of its own",
        "```python\ndef one():\n    return 1\n```\n```python\nprint(int(input()) + one())\n```\n",
    ),
    program("input through open(0)", "```python\nprint(int(open(0).read()) + 1)\n```"),
    program(
        "a program cut", "```python\nn = int(input())\nprint(n", finish="length", status="truncated"
    ),
    program(
        "cut, which parses", "```python\nn = int(input())\n", finish="length", status="truncated"
    ),
    program("cut after the program", f"```python\n{STDIN}```\nIt works by", finish="length"),
    program(
        "a broken program", "```python\nn = int(input()\nprint(n + 1)\n```", status="syntax_error"
    ),
    program("C++", "```cpp\nint main() { return 0; }\n```", status="no_code"),
    program("a refusal for a program", "I can't help with that.", status="no_code"),
    method(
        "a class", "```python\nclass Solution:\n    def f(self, xs):\n        return sum(xs)\n```"
    ),
    method(
        "a class that relies on the site's imports",
        "```python\nclass Solution:\n    def f(self, xs: List[int]) -> int:\n"
        "        heapify(xs)\n        return math.floor(sum(xs))\n```",
    ),
    method(
        "a dotted entry point",
        "```python\nclass Solution:\n    def f(self, xs):\n        return sum(xs)\n```",
        entry="Solution.f",
    ),
    method(
        "a called entry point",
        "```python\nclass Solution:\n    def f(self, xs):\n        return sum(xs)\n```",
        entry="Solution().f",
    ),
    method(
        "a class of data beside it",
        "```python\nclass Box:\n    pass\n```\n"
        "```python\nclass Solution:\n    def f(self, xs):\n        b = Box()\n"
        "        b.v = sum(xs)\n        return b.v\n```",
    ),
    method(
        "a plain function",
        "```python\ndef f(xs):\n    return sum(xs)\n```",
        adapter="staticmethod(f)",
    ),
    method(
        "a function with self", "```python\ndef f(self, xs):\n    return sum(xs)\n```", adapter="f"
    ),
    method("a body for the prompt", "```python\nreturn sum(xs)\n```", prompt=SITE),
    method(
        "another method",
        "```python\nclass Solution:\n    def g(self, xs):\n        return 1\n```",
        status="missing_entry_point",
    ),
    method(
        "another class",
        "```python\nclass Solver:\n    def f(self, xs):\n        return 1\n```",
        status="missing_entry_point",
    ),
    method(
        "the usage after the class",
        "```python\nclass Solution:\n    def f(self, xs):\n        return sum(xs)\n```\n"
        "```python\nprint(Solution().f([1]))\n```",
        lacks=["print"],
    ),
]
