"""What drawing costs the client, measured in processes of their own."""

import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
pytestmark = pytest.mark.deep

SERVES = """
import sys
sys.path.append(sys.argv[1])
from servers import Page, answer, choice, serving
with serving(lambda *_: Page(answer(choice("x" * 200)), pause=0.2)) as server:
    print(server.url, flush=True)
    sys.stdin.read()
"""
ASKS = """
import sys, time
sys.path.append(sys.argv[1])
from asked import drawn, questions, replies, server_provider
class Server:
    url = sys.argv[2]
provider = server_provider(Server, concurrency=1000, timeout=60.0)
began, number = time.process_time(), 4000
events, reason = drawn(provider, questions(number), concurrency=1000, timeout=60.0)
assert (len(replies(events)), reason) == (number, "")
print(1000 * (time.process_time() - began) / number)
"""
DRAWS = """
import resource, sys
from pathlib import Path
sys.path.append(sys.argv[1])
from drawn_runs import LEAST, DrawnRun, Judge, Model, plan, problem, problem_set
class Forgetful(Model):
    async def ask(self, question):
        self.asked.clear()
        return await super().ask(question)
class ForgetfulJudge(Judge):
    def __call__(self, pairs):
        for verdict in super().__call__(pairs):
            self.judged.clear()
            yield verdict
problems = problem_set([problem(f"p{i}") for i in range(500)])
text = lambda p, d: f"```python\\ndef f(x):\\n    return '{p}' * {d}\\n```\\n" + "Some words. " * 20
with DrawnRun(Path(sys.argv[2]), problems, plan(200, concurrency=64), LEAST,
              provider=Forgetful(text), judge=ForgetfulJudge()) as work:
    assert sum(1 for _ in work) == 100_000
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def printed(source, *arguments):
    command = [sys.executable, "-c", source, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return float(done.stdout)


def test_a_thousand_at_a_time_cost_the_client_little():
    command = [sys.executable, "-c", SERVES, str(HERE)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as server:
        try:
            milliseconds = printed(ASKS, HERE, server.stdout.readline().strip())
        finally:
            server.stdin.close()
    assert milliseconds < 3


def test_a_hundred_thousand_candidates_fit_into_little_memory(tmp_path):
    assert printed(DRAWS, HERE.parent / "pipeline", tmp_path / "run.db") < 300
