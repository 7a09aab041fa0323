"""The commands: one file each, offering ``COMMANDS``."""
