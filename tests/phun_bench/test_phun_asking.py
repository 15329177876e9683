"""Questions: forms, prompt files, sampling, what is spoken, and that no prompt holds the gold answer."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from apun.errors import DataError, PhoneticError, UsageError
from apun.phonetics.mandarin import is_han, numbered, parse
from apun.prompts import Prompt, load_templates
from apun.tasks import Conditions, Question, Subset, check_options
from benchmarks.phun_bench.benchmark import BENCHMARK
from benchmarks.phun_bench.items import HomophoneItem, SimilarityItem
from benchmarks.phun_bench.speaking import utterances
from benchmarks.phun_bench.tasks import FORMS, PROMPTS

SAMPLE = BENCHMARK.load(Subset("sample"))


def questions(name: str, speech: Any = None, items: Any = SAMPLE, **options: str) -> list[Question]:
    modality = "text" if speech is None else "audio"
    conditions = Conditions(modality=modality, options=options)  # type: ignore[arg-type]
    return list(BENCHMARK.tasks[name].ask(items, conditions, speech))


def shown(question: Question) -> str:
    """The user's message as text, clips as ``[name]``."""
    parts = question.prompt.rendered()[-1]["content"]
    return "".join(part.get("text") or f"[{part.get('name')}]" for part in parts)


def test_every_prompt_file_is_used_and_has_the_same_variants_in_both_languages() -> None:
    stems = {path.name.split(".")[0] for path in PROMPTS.glob("*.toml")}
    for stem in stems:
        zh, en = (load_templates(PROMPTS / f"{stem}.{language}.toml") for language in ("zh", "en"))
        assert zh.keys() == en.keys()
        assert all(zh[name].version == en[name].version for name in zh)
    used = {"similarity_whole", "similarity_clips_only", "similarity_pinyin", "dictation_whole", "dictation_clips_only"}
    assert stems == {*BENCHMARK.tasks, *used}


@pytest.mark.parametrize("name", list(BENCHMARK.tasks))
@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_task_asks_in_every_form(name: str, language: str, speech: Any) -> None:
    task = BENCHMARK.tasks[name]
    ids = Counter[str]()
    for modality, form in itertools.product(task.modalities, FORMS):
        asked = questions(name, speech if modality == "audio" else None, language=language, form=form)
        assert asked, (modality, form)
        for question in asked:
            assert bool(question.prompt.audios) == (modality == "audio")
            assert "{" not in shown(question).replace('{"answer"', "").replace('{"pun word"', "")
        if form == "word":
            ids.update(question.id for question in asked)
    assert all(count <= 2 for count in ids.values())


def test_no_field_or_user_message_holds_the_gold_answer() -> None:
    """Only what the question must show is shown: the solver and the logs see nothing else."""
    for question in questions("homophone_recall") + questions("word2pinyin") + questions("dictation"):
        item: Any = question.item
        seen = shown(question) + repr(dict(question.prompt.fields))
        assert item.target not in seen and numbered(item.reading) not in seen
    for question in questions("pinyin2word") + questions("contextual_pinyin2word"):
        item = question.item
        seen = shown(question) + repr(dict(question.prompt.fields))
        assert item.target not in seen and item.text not in seen
    for question in questions("contextual_homophone") + questions("contextual_word2pinyin"):
        item = question.item
        assert item.target not in shown(question) + repr(dict(question.prompt.fields))
    for question in questions("char2pinyin"):
        item = question.item
        seen = shown(question) + repr(dict(question.prompt.fields))
        assert item.syllable.numbered not in seen and item.syllable.pinyin not in seen
    for question in questions("similarity"):
        assert "answer" not in question.prompt.fields


@pytest.mark.parametrize("name", list(BENCHMARK.tasks))
def test_the_id_of_a_question_does_not_tell_its_answer(name: str) -> None:
    """Sheets for people show the ids."""
    for question in questions(name):
        item: Any = question.item
        gold = [getattr(item, "target", None), *getattr(item, "chars", ())]
        sounds = [item.syllable.numbered, item.syllable.pinyin] if hasattr(item, "syllable") else []
        assert not any(answer and f".{answer}/" in question.id for answer in (*gold, *sounds))


