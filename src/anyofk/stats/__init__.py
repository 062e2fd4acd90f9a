"""Pure statistics of pass@k: numbers in, numbers out.

No input or output, no clock, no hidden randomness; numpy and scipy only.

One problem
    `pass_at_k`, `fail_at_k`, `pass_hat_k`
"""

from anyofk.stats.passk import fail_at_k, pass_at_k, pass_hat_k

__all__ = [
    "fail_at_k",
    "pass_at_k",
    "pass_hat_k",
]
