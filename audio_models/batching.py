"""A batch size that finds what the memory holds."""

from __future__ import annotations

from dataclasses import dataclass, field

from apun.errors import UsageError

LARGEST, LARGEST_ON_CPU = 64, 8
ENOUGH_FREE = 0.35  # share of memory that must be free before a batch is doubled


@dataclass
class BatchSize:
    """A batch size that doubles while memory allows and halves when it runs out.

    Attributes:
        current: prompts in the next batch.
        limit: never more than this; lowered for good when memory ran out at a size.
        fixed: a size the user gave; it still halves on out-of-memory.
        used: every size a batch succeeded with, and how often.
        out_of_memory: sizes at which memory ran out, in order.
    """

    current: int
    limit: int
    fixed: bool
    used: dict[int, int] = field(default_factory=dict)
    out_of_memory: list[int] = field(default_factory=list)

    @classmethod
    def parse(cls, asked: str | None, *, limit: int = LARGEST) -> BatchSize:
        """From ``--batch-size``: ``auto`` (or nothing) or a number.

        Raises:
            UsageError: neither.
        """
        if asked in (None, "", "auto"):
            return cls(min(4, limit), limit, fixed=False)
        if not str(asked).isdecimal() or int(str(asked)) < 1:
            raise UsageError(f"--batch-size takes auto or a number from 1 up, not {asked!r}")
        size = min(int(str(asked)), limit)
        return cls(size, size, fixed=True)

    def succeeded(self, size: int, free: float | None) -> None:
        """Record a batch that went through; ``free`` is the share of memory left, None if unknown."""
        self.used[size] = self.used.get(size, 0) + 1
        grown = free is None or free >= ENOUGH_FREE
        if not self.fixed and grown and size >= self.current:
            self.current = min(self.current * 2, self.limit)

    def ran_out(self, size: int) -> bool:
        """Record an out-of-memory error; whether a smaller batch can be tried."""
        self.out_of_memory.append(size)
        if size <= 1:
            return False
        self.limit = self.current = max(1, size // 2)
        return True

    def summary(self) -> dict[str, object]:
        """Plain JSON for the log."""
        return {
            "next": self.current,
            "used": {str(size): count for size, count in sorted(self.used.items())},
            "out_of_memory": list(self.out_of_memory),
        }
