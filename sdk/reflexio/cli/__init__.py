"""The command line: ``reflexio`` on a terminal, ``python -m reflexio.cli`` anywhere.

Results go to standard output; progress and notices to standard error. Exit codes: 0 done, 1 refused or failed,
2 bad input, 3 no access, 4 no connection.
"""

import sys


def main() -> None:
    """Run the command that the process was started with, and exit."""
    from reflexio.cli.app import run

    sys.exit(run(sys.argv[1:]))