def test_a_similarity_question_as_it_is_shown(speech: Any) -> None:
    item = next(item for item in SAMPLE if isinstance(item, SimilarityItem))
    words = [item.text, *item.candidates]
    (text,) = questions("similarity", items=[item])
    assert shown(text) == "词：{}\nA. {}\nB. {}\nC. {}\nD. {}".format(*words)
    (pinyin,) = questions("similarity", items=[item], form="pinyin")
    assert shown(pinyin).startswith(f"词：{item.reading[0].pinyin} ") and not any(
        word in shown(pinyin) for word in words
    )
    (whole,) = questions("similarity", speech, [item], form="whole")
    assert shown(whole).startswith("[whole]\n请回答录音里的问题")
    (clips,) = questions("similarity", speech, [item], form="clips")
    assert shown(clips) == "词：[ref]\nA. [a]\nB. [b]\nC. [c]\nD. [d]"
    (bare,) = questions("similarity", speech, [item], form="clips_only")
    assert shown(bare) == "[ask][ref][a][b][c][d]" and len(bare.prompt.messages) == 1
    assert len({text.id, pinyin.id, whole.id, clips.id, bare.id}) == 5


def test_a_recogniser_is_told_the_language_and_a_cascade_gets_the_transcripts(speech: Any) -> None:
    item = next(item for item in SAMPLE if isinstance(item, SimilarityItem))
    (clips,) = questions("similarity", speech, [item], form="clips")
    assert clips.prompt.fields["language"] == "zh"
    heard = dict(zip(("ref", "a", "b", "c", "d"), (item.text, *item.candidates), strict=True))
    as_text = clips.prompt.with_transcripts(heard)
    (text,) = questions("similarity", items=[item])
    assert as_text.rendered() == text.prompt.rendered()
    assert BENCHMARK.tasks["similarity"].solve(as_text) == BENCHMARK.tasks["similarity"].perfect(text)


@pytest.mark.parametrize("form", ["whole", "clips", "clips_only"])
@pytest.mark.parametrize("name", ["similarity", "dictation"])
def test_the_solver_answers_what_was_spoken(name: str, form: str, speech: Any) -> None:
    """With every clip transcribed as it was meant to be read, the rules find the answer in each spoken form."""
    task = BENCHMARK.tasks[name]
    for question in questions(name, speech, form=form)[:12]:
        spoken = {utterance.part: utterance.text for utterance in utterances(question.item, form)}  # type: ignore[arg-type]
        prompt = question.prompt.with_transcripts(spoken)
        assert not prompt.audios
        assert task.solve(prompt) == task.perfect(question)


@pytest.mark.parametrize("heard", ["", "hello world", "。。。", "\0", "好", "中" * 300, "请听题。四个词里"])
def test_the_solver_answers_or_says_why_whatever_was_heard(heard: str) -> None:
    parts = dict.fromkeys(("main", "whole", "ref", "a", "b", "c", "d"), heard)
    fields = {"transcripts": parts, "pinyin": "hǎo", "word": heard, "query": "好"}
    for name, task in BENCHMARK.tasks.items():
        try:
            answer = task.solve(Prompt(name, task.name, (), (), fields))
        except PhoneticError as error:
            assert str(error)
        else:
            assert json.loads(answer)


def test_spoken_texts_have_one_forced_syllable_a_character() -> None:
    for item in SAMPLE:
        spoken = utterances(item)
        assert spoken
        for utterance in spoken:
            assert utterance.must_force and utterance.language == "zh" and utterance.item == item.id
            syllables = utterance.reading["pinyin"].split()
            assert len(syllables) == sum(map(is_han, utterance.text))
            assert all(len(parse(syllable)) == 1 for syllable in syllables)
            assert not any(char.isascii() and char.isalnum() for char in utterance.text), "letters cannot be forced"


def test_a_task_speaks_only_its_own_clips() -> None:
    similarity, dictation = BENCHMARK.tasks["similarity"], BENCHMARK.tasks["dictation"]
    assert similarity.speech is not None and dictation.speech is not None
    word = next(item for item in SAMPLE if isinstance(item, SimilarityItem))
    idiom = next(item for item in SAMPLE if isinstance(item, HomophoneItem))

    def parts(task: Any, item: Any, **options: str) -> list[str]:
        return [utterance.part for utterance in task.speech(item, Conditions(options=options))]

    assert parts(similarity, word) == ["whole"]
    assert parts(similarity, word, form="clips") == ["ref", "a", "b", "c", "d"]
    assert parts(similarity, word, form="clips_only") == ["ask", "ref", "a", "b", "c", "d"]
    assert parts(similarity, idiom) == parts(dictation, word) == []
    assert parts(dictation, idiom) == ["main"]
    assert parts(dictation, idiom, form="whole") == ["whole"]
    assert parts(dictation, idiom, form="clips_only") == ["ask", "main"]
    assert idiom.target not in utterances(idiom, "whole")[0].text


