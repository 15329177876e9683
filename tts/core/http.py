"""What speech services over HTTP share: retries with a limit, keys from the environment, decoding."""

from __future__ import annotations

import io
import os
import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apun.errors import DataError, ModelUnavailable
from apun.registry import optional

ATTEMPTS = 4
TIMEOUT_SECONDS = 120.0
LARGEST_BYTES = 64 * 1024 * 1024
RETRIED = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
REFUSED = frozenset({400, 413, 422, 451})  # this text, not this service
Pause = Callable[[float], None]


def key_from(*names: str) -> str:
    """The first of the environment variables that is set; keys are never taken from options or files.

    Raises:
        ModelUnavailable: none is set.
    """
    for name in names:
        if value := os.environ.get(name):
            return value
    raise ModelUnavailable(f"the environment variable {' or '.join(names)} is not set")


def client() -> Any:
    """An httpx client; one an engine.

    Raises:
        MissingDependency: httpx is not installed.
    """
    return optional("httpx", "models").Client(timeout=TIMEOUT_SECONDS, follow_redirects=False)


def ask(http: Any, url: str, body: Mapping[str, Any] | None = None, key: str = "", pause: Pause = time.sleep) -> Any:
    """POST a body as JSON, or GET where there is none; what may pass is tried again, with growing pauses.

    Raises:
        ModelUnavailable: the service refused, or did not answer in ``ATTEMPTS`` attempts. The key is
            never part of the message.
        DataError: the service refuses this very text.
    """
    import httpx

    headers = {"Authorization": f"Bearer {key}"} if key else {}
    problem = ""
    for attempt in range(ATTEMPTS):
        if attempt:
            pause(min(60.0, 2.0**attempt))
        try:
            response = http.get(url) if body is None else http.post(url, json=dict(body), headers=headers)
        except httpx.HTTPError as error:
            problem = f"{type(error).__name__}"
            continue
        if response.status_code == 200:
            return response
        problem = f"HTTP {response.status_code}: {response.text[:200]!r}"
        if response.status_code in REFUSED:
            raise DataError(f"the speech service refused this text ({problem})")
        if response.status_code not in RETRIED:
            break
    raise ModelUnavailable(f"the speech service at {url.split('?')[0]} gave no audio ({problem})")


def decode(data: bytes, url: str) -> tuple[NDArray[np.float32], int]:
    """Mono float32 samples of shape ``(n,)`` and their rate, from any format soundfile reads.

    Raises:
        ModelUnavailable: the service sent something that is no audio.
    """
    import soundfile

    if len(data) > LARGEST_BYTES:
        raise ModelUnavailable(f"the speech service at {url} sent {len(data)} bytes for one utterance")
    try:
        samples, rate = soundfile.read(io.BytesIO(data), dtype="float32", always_2d=True)
    except (soundfile.SoundFileError, RuntimeError, TypeError, ValueError) as error:
        raise ModelUnavailable(f"the speech service at {url} sent no readable audio ({data[:40]!r})") from error
    return np.asarray(samples.mean(axis=1), dtype=np.float32), int(rate)
