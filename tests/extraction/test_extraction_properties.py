"""What holds for any text: no exception, the same answer again, linear time."""

import threading
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anyofk.errors import UsageError
from anyofk.extraction import EXTRACTION_VERSION, REPLY_MODES, STATUSES, extract

MODES = st.sampled_from(REPLY_MODES)
PIECES = st.sampled_from(
    [
        "```python\n",
        "```\n",
        "```",
        "~~~\n",
        "````md\n",
        "<think>",
        "</think>\n",
        "[THINK]",
        "<|channel|>analysis<|message|>",
        "<|im_end|>",
        "</s>",
        "<s>",
        "[INST]",
        "<code>",
        "</code>",
        "def f(x):\n",
        "    return x\n",
        "return f",
        "import os\n",
        "class Solution:\n",
        "    def f(self):\n",
        "        pass\n",
        '{"code": "',
        '"}',
        "{",
        "[",
        "(",
        ")",
        "'''",
        '"""',
        "'",
        '"',
        "\\",
        "\n",
        "\r\n",
        "\t",
        " ",
        "    ",
        ">>> ",
        "... ",
        "> ",
        "+",
        "-",
        "@@ ",
        "1 | ",
        "2 | ",
        "&lt;",
        "\u200b",
        "\u00a0",
        "\ufeff",
        "\0",
        "\ud800",
        "\x0c",
        "\u2028",
        "# ",
        "@f\n",
        "f = 1\n",
        "else:\n",
        "if __name__ == '__main__':\n",
        "Sure, ",
        "x: int\n",
        "<<<<<<< SEARCH\n",
        "=======\n",
        ">>>>>>> REPLACE\n",
        "lambda",
        "`f = 1`",
        "input()",
        "\\n",
    ]
)  # fmt: skip - one line a kind says more
SOUP = st.lists(PIECES, max_size=40).map("".join)
TEXTS = st.one_of(st.text(alphabet=st.characters(), max_size=200), SOUP)


@given(TEXTS, MODES, st.sampled_from(["f", None, "Solution.f", "", "?"]), TEXTS)
@settings(max_examples=400, deadline=None)
def test_no_text_raises(reply, mode, entry_point, prompt):
    for reason in ("stop", "length"):
        found = extract(
            reply, mode=mode, entry_point=entry_point, prompt=prompt, finish_reason=reason
        )
        assert found.status in STATUSES
        assert (found.code is None) == (found.status in {"no_code", "truncated"})
        assert found.status != "no_code" or reason == "stop"


@given(SOUP, MODES)
@settings(max_examples=200, deadline=None)
def test_the_same_reply_gives_the_same_record(reply, mode):
    first = extract(reply, mode=mode, entry_point="f")
    assert extract(reply, mode=mode, entry_point="f") == first


NAMES = st.sampled_from(["a", "b", "g", "total"])
ATOMS = st.sampled_from(["x", "1", "'```'", '"</s>"', "[i for i in x]", "{1: 2}", "f'{x}'"])
STATEMENTS = st.one_of(
    st.builds("{} = {}".format, NAMES, ATOMS),
    st.builds("def {}(x):\n    return {}".format, NAMES, ATOMS),
    st.builds("def {}(x):\n    '''Doc.\n\n    ```\n    {}\n    ```\n    '''".format, NAMES, ATOMS),
    st.builds("class {}:\n    y = {}".format, NAMES, ATOMS),
    st.builds("# note {}".format, NAMES),
    st.just(""),
)
PROGRAMS = st.tuples(st.lists(STATEMENTS, max_size=6), ATOMS, st.lists(STATEMENTS, max_size=6)).map(
    lambda p: "\n".join([*p[0], f"def f(x):\n    return {p[1]}", *p[2]]).strip() + "\n"
)


@given(PROGRAMS, st.sampled_from(["```python\n{}```\n", "Sure:\n\n````py\n{}````\nDone.", "{}"]))
@settings(max_examples=200, deadline=None)
def test_a_program_in_any_frame_comes_out_as_it_went_in(program, frame):
    found = extract(frame.format(program), mode="function", entry_point="f")
    assert found.status == "ok", found.why
    assert found.code == program


def test_what_came_out_comes_out_of_a_fence_again(own_case, read):
    found = read(own_case)
    if not found.ok:
        return
    again = {"mode": own_case.get("mode", "function"), "entry_point": own_case.get("entry", "f")}
    if again["mode"] == "completion":
        again["mode"] = "function"
    for frame in ("```python\n{}```\n", "Here:\n```python\n{}```\nDone, I think.\n"):
        second = extract(frame.replace("{}", found.code), **again)
        assert (second.status, second.code) == ("ok", found.code)


