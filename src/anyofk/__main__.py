"""``python -m anyofk`` is the command ``anyofk``."""

from anyofk.cli import main

if __name__ == "__main__":
    main()
