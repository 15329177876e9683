"""Readings in messy replies: kana of any script and width, romaji, pinyin however it is spelled."""

from __future__ import annotations

import pytest

from apun.readers.reading import kana, pinyin

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

PINYIN: list[tuple[str, str | None]] = [
    ('{"answer": "zhāng"}', "zhang1"),
    ('{"answer": "Zhang1"}', "zhang1"),
    ('{"answer": "wú yǔ lún bǐ"}', "wu2 yu3 lun2 bi3"),
    ('{"answer": ["wú", "yǔ", "lún", "bǐ"]}', "wu2 yu3 lun2 bi3"),
    ('{"pinyin": "wu2yu3lun2bi3"}', "wu2 yu3 lun2 bi3"),
    ('{"answer": "lv4"}', "lü4"),
    ('{"answer": "jiā fǎ， jié hé lǜ。"}', "jia1 fa3 jie2 he2 lü4"),
    ("zhāng", "zhang1"),
    ("“zhāng”。", "zhang1"),
    ("答案：zhāng", "zhang1"),
    ("The answer is wú yǔ lún bǐ.", "wu2 yu3 lun2 bi3"),
    ("```\nzhang1\n```", "zhang1"),
    ("这个字读作什么呢？\nzhāng", "zhang1"),
    ('{"answer": "张"}', None),
    ('{"answer": 5}', None),
    ("he can", None),
    ("I do not know.", None),
    ("", None),
]

MORE_READINGS = [
    ('{"読み": "かく"}', "かく"),
    ("<thought>さ</thought>かく", "かく"),
    ("It is not read as さ. It is read as かく.", "かく"),
    ("「覚」は「おぼ」ではなく「かく」と読みます。", "かく"),
    ("かくかさ", "かくかさ"),
]
MORE_WORDS = [
    ("**しき** または **かたな**", "several"),
    ("「かくせい」の母音は「あうえい」です。\n**はつめい**", "はつめい"),
    ("韻を踏む言葉: はつめい", "はつめい"),
]
MORE_PINYIN = [
    ("拼音：lǚ", "lü3"),
    ("吕 lǚ", "lü3"),
    ("“吕”的拼音是 lǚ。", "lü3"),
    ("“吕”的拼音是 lǚ，不是 lǔ。", "lü3"),
    ("I think the pinyin of 吕 is lǚ, which has the third tone.", "lü3"),
    ("/lǚ/", "lü3"),
    ("lu:3", "lü3"),
    ("lǚ 或 lǔ", None),
    ("lǚ/lǔ", None),
    ("缘(yuán) 袁(yuán) 埠(bù) 缎(duàn)", "yuan2 yuan2 bu4 duan4"),
    ("选项A的声母不同。", None),
]


@pytest.mark.parametrize(("reply", "expected"), [*READINGS, *MORE_READINGS])
def test_readings(reply: str, expected: str) -> None:
    parsed = kana(reply, kanji="覚", word="覚醒")
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
    parsed = kana(reply, kanji="覚", word="覚える", okurigana="える")
    assert parsed.value == (expected,)


def test_romaji_that_is_open_stays_open() -> None:
    assert kana("kō", kanji="格", word="格子").value == ("こう", "こお")
    assert kana("こう (kō)", kanji="格", word="格子").value == ("こう",)


@pytest.mark.parametrize(("reply", "expected"), [*WORDS, *MORE_WORDS])
def test_words(reply: str, expected: str) -> None:
    parsed = kana(reply, given="かくせい")
    assert (parsed.value[0] if parsed.value else parsed.cause) == expected


@pytest.mark.parametrize(("text", "expected"), [*PINYIN, *MORE_PINYIN])
def test_pinyin(text: str, expected: str | None) -> None:
    found = pinyin(text).value
    assert (None if found is None else " ".join(s.numbered for s in found)) == expected
