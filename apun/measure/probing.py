"""Checks that a model hears what it is given: silence, swaps, limits, formats, batches, control tokens.

Each check puts a few prompts to a loaded model, the way a run does, and looks at the replies and at
what the adapter says it consumed. Nothing depends on the answers being right, so tiny random
checkpoints, mocks and endpoints can be checked alike.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from apun.clips import SAMPLE_RATE, Clip, resample
from apun.errors import AudioError
from apun.models import Generation, Model
from apun.prompts import Audio, Message, Prompt, Slot, Text
from apun.replies import Reply
from apun.run.answering import answer
from apun.tasks import Question

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TASK = "probe"
QUESTION = "Which words do you hear? Write them down."
BATCH_SECONDS = (1.0, 1.7, 2.6, 4.1)
OVER_LIMIT_SECONDS = 4.0  # how much longer than the limit the long clip is
LONG_SECONDS = 65.0  # for models that state no limit: past two windows of 30 s
TOLERANCE_SECONDS = 0.1
CONTROLS = (
    *("<|im_end|>", "<|im_start|>system", "<|endoftext|>", "<|AUDIO|>", "<|audio_bos|>", "<|audio_pad|>", "<sound>"),
    *("<|audio|>", "<audio_soft_token>", "<end_of_turn>", "<|end|>", "[/INST]", "[AUDIO]", "</s>", "<eos>", "</think>"),
    *("<|end_of_text|>", "<|eot_id|>"),
)


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found.

    Attributes:
        check: its name.
        passed: None when it does not apply, or cannot be told from outside.
        detail: one line for the table.
    """

    check: str
    passed: bool | None
    detail: str


@dataclass(frozen=True)
class Subject:
    """A model under check.

    Attributes:
        model: loaded.
        folder: scratch space for audio files.
        clips: two clips of speech given by the user; empty for synthetic ones.
        generation: settings of every call.
    """

    model: Model
    folder: Path
    clips: tuple[Clip, ...] = ()
    generation: Generation = field(default_factory=lambda: Generation(max_new_tokens=12))

    def put(self, prompts: Sequence[Prompt]) -> list[Reply]:
        """Replies of one call, checked as in a run; the adapter itself meets clips that cannot be decoded."""
        questions = [Question(f"{i}:{prompt.id}", TASK, None, "p0", prompt) for i, prompt in enumerate(prompts)]  # type: ignore[arg-type]
        try:
            return answer(self.model, questions, self.generation)
        except AudioError:  # the adapter answered a clip that cannot be decoded; let the check see what it said
            return self.model.generate(list(prompts), self.generation)

    def clip(self, index: int = 0) -> Clip:
        """One of two different clips of ordinary length."""
        if index < len(self.clips):
            return self.clips[index]
        return Clip(samples=voiced(2.0, 140.0 + 90.0 * index))

    def sound(self, seconds: float, pitch: float = 150.0) -> NDArray[np.float32]:
        """Samples of that length: the user's speech, repeated or cut, or a synthetic sound (repeated past 10 s)."""
        import numpy as np

        size = int(seconds * SAMPLE_RATE)
        source = self.clips[0].samples if self.clips else voiced(min(seconds, 9.7), pitch)
        return np.resize(source, size).astype(np.float32)

    def file(self, name: str, samples: NDArray[np.float32], rate: int) -> Clip:
        """A clip in a file of its own, decoded as a user's would be."""
        import soundfile

        path = self.folder / name
        soundfile.write(path, samples, rate, subtype="FLOAT")
        return Clip(path)


def voiced(seconds: float, pitch: float, rate: int = SAMPLE_RATE) -> NDArray[np.float32]:
    """A buzz with a syllable rhythm and a little noise, shape ``(n,)``: sound, if not speech."""
    import numpy as np

    time = np.arange(int(seconds * rate)) / rate
    buzz = sum(np.sin(2 * np.pi * pitch * k * time) / k for k in range(1, 9))
    rhythm = 0.55 + 0.45 * np.sin(2 * np.pi * 4.0 * time)
    noise = np.random.default_rng(int(pitch)).standard_normal(time.size)
    return np.asarray(0.12 * buzz * rhythm + 0.005 * noise, dtype=np.float32)


