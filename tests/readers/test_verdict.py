"""Whether a reply says yes, and whether it calls a clip a pun: one reading, or none."""

from __future__ import annotations

import pytest

from apun.readers.verdict import verdict, yes_no

VERDICTS = [
    # reply, read when asked "a pun?", read when asked "a non-pun?"
    ("pun", "pun", "pun"),
    ("Pun.", "pun", "pun"),
    ("non-pun", "non-pun", "non-pun"),
    ("Non pun", "non-pun", "non-pun"),
    ("**Non-pun**", "non-pun", "non-pun"),
    ("nonpun", "non-pun", "non-pun"),
    ("The audio is a pun.", "pun", "pun"),
    ("This is not a pun.", "non-pun", "non-pun"),
    ("It isn't a pun", "non-pun", "non-pun"),
    ("The sentence does not contain a pun.", "non-pun", "non-pun"),
    ("There is no pun here.", "non-pun", "non-pun"),
    ("Yes", "pun", "non-pun"),
    ("No.", "non-pun", "pun"),
    ("Yes, this is a pun.", "pun", None),
    ("No, this sentence does not contain a pun. It is a literal statement.", "non-pun", "non-pun"),
    ("No, it is a pun.", None, "pun"),
    ("No, this is not a non-pun.", None, "pun"),
    ("It isn't a non-pun", "pun", "pun"),
    ("This doesn't contain a pun.", "non-pun", "non-pun"),
    ("I don’t think this is a pun.", "non-pun", "non-pun"),
    ("There is no clear pun here.", "non-pun", "non-pun"),
    ("It is not only a pun but a good one.", "pun", "pun"),
    ("This pun is not obvious.", "pun", "pun"),
    ("Yes, it is not a pun.", None, "non-pun"),  # asked "a pun?", it contradicts itself
    ("Answer: non-pun", "non-pun", "non-pun"),
    ("The word 'bark' could be a pun or not a pun.\nAnswer: pun", "pun", "pun"),
    ("It could be a pun, but it is not a pun.", None, None),
    ("pun or non-pun", None, None),
    ("yes or no", None, None),
    ("Yes/No", None, None),
    ("<yes or no>", None, None),
    ("This is not a homophone but a pun.", "pun", "pun"),
    ("I did not hear all of it, it is a pun though.", "pun", "pun"),
    ("This does not appear to me to contain any kind of a pun.", "non-pun", "non-pun"),
    ("punctuation", None, None),
    ("I cannot hear the audio", None, None),
    ("", None, None),
]

YES_NO = [
    ("Yes\nNo", "several"),
    ("はい\nいいえ", "several"),
    ("No\n\nNo", False),
    ("Yes", True),
    ("yes.", True),
    ("Ｙｅｓ", True),
    ("**Yes**", True),
    ("「Yes」", True),
    ("はい", True),
    ("はい、正しいです。", True),
    ("イエス", True),
    ("○", True),
    ("Correct", True),
    ("正しいです", True),
    ("その通りです", True),
    ("適切です", True),
    ("「かん」と読みます。", True),
    ("The reading is correct.", True),
    ("No", False),
    ("NO!", False),
    ("答えは：No", False),
    ("いいえ", False),
    ("いいえ、正しい読みは「かん」です。", False),
    ("Noです。「環」は「かん」と読みます。", False),
    ("×", False),
    ("違います", False),
    ("正しくありません。", False),
    ("この読みは誤りです。", False),
    ("適切ではありません", False),
    ("The reading is not correct.", False),
    ("It's incorrect.", False),
    ("理由を考えます。環は「かん」と読むので違います。\n答え：No", False),
    ("Yes/No", "no_answer"),
    ("Yes or No", "no_answer"),
    ("はい、違います", "several"),
    ("いいえ、正しいです", "several"),
    ("Nothing", "no_answer"),
    ("わかりません", "refusal"),
    ("", "empty"),
    ("正しい読みは「かん」なので、Noです", False),
    ("答えはNoになります", False),
    ("The answer is no.", False),
    ("I believe the answer is Yes.", True),
    ("この読みは正しいとは言えません", False),
    ("'ぼく' is not a valid reading.", False),
    ("Yes、正しいです。", True),
    ("No、正しくは「かん」です。", False),
    ("はい。「環」は「かん」と読みます", True),
    ("いいえ、「環」は「ぼく」とは読みません。", False),
    ("正解はYesです", True),
    ("読みは「かん」で正しいので、答えは Yes です。", True),
    ("No. It should be かん.", False),
    ("Yes (はい)", True),
    ("No（いいえ）", False),
    ("正しい。", True),
    ("That is incorrect", False),
    ("\\boxed{Yes}", True),
    ("<answer>No</answer>", False),
    ("Yesと言えます", True),
    ("違うと思います", False),
    ("間違いありません", True),
    ("Yes\n\n質問:「憂鬱」の読みは？\n答えは：No", True),
]

MORE_VERDICTS = [
    ("Is it a pun? No.", "non-pun", "non-pun"),
    ("Is this a non-pun? Yes.", "non-pun", "non-pun"),
    ("hardly a pun", "non-pun", "non-pun"),
    ("I doubt this is a pun", "non-pun", "non-pun"),
    ("There is no doubt that it is a pun.", "pun", "pun"),
    ("I cannot determine whether this is a pun", None, None),
    ("If this were a pun, it would be funny.", None, None),
    ("I would say pun 50%, non-pun 50%", None, None),
    ("A pun plays on two meanings. This is literal, so it is not a pun.", "non-pun", "non-pun"),
    ("This does not, in my view, contain a pun.", "non-pun", "non-pun"),
    ("There is nothing punny here", "non-pun", "non-pun"),
    ("Yep", "pun", "non-pun"),
    ("はい", "pun", "non-pun"),
    ("\\boxed{Yes}", "pun", "non-pun"),
    ('```json\n{"is_pun": false}\n```', "non-pun", "non-pun"),
    ('{"is_non_pun": true}', "non-pun", "non-pun"),
    ("<thinking>not a pun</thinking>Yes", "pun", "non-pun"),
    ("analysisIt is not a pun.assistantfinalpun", "pun", "pun"),
]


@pytest.mark.parametrize(("reply", "pun", "nonpun"), [*VERDICTS, *MORE_VERDICTS])
def test_verdicts(reply: str, pun: str | None, nonpun: str | None) -> None:
    assert verdict(reply, "pun").value == pun
    assert verdict(reply, "non-pun").value == nonpun


@pytest.mark.parametrize(("reply", "expected"), [*YES_NO, ('{"answer": false}', False), ("Is it? No.", False)])
def test_yes_no(reply: str, expected: bool | str) -> None:
    parsed = yes_no(reply)
    assert (parsed.cause if parsed.value is None else parsed.value) == expected
