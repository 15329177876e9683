"""The one HTTP client: models, recognisers, voices and the probe of a server ask through it.

Everything is bounded: requests at once, tries, seconds, bytes. A fault that may pass is met again after the wait the
service asks for (``Retry-After`` in seconds or as a date, ``retry-after-ms``, Google's ``retryDelay``), else after a
wait that doubles, with jitter. Requests at once follow additive increase, multiplicative decrease: halved when the
service says that it is overloaded, one more after as many successes as there are slots. Keys come from the
environment alone and are cut out of every message; proxies are those of the environment (``HTTPS_PROXY``,
``NO_PROXY``). httpx is an optional package and is imported with the first client.
"""

from __future__ import annotations

import base64
import io
import json
import os
import random
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Generic, TypeVar
from urllib.parse import SplitResult, unquote, urlsplit

from apun.clips import SAMPLE_RATE, Clip
from apun.errors import ApunError, MissingDependency, UsageError
from apun.paths import without_credentials

OPENAI_URL = "https://api.openai.com/v1"
RETRIED = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
OVERLOADED = frozenset({429, 503, 529})
# errors that no repetition mends, although their status code says otherwise
FINAL_CODES = frozenset({"insufficient_quota", "billing_hard_limit_reached", "invalid_api_key", "model_not_found"})
CONNECT_SECONDS = 10.0
LONGEST_WAIT = 60.0  # seconds; a service that asks for more is asked again after this
LARGEST_BYTES = 64 << 20
T = TypeVar("T")
R = TypeVar("R")


class ServiceError(ApunError):
    """A request that got no answer.

    Args:
        message: what happened, without secrets.
        final: asking again cannot help.
        status: HTTP status, where there was a response.
        wait: seconds the service asks to wait.
        overloaded: the service asks for less.
        body: the response as text.
    """

    def __init__(
        self,
        message: str,
        *,
        final: bool,
        status: int | None = None,
        wait: float | None = None,
        overloaded: bool = False,
        body: str = "",
    ) -> None:
        super().__init__(message)
        self.final, self.status, self.wait, self.overloaded, self.body = final, status, wait, overloaded, body


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """What was read from a response, seconds of the last try, tries spent, seconds waited between them."""

    body: T
    seconds: float
    tries: int
    waited: float


@dataclass(frozen=True, slots=True)
class Limits:
    """What a client may spend.

    Attributes:
        concurrency: most requests at once.
        tries: most requests for one answer.
        backoff: first wait in seconds where the service names none.
        timeout: seconds without a byte from the service.
        deadline: seconds for one answer, all tries and waits together; None for what the tries may take.
        largest: most bytes of a response.
    """

    concurrency: int = 16
    tries: int = 6
    backoff: float = 1.0
    timeout: float = 120.0
    deadline: float | None = None
    largest: int = LARGEST_BYTES

    @property
    def seconds(self) -> float:
        """Seconds after which an answer is given up."""
        return self.deadline if self.deadline is not None else self.tries * (self.timeout + LONGEST_WAIT)


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


