"""What the page on drawing says is what drawing does."""

import re
from pathlib import Path

import pytest
from asked import drawn, questions, replies, server_provider
from click.testing import CliRunner
from servers import Page, answer, choice, serving

from anyofk import plugins
from anyofk.cli.run import command

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "drawing.md").read_text("utf-8")


def test_every_option_on_the_page_is_one_of_the_command():
    known = {name for option in command.params for name in option.opts}
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", PAGE))
    assert named - known == set()


def test_every_provider_is_on_the_page_and_in_the_help():
    helped = CliRunner().invoke(command, ["--help"]).output
    for name in plugins.names("providers"):
        assert f"`{name}:" in PAGE
        assert f"{name}:" in helped


@pytest.mark.parametrize("status", [408, 409, 425, 429, 500, 502, 503, 504, 529])
def test_the_listed_statuses_are_tried_again(status):
    script = lambda _, number: Page({}, status) if number == 0 else answer(choice())  # noqa: E731
    with serving(script) as server:
        events, _ = drawn(server_provider(server), questions(1))
    assert (len(server.asked), len(replies(events))) == (2, 1)