def test_an_item_without_a_clip_is_not_asked_by_ear(speech: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A split's gate may have rejected it; but a split in another form is the user's mistake, and is named."""
    first, second = [item for item in SAMPLE if isinstance(item, SimilarityItem)][:2]
    monkeypatch.setattr(speech, "parts", lambda item: () if item == first.id else ("whole",))
    assert [question.item.id for question in questions("similarity", speech, [first, second])] == [second.id]


def test_unknown_spoken_forms_are_refused() -> None:
    with pytest.raises(UsageError, match="whole"):
        utterances(SAMPLE[0], "hole")


def test_a_pun_is_spoken_with_its_gold_reading() -> None:
    from benchmarks.phun_bench.items import PunItem

    item = PunItem("p", "请长话短说，他说他是长生不老。", "长生不老", "常生不老", parse("cháng shēng bù lǎo"))
    reading = utterances(item)[0].reading["pinyin"].split()
    assert reading[-4:] == ["chang2", "sheng1", "bu4", "lao3"] and len(reading) == 13
    letters = PunItem("p", "他在KTV唱了一晚上。", "一晚上", "一碗上", parse("yī wǎn shàng"))
    assert not utterances(letters)[0].must_force


def many(kind: str, count: int) -> list[SimilarityItem]:
    some = next(item for item in SAMPLE if isinstance(item, SimilarityItem))
    fields = {name: getattr(some, name) for name in SimilarityItem.__slots__} | {"perturbation": kind}
    return [SimilarityItem(**{**fields, "id": f"{kind}.{number}"}) for number in range(count)]


def test_fifty_items_a_type_by_ear_unless_told_otherwise() -> None:
    items = [*many("pert1", 80), *many("pert3", 30), *(item for item in SAMPLE if item.stratum == "tier1")]
    task = BENCHMARK.tasks["similarity"]
    assert task.sample is not None

    def counts(conditions: Conditions, limit: int | None) -> dict[str, int]:
        assert task.sample is not None
        return dict(Counter(item.stratum for item in task.sample(items, conditions, limit)))

    assert counts(Conditions(), None) == {"pert1": 50, "pert3": 30}
    assert counts(Conditions(), 60) == {"pert1": 60, "pert3": 30}
    assert counts(Conditions(modality="text"), None) == {"pert1": 80, "pert3": 30}
    assert counts(Conditions(modality="text"), 7) == {"pert1": 7, "pert3": 7}
    by_default = [item.id for item in task.sample(items, Conditions(), None)]
    assert by_default == [item.id for item in task.sample(items, Conditions(seed=42), None)]
    assert by_default != [item.id for item in task.sample(items, Conditions(seed=43), None)]
    backwards = task.sample(items[::-1], Conditions(), None)
    assert {item.id for item in backwards} == set(by_default)


def test_samples_grow_by_adding() -> None:
    items = many("pert1", 60)
    sample = BENCHMARK.tasks["similarity"].sample
    assert sample is not None
    small, large = ({item.id for item in sample(items, Conditions(seed=1), n)} for n in (10, 20))
    assert (len(small), len(large)) == (10, 20)
    assert small < large


@pytest.mark.parametrize(
    "options", [{"form": "spoken"}, {"language": "fr"}, {"perturbation": "base_9"}, {"shots": "3"}]
)
def test_unknown_options_are_refused(options: dict[str, str]) -> None:
    with pytest.raises(UsageError):
        check_options(BENCHMARK, options)


def test_the_character_shown_depends_on_seed_and_item_alone() -> None:
    task = BENCHMARK.tasks["char2char"]

    def queries(items: Any, seed: int) -> dict[str, str]:
        conditions = Conditions(modality="text", seed=seed)
        return {q.item.id: q.prompt.fields["query"] for q in task.ask(items, conditions, None)}

    assert queries(SAMPLE, 1) == queries(SAMPLE[::-1], 1) != queries(SAMPLE, 2)


def test_a_users_own_prompt_file(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text('version = 7\n[variants.p0]\nuser = "听：{transcript.ref}／{transcript.a}"\n', encoding="utf-8")
    conditions = Conditions(modality="text", prompts=own)
    question = next(iter(BENCHMARK.tasks["similarity"].ask(SAMPLE, conditions, None)))
    item: Any = question.item
    assert shown(question) == f"听：{item.text}／{item.candidates[0]}"
    with pytest.raises(DataError, match="no such prompt file"):
        list(BENCHMARK.tasks["similarity"].ask(SAMPLE, Conditions(modality="text", prompts=tmp_path / "no.toml"), None))


def test_legacy_perturbations_are_asked_when_named(released: Any) -> None:
    assert len(questions("homophone_recall", items=released, perturbation="tone_2")) == 1954
    assert len(questions("word2pinyin", items=released, perturbation="tone_2")) == 1098
