"""Texts and records that a hostile candidate might make."""

from hypothesis import strategies as st

from anyofk.records import Candidate, Outcome, Verdict

TEXTS = st.one_of(
    st.text(st.characters(exclude_categories=()), max_size=40),
    st.sampled_from(["\ud800", "a\x00b", "9" * 5000, "\x1b[31m", "", "\udcff\ud83d"]),
)

CANDIDATES = st.builds(
    Candidate,
    problem=st.sampled_from(["p0", "p\x001", "p\ud8002"]),
    draw=st.integers(0, 2**63 - 1),
    text=TEXTS,
    form=st.sampled_from(["completion", "program"]),
    finish_reason=TEXTS,
    settings=st.dictionaries(
        TEXTS, st.one_of(TEXTS, st.integers(), st.just(10**5000), st.floats(allow_nan=False))
    ),
)

VERDICTS = st.builds(
    Verdict,
    problem=st.just("p"),
    draw=st.integers(0, 5),
    outcome=st.sampled_from(Outcome),
    message=TEXTS,
    checks_passed=st.integers(0, 10**6),
    checks_expected=st.none() | st.integers(0, 10**6),
    cpu_s=st.floats(0, 1e6),
    wall_s=st.floats(0, 1e6),
    peak_mb=st.floats(0, 1e6),
    time_limit=st.floats(0, 1e6),
    memory_mb=st.integers(0, 10**6),
    mode=st.sampled_from(["isolated", "stdio", "inprocess"]),
    level=st.sampled_from(["vm", "jail", "fence"]),
    forgeable=st.booleans(),
    adapter=TEXTS,
    group=TEXTS,
)
