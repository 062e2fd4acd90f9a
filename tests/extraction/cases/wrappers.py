"""Code inside something else: JSON, notebooks, tool calls, tags, diffs, transcripts, encodings."""

import json

PROBE = "assert f(1) == 2"
BODY = "def f(x):\n    return x + 1\n"


def cell(kind, *lines):
    return {"cell_type": kind, "metadata": {}, "source": list(lines)}


NOTEBOOK = {
    "cells": [
        cell("markdown", "# def f(x): of old"),
        cell("code", "%matplotlib inline\n", "!pip install numpy\n", "ONE = 1\n"),
        cell("code", "def f(x):\n", "    return x + ONE\n"),
        cell("code", "f(1)\n"),
    ],
    "nbformat": 4,
}

CASES = [
    {"name": "JSON without a fence", "reply": json.dumps({"code": BODY}), "probe": PROBE},
    {
        "name": "JSON after prose",
        "reply": "Here is the object:\n" + json.dumps({"thoughts": "easy", "solution": BODY}),
        "probe": PROBE,
    },
    {
        "name": "JSON with raw line feeds in its string",
        "reply": '{"code": "def f(x):\n    return x + 1\n"}',
        "probe": PROBE,
    },
    {
        "name": "JSON whose string holds a fenced block",
        "reply": json.dumps({"answer": f"Sure:\n```python\n{BODY}```\nDone."}),
        "probe": PROBE,
        "lacks": ["Sure"],
    },
    {
        "name": "JSON in JSON",
        "reply": json.dumps({"name": "run", "arguments": json.dumps({"code": BODY})}),
        "probe": PROBE,
    },
    {
        "name": "a JSON string alone",
        "reply": json.dumps(BODY),
        "probe": PROBE,
    },
    {
        "name": "JSON with the code as a list of lines",
        "reply": json.dumps({"code": ["def f(x):", "    return x + 1"]}),
        "probe": PROBE,
    },
    {
        "name": "JSON with tests beside the code",
        "reply": json.dumps({"code": BODY, "tests": "def f(x):\n    return 0\n"}),
        "probe": PROBE,
        "lacks": ["return 0"],
    },
    {
        "name": "cut JSON",
        "reply": '{"code": "def f(x):\\n    return',
        "finish": "length",
        "status": "truncated",
    },
    {"name": "JSON without code", "reply": '{"error": "refused"}', "status": "no_code"},
    {"name": "a notebook", "reply": json.dumps(NOTEBOOK), "probe": PROBE, "lacks": ["pip", "%"]},
    {
        "name": "a notebook in a fence",
        "reply": f"The notebook:\n```json\n{json.dumps(NOTEBOOK, indent=1)}\n```\n",
        "probe": PROBE,
        "lacks": ["pip"],
    },
    {
        "name": "a tool call in tags",
        "reply": "<tool_call>\n"
        + json.dumps({"name": "python", "arguments": {"code": BODY}})
        + "\n</tool_call>",
        "probe": PROBE,
    },
    {
        "name": "a tool call in brackets",
        "reply": "[TOOL_CALLS]" + json.dumps([{"name": "py", "arguments": {"code": BODY}}]),
        "probe": PROBE,
    },
    {
        "name": "a tool call as XML",
        "reply": f'<invoke name="run">\n<parameter name="code">{BODY}</parameter>\n</invoke>',
        "probe": PROBE,
    },
    {
        "name": "a tool call as XML with an equals sign",
        "reply": f"<function=run>\n<parameter=code>\n{BODY}</parameter>\n</function>",
        "probe": PROBE,
    },
    {"name": "a Python tag token", "reply": f"<|python_tag|>{BODY}<|eom_id|>", "probe": PROBE},
    {"name": "tool_code", "reply": f"```tool_code\n{BODY}```", "probe": PROBE},
    {"name": "bracket tags", "reply": f"[PYTHON]\n{BODY}[/PYTHON]\n", "probe": PROBE},
    {"name": "a code tag", "reply": f"<code>\n{BODY}</code>", "probe": PROBE},
    {
        "name": "an answer tag on the same line",
        "reply": "<answer>def f(x):\n    return x + 1</answer>",
        "probe": PROBE,
    },
    {
        "name": "an answer tag around a fence",
        "reply": f"<answer>\n```python\n{BODY}```\n</answer>",
        "probe": PROBE,
        "lacks": ["answer"],
    },
    {
        "name": "HTML with entities",
        "reply": (
            '<pre><code class="language-python">def f(x):\n'
            "    return x + 1 if x &gt; 0 and x &lt; 9 else 0\n</code></pre>"
        ),
        "probe": PROBE,
        "lacks": ["&gt;"],
    },
    {
        "name": "entities in a fence",
        "reply": "```python\ndef f(x):\n    return x + 1 if x &gt; 0 else 0\n```",
        "probe": PROBE,
    },
    {
        "name": "entities that the program means",
        "reply": '```python\ndef f(text):\n    return text.replace("&lt;", "<")\n```',
        "probe": "assert f('&lt;a') == '<a'",
        "has": ["&lt;"],
    },
    {
        "name": "LaTeX listing",
        "reply": f"\\begin{{lstlisting}}[language=Python]\n{BODY}\\end{{lstlisting}}",
        "probe": PROBE,
    },
    {
        "name": "a diff of a new file",
        "reply": (
            "```diff\n--- /dev/null\n+++ b/a.py\n"
            "@@ -0,0 +1,2 @@\n+def f(x):\n+    return x + 1\n```"
        ),
        "probe": PROBE,
    },
    {
        "name": "a diff with context",
        "reply": "```diff\n@@ -1,2 +1,2 @@\n def f(x):\n-    return x - 1\n+    return x + 1\n```",
        "probe": PROBE,
        "lacks": ["x - 1"],
    },
    {
        "name": "a search and replace edit",
        "reply": (
            "```python\n<<<<<<< SEARCH\ndef f(x):\n    pass\n=======\n"
            "def f(x):\n    return x + 1\n>>>>>>> REPLACE\n```"
        ),
        "probe": PROBE,
        "lacks": ["pass"],
    },
    {
        "name": "a transcript of the interpreter",
        "reply": "```python\n>>> def f(x):\n...     return x + 1\n...\n>>> f(1)\n2\n```",
        "probe": PROBE,
    },
    {
        "name": "a transcript after the answer",
        "reply": f"```python\n{BODY}```\n```pycon\n>>> f(1)\n2\n```",
        "probe": PROBE,
        "lacks": [">>>"],
    },
    {
        "name": "a transcript of a notebook's shell",
        "reply": (
            "```\nIn [1]: def f(x):\n   ...:     return x + 1\n   ...:\n\n"
            "In [2]: f(1)\nOut[2]: 2\n```"
        ),
        "probe": PROBE,
    },
    {
        "name": "doctests in the docstring stay",
        "reply": (
            '```python\ndef f(x):\n    """Add.\n\n    >>> f(1)\n    2\n    """\n'
            "    return x + 1\n```"
        ),
        "probe": PROBE,
        "has": [">>> f(1)"],
    },
    {
        "name": "line numbers with bars",
        "reply": "```\n1 | def f(x):\n2 |     return x + 1\n```",
        "probe": PROBE,
    },
    {
        "name": "line numbers with colons",
        "reply": "```python\n1: def f(x):\n2:     y = x\n3:     return y + 1\n```",
        "probe": PROBE,
    },
    {
        "name": "hard blanks",
        "reply": "```python\ndef\u00a0f(x):\n\u00a0\u00a0\u00a0\u00a0return x + 1\n```",
        "probe": PROBE,
    },
    {
        "name": "zero-width characters",
        "reply": "```python\n\u200bdef f(x):\n    return\u200b x + 1\n```",
        "probe": PROBE,
    },
    {
        "name": "a hard blank that the program means",
        "reply": '```python\ndef f(text):\n    return text.replace("\u00a0", " ")\n```',
        "probe": "assert f('a\\u00a0b') == 'a b'",
        "has": ["\u00a0"],
    },
    {
        "name": "typographic quotes are not mended",
        "reply": "```python\ndef f(x):\n    return \u201cx\u201d\n```",
        "status": "syntax_error",
    },
    {
        "name": "a full-width comma is not mended",
        "reply": "```python\ndef f(x\uff0c y):\n    return x\n```",
        "status": "syntax_error",
    },
    {
        "name": "escaped line ends",
        "reply": "```python\ndef f(x):\\n    return x + 1\\n\n```",
        "probe": PROBE,
    },
    {
        "name": "a byte order mark and CR line ends",
        "reply": "\ufeffdef f(x):\r    return x + 1\r",
        "probe": PROBE,
        "lacks": ["\r", "\ufeff"],
    },
    {
        "name": "tabs",
        "reply": "```python\r\ndef f(x):\r\n\treturn x + 1\r\n```\r\n",
        "probe": PROBE,
        "has": ["\t"],
    },
    {
        "name": "a null byte in the code",
        "reply": "```python\ndef f(x):\n    return x + 1\0\n```",
        "status": "syntax_error",
    },
    {
        "name": "a null byte in the prose",
        "reply": f"Sure\0!\n```python\n{BODY}```",
        "probe": PROBE,
    },
    {
        "name": "a lone surrogate in the code",
        "reply": "```python\ndef f(x):\n    return '\ud800'\n```",
        "status": "syntax_error",
    },
    {
        "name": "a lone surrogate in the prose",
        "reply": f"Sure \udc80\n```python\n{BODY}```",
        "probe": PROBE,
    },
    {
        "name": "a number of 5,000 digits",
        "reply": f"```python\ndef f(x):\n    return {'9' * 5000}\n```",
        "status": "syntax_error",
    },
    {
        "name": "more code than is parsed",
        "reply": "```python\ndef f(x):\n    return x\n" + "y = 1\n" * 60_000 + "```",
        "status": "syntax_error",
    },
    {
        "name": "brackets too deep to parse",
        "reply": "```python\ndef f(x):\n    return " + "(" * 500 + "x" + ")" * 500 + "\n```",
        "status": "syntax_error",
    },
    {
        "name": "an invalid escape is only a warning",
        "reply": '```python\nimport re\n\ndef f(s):\n    return re.findall("\\d+", s)\n```',
        "probe": "assert f('a12') == ['12']",
    },
]
