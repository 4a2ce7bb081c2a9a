"""`python -m webgym`."""

from webgym.cli.main import main

main()
