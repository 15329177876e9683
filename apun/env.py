"""``apun env``: environments of their own for models and voices that pin other libraries."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from apun import cli, environments
from apun.report.tables import Table


def parser() -> argparse.ArgumentParser:
    """The command's arguments."""
    top = cli.parser("env", "Separate environments for models and voices that pin other libraries.")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    create = commands.add_parser("create", help="make an environment from its pinned requirements")
    create.add_argument("name", help="its name, as 'apun env list' shows it")
    create.add_argument("--again", action="store_true", help="make it anew even when it is ready")
    commands.add_parser("list", help="show which there are and where")
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command."""
    args = parser().parse_args(argv)
    if args.command == "create":
        python = environments.create(args.name, again=args.again)
        print(f"{args.name} is ready: {python}")
        return 0
    rows = tuple(
        (found.name, found.state, found.python, str(found.folder))
        for found in (environments.status(name) for name in environments.names())
    )
    print(Table("environments", "Environments", ("name", "state", "python", "folder"), rows).to_text())
    return 0


if __name__ == "__main__":
    raise SystemExit(cli.run(main))
