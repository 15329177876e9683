"""Rebuild YOMI-Bench's embedded sample from the official jōyō table: python scripts/build_yomi_sample.py TABLE_FOLDER.

The sample is whatever the builder makes with seed 0; a test compares the two byte for byte. Run it again when the
builder or SudachiDict changes, and raise the benchmark's version when items change.
"""

from __future__ import annotations

import sys

from benchmarks.yomi_bench import build
from benchmarks.yomi_bench.data import DATA

if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    raise SystemExit(build.main(["--table", sys.argv[1], "--out", str(DATA), "--seed", "0"]))
