"""The pygame program, and the layer it is made of for host programs: ``ReachLayer``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tactical.viewer.picture.camera import Camera
    from tactical.viewer.picture.layer import ReachLayer

__all__ = ["Camera", "ReachLayer"]


def __getattr__(name: str) -> Any:
    # pygame is imported only when somebody asks for what needs it
    if name == "ReachLayer":
        from tactical.viewer.picture.layer import ReachLayer

        return ReachLayer
    if name == "Camera":
        from tactical.viewer.picture.camera import Camera

        return Camera
    raise AttributeError(name)
