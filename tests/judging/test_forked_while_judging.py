"""A process that is forked while another thread judges can judge too."""

import subprocess
import sys

CODE = """
import os, threading, time, anyofk
F, T = "def f(x): return 2 * x", "assert f(2) == 4"
anyofk.judge(F, T)
slow = threading.Thread(target=lambda: anyofk.judge("def f(x):\\n while 1: pass", T))
slow.start()
time.sleep(0.5)
if os.fork() == 0:
    print(anyofk.judge(F, T).outcome.value, flush=True)
    os._exit(0)
os.wait()
slow.join()
"""


def test_a_fork_beside_a_judging_thread_waits_for_nobody():
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", CODE],
        capture_output=True,
        text=True,
        check=True,
        timeout=50,
    )
    assert done.stdout == "passed\n"
