"""The one JSON dialect: what saves hold, what goes over a wire, what the command line prints."""
