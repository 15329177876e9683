"""Word and character errors, against jiwer, and the normalisers."""

from __future__ import annotations

import subprocess
import sys
import warnings

import jiwer
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apun.errors import MissingDependency, UsageError
from apun.phonetics import comparable, english
from apun.phonetics.mandarin import simplified
from apun.phonetics.mandarin import text as chinese_text
from apun.scoring.wer import count_errors

pytest.importorskip("whisper")


def test_english_counts_words_after_whispers_normaliser() -> None:
    found = count_errors("Mr. Smith's colour, twenty-one!", "mister smith is color 21", "en")
    assert (found.errors, found.units, found.rate) == (0, 5, 0.0)
    wrong = count_errors("the claymore springs to mine", "the clay more springs to mind", "en")
    assert (wrong.substitutions, wrong.insertions, wrong.deletions, wrong.hits) == (2, 1, 0, 3)
    assert wrong.rate == pytest.approx(3 / 5)
    assert [chunk.kind for chunk in wrong.alignment if chunk.kind != "equal"] == ["insert", "substitute", "substitute"]


def test_whispers_normaliser_is_the_real_one() -> None:
    from whisper.normalizers import EnglishTextNormalizer

    theirs = EnglishTextNormalizer()
    for text in ("Don't, uh, colour it — it's $20.5!", "[noise] He's won't", "three hundred and five", ""):
        assert comparable(text, "en") == theirs(text).strip()


def test_importing_the_scorer_and_normalising_does_not_import_torch() -> None:
    code = (
        "import importlib, pkgutil, sys, apun.scoring as s;"
        "m = {i.name: importlib.import_module(f'apun.scoring.{i.name}') for i in pkgutil.iter_modules(s.__path__)};"
        "m['wer'].count_errors('a b', 'a c'); m['location'].locate('mind', 'mine');"
        "print(sorted({'torch', 'transformers', 'whisper', 'pandas'} & set(sys.modules)))"
    )
    found = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert found.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("reference", "hypothesis", "errors", "units", "rate"),
    [("", "", 0, 0, 0.0), ("", "two words", 2, 0, 2.0), ("two words", "", 2, 2, 1.0), ("!", "?", 0, 0, 0.0)],
)
def test_empty_texts_are_defined_and_counted(
    reference: str, hypothesis: str, errors: int, units: int, rate: float
) -> None:
    found = count_errors(reference, hypothesis)
    assert (found.errors, found.units, found.rate) == (errors, units, rate)
    assert found.statistics["empty_reference"] == (units == 0)
    assert found.statistics["empty_hypothesis"] == (hypothesis in ("", "?"))


words = st.lists(st.sampled_from(["red", "green", "blue", "grey", "black"]), max_size=8).map(" ".join)


@given(st.lists(st.tuples(words, words), min_size=1, max_size=5))
@settings(deadline=None, max_examples=150)
def test_sums_of_a_corpus_are_jiwers(pairs: list[tuple[str, str]]) -> None:
    pairs = [(a, b) for a, b in pairs if a]
    if not pairs:
        return
    found = [count_errors(a, b) for a, b in pairs]
    normalised = [[comparable(text) for text in side] for side in zip(*pairs, strict=True)]
    rate = sum(e.errors for e in found) / sum(e.units for e in found)
    assert rate == pytest.approx(jiwer.wer(normalised[0], normalised[1]))
    for one in found:
        rebuilt = [unit for chunk in one.alignment for unit in chunk.reference]
        assert len(rebuilt) == one.units
        assert sum(len(c.reference) for c in one.alignment if c.kind == "delete") == one.deletions
        assert sum(len(c.hypothesis) for c in one.alignment if c.kind == "insert") == one.insertions


def test_english_characters_are_jiwers_too() -> None:
    found = count_errors("the mine", "the mind", "en", "character")
    assert found.rate == pytest.approx(jiwer.cer("the mine", "the mind"))


@pytest.mark.parametrize(
    ("written", "normal"),
    [
        ("漢語，頭髮和發展！", "汉语头发和发展"),
        ("2023年", "二零二三年"),
        ("我有1,000元", "我有一千元"),
        ("３.５ 度", "三点五度"),
        ("50%", "百分之五十"),
        ("007", "零零七"),
        ("13800138000", "一三八零零一三八零零零"),
        ("AA 制", "aa制"),
        ("hello world 你好", "hello world你好"),
        ("", ""),
    ],
)
def test_mandarin_normaliser(written: str, normal: str) -> None:
    pytest.importorskip("opencc")
    pytest.importorskip("cn2an")
    assert comparable(written, "zh") == normal


@pytest.mark.parametrize(
    ("written", "normal"),
    [
        ("今日は、ＡＢＣ！", "今日はabc"),
        ("ｶﾞｷﾞ", "ガギ"),
        ("すご〜い", "すごーい"),
        ("カ-ト", "カート"),
        ("か が", "かが"),
        ("か\u3099", "が"),
    ],
)
def test_japanese_normaliser(written: str, normal: str) -> None:
    assert comparable(written, "ja") == normal


def test_characters_of_mandarin_and_japanese() -> None:
    found = count_errors("年年有餘 OK", "年年有鱼ok", "zh")
    assert (found.substitutions, found.units) == (1, 5)
    assert count_errors("今日は", "きょうは", "ja").errors == 3
    with pytest.raises(UsageError, match="written without spaces"):
        count_errors("年", "年", "zh", "word")


@given(st.text(max_size=25))
@settings(deadline=None, max_examples=200)
def test_normalisers_take_any_text_and_are_stable(text: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for language in ("zh", "ja"):
            once = comparable(text, language)
            assert comparable(once, language) == once
            assert count_errors(text, text, language).errors == 0
    assert count_errors(text, text, "en").errors == 0


@given(st.text("0123456789,./:-%年月日个度 ", max_size=14))
@settings(deadline=None, max_examples=300)
def test_no_number_breaks_the_mandarin_normaliser(text: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = comparable(text, "zh")
    assert not any(char in "0123456789" for char in found)
    assert comparable(found, "zh") == found


def test_missing_packages_name_their_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    for cached in (english._whisper, comparable, chinese_text._opencc):
        cached.cache_clear()
    monkeypatch.setattr(english.importlib.util, "find_spec", lambda name: None)
    monkeypatch.delitem(sys.modules, "whisper.normalizers", raising=False)
    monkeypatch.setitem(sys.modules, "opencc", None)
    with pytest.raises(MissingDependency, match=r"apun\[asr\]"):
        comparable("never seen before, surely")
    with pytest.raises(MissingDependency, match=r"apun\[zh\]"):
        simplified("漢")
