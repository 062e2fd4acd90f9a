"""Write a run in another form."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

import click

from anyofk.cli.options import debug_option, json_option, runs_option


@click.command("export")
@click.argument("run")
@click.option(
    "--format",
    "form",
    default="verdicts",
    show_default=True,
    metavar="FORM",
    help="verdicts, counts, human-eval or eval-arena.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    default=None,
    help="File to write. Default: standard output.",
)
@runs_option
@json_option
@debug_option
def command(*, run: str, form: str, output: Path | None, folder: str | None, as_json: bool) -> None:
    """Write a run in another form.

    The forms are our own verdicts and counts, and what other tools read. RUN is a name, a
    unique prefix or a path. With --json it tells on standard output what was written, and
    needs --output.
    """
    from anyofk.cli.output import print_json, say  # noqa: PLC0415 - loaded on use
    from anyofk.errors import UsageError  # noqa: PLC0415 - loaded on use
    from anyofk.exchange import export  # noqa: PLC0415 - loaded on use
    from anyofk.store import open_run, runs_folder  # noqa: PLC0415 - loaded on use

    if as_json and output is None:
        raise UsageError("--json needs --output here", hint="the data itself goes to --output")
    with open_run(run, runs_folder(folder)) as opened:
        lines = export(opened, form)
        if output is None:
            _write(lines, sys.stdout.buffer)
            return
        number = _write_file(lines, output)
    if as_json:
        print_json({"run": run, "format": form, "output": str(output), "lines": number})
    else:
        say(f"{number} lines in {str(output)!r}")


def _write_file(lines: Iterable[str], output: Path) -> int:
    """Write a whole file or none: what was there stays until all is written."""
    from anyofk.errors import AnyofkError, UnavailableError  # noqa: PLC0415 - loaded on use

    target = output.resolve()  # a link goes on pointing to what is written
    try:
        if target.exists() and not target.is_file():
            return _write_through(lines, target)
        return _write_whole(lines, target)
    except AnyofkError:  # the run's, not the file's
        raise
    except OSError as error:
        raise UnavailableError(
            f"{str(output)!r} cannot be written: {error.strerror}",
            hint="choose another --output, or free some space",
        ) from error


def _write_through(lines: Iterable[str], target: Path) -> int:
    """Write to a pipe or a device, which must stay what it is."""
    with target.open("wb") as stream:
        return _write(lines, stream)


def _write_whole(lines: Iterable[str], target: Path) -> int:
    partial = target.with_name(target.name + ".partial")
    try:
        with partial.open("wb") as file:
            number = _write(lines, file)
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)
    return number


def _write(lines: Iterable[str], file: BinaryIO) -> int:
    written = 0
    for line in lines:
        file.write(line.encode(errors="surrogatepass"))
        written += 1
    file.flush()
    return written