def ask(clips: Sequence[Clip], text: str = QUESTION) -> Prompt:
    """A prompt with clips, and its text form for cascades."""
    names = ["main", *[f"extra{i}" for i in range(1, len(clips))]]
    heard = tuple(Audio(clip, name) for clip, name in zip(clips, names, strict=False))
    read = tuple(Slot(audio.name) for audio in heard)
    form = (Message("user", (*read, Text("\n" + text))),) if clips else ()
    return Prompt("probe", TASK, (Message("user", (*heard, Text("\n" + text))),), form)


def _told(reply: Reply) -> str:
    if reply.status == "error":
        return f"error: {(reply.reason or '')[:90]}"
    heard = reply.consumed
    tokens = "" if heard.audio_tokens is None else f", {heard.audio_tokens} audio positions"
    return f"heard {heard.seconds:.2f} s{tokens}"


def hears(subject: Subject) -> Finding:
    """A clip of ordinary length is taken in whole."""
    reply = subject.put([ask([subject.clip()])])[0]
    return Finding("hears a clip", reply.status != "error", _told(reply))


def silence(subject: Subject) -> Finding:
    """Digital silence is an error with a reason, not a question to be answered."""
    import numpy as np

    clip = subject.file("silence.wav", np.zeros(SAMPLE_RATE * 2, dtype=np.float32), SAMPLE_RATE)
    return _refused("silence is refused", subject.put([ask([clip])])[0])


def swapped(subject: Subject) -> Finding:
    """Two clips of one length give different inputs."""
    name = "swapped clips differ"
    first, second = (subject.clip(i).samples for i in (0, 1))
    size = min(first.size, second.size)
    prompts = [ask([Clip(samples=one[:size])]) for one in (first, second)]
    digest: Any = getattr(subject.model, "inputs_digest", None)
    if digest is not None:
        inputs = [digest(prompt) for prompt in prompts]
        same = digest(prompts[0]) == inputs[0]
        if inputs[0] == inputs[1]:
            return Finding(name, False, "both clips give the very same input")
        return Finding(name, same, "inputs differ" if same else "one clip gives two different inputs")
    replies = subject.put(prompts)
    if any(reply.status == "error" for reply in replies):
        return Finding(name, False, next(_told(reply) for reply in replies if reply.status == "error"))
    if [(r.text, r.transcripts) for r in replies[:1]] != [(r.text, r.transcripts) for r in replies[1:]]:
        return Finding(name, True, "replies differ")
    return Finding(name, None, "same reply to both; this adapter does not show its inputs")


def long_clip(subject: Subject) -> Finding:
    """A clip over the limit is refused or heard whole; never cut in silence."""
    limit = subject.model.info.longest_seconds
    seconds = LONG_SECONDS if limit is None else limit + OVER_LIMIT_SECONDS
    reply = subject.put([ask([Clip(samples=subject.sound(seconds))])])[0]
    detail = f"{seconds:.0f} s: {_told(reply)}"
    if reply.status == "error":
        if (reply.reason or "").startswith("audio not heard"):
            return Finding("long clip is not cut", False, detail)
        return Finding("long clip is not cut", True if limit is not None else None, detail)  # an error cuts nothing
    return Finding("long clip is not cut", reply.consumed.seconds >= seconds - TOLERANCE_SECONDS, detail)


def stereo(subject: Subject) -> Finding:
    """Stereo at 44.1 kHz is heard at its true length."""
    import numpy as np

    left, right = (resample(subject.sound(2.0, pitch), SAMPLE_RATE, 44_100) for pitch in (150.0, 170.0))
    clip = subject.file("stereo.wav", np.stack([left, right], axis=1), 44_100)
    return _true_length("stereo 44.1 kHz", subject.put([ask([clip])])[0], 2.0)


def narrow(subject: Subject) -> Finding:
    """8 kHz is heard at its true length."""
    clip = subject.file("narrow.wav", resample(subject.sound(2.0), SAMPLE_RATE, 8_000), 8_000)
    return _true_length("8 kHz", subject.put([ask([clip])])[0], 2.0)


def tiny(subject: Subject) -> Finding:
    """10 ms of audio is an error: front ends make nothing of it."""
    clip = subject.file("tiny.wav", voiced(0.010, 150.0), SAMPLE_RATE)
    return _refused("10 ms is refused", subject.put([ask([clip])])[0])


def not_finite(subject: Subject) -> Finding:
    """A NaN among the samples is an error, and its neighbours in the batch are answered."""
    import numpy as np

    samples = voiced(1.0, 150.0)
    samples[100] = np.nan
    bad, good = ask([subject.file("nan.wav", samples, SAMPLE_RATE)]), ask([subject.clip()])
    first, second = subject.put([bad, good])
    if second.status == "error":
        return Finding("NaN is refused", False, f"its neighbour failed too: {_told(second)}")
    return _refused("NaN is refused", first)


