"""A map whose own picture is broken, vast or not there opens in the window all the same, drawn as ground."""

from __future__ import annotations

import warnings

import pytest

pygame = pytest.importorskip("pygame")

from tactical.show.scene.shapes import PictureWarning  # noqa: E402
from tactical.viewer.app import App  # noqa: E402
from tactical.viewer.files.library import Library, read  # noqa: E402
from tests.cli.test_hostile_files import BROKEN, damaged  # noqa: E402

HEAD = "schema: 1\nrules: plain\nrows: |\n  .....\n  .....\nmovers: [{id: a, at: A1}]\n"


@pytest.mark.parametrize("name", [*BROKEN, "damaged", "gone"])
def test_the_window_draws_without_it(tmp_path, name):
    if name != "gone":
        (tmp_path / "yard.png").write_bytes(damaged() if name == "damaged" else BROKEN[name][0])
    shown = []
    for text in (HEAD, HEAD + "picture: {file: yard.png, pixels: 10}\n"):
        (tmp_path / "yard.yaml").write_text(text, encoding="utf-8")
        found = read(tmp_path / "yard.yaml")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", PictureWarning)
            app = App(found, "a", text=1.0, library=Library(tmp_path))
            pygame.event.clear()
            pygame.event.post(pygame.event.Event(pygame.QUIT))
            app.draw()
            surface = app.screen.surface
            # below it the window writes things of its own
            upper = surface.subsurface((0, 0, surface.get_width(), surface.get_height() * 3 // 4))
            shown.append(pygame.image.tobytes(upper, "RGB"))
            app.run()
        pygame.display.quit()
    assert shown[0] == shown[1]
