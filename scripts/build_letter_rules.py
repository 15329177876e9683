"""Build the English table letter_rules.tsv.gz: what letters sound like, by context, learned from CMUdict.

    python scripts/build_letter_rules.py            # 3 minutes; prints the error on held-out words first
    python scripts/build_letter_rules.py --check    # only the held-out error

Each letter of a word is aligned with none, one or two phones (Viterbi training of letter-phone
probabilities). For every letter the contexts that surround it are then grown a letter at a time,
right before left, and a context is kept as a rule only where it changes the answer of the shorter one
and stands on at least ``SUPPORT`` words. Reading a word takes the longest rule for each letter.
"""

from __future__ import annotations

import argparse
import gzip
import math
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from apun.phonetics.english import dictionary
from apun.phonetics.english.letters import GROWTH, PAD, by_rules

OUT = Path(__file__).resolve().parents[1] / "apun" / "phonetics" / "english" / "tables" / "letter_rules.tsv.gz"
SUPPORT = 2
ROUNDS = 5
TRAINING_WORDS = 25_000  # for the alignment; every word is aligned once it is trained

Pair = tuple[str, tuple[str, ...]]
Rules = dict[tuple[str, str, str], str]


def corpus() -> list[Pair]:
    """Words of letters only with their first pronunciation, AH0 kept apart as AX."""
    words = sorted(word for word in dictionary.all_words() if word.isascii() and word.isalpha())
    found = []
    for word in words:
        phones = tuple("AX" if p == "AH0" else p.rstrip("012") for p in next(dictionary.phones_of(word)))
        if len(word) > 1 and len(phones) <= 2 * len(word) and len(word) <= 2.5 * len(phones) + 2:
            found.append((word, phones))
    return found


def align(word: str, phones: Sequence[str], cost: dict[tuple[str, tuple[str, ...]], float]) -> list[tuple[str, ...]]:
    """Phones of each letter on the cheapest path; unseen pairs cost 12 nats."""
    n, m = len(word), len(phones)
    best = [[math.inf] * (m + 1) for _ in range(n + 1)]
    back = [[0] * (m + 1) for _ in range(n + 1)]
    best[0][0] = 0.0
    for i, letter in enumerate(word):
        for j in range(min(m, 2 * i) + 1):
            so_far = best[i][j]
            if so_far == math.inf:
                continue
            for size in (0, 1, 2):
                if j + size <= m:
                    total = so_far + cost.get((letter, tuple(phones[j : j + size])), 12.0)
                    if total < best[i + 1][j + size]:
                        best[i + 1][j + size], back[i + 1][j + size] = total, size
    out: list[tuple[str, ...]] = []
    j = m
    for i in range(n, 0, -1):
        size = back[i][j]
        out.append(tuple(phones[j - size : j]))
        j -= size
    return out[::-1]


def train(pairs: Sequence[Pair]) -> dict[tuple[str, tuple[str, ...]], float]:
    """Costs of letter-phones pairs, from co-occurrence near the diagonal, then by Viterbi training."""
    counts: Counter[tuple[str, tuple[str, ...]]] = Counter()
    for word, phones in pairs:
        for i, letter in enumerate(word):
            at = i * len(phones) / len(word)
            for j in range(max(0, int(at) - 1), min(len(phones), int(at) + 2)):
                counts[letter, (phones[j],)] += 4
                counts[letter, tuple(phones[j : j + 2])] += 1
            counts[letter, ()] += 2
    cost = costs(counts)
    for _ in range(ROUNDS):
        counts = Counter()
        for word, phones in pairs:
            counts.update(zip(word, align(word, phones, cost), strict=True))
        cost = costs(counts)
    return cost


def costs(counts: Counter[tuple[str, tuple[str, ...]]]) -> dict[tuple[str, tuple[str, ...]], float]:
    """Negative log probability of the phones given the letter."""
    totals: Counter[str] = Counter()
    for (letter, _), count in counts.items():
        totals[letter] += count
    return {key: -math.log(count / totals[key[0]]) for key, count in counts.items()}


def contexts(word: str, i: int) -> Iterator[tuple[str, str, str]]:
    """Contexts of a letter, shortest first."""
    padded = PAD * 8 + word + PAD * 8
    at = i + 8
    for left, right in GROWTH:
        yield padded[at - left : at], padded[at], padded[at + 1 : at + 1 + right]


def learn(aligned: Iterable[tuple[str, list[tuple[str, ...]]]]) -> Rules:
    """Rules from aligned words."""
    seen: dict[tuple[str, str, str], Counter[str]] = defaultdict(Counter)
    for word, phones in aligned:
        for i, said in enumerate(phones):
            for context in contexts(word, i):
                seen[context][" ".join(said)] += 1
    rules: Rules = {}
    by_size = sorted(seen, key=lambda key: (len(key[0]) + len(key[2]), key))
    for context in by_size:
        counts = seen[context]
        answer = min(counts, key=lambda said: (-counts[said], said))
        if counts[answer] >= SUPPORT and answer != shorter(context, rules):
            rules[context] = answer
    return rules


def shorter(context: tuple[str, str, str], rules: Rules) -> str | None:
    """The answer of the longest rule inside a context."""
    left, letter, right = context
    for a, b in reversed(GROWTH):
        if a <= len(left) and b <= len(right) and (a, b) != (len(left), len(right)):
            found = rules.get((left[len(left) - a :], letter, right[:b]))
            if found is not None:
                return found
    return None


def main() -> None:
    """Print the held-out error and write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="only measure the error on held-out words")
    options = parser.parse_args()
    pairs = corpus()
    cost = train(pairs[:: max(1, len(pairs) // TRAINING_WORDS)])
    aligned = [(word, align(word, phones, cost)) for word, phones in pairs]
    held = [zlib.crc32(word.encode()) % 20 == 0 for word, _ in pairs]
    rules = learn(a for a, out in zip(aligned, held, strict=True) if not out)
    report([pair for pair, out in zip(pairs, held, strict=True) if out], rules)
    if options.check:
        return
    rules = learn(aligned)
    lines = "".join(f"{left}\t{letter}\t{right}\t{said}\n" for (left, letter, right), said in sorted(rules.items()))
    with OUT.open("wb") as file, gzip.GzipFile(fileobj=file, mode="wb", compresslevel=9, mtime=0, filename="") as out:
        out.write(lines.encode())
    print(f"{len(rules)} rules, {OUT.stat().st_size / 1024:.0f} KiB: {OUT.name}")


def report(pairs: Sequence[Pair], rules: Rules) -> None:
    """Error on words the rules have not seen."""
    from rapidfuzz.distance import Levenshtein

    errors = total = right = 0
    for word, phones in pairs:
        said = by_rules(word, rules)
        distance = Levenshtein.distance(said, phones)
        errors, total, right = errors + distance, total + len(phones), right + (distance == 0)
    right_words = 100 * right / len(pairs)
    print(f"{len(pairs)} held-out words: {100 * errors / total:.1f} % phone errors, {right_words:.1f} % words right")


if __name__ == "__main__":
    main()
