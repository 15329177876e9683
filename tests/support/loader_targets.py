"""Every loader that reads what somebody else wrote, as a function of bytes; for fuzzing and its corpus."""

from __future__ import annotations

import io
import json
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import soundfile

from apun.errors import ApunError


def _file(name: str, data: bytes, read: Callable[[Path], object]) -> None:
    """Write the bytes under a name and read them; an ApunError is a refusal, and right."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(data)
        try:
            read(path)
        except ApunError:
            return


def manifest(data: bytes) -> None:
    from apun.splits import read_split

    _file("metadata.jsonl", data, lambda path: read_split(path.parent))


def manifest_csv(data: bytes) -> None:
    from apun.splits import read_split

    _file("metadata.csv", data, lambda path: read_split(path.parent))


def items(data: bytes) -> None:
    from benchmarks.apun_bench.items import load_items

    _file("items.jsonl", data, load_items)


def audio(data: bytes) -> None:
    from apun.clips import decode

    _file("clip.wav", data, decode)


def replies(data: bytes) -> None:
    from apun.replies import Reply
    from apun.run.log import read_records, repair

    def read(path: Path) -> None:
        repair(path)
        for _, record in read_records(path):
            Reply.from_json(record)

    _file("replies.jsonl", data, read)


def scores(data: bytes) -> None:
    from apun.run.folder import read_run, read_scores

    def read(path: Path) -> None:
        list(read_scores(path.parent))
        (path.parent / "run.json").write_bytes(data)
        read_run(path.parent)

    _file("scores.jsonl", data, read)


def xml(data: bytes) -> None:
    from benchmarks.apun_bench.semeval import read_xml

    _file("subtask1-homographic-test.xml", data, lambda path: read_xml(path.parent))


def sheet_csv(data: bytes) -> None:
    from apun.records import read

    _file("sheet.csv", data, lambda path: list(read(path, ("question", "answer"))))


def sheet_xlsx(data: bytes) -> None:
    from apun.records import read

    _file("sheet.xlsx", data, lambda path: list(read(path, ("question", "answer"))))


def prompts(data: bytes) -> None:
    from apun.prompts import load_templates

    _file("prompt.toml", data, lambda path: load_templates.__wrapped__(path))


TARGETS: Mapping[str, Callable[[bytes], None]] = {
    function.__name__: function
    for function in (manifest, manifest_csv, items, audio, replies, scores, xml, sheet_csv, sheet_xlsx, prompts)
}


def seeds() -> dict[str, list[bytes]]:
    """A few good inputs for each target, to mutate."""
    wave = io.BytesIO()
    soundfile.write(wave, np.sin(np.arange(1600) / 9) * 0.2, 16_000, format="WAV")
    flac = io.BytesIO()
    soundfile.write(flac, np.sin(np.arange(1600) / 9) * 0.2, 16_000, format="FLAC")
    row = {"file_name": "a.wav", "item_id": "a", "text": "A plain joke", "type": "heterographic", "pun_word": "plain"}
    item = {"id": "a", "text": "A plain joke", "is_pun": True, "type": "heterographic", "pun_word": "plain"}
    reply = {"question": "t/a/p0", "key": "k", "status": "ok", "text": "x", "answer": "x", "consumed": {"clips": 1}}
    score = {
        "question": "q",
        "item": "i",
        "cluster": "c",
        "task": "t",
        "variant": "v",
        "status": "scored",
        "statistics": {},
    }
    sheet = Path(tempfile.mkdtemp()) / "s.xlsx"
    from apun.sheets import write_sheet

    write_sheet(sheet, ["question", "answer"], [{"question": "q1", "answer": "yes"}])
    text = '<corpus><text id="hom_1"><word id="hom_1_1" senses="1">A</word></text></corpus>'

    def lines(*records: object) -> bytes:
        return b"".join(json.dumps(record).encode() + b"\n" for record in records)

    return {
        "manifest": [lines(row), lines({**row, "file_name": "../../etc/passwd"}), b'{"a": NaN}\n', b"[" * 2000],
        "manifest_csv": [b"file_name,item_id,text\r\na.wav,a,hello\r\n", b"\xef\xbb\xbffile_name;item_id\n"],
        "items": [lines({**item, "alternatives": ["plane"], "pun_index": 1}), lines(item, item)],
        "audio": [wave.getvalue(), flac.getvalue(), b"RIFF\xff\xff\xff\xffWAVEfmt "],
        "replies": [lines(reply, {**reply, "status": "error", "reason": "r"}), lines(reply)[:-5]],
        "scores": [lines({**score, "statistics": {}}), lines(score), lines({"asked": {}})],
        "xml": [text.encode(), b'<!DOCTYPE a [<!ENTITY b "cc">]><a>&b;</a>'],
        "sheet_csv": [b"question,answer\nq1,yes\n", b"\xff\xfeq\x00"],
        "sheet_xlsx": [sheet.read_bytes()],
        "prompts": [b'version = 1\n[variants.p0]\nuser = "{audio} x"\n', b"[variants]\np0 = 3"],
    }
