"""Words to sounds: English, Mandarin, Japanese.

``sounds(word, language)`` gives the readings of a word as canonical IPA, ``words(text, language)`` the
words of a text with theirs. Gold readings live in the items; these are for what models answer.
"""

from apun.phonetics.sounds import LANGUAGES, Language, Sound, Word, sounds, words

__all__ = ["LANGUAGES", "Language", "Sound", "Word", "sounds", "words"]