SIZE = 1_000_000
HUGE = {
    "prose": "It is so, and don't say it isn't. " * (SIZE // 34),
    "lines of prose": "import the module, it's easy\nfrom here on: def is a word\n" * (SIZE // 56),
    "one line of blanks": " " * SIZE,
    "line feeds": "\n" * SIZE,
    "fences": "```python\n" * (SIZE // 10),
    "closed fences": "```python\nx = (\n```\n" * (SIZE // 20),
    "bare fences": "```\n" * (SIZE // 4),
    "backticks": "`" * SIZE,
    "quote marks": "> " * (SIZE // 2),
    "opening tags": "<think>\n" * (SIZE // 8),
    "opening tags in a line": "a <think> " * (SIZE // 10),
    "closing tags": "a </think>" * (SIZE // 10),
    "half tags": "<think" * (SIZE // 6),
    "pairs of tags": "<think></think>\n" * (SIZE // 16),
    "channels": "<|channel|>analysis<|message|>" * (SIZE // 30),
    "tokens": "<|im_end|>" * (SIZE // 10),
    "quoted tokens": '"<|im_end|>" ' * (SIZE // 13),
    "code tags": "<code>" * (SIZE // 6),
    "braces": "{" * SIZE,
    "brackets": "[" * SIZE,
    "lines of braces": '{"a":\n' * (SIZE // 6),
    "definitions": "def f(x):\n    return x\n\n" * (SIZE // 24),
    "broken definitions": "def f(x:\n    return x\n\n" * (SIZE // 23),
    "definitions in prose": "def f(x):\n    return x\n\nAnd so on.\n\n" * (SIZE // 36),
    "definitions in fences": "```\ndef f(x):\n    return y\n```\nso\n" * (SIZE // 35),
    "helpers in fences": "".join(
        f"```\ndef g{n}(x):\n    return g{n - 1}(x)\n```\n" for n in range(SIZE // 42)
    ),
    "transcript": ">>> f(1)\n2\n" * (SIZE // 11),
    "diff": "+def f(x):\n-    pass\n" * (SIZE // 22),
    "entities": "&lt;" * (SIZE // 4),
    "numbers": "".join(f"{n} | x = 1\n" for n in range(SIZE // 14)),
    "escapes": "\\n" * (SIZE // 2),
    "quotes": "'" * SIZE,
    "triple quotes": '"""\n' * (SIZE // 4),
    "edits": "<<<<<<< SEARCH\n=======\n" * (SIZE // 23),
    "code spans": "`f = 1` " * (SIZE // 8),
    "decorators": "@f\n" * (SIZE // 3),
    "colons": "if a:" * (SIZE // 5),
    "assignments": "x = 1\n" * (SIZE // 6),
}


@pytest.mark.parametrize("name", HUGE)
def test_a_megabyte_takes_seconds_at_most(name):
    start = time.process_time()
    extract(HUGE[name], mode="function", entry_point="f")
    extract(HUGE[name][: SIZE // 10], mode="completion", entry_point="f", prompt="def f(x):\n")
    assert time.process_time() - start < 20


def test_twice_the_text_takes_no_more_than_thrice_the_time():
    def seconds(text):
        start = time.process_time()
        extract(text, mode="function", entry_point="f")
        return time.process_time() - start

    unit = "So:\n\ndef g(x):\n    return x\n\nThat isn't it.\n```python\nx = (\n```\n" * 150
    once = min(seconds(unit) for _ in range(3))
    assert min(seconds(unit * 4) for _ in range(3)) < 12 * once + 0.2


DEEP = {
    "signs": "x = " + "-" * 100_000 + "1",
    "words": "x = " + "not " * 50_000 + "1",
    "sums": "x = " + "1+" * 100_000 + "1",
    "attributes": "x = a" + ".b" * 100_000,
    "lambdas": "x = " + "lambda: " * 30_000 + "1",
    "conditions": "x = " + "1 if a else " * 20_000 + "1",
    "branches": "if a:\n pass\n" + "elif b:\n pass\n" * 15_000,
    "parentheses": "x = " + "(" * 100_000 + ")" * 100_000,
    "blocks": "".join(" " * n + "if a:\n" for n in range(500)),
}


@pytest.mark.parametrize("name", DEEP)
def test_deep_text_overflows_no_stack_of_a_thread(name):
    results = []

    def work():
        reply = f"```python\ndef f():\n    pass\n\n{DEEP[name]}\n```"
        results.append(extract(reply, mode="function", entry_point="f").status)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert results == ["syntax_error"]


def test_threads_do_not_disturb_each_other():
    reply = '```python\ndef f(s):\n    return "\\d" + s\n```'
    results = []
    threads = [
        threading.Thread(
            target=lambda: results.extend(
                extract(reply, mode="function", entry_point="f").status for _ in range(30)
            )
        )
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == ["ok"] * 120


@pytest.mark.parametrize(
    "wrong",
    [
        {"reply": None},
        {"reply": b"x"},
        {"mode": "chat"},
        {"mode": None},
        {"entry_point": 3},
        {"prompt": None},
        {"finish_reason": None},
    ],
    ids=str,
)
def test_an_argument_that_means_nothing_is_refused(wrong):
    with pytest.raises(UsageError):
        extract(**{"reply": "x", "mode": "function", **wrong})


def test_the_record_is_plain_data_and_says_why():
    found = extract("```python\ndef g(): pass\n```", mode="function", entry_point="f")
    data = found.to_json()
    assert data["status"] == "missing_entry_point"
    assert data["found"] == ["g"]
    assert data["notes"] == list(found.notes)
    assert "g" in found.why
    assert not found.ok
    assert EXTRACTION_VERSION
