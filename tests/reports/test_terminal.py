import io
from collections import Counter

import pytest
from rich.console import Console

from anyofk import Candidate, Counts, Outcome, Problem, Verdict
from anyofk.estimates import estimate_or_refuse
from anyofk.records import Manifest
from anyofk.reports import printable, printable_lines
from anyofk.reports.cautions import cautions
from anyofk.reports.summary import Question, Summary, summarise, usual_k
from anyofk.reports.terminal import outcomes_table, plain_table, summary_view
from anyofk.store import Run, RunWriter

COUNTS = [Counts(f"p{i}", 20, i) for i in range(21)]


def shown(view, width=100, **options):
    file = io.StringIO()
    Console(file=file, width=width, highlight=False, **options).print(view)
    return file.getvalue()


def summary(**changes):
    facts = {
        "run": "tiny",
        "path": "runs/tiny.db",
        "problem_set": "set",
        "level": "jail",
        "modes": {"isolated": 420},
        "counts": COUNTS,
        "outcomes": {"p0": Counter({Outcome.PASSED: 3, Outcome.TIMEOUT: 1})},
        "estimates": estimate_or_refuse(COUNTS, [1, 10, 50]),
    }
    return Summary(**{**facts, **changes})


def view(width=100, **changes):
    return shown(summary_view(summary(**changes), width), width)


def test_every_estimate_stands_with_its_interval_method_target_and_n():
    text = view()
    (row,) = (line for line in text.splitlines() if line.startswith("pass@10 "))
    cells = row.split()
    assert len(cells) == 8
    value, low, high = map(float, cells[1:4])
    assert low < value < high
    assert cells[-1] == "kg"
    assert "21 problems, n = 20; target: population" in text
    assert "pass@50 needs at least 50 draws" in text


def test_the_head_names_run_set_level_and_mode():
    head = " ".join(view(width=200).split())
    assert "tiny · set: 21 problems · 420 candidates judged · level jail" in head
    assert "mode isolated (420)" in head
    assert "inprocess, forgeable (3)" in view(modes={"inprocess": 3})
    assert "not stored" in view(run=None)


def test_synthetic_candidates_are_called_so_in_the_table_itself():
    assert "synthetic candidates" in view(synthetic=True)
    assert "synthetic" not in view()


def test_outcomes_stand_in_the_order_of_the_closed_list_with_their_shares():
    text = shown(outcomes_table(Counter({Outcome.TIMEOUT: 1, Outcome.PASSED: 3})))
    passed, timeout = (text.index(word) for word in ("passed", "timeout"))
    assert passed < timeout
    assert "75.0%" in text


def test_a_narrow_terminal_loses_columns_and_no_interval():
    text = view(width=44)
    assert "n eff" not in text
    assert all(len(line) <= 44 for line in text.splitlines())
    assert sum(line.startswith("pass@10 ") for line in text.splitlines()) == 1


def test_colour_is_for_terminals_that_want_it(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    coloured = shown(summary_view(summary(), 100), force_terminal=True)
    assert "\x1b[" in coloured
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[32m" not in shown(summary_view(summary(), 100), force_terminal=True)


def test_ids_are_neither_read_as_markup_nor_printed_raw():
    text = shown(plain_table(("[bold]h", "n"), [["[red]\x1b[31mx\u202e", 3]]))
    assert "[red]\\x1b[31mx\\u202e" in text


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("plain é", "plain é"),
        ("\x1b]0;t\x07", "\\x1b]0;t\\x07"),
        ("\ud800\u202e\n", "\\ud800\\u202e\\n"),
    ],
)
def test_text_is_made_printable(text, safe):
    assert printable(text) == safe


def test_long_text_is_cut_and_lines_are_kept_where_wanted():
    assert printable("x" * 10, most=5) == "xxxx…"
    assert printable_lines("a\nb\x1b") == "a\nb\\x1b"


def test_usual_k_stop_at_the_smallest_n():
    assert usual_k([Counts("a", 100, 3), Counts("b", 7, 0)]) == (1, 5)
    assert usual_k([Counts("a", 0, 0)]) == (1,)


# What one should be wary of


def stored_run(tmp_path, verdicts, *, settings=None, text="x"):
    keys = dict.fromkeys((v.problem, v.draw) for v in verdicts)
    problems = [Problem(name) for name in dict.fromkeys(problem for problem, _ in keys)]
    drawn = [Candidate(problem, draw, f"{text} {draw}") for problem, draw in keys]
    facts = {"settings": settings or {}, "deterministic": False}
    path = tmp_path / "wary.db"
    with RunWriter(path) as writer:
        manifest, judging = Manifest({"candidates": facts}), Manifest({"problems": {"name": "s"}})
        writer.begin(manifest, judging, problems, drawn)
        for verdict in verdicts:
            writer.record(verdict)
    return Run(path)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"forgeable": True, "mode": "inprocess"}, "2 verdicts on 1 problems are forgeable"),
        ({"level": "limits"}, "isolation level 'limits'"),
        ({"adapter": "Solution"}, "2 candidates were judged through an adapter"),
        (
            {"time_limit": 1.0, "cpu_s": 0.9},
            "2 candidates passed above 80% of the time limit (p)",
        ),
        ({"outcome": Outcome.BROKEN, "message": "disk\x1bfull"}, "p (2: disk\\x1bfull)"),
    ],
)
def test_what_moves_the_trust_in_a_number_is_said(tmp_path, changes, says):
    facts = {"outcome": Outcome.PASSED, "level": "jail", **changes}
    with stored_run(tmp_path, [Verdict("p", draw, **facts) for draw in range(2)]) as run:
        (sentence,) = cautions(run)
    assert says in sentence


def test_nothing_is_said_of_a_run_in_order(tmp_path):
    fine = [Verdict("p", draw, Outcome.PASSED, time_limit=1.0, level="jail") for draw in range(2)]
    with stored_run(tmp_path, fine) as run:
        assert cautions(run) == []


def test_candidates_that_look_like_chat_are_told_from_wrong_programs(tmp_path):
    wrong = [Verdict("p", draw, Outcome.SYNTAX_ERROR, level="jail") for draw in range(3)]
    with stored_run(tmp_path, wrong, text="Sure, here is `f`:") as run:
        assert "3 of 3 candidates fail and look like chat replies" in cautions(run)[0]
    (tmp_path / "other").mkdir()
    with stored_run(tmp_path / "other", wrong, text="def f(:") as run:
        assert cautions(run) == []


def test_a_summary_answers_in_plain_data(tmp_path):
    verdicts = [Verdict(f"p{i}", d, Outcome.PASSED, level="jail") for i in range(4) for d in (0, 1)]
    with stored_run(tmp_path, verdicts, settings={"source": "synthetic"}) as run:
        written = summarise(run, Question(k=(2,))).to_json()
    assert written["synthetic"] is True
    assert written["problems"]["p0"] == {"n": 2, "c": 2, "broken": 0, "outcomes": {"passed": 2}}
    assert list(written["estimates"]) == ["1", "2"]
    assert written["estimates"]["2"]["value"] == 1.0


def test_no_line_of_words_breaks_inside_what_it_says():
    modes = {"isolated": 264, "stdio": 24}
    for width in (60, 80, 100):
        lines = [line.rstrip() for line in view(width, modes=modes).splitlines()]
        assert any(line.endswith("mode isolated (264), stdio (24)") for line in lines)
        assert any("target: population (problems as a sample of more)" in line for line in lines)
        assert all(len(line) <= width for line in lines)
