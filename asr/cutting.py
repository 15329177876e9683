"""Long clips in pieces that an engine hears whole, cut where it is quietest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apun.clips import SAMPLE_RATE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FRAME = SAMPLE_RATE // 50  # 20 ms


def pieces(samples: NDArray[np.float32], longest: float, search: float = 5.0) -> list[NDArray[np.float32]]:
    """Cut samples of shape ``(n,)`` so that no piece is longer than ``longest`` seconds.

    Each cut is at the quietest 20 ms of the last ``search`` seconds of the piece. Nothing is lost:
    the pieces joined are the input.
    """
    import numpy as np

    limit = int(longest * SAMPLE_RATE)
    cut: list[NDArray[np.float32]] = []
    rest = samples
    while rest.size > limit:
        tail = rest[limit - int(search * SAMPLE_RATE) : limit]
        usable = tail[: tail.size // FRAME * FRAME].reshape(-1, FRAME)
        quietest = int(np.argmin(np.square(usable, dtype=np.float64).mean(axis=1)))
        at = limit - tail.size + quietest * FRAME + FRAME // 2
        cut.append(rest[:at])
        rest = rest[at:]
    return [*cut, rest]
