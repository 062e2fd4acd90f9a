"""What real replies look like, and what must come out: the shared cases and our own."""

import ast
import gzip
import json
import warnings

from anyofk.extraction import REPLY_MODES, STATUSES, extract


def test_there_are_more_than_a_hundred_cases_and_no_name_stands_twice(all_own_cases):
    names = [name for name, _ in all_own_cases]
    assert len(names) >= 200
    assert len(set(names)) == len(names)


def test_a_case_gives_its_status_and_text(own_case, read):
    found = read(own_case)
    assert found.status == own_case.get("status", "ok"), found.why
    assert found.adapter == own_case.get("adapter")
    assert list(found.found) == own_case.get("found", list(found.found))
    for piece in own_case.get("has", ()):
        assert piece in found.code
    for piece in own_case.get("lacks", ()):
        assert piece not in found.code
    assert found.notes or found.status == "no_code"


def test_an_accepted_program_parses_and_ends_in_one_line_feed(own_case, read):
    found = read(own_case)
    if found.ok:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(found.code, "candidate.py", "exec")
        assert found.code.endswith("\n")
        assert not found.code.endswith("\n\n")
    assert (found.code is None) == (found.status in {"no_code", "truncated"})


def test_every_accepted_program_does_what_its_probe_asks(probe_verdicts):
    assert len(probe_verdicts) > 150
    assert {name: v for name, v in probe_verdicts.items() if v != "pass"} == {}


def test_every_accepted_case_has_a_probe(own_case):
    if own_case.get("status", "ok") == "ok":
        assert "probe" in own_case or "stdin" in own_case


def test_every_status_and_mode_has_cases(all_own_cases):
    cases = [case for _, case in all_own_cases]
    assert {case.get("status", "ok") for case in cases} == set(STATUSES)
    assert {case.get("mode", "function") for case in cases} == set(REPLY_MODES)


def shared_cases(shared):
    text = (shared / "cases" / "cases_shared.jsonl").read_text(encoding="utf-8")
    cases = [json.loads(line) for line in text.split("\n") if line]
    return [case for case in cases if case["kind"] == "extract"]


def of_shared(case):
    given = case["input"]
    return extract(given["reply"], finish_reason=given["finish_reason"], **given["task"])


def test_the_shared_cases_give_their_status_and_text(shared):
    cases = shared_cases(shared)
    assert len(cases) == 23
    for case in cases:
        found, right = of_shared(case), case["right"]
        assert found.status == right["status"], case["id"]
        assert found.adapter == right.get("adapter"), case["id"]
        assert list(found.found) == right.get("found", []), case["id"]
        assert all(piece in (found.code or "") for piece in right["must_contain"]), case["id"]
        assert not any(p in (found.code or "") for p in right["must_not_contain"]), case["id"]


def test_the_shared_cases_pass_and_fail_their_probes(shared, probe):
    cases = shared_cases(shared)
    jobs = [
        {
            "program": of_shared(case).code or "raise SystemExit('no program')",
            "probe": case["right"]["probe"] or "",
            "stdin": None,
        }
        for case in cases
    ]
    verdicts = ["pass" if v == "pass" else "fail" for v in probe(jobs)]
    right = [case["right"]["probe_verdict"] for case in cases]
    assert verdicts == right


def human_eval(shared):
    text = gzip.decompress((shared / "data" / "humaneval" / "HumanEval.jsonl.gz").read_bytes())
    return [json.loads(line) for line in text.decode().split("\n") if line]


def test_every_reference_of_a_known_set_comes_out_of_each_frame(shared):
    for row in human_eval(shared):
        given = {"entry_point": row["entry_point"], "prompt": row["prompt"]}
        body = row["canonical_solution"]
        whole = row["prompt"] + body
        found = [
            extract(body, mode="completion", **given),
            extract(body.lstrip(), mode="completion", **given),
            extract(f"{body}\n\ndef g():\n    f(", mode="completion", **given),
            extract(f"Sure:\n```python\n{whole}```\n", mode="function", **given),
            extract(f"So it is:\n\n{whole}\n\nThat's it.", mode="function", **given),
        ]
        assert {item.status for item in found} == {"ok"}, row["task_id"]
        trees = {ast.dump(ast.parse(item.code)) for item in found}
        assert trees == {ast.dump(ast.parse(whole))}, row["task_id"]


def test_half_of_a_reference_is_never_an_answer(shared):
    for row in human_eval(shared):
        given = {"entry_point": row["entry_point"], "prompt": row["prompt"]}
        half = row["canonical_solution"][: len(row["canonical_solution"]) // 2]
        found = [
            extract(half, mode="completion", finish_reason="length", **given),
            extract(
                f"```python\n{row['prompt']}{half}",
                mode="function",
                finish_reason="length",
                **given,
            ),
        ]
        assert {item.status for item in found} == {"truncated"}, row["task_id"]
