"""Hosts: small programs that embed the engine, each a model to copy: servers over JSON lines, pygame overlays."""
