"""The names of the rules by which results are compared; judging carries them out."""

from __future__ import annotations

from typing import Final

CALLS: Final = (
    "equal",  # by ==
    "sequence",  # as equal, where a tuple is as good as a list at the top
    "floats",  # as equal, where floats anywhere inside may differ by the tolerance
    "set",  # order and repetition do not matter
    "one_of",  # as sequence, to the oracle's result or to one of the values in ``expected``
    "not_none",  # whether the oracle's result is none; a result that is no bool counts likewise
    "evalplus",  # by ==, or numbers within the tolerance as evalplus compares them
    "evalplus:find_zero",  # a root of the polynomial whose coefficients were given
)
TOLERANT: Final = ("floats", "evalplus", "evalplus:find_zero")
STREAMS: Final = (
    "tokens",  # the same words, whatever the white space
    "floats",  # the same words; numbers written as floats within the tolerance
    "exact",  # the same text, but for white space at the ends of lines and of the text
)
