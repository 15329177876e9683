"""English as phonemes: text reading, CMUdict, homographs, forced IPA."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apun.errors import PhoneticError
from tts.core.english_phonemes import english, from_ipa, from_reading


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
