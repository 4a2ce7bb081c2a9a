"""The `webgym` command: one file per subcommand. Nothing heavy is imported before the command line is parsed."""
