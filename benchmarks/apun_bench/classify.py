"""The type of a pun from the two words' spelling and IPA (paper §3.2); readings, lemmas and forms of a word."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from apun.errors import PhoneticError
from benchmarks.apun_bench.items import HETEROGRAPHIC, HOMOGRAPHIC, HOMOPHONIC, UNTYPED, PunType


def type_of(pun_forms: Sequence[str], alternatives: Sequence[str]) -> PunType:
    """Homographic by spelling; then homophonic or heterographic by IPA.

    Args:
        pun_forms: the pun word and its lemmas.
        alternatives: lemmas of the other word.

    Returns:
        Homographic where a form is spelled as an alternative; homophonic where any two readings (CMUdict lists
        several for many words) are the same; else heterographic. Untyped without alternatives.
    """
    if not alternatives:
        return UNTYPED
    if {form.casefold() for form in pun_forms} & {other.casefold() for other in alternatives}:
        return HOMOGRAPHIC
    heard = {ipa for form in pun_forms for ipa in ipa_of(form)}
    return HOMOPHONIC if any(ipa in heard for other in alternatives for ipa in ipa_of(other)) else HETEROGRAPHIC


def ipa_of(word: str) -> tuple[str, ...]:
    """Every reading of a word, the most usual first; empty where it cannot be read."""
    from apun.phonetics import sounds

    try:
        return tuple(sound.ipa for sound in sounds(word))
    except PhoneticError:
        return ()


def gold_sounds(forms: Iterable[str], others: Sequence[str], *, same: bool) -> dict[str, str]:
    """Gold IPA of the first pair of readings that shows the type: equal or different; none where no pair does."""
    pairs = ((mine, ipa) for form in forms for mine in ipa_of(form) for other in others for ipa in ipa_of(other))
    for mine, theirs in pairs:
        if (mine == theirs) is same:
            return {"pun_ipa": mine, "alternative_ipa": theirs}
    return {}


def lemmas_of(word: str) -> tuple[str, ...]:
    """Every lemma a word may have, by spelling; the word itself where lemminflect knows none."""
    from lemminflect import getAllLemmas

    found = {lemma for lemmas in getAllLemmas(word.casefold()).values() for lemma in lemmas}
    return tuple(sorted(found)) or (word.casefold(),)


def inflected_like(pun_word: str, pun_lemmas: Sequence[str], other: str) -> str:
    """The other lemma in the grammatical form that the pun word has, such as ``votes`` for ``goats``.

    The lemma itself where the pun word is no regular form of its lemmas, or the other has no such form.
    """
    from lemminflect import getAllInflections, getInflection

    word = pun_word.casefold()
    for lemma in pun_lemmas:
        tags = [tag for tag, forms in getAllInflections(lemma).items() if word in forms]
        for tag in sorted(tags, key=lambda t: (t in ("NN", "VB", "JJ", "RB") and lemma != word, t)):
            if tag in ("NN", "VB", "VBP", "JJ", "RB"):
                return other
            if forms := getInflection(other, tag):
                return str(forms[0])
    return other
