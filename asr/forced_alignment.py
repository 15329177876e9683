"""When each word of a known text is spoken, by CTC forced alignment (torchaudio).

A recogniser's word times are those of what it heard; where the text is known, aligning it to the
audio gives times for the words that were said. Any character CTC checkpoint serves (wav2vec 2.0,
HuBERT, WavLM, MMS). ``python -m asr.forced_alignment FOLDER --model hf:facebook/wav2vec2-base-960h``
writes the times into an AudioFolder as a ``words`` column, which APUN-Bench scores times against.

Method: Kürzinger et al. 2020, "CTC-Segmentation of Large Corpora for German End-to-End Speech
Recognition", in the Viterbi form of ``torchaudio.functional.forced_align`` (Pratap et al. 2024, MMS).
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from apun import cli
from apun.clips import SAMPLE_RATE, Clip
from apun.errors import AudioError, DataError, MissingDependency, ModelUnavailable, UsageError
from apun.models import LoadOptions, Word
from apun.paths import write_atomic
from apun.records import read
from apun.splits import find_sheet, path_inside
from apun.weights import RANDOM
from asr.catalogue import check_arguments
from asr.core.recogniser import device_of, dtype_of, weights_of

LONGEST_SECONDS = 120.0  # self-attention is quadratic in the frames: two minutes are 6,000
HUB = "hf:"
COLUMN = "words"
_PIECE = re.compile(r"[^\s—–…/]+")  # where APUN-Bench sees a word end, too

EXAMPLES = """examples:
  python -m asr.forced_alignment speech/apun/real --model hf:facebook/wav2vec2-base-960h
  python -m asr.forced_alignment speech/apun/real --model checkpoints/wav2vec2 --overwrite
