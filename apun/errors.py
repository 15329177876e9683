"""Errors a user can act on. Each message says what is wrong, where, and what to do."""

from __future__ import annotations

from pathlib import Path


class ApunError(Exception):
    """Base of every error apun raises on purpose; commands print it as one sentence and exit 2."""


class UsageError(ApunError):
    """A command line or API call that cannot be carried out as given."""


class DataError(ApunError):
    """A data file that breaks its schema.

    Args:
        problem: what is wrong, in a few words.
        file: the file concerned.
        line: 1-based line number, where there is one.
        field: the field concerned, where there is one.
        fix: what the user should do about it.
    """

    def __init__(
        self,
        problem: str,
        *,
        file: str | Path | None = None,
        line: int | None = None,
        field: str | None = None,
        fix: str | None = None,
    ) -> None:
        self.problem, self.file, self.line, self.field, self.fix = problem, file, line, field, fix
        where = str(file) if file is not None else ""
        if line is not None:
            where += f":{line}" if where else f"line {line}"
        if field is not None:
            where += f": field {field!r}" if where else f"field {field!r}"
        message = f"{where}: {problem}" if where else problem
        super().__init__(f"{message}. {fix}" if fix else message)


class AudioError(DataError):
    """Audio that cannot be used: unreadable, empty, not finite, or outside its folder."""


class ModelUnavailable(ApunError):
    """A model, recogniser or voice that cannot be loaded here; says what was looked for."""


class MissingDependency(ApunError):
    """An optional package is not installed; names the extra that brings it."""

    def __init__(self, package: str, extra: str) -> None:
        self.package, self.extra = package, extra
        super().__init__(f"{package} is not installed. Install it with: pip install 'apun[{extra}]'")


class PhoneticError(ApunError):
    """A word whose sound cannot be represented; names the word and the segment."""
