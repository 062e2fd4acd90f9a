"""What is shown: summaries of runs, and tables for a terminal.

``anyofk.reports.summary`` and ``anyofk.reports.terminal`` are loaded by those who need them;
the names here cost nothing, so that an error message may use them.
"""

from anyofk.reports.printable import printable, printable_lines

__all__ = ["printable", "printable_lines"]