"""


@dataclass(frozen=True, slots=True)
class Frames:
    """The frames of one token: from ``start`` up to, not including, ``end``; mean log probability over them."""

    start: int
    end: int
    logprob: float


def align_emissions(log_probs: Any, tokens: Sequence[int], blank: int) -> tuple[Frames, ...]:
    """The likeliest CTC path of a token sequence through an emission matrix.

    Args:
        log_probs: log probabilities, tensor of shape ``(frames, vocabulary)``, natural logarithm.
        tokens: at least one index into the vocabulary, the blank not among them.
        blank: index of the CTC blank.

    Returns:
        The frames of each token, in order and disjoint.

    Raises:
        MissingDependency: torchaudio cannot be imported.
        UsageError: no tokens, a token that is the blank or outside the vocabulary, more tokens than
            the frames can hold (each token needs a frame, and a repeated one a blank between), or
            log probabilities that are not numbers.
    """
    try:
        from torchaudio.functional import forced_align, merge_tokens
    except (ImportError, OSError) as error:  # OSError: built for another torch
        raise MissingDependency("torchaudio", "models") from error
    import torch

    emissions = log_probs.detach().to("cpu", torch.float32)
    frames, size = emissions.shape
    if not tokens:
        raise UsageError("there are no tokens to align")
    if any(token == blank or not 0 <= token < size for token in tokens):
        raise UsageError(f"tokens to align must be from 0 to {size - 1} and not the blank, {blank}")
    needed = len(tokens) + sum(left == right for left, right in pairwise(tokens))
    if needed > frames:
        raise UsageError(f"the text needs at least {needed} frames of audio and there are {frames}")
    if bool(torch.isnan(emissions).any()):
        raise UsageError("the model's log probabilities are not numbers; load it with dtype float32")
    path, scores = forced_align(emissions[None], torch.tensor([list(tokens)], dtype=torch.int32), blank=blank)
    return tuple(Frames(span.start, span.end, span.score) for span in merge_tokens(path[0], scores[0], blank=blank))


def pieces(text: str) -> tuple[str, ...]:
    """The words of a text as written, punctuation included; a piece with no letter or digit is none."""
    return tuple(piece for piece in _PIECE.findall(text) if any(char.isalnum() for char in piece))


def create(source: str, options: LoadOptions | None = None) -> ForcedAligner:
    """An aligner from ``hf:ORG/NAME`` or a folder in the hub's format.

    Args:
        source: hub id after ``hf:``, or a folder.
        options: device, numeric type, revision, and ``args``: ``download`` (no).

    Raises:
        MissingDependency: torch or transformers is not installed.
        ModelUnavailable: it is not here, or is no character CTC checkpoint that was trained as one.
        UsageError: the source is neither, or an argument is unknown.
    """
    try:
        from transformers import AutoFeatureExtractor, AutoModelForCTC, AutoTokenizer
    except ModuleNotFoundError as error:
        raise MissingDependency(error.name or "transformers", "models") from error

    options = options or LoadOptions()
    check_arguments(options, ())
    if not source.startswith(HUB):
        if options.weights not in (None, source) or not Path(source).expanduser().is_dir():
            raise UsageError(f"{source!r} is neither a folder nor {HUB}ORG/NAME")
        options = replace(options, weights=source)
    if options.weights == RANDOM:
        raise UsageError("an aligner with random weights would give random times; name a trained checkpoint")
    found = weights_of(source.removeprefix(HUB), options, "config.json")
    device = device_of(options)
    dtype = dtype_of(options, device)
    try:
        # not AutoProcessor: it would want a decoder's packages for checkpoints that come with a language model
        extractor = AutoFeatureExtractor.from_pretrained(found.path, local_files_only=True)
        tokenizer = AutoTokenizer.from_pretrained(found.path, local_files_only=True)
        network, report = AutoModelForCTC.from_pretrained(
            found.path, dtype=dtype, local_files_only=True, output_loading_info=True
        )
    except (OSError, ValueError, TypeError, KeyError, AttributeError, ImportError, RuntimeError) as error:
        raise ModelUnavailable(f"{found.path} could not be loaded as a CTC checkpoint ({error})") from error
    untrained = sorted(key for key in report["missing_keys"] if not key.startswith(f"{network.base_model_prefix}."))
    if untrained:  # a pretrained encoder: transformers would make the output layer up
        raise ModelUnavailable(f"{found.path} has no trained CTC output ({untrained[0]} is missing)")
    return ForcedAligner(source, extractor, tokenizer, network.to(device).eval(), found.revision)


class ForcedAligner:
    """A character CTC checkpoint that tells when the words of a known text are spoken.

    Args:
        name: as given on the command line.
        extractor: feature extractor of the checkpoint, for 16 kHz.
        tokenizer: its tokenizer, whose vocabulary is single characters.
        network: the CTC network.
        revision: hub revision or digest.

    Raises:
        ModelUnavailable: the vocabulary is not of characters, or the checkpoint wants another rate.
    """

    def __init__(self, name: str, extractor: Any, tokenizer: Any, network: Any, revision: str) -> None:
        self.name, self.revision = name, revision
        self._extractor, self._network = extractor, network
        if extractor.sampling_rate != SAMPLE_RATE:
            raise ModelUnavailable(f"{name} wants audio at {extractor.sampling_rate} Hz, apun gives {SAMPLE_RATE}")
        special = set(tokenizer.all_special_tokens)
        vocabulary = {token: index for token, index in tokenizer.get_vocab().items() if token not in special}
        delimiter = getattr(tokenizer, "word_delimiter_token", None)
        self._delimiter: int | None = vocabulary.pop(delimiter, None) if delimiter else None
        self._letters = {token: index for token, index in vocabulary.items() if len(token) == 1 and token.isalnum()}
        self._letters |= {mark: vocabulary[mark] for mark in ("'", "-") if mark in vocabulary}
        if not self._letters or 2 * sum(len(token) == 1 for token in vocabulary) < len(vocabulary):
            raise ModelUnavailable(f"{name} does not write single characters, which alignment needs")
        self._blank = int(network.config.pad_token_id)  # what transformers trains its CTC networks with

    def align(self, clip: Clip, text: str) -> tuple[Word, ...]:
        """When each word is spoken.

        A word is what stands between spaces or dashes, kept as written; punctuation by itself is none.
        A word without a character of the vocabulary (a number, for most) gets the silence between its
        neighbours, shared equally with others beside it; its span is empty where there is none.

        Args:
            clip: the audio, at most two minutes.
            text: what is said in it.

        Returns:
            One entry for each word, in order, seconds from the start, within the clip, starts and ends
            never falling.

        Raises:
            UsageError: the text is empty, or holds nothing the model writes; names the clip.
            AudioError: the clip is too long, too short for the text, or unusable; names the clip.
        """
        import torch

        words = pieces(text)
        name = clip.path if clip.path is not None else repr(clip)
        if not words:
            raise UsageError(f"{name}: there is no word to align in {text[:60]!r}")
        tokens, owners = self._tokens(words)
        if not tokens:
            raise UsageError(f"{name}: {self.name} writes no character of {text[:60]!r}")
        if clip.seconds > LONGEST_SECONDS:
            raise AudioError(
                f"is {clip.seconds:.0f} s long; alignment takes at most {LONGEST_SECONDS:.0f} s",
                file=name,
                fix="Cut it into sentences (apun ingest takes a cut list).",
            )
        inputs = self._extractor(clip.samples, sampling_rate=SAMPLE_RATE, return_tensors="pt")
        inputs = inputs.to(self._network.device, self._network.dtype)
        try:
            with torch.inference_mode():
                emissions = self._network(**inputs).logits[0].float().log_softmax(dim=-1)
            spans = align_emissions(emissions, tokens, self._blank)
        except (UsageError, RuntimeError) as error:  # RuntimeError: shorter than the first convolution
            raise AudioError(
                f"cannot be aligned with {text[:60]!r}: {error}",
                file=name,
                fix="Check that the text is what is said in the clip.",
            ) from error
        frame = clip.seconds / len(emissions)
        heard: list[tuple[float, float] | None] = [None] * len(words)
        for owner, span in zip(owners, spans, strict=True):
            if owner is not None:
                before = heard[owner]
                heard[owner] = (before[0] if before else span.start * frame, min(span.end * frame, clip.seconds))
        return tuple(Word(word, *span) for word, span in zip(words, filled(heard, clip.seconds), strict=True))

    def _tokens(self, words: Sequence[str]) -> tuple[list[int], list[int | None]]:
        """The tokens to align and the word each belongs to; None for a delimiter."""
        tokens: list[int] = []
        owners: list[int | None] = []
        for index, word in enumerate(words):
            spelt = self._spelt(word)
            if spelt and tokens and self._delimiter is not None:
                tokens.append(self._delimiter)
                owners.append(None)
            tokens += spelt
            owners += [index] * len(spelt)
        return tokens, owners

    def _spelt(self, word: str) -> list[int]:
        """A word's characters in the vocabulary, in whichever case it has, accents dropped where it must."""
        spelt = []
        for char in unicodedata.normalize("NFC", word.replace("’", "'").strip("'-")):
            base = unicodedata.normalize("NFD", char)[0]
            forms = (char, char.upper(), char.lower(), base, base.upper(), base.lower())
            spelt += [self._letters[form] for form in forms if form in self._letters][:1]
        return spelt

    def close(self) -> None:
        """Free the network."""
        self._network = None


