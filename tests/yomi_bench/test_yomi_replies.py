"""Messy replies, as a careful person would read them: quotes, half-width kana, romaji, prose, refusals."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.yomi_bench.answer_choice import parse_choice, parse_word, parse_yes_no
from benchmarks.yomi_bench.answer_reading import parse_reading

READINGS = [
    ("かく", "かく"),
    ("カク", "かく"),
    ("ｶｸ", "かく"),
    ("か゛く", "がく"),
    ("か\u3099く", "がく"),
    ("「かく」", "かく"),
    ("『かく』", "かく"),
    ("<かく>", "かく"),
    ("`かく`", "かく"),
    ("**かく**", "かく"),
    ("1. かく", "かく"),
    ("かくです。", "かく"),
    ("かくと読みます", "かく"),
    ("正解は「かく」です！", "かく"),
    ("答えは：かく", "かく"),
    ("Answer: かく", "かく"),
    ("ﾖﾐ:ｶｸ", "かく"),
    ("読み方は「かく」です。送り仮名はありません。", "かく"),
    ("kaku", "かく"),
    ("KAKU.", "かく"),
    ("The reading is kaku.", "かく"),
    ('The kanji 覚 in 覚醒 is read as "kaku".', "かく"),
    ("The answer is 'kaku', not 'sa'.", "かく"),
    ("The pronunciation is かく.", "かく"),
    ('It is read "kaku" (かく).', "かく"),
    ("かく (kaku)", "かく"),
    ("かく/kaku", "かく"),
    ("かく（覚）", "かく"),
    ("覚（かく）", "かく"),
    ("覚：かく", "かく"),
    ("「覚」→「かく」", "かく"),
    ("醒(せい)と覚(かく)", "かく"),
    ("覚醒（かくせい）", "かくせい"),
    ("「覚醒」の「覚」は「かく」と読みます。", "かく"),
    ("「覚醒」は「かくせい」と読み、「覚」の読みは「かく」です。", "かく"),
    ("「おぼ」ではなく「かく」です。", "かく"),
    ("かく\n\n解説：覚醒は「かくせい」と読み、目が覚めることです。", "かく"),
    ("考えてみます。覚には「おぼ」「さ」などの読みがあります。\n答え：かく", "かく"),
    ("まず単語を分解します。\n\nかく", "かく"),
    ("答え：**かく**（覚醒＝かくせい）", "かく"),
    ("かく。「さ」とも読みます。", "かく"),
    ("かく、さ", "several"),
    ("かく\nさ", "several"),
    ("かく\nkaku", "かく"),
    ("かく・さ・おぼ", "several"),
    ("かく or sa", "several"),
    ("「かく」または「おぼ」", "several"),
    ("かく (さ)", "no_answer"),
    ("かく (sa)", "no_answer"),
    ("醒", "no_answer"),
    ("", "empty"),
    ("  \n", "empty"),
    ("わかりません", "refusal"),
    ("答え：わかりません", "refusal"),
    ("申し訳ありませんが、お答えできません。", "refusal"),
    ("I'm sorry, I cannot answer that.", "refusal"),
    ("音声が聞き取れませんでした。", "refusal"),
    ("覚醒（かくせい）の覚は「かく」と読む。", "かく"),
    ("**かく** (覚醒 = かくせい)", "かく"),
    ("覚醒の「覚」は、音読みで「カク」です。訓読みは「おぼえる」「さめる」です。", "かく"),
    ("音読み：カク", "かく"),
    ("この場合の読みは『かく』になります。", "かく"),
    ("Kaku (かく)", "かく"),
    ("The reading of 覚 in 覚醒 is かく (kaku).", "かく"),
    ("「覚」の読み：かく", "かく"),
    ("答え：「かく」", "かく"),
    ("答えは「かく」です。覚醒は「かくせい」と読みます。", "かく"),
    ("読み：かく（音読み）", "かく"),
    ("かく（音読み）", "かく"),
    ("ひらがなで答えると「かく」です。", "かく"),
    ("覚醒 → かくせい → 覚 = かく", "かく"),
    ("<answer>かく</answer>", "かく"),
    ("\\boxed{かく}", "かく"),
    ("かく。", "かく"),
    ("［かく］", "かく"),
    ("《かく》", "かく"),
    ("覚→かく 醒→せい", "かく"),
    ("Reading: kaku", "かく"),
    ("覚醒: kakusei; 覚: kaku", "かく"),
    ("It's かく.", "かく"),
    ("The correct answer is かく", "かく"),
    ("正解：かく（kaku）", "かく"),
    ("かく\u3000です", "かく"),
    ("はい、「かく」です。", "かく"),
    ("質問:「憂鬱」の「鬱」\n答えは：うつ", "うつ"),
    ("かく\n質問:「憂鬱」という単語の「鬱」という漢字の読みは？\n答えは：うつ", "かく"),
]


@pytest.mark.parametrize(("reply", "expected"), READINGS)
def test_readings(reply: str, expected: str) -> None:
    parsed = parse_reading(reply, "覚", "覚醒")
    assert (parsed.value[0] if parsed.value else parsed.cause) == expected


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("おぼ（える）", "おぼ"),
        ("おぼ.える", "おぼ"),
        ("おぼ", "おぼ"),
        ("おぼえる", "おぼえる"),
        ("「覚える」の「覚」は「おぼ」です", "おぼ"),
        ("覚(おぼ)える", "おぼ"),
    ],
)
def test_okurigana(reply: str, expected: str) -> None:
    parsed = parse_reading(reply, "覚", "覚える", "える")
    assert parsed.value == (expected,)


def test_romaji_that_is_open_stays_open() -> None:
    assert parse_reading("kō", "格", "格子").value == ("こう", "こお")
    assert parse_reading("こう (kō)", "格", "格子").value == ("こう",)


CHOICES = [
    ("B", 1),
    ("b", 1),
    ("Ｂ", 1),
    ("Ⓑ", 1),
    ("(B)", 1),
    ("（Ｂ）学生", 1),
    ("B) 学生", 1),
    ("B. 学生", 1),
    ("【B】", 1),
    ("正解は：**B**", 1),
    ("正解は：**(B)学生**", 1),
    ("正解は：**学生**", 1),
    ("答え：Ｄ（博士）", 3),
    ("選択肢Bが正解です", 1),
    ("Option B", 1),
    ("The answer is B.", 1),
    ("A rhyme is hard to find, but I choose (B).", 1),
    ("I think B is correct because がくせい = auei.", 1),
    ("学生", 1),
    ("「学生」", 1),
    ("がくせい", 1),
    ("ｶﾞｸｾｲ", 1),
    ("答えは学生です。", 1),
    ("論文と委員は違います。正解は：B", 1),
    ("Aではなく B です", 1),
    ("(A)ではなく(B)", 1),
    ("まず母音を考えます。\n論文: oun\n学生: auei\n\n正解は：**(B)**", 1),
    ("(A) 論文 (B) 学生 (C) 委員 (D) 博士", "several"),
    ("AかB", "several"),
    ("(A) 学生", "several"),
    ("学生と博士", "several"),
    ("2", "no_answer"),
    ("正解は：**ここに正解の選択肢を入れる**", "no_answer"),
    ("大学生です", "no_answer"),
    ("わかりません", "refusal"),
    ("", "empty"),
    ("\\boxed{B}", 1),
    ("<answer>B</answer>", 1),
    ("B：学生", 1),
    ("答え: B（がくせい）", 1),
    ("（Ｂ）", 1),
    ("B\n\n理由：(A)はoun、(C)はiin、(D)はaaeだからです。", 1),
    ("正解は：**B) 学生**", 1),
    ("**正解は：(B) 学生**", 1),
    ("選択肢を見ると、(A)論文はoubu、(B)学生はauei、(C)委員はiin、(D)博士はaae。よって(B)です。", 1),
    ("したがって、正解はBです。", 1),
    ("b)", 1),
    ("Answer: (b)", 1),
    ("私はAを選びません。Bを選びます。", 1),
    ("正解は：**がくせい**", 1),
    ("All of A, B, C, D are wrong.", "several"),
    ("A\nC", "several"),
    ("A\n正解は：**(C)**", "several"),
    ("C\n正解は：**(C)**", 2),
    ("(A) 論文\n(B) 学生\n(C) 委員\n(D) 博士", "several"),
    ("(A) 論文\n(B) 学生\n(C) 委員\n(D) 博士\n答え：B", 1),
    ("The answer is not B.", "no_answer"),
    ("The answer isn't 学生", "no_answer"),
    ("正解は：(B)ではありません", "no_answer"),
]


@pytest.mark.parametrize(("reply", "expected"), CHOICES)
def test_choices(reply: str, expected: int | str) -> None:
    parsed = parse_choice(reply, ["論文", "学生", "委員", "博士"], ["ろんぶん", "がくせい", "いいん", "はかせ"])
    assert (parsed.cause if parsed.value is None else parsed.value) == expected


def test_a_short_kana_option_is_not_found_inside_a_sentence() -> None:
    parsed = parse_choice("母音を比べると、答えはしきです。", ["かじょう", "かんそう", "まいきょ", "しき"])
    assert parsed.value == 3
    assert parse_choice("しきりに考えました。", ["かじょう", "かんそう", "まいきょ", "しき"]).value is None


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


@pytest.mark.parametrize(("reply", "expected"), YES_NO)
def test_yes_no(reply: str, expected: bool | str) -> None:
    parsed = parse_yes_no(reply)
    assert (parsed.cause if parsed.value is None else parsed.value) == expected


WORDS = [
    ("はつめい", "はつめい"),
    ("ハツメイ", "はつめい"),
    ("答え：ﾊﾂﾒｲ", "はつめい"),
    ("**はつめい**", "はつめい"),
    ("「はつめい」", "はつめい"),
    ("はつめいです", "はつめい"),
    ("hatsumei", "はつめい"),
    ("The word is 'hatsumei' (発明).", "はつめい"),
    ("発明（はつめい）", "はつめい"),
    ("はつめい（発明）", "はつめい"),
    ("はつめい\n（意味：発明）", "はつめい"),
    ("「かくせい」と韻を踏む言葉は「はつめい」です。", "はつめい"),
    ("**はつめい**\n\n解説：かくせい→auei、はつめい→auei", "はつめい"),
    ("かくせい", "かくせい"),
    ("発明", "not_kana"),
    ("**発明**", "not_kana"),
    ("はつめい、がくせい", "several"),
    ("1. はつめい\n2. がくせい", "several"),
    ("候補は「はつめい」や「がくせい」です", "several"),
    ("**ここに生成した韻を入れる**", "no_answer"),
    ("わかりません", "refusal"),
    ("無理です。", "refusal"),
    ("", "empty"),
    ("\\boxed{はつめい}", "はつめい"),
    ("<answer>はつめい</answer>", "はつめい"),
    ("**はつめい**（発明）", "はつめい"),
    ("答え：**はつめい**", "はつめい"),
    ("かくせい → はつめい", "はつめい"),
    ("**発明（はつめい）**", "はつめい"),
    ("韻：はつめい", "はつめい"),
    ("「はつめい」はどうでしょうか。", "はつめい"),
    ("はつめい！", "はつめい"),
    ("さくめい (作名)", "さくめい"),
    ("- はつめい", "はつめい"),
    ("母音はa-u-e-iなので、**はつめい**", "はつめい"),
]


@pytest.mark.parametrize(("reply", "expected"), WORDS)
def test_words(reply: str, expected: str) -> None:
    parsed = parse_word(reply, "かくせい")
    assert (parsed.value[0] if parsed.value else parsed.cause) == expected


@settings(deadline=None)
@given(st.text(max_size=80))
def test_no_reply_breaks_a_reader(reply: str) -> None:
    """Hostile text gives a value or a cause, never an error, and never both."""
    for parsed in (
        parse_reading(reply, "覚", "覚醒"),
        parse_choice(reply, ["論文", "学生", "委員", "博士"]),
        parse_yes_no(reply),
        parse_word(reply, "かくせい"),
    ):
        assert (parsed.value is None) == bool(parsed.cause)


@pytest.mark.parametrize("piece", ["(", "「", "**", "か(", "はい、", "A", "覚は", "答え：", "'", "read as "])
def test_long_replies_are_read_in_bounded_time(piece: str) -> None:
    import time

    reply = piece * 20_000
    start = time.process_time()
    parse_reading(reply, "覚", "覚醒")
    parse_choice(reply, ["論文", "学生", "委員", "博士"])
    parse_yes_no(reply)
    parse_word(reply, "かくせい")
    assert time.process_time() - start < 2.0
