"""An HTTP service that answers prompts: bounded concurrency, back-off, and errors that stay errors.

Concurrency is additive-increase, multiplicative-decrease: halved when the service says it is
overloaded, raised by one after as many successes as there are slots. Keys come from the
environment and are cut out of every message.
"""

from __future__ import annotations

import base64
import io
import random
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

from apun.clips import SAMPLE_RATE, Clip
from apun.errors import MissingDependency, UsageError
from apun.models import LoadOptions

RETRIED = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
LONGEST_WAIT = 60.0  # seconds; a service that asks for more is asked again after this
T = TypeVar("T")
R = TypeVar("R")


class ServiceError(Exception):
    """A request that got no answer; ``final`` when asking again cannot help."""

    def __init__(self, message: str, *, final: bool, wait: float | None = None, overloaded: bool = False) -> None:
        super().__init__(message)
        self.final, self.wait, self.overloaded = final, wait, overloaded


@dataclass(frozen=True, slots=True)
class Answer:
    """A decoded response: JSON body, seconds of the last try, tries spent, seconds waited between them."""

    body: Mapping[str, Any]
    seconds: float
    tries: int
    waited: float


class Gate:
    """How many requests may be under way; adapts to what the service bears."""

    def __init__(self, limit: int) -> None:
        self.limit = self._most = limit
        self._busy = self._successes = 0
        self._free = threading.Condition()

    def __enter__(self) -> None:
        with self._free:
            while self._busy >= self.limit:
                self._free.wait()
            self._busy += 1

    def __exit__(self, *_: object) -> None:
        with self._free:
            self._busy -= 1
            self._free.notify_all()

    def succeeded(self) -> None:
        """One more success; enough of them open another slot."""
        with self._free:
            self._successes += 1
            if self._successes >= self.limit and self.limit < self._most:
                self.limit, self._successes = self.limit + 1, 0
                self._free.notify_all()

    def overloaded(self) -> None:
        """The service asked for less."""
        with self._free:
            self.limit, self._successes = max(1, self.limit // 2), 0


class Service:
    """A JSON-over-HTTP endpoint.

    Args:
        base_url: address in front of the paths.
        headers: sent with every request; secrets in them are never shown.
        secret: the key, to be cut out of messages; None when there is none.
        options: ``args``: ``concurrency`` (16), ``timeout`` (seconds, 120), ``tries`` (6),
            ``backoff`` (first wait in seconds, 1).
    """

    def __init__(self, base_url: str, headers: Mapping[str, str], secret: str | None, options: LoadOptions) -> None:
        try:
            import httpx
        except ImportError:
            raise MissingDependency("httpx", "models") from None
        self._httpx = httpx
        self.concurrency = int(number(options, "concurrency", 16))
        self._tries = int(number(options, "tries", 6))
        self._backoff = number(options, "backoff", 1.0)
        self._secret = secret
        self._base = base_url.rstrip("/")
        timeout = httpx.Timeout(number(options, "timeout", 120.0), connect=10.0)
        limits = httpx.Limits(max_connections=self.concurrency, max_keepalive_connections=self.concurrency)
        self._client = httpx.Client(headers=dict(headers), timeout=timeout, limits=limits)
        self._gate = Gate(self.concurrency)
        self._pool = ThreadPoolExecutor(self.concurrency, thread_name_prefix="service")
        self._jitter = random.Random(0)
        self.requests = 0
        self._counting = threading.Lock()

    def map(self, function: Callable[[T], R], values: Sequence[T]) -> list[R]:
        """Apply a function to every value at once, within the concurrency; results in order."""
        return list(self._pool.map(function, values))

    def post(self, path: str, body: Mapping[str, Any], explain: Callable[[int, Any], ServiceError | None]) -> Answer:
        """Post JSON until it is answered.

        Args:
            path: below the base URL.
            body: request body.
            explain: reads a failed response's status and JSON (None if it is not JSON) and may
                return the error it means; else the status code decides.

        Raises:
            ServiceError: final, or tried as often as allowed.
        """
        waited = 0.0
        for attempt in range(1, self._tries + 1):
            started = time.perf_counter()
            try:
                with self._gate:
                    started = time.perf_counter()
                    decoded = self._once(path, body, explain)
                self._gate.succeeded()
                return Answer(decoded, time.perf_counter() - started, attempt, waited)
            except ServiceError as error:
                if error.overloaded:
                    self._gate.overloaded()
                if error.final or attempt == self._tries:
                    tries = "" if error.final else f" (after {attempt} tries)"
                    raise ServiceError(self.clean(f"{error}{tries}"), final=True) from None
                pause = self._pause(attempt, error.wait)
                time.sleep(pause)
                waited += pause
        raise AssertionError("unreachable")

    def _once(
        self, path: str, body: Mapping[str, Any], explain: Callable[[int, Any], ServiceError | None]
    ) -> Mapping[str, Any]:
        with self._counting:
            self.requests += 1
        try:
            response = self._client.post(f"{self._base}{path}", json=body)
        except self._httpx.TimeoutException as error:
            raise ServiceError(f"timed out ({type(error).__name__})", final=False, overloaded=True) from error
        except self._httpx.HTTPError as error:
            raise ServiceError(f"connection failed ({type(error).__name__}: {error})", final=False) from error
        try:
            decoded = response.json()
        except (ValueError, RecursionError):
            decoded = None
        if response.status_code != 200:
            raise explain(response.status_code, decoded) or self._by_status(response, decoded)
        if not isinstance(decoded, dict):
            raise ServiceError("the response is not a JSON object", final=False)
        return decoded

    def _by_status(self, response: Any, decoded: Any) -> ServiceError:
        code = int(response.status_code)
        message = message_of(decoded) or response.text[:300]
        return ServiceError(
            f"HTTP {code}: {message}",
            final=code not in RETRIED,
            wait=retry_after(response.headers),
            overloaded=code in (429, 503, 529),
        )

    def _pause(self, attempt: int, asked: float | None) -> float:
        if asked is not None:
            return min(asked, LONGEST_WAIT)
        return min(self._backoff * 2.0 ** (attempt - 1), LONGEST_WAIT) * self._jitter.uniform(0.75, 1.25)

    def clean(self, text: str) -> str:
        """A message without the key."""
        return text.replace(self._secret, "***") if self._secret else text

    def close(self) -> None:
        """Close connections."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._client.close()


def message_of(decoded: Any) -> str:
    """The error message of a JSON body in OpenAI's or Google's shape; empty when there is none."""
    error = decoded.get("error") if isinstance(decoded, dict) else None
    if isinstance(error, dict):
        return str(error.get("message", ""))[:500]
    return str(error)[:500] if error else ""


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds a response asks to wait, from ``retry-after-ms`` or ``retry-after`` (seconds or a date)."""
    from email.utils import parsedate_to_datetime

    try:
        if "retry-after-ms" in headers:
            return max(0.0, float(headers["retry-after-ms"]) / 1000)
        if "retry-after" in headers:
            value = headers["retry-after"]
            if value.replace(".", "", 1).isdigit():
                return float(value)
            return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (ValueError, TypeError):
        return None
    return None


def number(options: LoadOptions, name: str, default: float) -> float:
    """A positive number from ``--model-arg``.

    Raises:
        UsageError: it is not one.
    """
    value = options.args.get(name)
    try:
        result = default if value is None else float(value)
    except ValueError:
        result = -1.0
    if not 0 < result < float("inf"):
        raise UsageError(f"--model-arg {name}={value} is not a positive number")
    return result


def wav_base64(clip: Clip) -> str:
    """A clip as a 16-bit WAV, base64."""
    import soundfile

    buffer = io.BytesIO()
    soundfile.write(buffer, clip.samples, SAMPLE_RATE, format="WAV", subtype="PCM_16")
    return base64.b64encode(buffer.getvalue()).decode("ascii")