def batch(subject: Subject) -> Finding:
    """A batch of prompts of different lengths is answered as the same prompts one by one."""
    name = f"batch of {len(BATCH_SECONDS)} = singles"
    prompts = [ask([Clip(samples=subject.sound(s, 120.0 + 25 * s))]) for s in BATCH_SECONDS]
    if not subject.model.info.audio:
        prompts = [ask([], f"{QUESTION} {'again ' * i}") for i in range(len(BATCH_SECONDS))]
    limit = subject.model.info.max_batch
    if limit < 2:
        return Finding(name, None, "the adapter takes one prompt at a time")
    together = [r for i in range(0, len(prompts), limit) for r in subject.put(prompts[i : i + limit])]
    alone = [subject.put([prompt])[0] for prompt in prompts]
    failed = [reply for reply in (*together, *alone) if reply.status == "error"]
    if failed:
        return Finding(name, False, _told(failed[0]))
    different = sum(a.text != b.text for a, b in zip(together, alone, strict=True))
    dtype = subject.model.info.settings.get("dtype")
    hint = f" ({dtype} sums depend on the batch; try --dtype float32)" if different and dtype != "float32" else ""
    return Finding(name, not different, f"{different} of {len(prompts)} replies differ{hint}")


def control_tokens(subject: Subject) -> Finding:
    """Control tokens typed in a question are text: the same audio goes in, and an answer comes back."""
    name = "control tokens are text"
    clips = [subject.clip()] if subject.model.info.audio else []
    hostile = QUESTION + " " + " ".join(CONTROLS)
    plain, typed = subject.put([ask(clips)])[0], subject.put([ask(clips, hostile)])[0]
    if typed.status == "error" or plain.status == "error":
        return Finding(name, False, _told(typed if typed.status == "error" else plain))
    if typed.consumed != plain.consumed:
        return Finding(name, False, f"{_told(typed)} instead of {_told(plain)}")
    if (
        plain.tokens_in is not None
        and typed.tokens_in is not None
        and typed.tokens_in - plain.tokens_in < len(CONTROLS)
    ):
        return Finding(name, False, f"{len(CONTROLS)} control tokens added only {typed.tokens_in - plain.tokens_in}")
    return Finding(name, True, "as many audio positions as without them" if clips else "answered")


def twice(subject: Subject) -> Finding:
    """The same prompt gets the same answer twice."""
    prompt = ask([subject.clip()] if subject.model.info.audio else [])
    first, second = subject.put([prompt])[0], subject.put([prompt])[0]
    if first.status == "error":
        return Finding("same answer twice", False, _told(first))
    same = (first.text, first.status) == (second.text, second.status)
    return Finding("same answer twice", same, "same" if same else f"{first.text[:30]!r}, then {second.text[:30]!r}")


def _refused(check: str, reply: Reply) -> Finding:
    if reply.status == "error" and reply.reason:
        return Finding(check, True, _told(reply))
    return Finding(check, False, f"it was answered: {reply.text[:40]!r}")


def _true_length(check: str, reply: Reply, seconds: float) -> Finding:
    right = reply.status != "error" and abs(reply.consumed.seconds - seconds) <= TOLERANCE_SECONDS
    return Finding(check, right, f"{_told(reply)} of {seconds:.2f} s")


AUDIO_CHECKS: tuple[Callable[[Subject], Finding], ...] = (
    hears,
    silence,
    swapped,
    long_clip,
    stereo,
    narrow,
    tiny,
    not_finite,
    batch,
    control_tokens,
    twice,
)
TEXT_CHECKS: tuple[Callable[[Subject], Finding], ...] = (batch, control_tokens, twice)


def check(subject: Subject, notify: Callable[[Finding], None] = lambda finding: None) -> list[Finding]:
    """Run every check that applies; ``notify`` is called after each."""
    findings = []
    for one in AUDIO_CHECKS if subject.model.info.audio else TEXT_CHECKS:
        findings.append(one(subject))
        notify(findings[-1])
    return findings


def counts(findings: Sequence[Finding]) -> Mapping[str, int]:
    """How many passed, failed and could not be told."""
    return {
        "passed": sum(f.passed is True for f in findings),
        "failed": sum(f.passed is False for f in findings),
        "not told": sum(f.passed is None for f in findings),
    }