class Client:
    """A service over HTTP.

    Args:
        base_url: address in front of the paths.
        headers: sent to that address with every request; see ``bearer``.
        key: the secret in the headers, to be cut out of messages.
        limits: what may be spent.
        transport: an httpx transport in place of the network.
        sleep: how to wait.

    Raises:
        MissingDependency: httpx is not installed.
    """

    def __init__(
        self,
        base_url: str,
        headers: Mapping[str, str] | None = None,
        key: str | None = None,
        limits: Limits = Limits(),
        *,
        transport: Any = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        try:
            import httpx
        except ImportError:
            raise MissingDependency("httpx", "models") from None
        self._httpx, self._sleep = httpx, sleep
        self.limits, self._base = limits, base_url.rstrip("/")
        self.headers = httpx.Headers(dict(headers or {}))
        self._secrets = _secrets(base_url, key)
        self._http = httpx.Client(
            timeout=httpx.Timeout(limits.timeout, connect=min(CONNECT_SECONDS, limits.timeout)),
            limits=httpx.Limits(max_connections=limits.concurrency, max_keepalive_connections=limits.concurrency),
            transport=transport,
        )
        self._gate = Gate(limits.concurrency)
        self._pool = ThreadPoolExecutor(limits.concurrency, thread_name_prefix="http")
        self._jitter = random.Random(0)

    def map(self, function: Callable[[T], R], values: Sequence[T]) -> list[R]:
        """Apply a function to every value at once, within the concurrency; results in order."""
        return list(self._pool.map(function, values))

    def send(self, method: str, path: str, read: Callable[[bytes], T], **content: Any) -> Answer[T]:
        """Ask until there is an answer.

        Args:
            method: ``GET`` or ``POST``.
            path: below the base address; a whole address is asked without the headers, so without the key.
            read: the body of a 200 to what is wanted of it; may raise ``ServiceError``.
            content: ``json``, or ``data`` and ``files``, as httpx takes them.

        Raises:
            ServiceError: final, or tried as often or as long as allowed.
        """
        give_up = time.monotonic() + self.limits.seconds
        waited, attempt = 0.0, 0
        while True:
            attempt += 1
            try:
                with self._gate:
                    started = time.perf_counter()
                    answer = read(self._once(method, path, give_up, content))
                    seconds = time.perf_counter() - started
                self._gate.succeeded()
                return Answer(answer, seconds, attempt, waited)
            except ServiceError as error:
                if error.overloaded:
                    self._gate.overloaded()
                pause = self._pause(attempt, error.wait)
                if error.final or attempt == self.limits.tries or time.monotonic() + pause > give_up:
                    tries = "" if error.final else f" (after {attempt} tries)"
                    message = self.clean(f"{error}{tries}")
                    body = self.clean(error.body)
                    raise ServiceError(message, final=True, status=error.status, body=body) from None
            self._sleep(pause)
            waited += pause

    def clean(self, text: str) -> str:
        """A message without the key, and without the password of the address."""
        for secret in self._secrets:
            text = text.replace(secret, "***")
        return text

    def close(self) -> None:
        """Close connections."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._http.close()

    def _once(self, method: str, path: str, give_up: float, content: Mapping[str, Any]) -> bytes:
        whole = path.startswith(("http://", "https://"))
        url, headers = (path, None) if whole else (f"{self._base}{path}", self.headers)
        try:
            with self._http.stream(method, url, headers=headers, **content) as response:
                data = self._body(response, give_up)
        except self._httpx.TimeoutException as error:
            raise ServiceError(f"timed out ({type(error).__name__})", final=False, overloaded=True) from error
        except self._httpx.InvalidURL as error:
            raise ServiceError(f"the address cannot be asked ({error})", final=True) from error
        except self._httpx.HTTPError as error:
            raise ServiceError(f"connection failed ({type(error).__name__}: {error})", final=False) from error
        if response.status_code != 200:
            raise failure(int(response.status_code), response.headers, data)
        return data

    def _body(self, response: Any, give_up: float) -> bytes:
        data = bytearray()
        for piece in response.iter_bytes():
            data += piece
            if len(data) > self.limits.largest:
                raise ServiceError(f"the response is larger than {self.limits.largest >> 20} MiB", final=True)
            if time.monotonic() > give_up:
                raise ServiceError(f"the response did not end within {self.limits.seconds:.0f} s", final=True)
        return bytes(data)

    def _pause(self, attempt: int, asked: float | None) -> float:
        if asked is not None:
            return min(asked, LONGEST_WAIT)
        return float(min(self.limits.backoff * 2.0 ** (attempt - 1), LONGEST_WAIT) * self._jitter.uniform(0.75, 1.25))


def json_object(body: bytes) -> Mapping[str, Any]:
    """A body that is a JSON object.

    Raises:
        ServiceError: it is not; a proxy's page or half an answer, so it is worth asking again.
    """
    decoded = _decoded(body)
    if not isinstance(decoded, dict):
        raise ServiceError("the response is not a JSON object", final=False)
    return decoded


def failure(status: int, headers: Mapping[str, str], body: bytes) -> ServiceError:
    """The error that a response with another status than 200 means."""
    decoded = _decoded(body)
    error = decoded.get("error") if isinstance(decoded, dict) else None
    named = {str(error.get(field)) for field in ("code", "type")} if isinstance(error, dict) else set()
    hopeless = sorted(named & FINAL_CODES)
    text = body.decode("utf-8", "replace")
    parts = [f"HTTP {status}", *hopeless, message_of(decoded) or text[:300]]
    return ServiceError(
        ": ".join(parts),
        final=bool(hopeless) or status not in RETRIED,
        status=status,
        wait=retry_after(headers, decoded),
        overloaded=status in OVERLOADED,
        body=text[:5000],
    )


def message_of(decoded: Any) -> str:
    """The error message of a JSON body in OpenAI's or Google's shape; empty when there is none."""
    error = decoded.get("error") if isinstance(decoded, dict) else None
    if isinstance(error, dict):
        return str(error.get("message") or "")[:500]
    return str(error)[:500] if error else ""


def retry_after(headers: Mapping[str, str], decoded: Any = None) -> float | None:
    """Seconds a response asks to wait: ``retry-after-ms``, ``retry-after`` (seconds or a date), or Google's details."""
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
    error = decoded.get("error") if isinstance(decoded, dict) else None
    details = error.get("details") if isinstance(error, dict) else None
    for detail in details if isinstance(details, list) else ():
        delay = str(detail.get("retryDelay", "")) if isinstance(detail, dict) else ""
        if delay.endswith("s") and delay[:-1].replace(".", "", 1).isdigit():
            return float(delay[:-1])
    return None


def key_from(*names: str) -> str | None:
    """The first of the environment variables that is set, stripped; keys never come from options or files.

    Raises:
        UsageError: it holds what no header can carry; the key itself is not shown.
    """
    for name in names:
        key = os.environ.get(name, "").strip()
        if key and not all("!" <= char <= "~" for char in key):
            raise UsageError(f"the key in {name} holds a space, a line break or a letter outside ASCII; copy it again")
        if key:
            return key
    return None


def bearer(key: str | None) -> dict[str, str]:
    """The header that carries a key; none without one."""
    return {"Authorization": f"Bearer {key}"} if key else {}


def web_address(url: str, what: str = "--base-url") -> SplitResult:
    """The parts of an http(s) address.

    Raises:
        UsageError: it is none; ``what`` names the option it came from.
    """
    try:
        parts = urlsplit(url)
        _ = parts.port  # refuses what is no number
    except ValueError as error:
        raise UsageError(f"{what} is not an http(s) address ({error})") from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError(f"{what} {without_credentials(url)!r} is not an http(s) address")
    return parts


@dataclass(frozen=True, slots=True)
class OpenAIAddress:
    """Where an OpenAI-compatible service is, the key to send, and whether it is OpenAI itself."""

    url: str
    key: str | None
    official: bool


def openai_address(
    base_url: str | None, what: str = "--base-url", *, first: Sequence[str] = (), other: Sequence[str] = ()
) -> OpenAIAddress:
    """The address given, ``OPENAI_BASE_URL`` or OpenAI's own, and its key.

    ``OPENAI_API_KEY`` goes to OpenAI and to the address of the environment: it must not travel to an address that came
    from the command line.

    Args:
        base_url: as the user gave it; None where none was given.
        what: names the option in an error.
        first: environment variables whose key goes before any other.
        other: those whose key goes to other services than OpenAI.

    Raises:
        UsageError: the address is not http(s), or a key cannot be sent.
    """
    url = (base_url or os.environ.get("OPENAI_BASE_URL") or OPENAI_URL).rstrip("/")
    official = f".{web_address(url, what).hostname}".endswith(".openai.com")
    names = [*first, *(() if official else other), *(("OPENAI_API_KEY",) if official or base_url is None else ())]
    return OpenAIAddress(url, key_from(*names), official)


def wav(clip: Clip) -> bytes:
    """A clip as services take it: a 16-bit mono WAV file at 16 kHz."""
    import soundfile

    buffer = io.BytesIO()
    soundfile.write(buffer, clip.samples, SAMPLE_RATE, format="WAV", subtype="PCM_16")
    return buffer.getvalue()


def _decoded(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _secrets(base_url: str, key: str | None) -> list[str]:
    """What must not be shown, longest first: the key, and the password of an address in every form it travels in."""
    found = {key or ""}
    user, separator, password = urlsplit(base_url).netloc.rpartition("@")[0].partition(":")
    if separator:
        plain = f"{unquote(user)}:{unquote(password)}"
        found |= {password, unquote(password), base64.b64encode(plain.encode()).decode("ascii")}
    found |= {json.dumps(secret)[1:-1] for secret in found}  # as a body that is quoted whole spells it
    return sorted(found - {""}, key=len, reverse=True)
