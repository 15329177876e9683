"""The worker protocol: length-framed messages of JSON and binary arrays over two pipes.

A frame is an 8-byte head (``>II``: bytes of JSON, number of blobs), an 8-byte length for each
blob (``>Q``), the JSON, then the blobs. In the JSON an array stands as
``{"__array__": blob number, "dtype": …, "shape": […]}`` and raw bytes as ``{"__bytes__": blob number}``.

This file is also read inside environments that have neither apun nor numpy, so it uses the
standard library only and imports numpy where an array is met.
"""

from __future__ import annotations

import json
import struct
import sys
from typing import Any, BinaryIO

VERSION = 1
LARGEST_JSON = 64 * 1024 * 1024
LARGEST_BLOB = 4 * 1024 * 1024 * 1024
MOST_BLOBS = 65_536
_HEAD = struct.Struct(">II")
_LENGTH = struct.Struct(">Q")
_DTYPES = frozenset(["<f4", "<f8", "<i2", "<i4", "<i8", "|u1", "|i1", "|b1", "<f2"])


class ProtocolError(Exception):
    """The other side does not speak this protocol, or something else wrote into the pipe."""


def write(stream: BinaryIO, message: dict[str, Any]) -> None:
    """Send one message: JSON values, with numpy arrays and bytes anywhere in them."""
    blobs: list[bytes] = []
    text = json.dumps(_packed(message, blobs), ensure_ascii=False, allow_nan=True).encode("utf-8", "surrogatepass")
    if len(text) > LARGEST_JSON or len(blobs) > MOST_BLOBS:
        raise ProtocolError(f"the message is too large to send ({len(text)} bytes of JSON, {len(blobs)} arrays)")
    stream.write(_HEAD.pack(len(text), len(blobs)))
    for blob in blobs:
        stream.write(_LENGTH.pack(len(blob)))
    stream.write(text)
    for blob in blobs:
        stream.write(blob)
    stream.flush()


def read(stream: BinaryIO) -> dict[str, Any] | None:
    """The next message; None at a clean end of the stream.

    Raises:
        ProtocolError: not a frame, or the stream ended inside one.
    """
    head = stream.read(_HEAD.size)
    if not head:
        return None
    if len(head) < _HEAD.size:
        raise ProtocolError("the stream ended inside a frame")
    size, count = _HEAD.unpack(head)
    if size > LARGEST_JSON or count > MOST_BLOBS:
        raise ProtocolError(f"this is no frame of the worker protocol: it starts with {head!r}")
    lengths = [_LENGTH.unpack(_exactly(stream, _LENGTH.size))[0] for _ in range(count)]
    if any(length > LARGEST_BLOB for length in lengths):
        raise ProtocolError("this is no frame of the worker protocol: an array is larger than 4 GiB")
    text = _exactly(stream, size)
    blobs = [_exactly(stream, length) for length in lengths]
    try:
        message = _unpacked(json.loads(text.decode("utf-8", "surrogatepass")), blobs)
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise ProtocolError(f"a frame does not hold a message ({error})") from error
    if not isinstance(message, dict):
        raise ProtocolError("a frame does not hold a message")
    return message


def _exactly(stream: BinaryIO, size: int) -> bytes:
    parts: list[bytes] = []
    missing = size
    while missing:
        part = stream.read(min(missing, 1 << 20))
        if not part:
            raise ProtocolError("the stream ended inside a frame")
        parts.append(part)
        missing -= len(part)
    return b"".join(parts)


def _packed(value: Any, blobs: list[bytes]) -> Any:
    if isinstance(value, (bytes, bytearray, memoryview)):
        blobs.append(bytes(value))
        return {"__bytes__": len(blobs) - 1}
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(value, numpy.generic):
        return value.item()
    if numpy is not None and isinstance(value, numpy.ndarray):
        array = numpy.ascontiguousarray(value)
        array = array.astype(array.dtype.newbyteorder("<"), copy=False)
        if array.dtype.str not in _DTYPES:
            raise ProtocolError(f"arrays of {array.dtype} cannot be sent")
        blobs.append(array.tobytes())
        return {"__array__": len(blobs) - 1, "dtype": array.dtype.str, "shape": list(value.shape)}
    if isinstance(value, dict):
        return {str(key): _packed(entry, blobs) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [_packed(entry, blobs) for entry in value]
    return value


def _unpacked(value: Any, blobs: list[bytes]) -> Any:
    if isinstance(value, dict):
        if "__bytes__" in value:
            return blobs[value["__bytes__"]]
        if "__array__" in value:
            import numpy

            if value["dtype"] not in _DTYPES:
                raise ValueError(f"array of {value['dtype']!r}")
            array = numpy.frombuffer(blobs[value["__array__"]], dtype=value["dtype"])
            return array.reshape(value["shape"]).copy()
        return {key: _unpacked(entry, blobs) for key, entry in value.items()}
    if isinstance(value, list):
        return [_unpacked(entry, blobs) for entry in value]
    return value
