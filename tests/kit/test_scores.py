"""The one rule from a reply's status to a score."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from apun.clips import Clip
from apun.prompts import Audio, Message, Prompt, Text
from apun.replies import Reply
from apun.scores import Score, ScoreStatus, failure_rate, mean, of_tasks, share
from apun.tasks import Question


@dataclass(frozen=True)
class Item:
    id: str = "i"
    cluster: str = "c"
    language: str = "en"
    text: str = "t"


def question(clip: Clip | None = None, **fields: str) -> Question:
    parts = (Audio(clip),) if clip is not None else (Text("?"),)
    return Question("t.a/i/p0.x", "t.a", Item(), "p0.x", Prompt("q", "t.a", (Message("user", parts),), (), fields))


@pytest.mark.parametrize(
    ("reply", "parsed", "status"),
    [
        (Reply("ok", "yes", "yes"), "yes", "scored"),
        (Reply("ok", "yes", "yes"), False, "scored"),  # a no that was read is an answer
        (Reply("ok", "eh", "eh"), None, "unparsed"),
        (Reply("ok", "", ""), None, "unparsed"),
        (Reply("truncated", "ye", reason="ran out"), None, "truncated"),
        (Reply("refused", reason="filter"), None, "refused"),
        (Reply.error("boom"), None, "error"),
    ],
)
def test_status(reply: Reply, parsed: object, status: str) -> None:
    score = Score.of(question(), reply, parsed, {"correct": 0.0})
    assert score.status == status
    assert score.statistics == {"n": 1.0, "correct": 0.0}
    assert (score.question, score.item, score.cluster, score.task, score.variant) == (
        "t.a/i/p0.x",
        "i",
        "c",
        "t.a",
        "p0.x",
    )
    assert score.detail.get("reason") == reply.reason
    assert Score.from_json(score.to_json()) == score


@pytest.mark.parametrize("reply", [Reply.error("boom"), Reply("refused", reason="x"), Reply("truncated", reason="x")])
def test_a_failed_reply_has_no_answer(reply: Reply) -> None:
    assert reply.read(str.upper) is None
    with pytest.raises(ValueError, match="no answer to score"):
        Score.of(question(), reply, "yes", {"correct": 1.0})


def test_a_reader_sees_every_answer_even_an_empty_one() -> None:
    assert Reply("ok", "", "").read(lambda text: text or "empty") == "empty"


def test_labels_details_and_weight() -> None:
    import numpy as np

    clip = Clip(samples=np.full(1600, 0.1, dtype=np.float32))
    reply = Reply("ok", "x" * 400, "x" * 400, transcripts=("heard",))
    score = Score.of(question(clip, voice="anna", snr_db="10"), reply, "x", {"n": 0.5}, {"type": "k"}, gold="g")
    assert score.labels == {"modality": "audio", "voice": "anna", "snr_db": "10", "type": "k"}
    assert score.statistics == {"n": 0.5}
    assert score.detail["gold"] == "g"
    assert score.detail["transcript"] == "heard"
    assert len(score.detail["reply"]) == 300
    assert Score.of(question(), reply, "x", {}).labels["modality"] == "text"


def test_means_and_shares_of_scores() -> None:
    def one(task: str, status: ScoreStatus, right: float, n: float = 1.0) -> Score:
        return Score("q", "i", "c", task, "p0", status, {"correct": right, "n": n})

    a, b = one("t.a", "scored", 1.0), one("t.a", "unparsed", 0.0)
    other = one("t.b", "scored", 0.25, 0.5)
    assert of_tasks([("m", [a, other]), ("n", [other])], "t.a") == [("m", [a])]
    assert of_tasks([("m", [a, other])], "t.a", "t.b") == [("m", [a, other])]
    assert failure_rate([a, b]) == 50.0 and failure_rate([]) is None
    assert share([a, b, a, a], lambda score: score.statistics["correct"]) == 75.0
    assert mean([a, b]) == 0.5 and mean([other]) == 0.5 and mean([a, other], "n", "n") == 1.0
    assert mean([]) is None and mean([a], bottom="absent") is None
