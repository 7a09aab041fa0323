"""Where the files that ship beside the code are: sample maps, themes, schemas.

In a checkout they stand in ``maps/`` and ``assets/`` beside the package; in an installed wheel inside it, under
``_data``.  Nothing here reads a file.
"""

from __future__ import annotations

from pathlib import Path

from tactical.errors import UnknownName


def root() -> Path:
    """The folder that holds ``maps`` and ``assets``.  Raises `FileNotFoundError` for a broken installation."""
    package = Path(__file__).parent
    for folder in (package / "_data", package.parent):
        if (folder / "assets").is_dir():
            return folder
    raise FileNotFoundError(f"no assets in {package / '_data'} or {package.parent}; install tactical again")


def path(name: str = "") -> Path:
    """The path of a file in ``assets`` (``theme.toml``), or of the folder.  Raises `UnknownName` if it is not there."""
    folder = root() / "assets"
    found = folder / name
    if not found.exists():
        raise UnknownName("asset", name, (known.name for known in folder.iterdir()))
    return found


def maps(name: str = "") -> Path:
    """The path of a sample map (``village`` or ``small/ford.yaml``), or of the folder.  Raises `UnknownName`."""
    folder = root() / "maps"
    if not name:
        return folder
    for found in (folder / name, folder / f"{name}.yaml"):
        if found.is_file():
            return found
    known = (str(one.relative_to(folder).with_suffix("").as_posix()) for one in folder.rglob("*.yaml"))
    raise UnknownName("sample map", name, known)
