"""What speech services over HTTP share: who is to blame when there is no audio, and decoding."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from apun.errors import DataError, ModelUnavailable
from apun.http import Client, Limits, ServiceError, bearer

LIMITS = Limits(concurrency=1, tries=4, backoff=2.0)
REFUSED = frozenset({400, 413, 422, 451})  # this text, not this service
T = TypeVar("T")


def client(base_url: str, key: str | None) -> Client:
    """The client of an engine, which asks for one utterance at a time."""
    return Client(base_url, bearer(key), key, LIMITS)


def ask(http: Client, method: str, path: str, read: Callable[[bytes], T], **content: Any) -> T:
    """What ``Client.send`` reads.

    Raises:
        ModelUnavailable: the service refused, or did not answer in ``LIMITS.tries`` tries.
        DataError: the service refuses this very text.
    """
    try:
        return http.send(method, path, read, **content).body
    except ServiceError as error:
        if error.status in REFUSED:
            raise DataError(f"the speech service refused this text ({error})") from error
        raise ModelUnavailable(f"the speech service gave no audio ({error})") from error


def decode(data: bytes) -> tuple[NDArray[np.float32], int]:
    """Mono float32 samples of shape ``(n,)`` and their rate, from any format soundfile reads.

    Raises:
        ModelUnavailable: the service sent something that is no audio.
    """
    import soundfile

    try:
        samples, rate = soundfile.read(io.BytesIO(data), dtype="float32", always_2d=True)
    except (soundfile.SoundFileError, RuntimeError, TypeError, ValueError) as error:
        raise ModelUnavailable(f"the speech service sent no readable audio ({data[:40]!r})") from error
    return np.asarray(samples.mean(axis=1), dtype=np.float32), int(rate)
