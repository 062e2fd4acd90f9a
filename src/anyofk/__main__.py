"""``python -m anyofk`` is the command ``anyofk``."""

import sys

from anyofk.cli import main

if __name__ == "__main__":
    sys.exit(main())