def filled(spans: Sequence[tuple[float, float] | None], seconds: float) -> list[tuple[float, float]]:
    """Give each missing span an equal share of the time between its neighbours, or the clip's ends."""
    result: list[tuple[float, float]] = []
    index = 0
    while index < len(spans):
        span = spans[index]
        if span is not None:
            result.append(span)
            index += 1
            continue
        stop = next((later for later in range(index, len(spans)) if spans[later] is not None), len(spans))
        after = spans[stop] if stop < len(spans) else None
        start, end = result[-1][1] if result else 0.0, after[0] if after else seconds
        step = (end - start) / (stop - index)
        result += [(start + step * place, start + step * (place + 1)) for place in range(stop - index)]
        index = stop
    return result


def add_times(folder_: Path, aligner: ForcedAligner, *, overwrite: bool = False) -> tuple[int, list[str]]:
    """Write a ``words`` column, ``[[word, start, end], ...]`` in seconds, into an AudioFolder's metadata.jsonl.

    The sheet is replaced whole, when every row is done.

    Args:
        folder_: holds ``metadata.jsonl``, whose rows give ``file_name`` and ``text`` or ``transcript``.
        aligner: what aligns.
        overwrite: align rows again that have word times.

    Returns:
        How many rows were aligned, and why each of the others that should have been was not; those
        rows have no word times.

    Raises:
        DataError: the sheet cannot be used, or a row has no text.
    """
    sheet = find_sheet(folder_)
    if sheet.suffix != ".jsonl":
        raise DataError("cannot hold word times", file=sheet, fix="Write its rows as JSON lines, metadata.jsonl.")
    root = folder_.resolve()
    rows: list[dict[str, Any]] = []
    todo = []
    for record in read(sheet):
        rows.append(dict(record.values))
        if overwrite or not isinstance(rows[-1].get(COLUMN), list):
            text = record.text("transcript" if record.has("transcript") and not record.has("text") else "text")
            todo.append((rows[-1], text, path_inside(root, record)))
    problems = []
    for row, text, path in todo:
        row.pop(COLUMN, None)
        try:
            words = aligner.align(Clip(path), text)
        except (AudioError, UsageError) as error:
            problems.append(str(error))
            continue
        row[COLUMN] = [[word.text, round(word.start, 3), round(word.end, 3)] for word in words]
    write_atomic(sheet, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    return len(todo) - len(problems), problems


def parser() -> argparse.ArgumentParser:
    """The command's options."""
    result = argparse.ArgumentParser(
        prog="python -m asr.forced_alignment",
        description="Add the time of every word (column 'words') to the metadata.jsonl of a folder of recordings.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    result.add_argument("folder", type=Path, help="the folder that holds metadata.jsonl and its audio")
    result.add_argument("--model", required=True, metavar="hf:ORG/NAME|DIR", help="a character CTC checkpoint")
    result.add_argument("--revision", help="hub revision to load")
    result.add_argument("--device", default="auto", help="auto, cpu, cuda, cuda:1 (default: auto)")
    result.add_argument("--dtype", default="float32", help="float32, bfloat16, float16 (default: float32)")
    result.add_argument(
        "--model-arg", type=cli.pair, action="append", default=[], metavar="KEY=VALUE", help="download=yes fetches it"
    )
    result.add_argument("--overwrite", action="store_true", help="align rows again that have word times")
    return result


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; exit code 1 when a clip could not be aligned."""
    args = parser().parse_args(argv)
    find_sheet(args.folder)  # before a model is loaded for nothing
    options = LoadOptions(device=args.device, dtype=args.dtype, revision=args.revision, args=dict(args.model_arg))
    aligner = create(args.model, options)
    try:
        done, problems = add_times(args.folder, aligner, overwrite=args.overwrite)
    finally:
        aligner.close()
    for problem in problems:
        print(f"apun: not aligned: {problem}", file=sys.stderr)
    print(f"aligned {done} of {done + len(problems)} clips with {args.model}: {args.folder / 'metadata.jsonl'}")
    return cli.FAILED if problems else cli.OK


if __name__ == "__main__":
    raise SystemExit(cli.run(main))
