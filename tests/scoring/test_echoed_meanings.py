"""An answer that repeats the sentence, or one meaning twice, is not two meanings."""

from __future__ import annotations

import numpy as np

from apun.scoring.inference import classify_inference, distinct_meanings, said_meanings
from apun.scoring.meaning import Similarity

TEXT = "The queen went home from the dentist with a brand new crown."
GOLD = ("cover for a damaged tooth", "royal headgear")


# finds everything alike, as sentence embeddings do with a sentence and its own pun
GENEROUS = Similarity("generous", lambda texts: np.ones((len(texts), 3), np.float32))


def judge(*meanings: str) -> tuple[bool, str | None]:
    result = classify_inference(
        list(meanings), kind="homographic", gold=GOLD, pun_word="crown", text=TEXT, similarity=GENEROUS
    )
    return result.correct, result.error


def test_an_echo_of_the_sentence_is_no_meaning() -> None:
    assert judge(TEXT, TEXT) == (False, "IA")
    assert judge(TEXT.upper(), "royal headgear") == (False, "IA")
    assert judge("tooth cap", "royal hat") == (True, None)


def test_one_meaning_said_twice_is_one_layer() -> None:
    assert judge("a royal hat", "A royal hat.") == (False, "RD")
    assert distinct_meanings(["a", "b", "A."]) == ("a", "b")
    assert said_meanings(["a", "A.", "b", "", "?"], "B!") == ("a", "A.")
