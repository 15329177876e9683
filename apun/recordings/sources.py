"""Where recordings come from: a folder, one long file, or the kit's zip; nothing outside them is read."""

from __future__ import annotations

import shutil
import stat
import zipfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from apun.errors import AudioError, DataError, UsageError
from apun.prompts import MAIN
from apun.recordings.takes import Take
from apun.records import Record
from apun.splits import AUDIO_SUFFIXES, path_inside

MOST_FILES = 20_000
MOST_BYTES = 8 * 1024**3  # unpacked
KIT_SHEET = "metadata.jsonl"


@dataclass(frozen=True, slots=True)
class Source:
    """Opened recordings: ``root`` is the folder; ``single`` the one long file, where there is one."""

    root: Path
    single: Path | None = None

    @property
    def kit_sheet(self) -> Path | None:
        """The sheet that the recording kit packed with its clips."""
        path = self.root / KIT_SHEET
        return path if self.single is None and path.is_file() else None


@contextmanager
def open_source(recordings: Path) -> Iterator[Source]:
    """Open a folder, an audio file or a zip; a zip is unpacked for as long as it is open.

    Raises:
        UsageError: there is nothing of that kind.
        DataError: a zip that is broken, too large, or whose names lead out of it.
    """
    if recordings.is_dir():
        yield Source(recordings.resolve())
    elif not recordings.is_file():
        raise UsageError(f"there are no recordings at {recordings}: give a folder, one audio file, or the kit's zip")
    elif zipfile.is_zipfile(recordings):
        import tempfile

        with tempfile.TemporaryDirectory(prefix="apun-ingest-") as folder:
            root = Path(folder).resolve()
            _unpack(recordings, root)
            yield Source(root)
    elif recordings.suffix.lower() == ".zip":
        raise DataError("is not a zip file", file=recordings, fix="Save it from the recording page again.")
    else:
        yield Source(recordings.resolve().parent, recordings.resolve())


def _unpack(path: Path, root: Path) -> None:
    try:
        with zipfile.ZipFile(path) as archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
            if len(entries) > MOST_FILES or sum(entry.file_size for entry in entries) > MOST_BYTES:
                raise DataError(f"unpacks to more than {MOST_FILES} files or {MOST_BYTES >> 30} GB", file=path)
            for entry in entries:
                target = root.joinpath(*_safe(entry, path).parts)
                target.parent.mkdir(parents=True, exist_ok=True)
                with archive.open(entry) as packed, target.open("xb") as out:
                    shutil.copyfileobj(packed, out, 1 << 20)
    except (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError, OSError) as error:
        raise DataError(f"cannot be unpacked ({error})", file=path, fix="Save it again.") from error


def _safe(entry: zipfile.ZipInfo, path: Path) -> PurePosixPath:
    name = PurePosixPath(entry.filename.replace("\\", "/"))
    link = stat.S_ISLNK(entry.external_attr >> 16)
    if link or name.is_absolute() or ".." in name.parts or not name.parts or name.parts[0].endswith(":"):
        raise DataError(f"holds {entry.filename!r}, which leads out of it", file=path, fix="Do not use this file.")
    return name


def locate(takes: Sequence[Take], source: Source, sheet: Path) -> list[Path | AudioError]:
    """The file of each take; an error in its place where there is none or more than one.

    A take's own file name comes first. Without one it is the file named like the item (``ID.wav``,
    ``ID--PART.wav``, any suffix of an audio format), or the one long file.

    Raises:
        DataError: a file name that leads out of the folder.
        UsageError: one long file, and takes without times.
    """
    if source.single is not None:
        if uncut := [take for take in takes if take.start is None]:
            raise UsageError(
                f"{source.single.name} is one long recording, and {len(uncut)} of {len(takes)} texts have no times: "
                "add the columns start and end to the sheet, or give --cuts FILE"
            )
        return [source.single for _ in takes]
    by_stem: dict[str, list[Path]] = defaultdict(list)
    for path in sorted(source.root.rglob("*")):
        if path.suffix.lower() in AUDIO_SUFFIXES and path.is_file() and path.resolve().is_relative_to(source.root):
            by_stem[path.stem].append(path)
    return [_file(take, source.root, by_stem, sheet) for take in takes]


def _file(take: Take, root: Path, by_stem: dict[str, list[Path]], sheet: Path) -> Path | AudioError:
    if take.file_name:
        try:
            return path_inside(root, Record({"file_name": take.file_name}, sheet, take.line))
        except AudioError as error:
            return error
    stem = take.item if take.part == MAIN else f"{take.item}--{take.part}"
    found = by_stem.get(stem, [])
    if len(found) == 1:
        return found[0]
    problem = f"{len(found)} files are named {stem!r}" if found else f"no audio file is named {stem!r}"
    fix = "Name one file like the item's id, or give its file_name in the sheet."
    return AudioError(problem, file=sheet, line=take.line, fix=fix)
