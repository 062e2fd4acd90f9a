"""The group of verbs, and the one place where errors become words and exit codes."""

from __future__ import annotations

import errno
import sys
import traceback
import warnings
from importlib import import_module
from typing import Any, Final

import click

from anyofk import __version__
from anyofk.errors import AnyofkError, UnavailableError

INTERRUPTED: Final = 130
_OUTPUT_FAULTS: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)

# verb: its first line of help, kept here so that --help loads no verb; a test compares them
VERBS: Final = {
    "run": "Draw candidates from a model, judge them, and estimate pass@k.",
    "verify": "Judge a file of candidates, count, and estimate pass@k.",
    "extract": "Show what is taken out of raw replies, and why.",
    "estimate": "Estimate pass@k from counts or results that exist already.",
    "curve": "Show pass@k for every k, with a band that holds for the whole curve.",
    "compare": "Compare two runs or more on the same problems.",
    "plan": "Say how many problems and draws a wanted precision takes.",
    "diagnose": "Look for broken assumptions, and say what they do to pass@k.",
    "lint": "Say what is wrong with reported numbers.",
    "export": "Write a run in another form.",
    "runs": "List, show or delete stored runs.",
    "problems": "List, fetch or show problem sets.",
    "models": "List or fetch small models that run on this machine.",
    "doctor": "Show which isolation level holds on this machine, and what was probed.",
    "demo": "Judge recorded candidates of the shipped problems, live in the sandbox.",
}


class VerbGroup(click.Group):
    """A group that imports a verb only when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name the verbs in the order of the work."""
        del ctx
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load a verb."""
        del ctx
        if cmd_name not in VERBS:
            return None
        command: click.Command = import_module(f"anyofk.cli.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Name the verb that was meant when there is none of that name."""
        if args and args[0] not in VERBS:
            raise _no_verb(args[0], ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the verbs without loading them."""
        del ctx
        with formatter.section("Verbs"):
            formatter.write_dl(list(VERBS.items()))


def _no_verb(given: str, ctx: click.Context) -> click.UsageError:
    from difflib import get_close_matches  # noqa: PLC0415 - needed for a slip of the hand alone

    close = get_close_matches(given, VERBS, n=1)
    meant = f" (did you mean {close[0]!r}?)" if close else ""
    return click.UsageError(f"no verb called {given!r}{meant}", ctx)


@click.group(cls=VerbGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="anyofk", message="%(prog)s %(version)s")
def group() -> None:
    """What is the chance that any of k attempts is right?

    Judge model-written programs in a sandbox that they cannot fool, count, and estimate
    pass@k with its uncertainty. Data goes to standard output, words to standard error.
    """


def run_command(arguments: list[str]) -> int:
    """Run one command and turn whatever it raises into words and an exit code."""
    warnings.simplefilter("ignore", UserWarning)  # ours are printed by the verbs, as words
    debug = "--debug" in arguments
    try:
        return _exit_code(group.main(arguments, prog_name="anyofk", standalone_mode=False))
    except (KeyboardInterrupt, click.Abort):
        _say("interrupted")
        return INTERRUPTED
    except click.exceptions.NoArgsIsHelpError as error:  # a group alone: its help is the answer
        _say(error.format_message())
        return error.exit_code
    except click.ClickException as error:
        _say_usage(error)
        return error.exit_code
    except AnyofkError as error:
        _trace(debug=debug)
        _say_error(str(error), error.hint)
        return error.exit_code
    except BrokenPipeError:
        raise
    except Exception as error:  # noqa: BLE001 - the edge: whatever it is, it becomes words
        _trace(debug=debug)
        return _say_unforeseen(error)


def _exit_code(returned: Any) -> int:
    return returned if isinstance(returned, int) else 0


def _trace(*, debug: bool) -> None:
    if debug:
        traceback.print_exc()


def _say(text: str) -> None:
    print(text, file=sys.stderr)  # noqa: T201 - the edge speaks here


def _say_error(message: str, hint: str) -> None:
    from anyofk.reports.printable import printable  # noqa: PLC0415 - paid for by errors alone

    _say(f"error: {printable(message)}")
    if hint:
        _say(f"hint: {printable(hint)}")


def _say_usage(error: click.ClickException) -> None:
    context = getattr(error, "ctx", None)
    message = error.format_message().rstrip(".")
    _say_error(message[:1].lower() + message[1:], f"{_path(context)} --help")


def _path(context: click.Context | None) -> str:
    return context.command_path if context else "anyofk"


def _say_unforeseen(error: Exception) -> int:
    """Tell a file that the system refuses from a fault of our own."""
    if isinstance(error, OSError) and error.filename is not None:
        _say_error(
            f"{str(error.filename)!r}: {(error.strerror or 'no access').lower()}",
            "look at the path, its permissions and the free space",
        )
        return UnavailableError.exit_code
    if isinstance(error, OSError) and error.errno in _OUTPUT_FAULTS:
        _say_error(
            f"output cannot be written: {(error.strerror or 'no space').lower()}",
            "free some space, or send standard output elsewhere",
        )
        sys.stdout = None  # what it still holds can't be written at exit either
        return UnavailableError.exit_code
    _say_error(
        f"anyofk itself failed: {type(error).__name__}: {error}",
        "this is our fault: please report it with what the same command prints with --debug",
    )
    return AnyofkError.exit_code
