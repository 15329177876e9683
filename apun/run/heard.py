"""The audio was heard: a reply that cannot show it is an error, never a wrong answer."""

from __future__ import annotations

from dataclasses import replace

from apun.models import ModelInfo
from apun.prompts import Prompt
from apun.replies import Reply

TOLERANCE_SECONDS = 0.1  # one analysis window more or less at the end of a clip


def check_heard(prompt: Prompt, reply: Reply, info: ModelInfo) -> Reply:
    """Turn a reply into an error when its model did not take in every clip whole.

    Args:
        prompt: what was asked.
        reply: what the model returned, with what it says it consumed.
        info: the model's limits.

    Returns:
        The reply itself, or an error reply that keeps its text and says what was not heard.
    """
    audios = prompt.audios
    if not audios or reply.status in ("error", "refused"):
        return reply
    consumed = reply.consumed
    due = prompt.seconds
    if not info.audio:
        problem = f"{info.name} takes no audio, and the question has {len(audios)} clip(s)"
    elif consumed.clips < len(audios):
        problem = f"the model took in {consumed.clips} of {len(audios)} clips"
    elif consumed.audio_tokens is not None and consumed.audio_tokens <= 0:
        problem = "no audio token reached the model"
    elif consumed.seconds < due - TOLERANCE_SECONDS:
        problem = f"the model heard {consumed.seconds:.2f} s of {due:.2f} s"
    elif "heard" in reply.extra and list(reply.extra["heard"]) != [audio.clip.sha256 for audio in audios]:
        problem = "the model took in other clips than the prompt's"  # native adapters hash what they extract
    else:
        return reply
    return replace(reply, status="error", answer=None, reason=f"audio not heard: {problem}")
