"""English as phonemes: text reading, CMUdict, homographs, forced IPA."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apun.errors import PhoneticError
from tts.english_sounds import sounds, word_sound
from tts.english_text import number_words, ordinal_words, spoken_tokens, year_words
from tts.kokoro_phonemes import english, from_ipa, from_reading


@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        ("Mr. Smith paid $5.50.", "mister smith paid five dollars and fifty cents ."),
        ("It's 10:05, or 7:00!", "it's ten oh five , or seven o'clock !"),
        ("the 21st of May 1999", "the twenty first of may nineteen ninety nine"),
        ("2,500 sheep, 3.14 pies", "two thousand five hundred sheep , three point one four pies"),
        ("the 1980s", "the nineteen eighties"),
        ("50% off & free", "fifty percent off and free"),
        ("“Well…” she said — twice", "well … she said — twice"),
        ("café naïve", "cafe naive"),
        ("U.S.A. and TV", "U S A and T V"),
        ("rock 'n' roll, dogs' bones", "rock 'n' roll , dogs bones"),
        ("Wal-Mart t-shirts", "wal mart t shirts"),
        ("12th $1 0 007", "twelfth one dollar zero zero zero seven"),
        ("", ""),
        ("« » ()", ""),
    ],
)
def test_text_as_spoken(text: str, spoken: str) -> None:
    assert " ".join(spoken_tokens(text)) == spoken


@pytest.mark.parametrize(
    ("value", "words"),
    [(0, "zero"), (13, "thirteen"), (40, "forty"), (101, "one hundred one"), (1_000_000, "one million")],
)
def test_numbers(value: int, words: str) -> None:
    assert " ".join(number_words(value)) == words


def test_ordinals_and_years() -> None:
    assert " ".join(ordinal_words(30)) == "thirtieth"
    assert " ".join(ordinal_words(112)) == "one hundred twelfth"
    assert " ".join(year_words(2007)) == "two thousand seven"
    assert " ".join(year_words(1905)) == "nineteen oh five"
    assert " ".join(year_words(2010)) == "twenty ten"


def test_homographs_follow_the_word_before() -> None:
    phrase = "i want to use the use of wind to wind".split()  # noqa: SIM905
    found = dict(enumerate(" ".join(phones) for phones in sounds(phrase)))
    assert (found[3], found[5]) == ("Y UW1 Z", "Y UW1 S")
    assert (found[7], found[9]) == ("W IH1 N D", "W AY1 N D")


def test_weak_forms_are_strong_at_the_end_of_a_phrase() -> None:
    assert sounds(["to", "go"])[0] == ("T", "AH0")
    assert sounds(["go", "to"])[1][-1][-1] == "1"
    assert sounds(["the", "apple"])[0] == ("DH", "IY0")
    assert sounds(["the", "bear"])[0] == ("DH", "AH0")


@pytest.mark.parametrize(
    ("word", "ends"),
    [("honeybee's", "IY2 Z"), ("blorping", "IH0 NG"), ("runnin'", "IH0 N"), ("quintuplets", "T S"), ("zibbed", "D")],
)
def test_words_cmudict_lacks(word: str, ends: str) -> None:
    assert " ".join(word_sound(word)).endswith(ends)


@settings(deadline=None, max_examples=200)
@given(st.text(max_size=60))
def test_any_text_gives_only_signs_kokoro_knows(text: str) -> None:
    known = set(" .,;:!?—…ˈˌAIOWYbdfhijklmnpstuvwzðŋɡɹʃʒʧʤθæɑɔəɛɜɪʊʌᵊT")
    assert set(english(text)) <= known


def test_known_sentence() -> None:
    assert english("A new baker always needs the dough!") == "ə nˈu bˈAkəɹ ˈɔlwˌAz nˈidz ðə dˈO!"
    assert english("The little water bottle.") == "ðə lˈɪTᵊl wˈɔTəɹ bˈɑTᵊl."


@pytest.mark.parametrize(
    ("ipa", "signs"),
    [
        ("lɛd", "lˈɛd"), ("ˈlɛd", "lˈɛd"), ("ˈbeɪkɚ", "bˈAkəɹ"), ("t͡ʃɝt͡ʃ", "ʧˈɜɹʧ"), ("tʃɜːrtʃ", "ʧˈɜɹʧ"),
        ("d͡ʒʌd͡ʒ", "ʤˈʌʤ"),
        ("ɡoʊ", "ɡˈO"), ("go", "ɡˈO"), ("ˌʌndɚˈstænd", "ˌʌndəɹstˈænd"), ("ðə", "ðə"), ("fiː", "fˈi"), ("bɔɪ", "bˈY"),
    ],
)  # fmt: skip
def test_ipa_as_kokoro_reads_it(ipa: str, signs: str) -> None:
    assert from_ipa(ipa) == signs


def test_reading_takes_stress_from_the_dictionary_and_marks_from_the_text() -> None:
    assert from_reading("ʌndəɹstænd ðə lɛd", "understand, the lead!") == "ˌʌndəɹstˈænd, ðə lˈɛd!"
    assert from_reading("lɛd", "two words?") == "lˈɛd?"
    assert from_reading("wʌz lɛd", "was lead") == "wʌz lˈɛd."


@pytest.mark.parametrize("bad", ["ʁy", "ma55", "x̩", "好"])
def test_foreign_segments_raise(bad: str) -> None:
    with pytest.raises(PhoneticError, match="does not have"):
        from_ipa(bad)
