"""The stages, put to scripted models whose scores are known beforehand."""

from __future__ import annotations

import subprocess
import sys

import pytest

from apun.errors import UsageError
from apun.prompts import load_templates
from apun.records import Record
from apun.replies import Reply
from apun.tasks import Conditions, Question, check_options
from benchmarks.apun_bench.benchmark import BENCHMARK, utterances
from benchmarks.apun_bench.items import PunItem, item_from, words
from benchmarks.apun_bench.speaking import swappable
from benchmarks.apun_bench.tasks import PROMPTS, chain, inference, listening, location, recognition
from benchmarks.apun_bench.tasks.location import place

TASKS = list(BENCHMARK.tasks.values())
EXACT = {"pun_share", "pun_share_pun", "pun_share_nonpun", "within_half_second", "overlap"}  # not accuracies


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_a_perfect_model_scores_100_percent_on_the_whole_sample(ask, metrics, task, sample: list[PunItem]) -> None:
    scores = ask(task, sample, task.perfect)
    assert {score.status for score in scores} == {"scored"}
    found = {name: value for name, value in metrics(task, scores).items() if name not in EXACT}
    assert found == dict.fromkeys(found, 1.0)


def test_a_model_that_always_says_pun(ask, metrics, sample: list[PunItem]) -> None:
    # 162 puns and 48 negatives, each asked both ways: tp 324, fp 96, fn 0
    scores = ask(recognition.TASK, sample, lambda question: "pun")
    found = metrics(recognition.TASK, scores)
    assert len(scores) == 420
    assert found["accuracy"] == pytest.approx(324 / 420)
    assert found["precision"] == pytest.approx(0.7714285714)
    assert found["recall"] == 1.0
    assert found["f1"] == pytest.approx(2 * 324 / (2 * 324 + 96))
    assert found["f1"] == pytest.approx(0.8709677419)
    assert found["pun_share"] == found["pun_share_pun"] == found["pun_share_nonpun"] == 1.0


def test_a_model_that_says_yes_to_everything_is_shown_as_biased(ask, metrics, five: list[PunItem]) -> None:
    # "yes" is "pun" when asked "a pun?", and "non-pun" when asked "a non-pun?"
    scores = ask(recognition.TASK, five, lambda question: "Yes.")
    found = metrics(recognition.TASK, scores)
    assert found["pun_share_pun"] == 1.0
    assert found["pun_share_nonpun"] == 0.0
    assert found["accuracy_pun"] == pytest.approx(3 / 5)
    assert found["accuracy_nonpun"] == pytest.approx(2 / 5)
    assert found["accuracy"] == pytest.approx(0.5)
    assert found["precision"] == pytest.approx(3 / 5)
    assert found["recall"] == pytest.approx(3 / 6)


def test_failures_and_babble_stay_in_the_denominator(ask, metrics, five: list[PunItem]) -> None:
    replies = {"a": "pun", "b": None, "c": "banana", "d": "non-pun", "e": None}
    scores = ask(recognition.TASK, five, lambda question: replies[question.item.id], polarity="pun")
    assert [score.status for score in scores] == ["scored", "error", "unparsed", "scored", "error"]
    found = metrics(recognition.TASK, scores)
    assert found["accuracy"] == pytest.approx(2 / 5)
    assert found["recall"] == pytest.approx(1 / 3)
    assert found["precision"] == 1.0
    assert found["pun_share"] == pytest.approx(1 / 5)


def test_a_model_that_answers_the_last_word(ask, metrics, five: list[PunItem]) -> None:
    # a: last word is the pun; b: "today", 3 of 5 is "oar"; c: "tree", 5 of 10 is "bark"
    scores = ask(location.TASK, five, lambda question: words(question.item.text)[-1])
    found = metrics(location.TASK, scores)
    assert found["coarse"] == found["fine"] == pytest.approx(1 / 3)
    assert (found["coarse_het"], found["coarse_hop"], found["coarse_hog"]) == (1.0, 0.0, 0.0)
    assert [s.labels["position_predicted"] for s in scores] == ["0.8-1.0"] * 3
    assert [s.labels["position_gold"] for s in scores] == ["0.8-1.0", "0.4-0.6", "0.4-0.6"]


def test_the_last_word_on_the_sample_is_right_where_the_pun_is_last(ask, sample: list[PunItem]) -> None:
    puns = [item for item in sample if item.is_pun]
    last = sum(item.pun_index == len(words(item.text)) - 1 for item in puns)
    scores = ask(location.TASK, sample, lambda question: words(question.item.text)[-1])
    assert sum(score.statistics["coarse"] for score in scores) == last
    assert 0.5 < last / len(puns) < 0.75


def test_coarse_asks_for_the_place_and_fine_for_the_word(ask, five: list[PunItem]) -> None:
    # "hunny" sounds like "honey" and is another lemma; "Honeys" is another form of it
    coarse_only = ask(location.TASK, five[:1], lambda question: "funny")
    assert (coarse_only[0].statistics["coarse"], coarse_only[0].statistics["fine"]) == (1.0, 0.0)
    assert coarse_only[0].detail["word"] == "honey"
    both = ask(location.TASK, five[:1], lambda question: '"Honeys".')
    assert (both[0].statistics["coarse"], both[0].statistics["fine"]) == (1.0, 1.0)


def test_a_pun_word_that_stands_twice_is_found_wherever_it_stands(ask) -> None:
    row = {"id": "x", "text": "Bark is bark and bark is bread.", "type": "homographic", "pun_word": "bark"}
    item = item_from(Record(row | {"meanings": ["m", "n"], "pun_index": 2}))
    for form in ("bark", "barks"):
        score = ask(location.TASK, [item], lambda question, form=form: form)[0]
        assert (score.statistics["coarse"], score.statistics["fine"]) == (1.0, 1.0)
        assert score.labels["position_predicted"] == score.labels["position_gold"] == "0.2-0.4"
    feet = {"text": "A ten foot snake has no feet.", "pun_word": "foot"}
    other_form = item_from(Record(row | feet | {"meanings": ["m", "n"]}))
    score = ask(location.TASK, [other_form], lambda question: "feet")[0]
    assert (score.statistics["coarse"], score.statistics["fine"]) == (1.0, 1.0)


def test_inference_errors_have_the_types_of_table_3(ask, five: list[PunItem]) -> None:
    said = {"a": "honey", "b": "today", "c": "sound a dog makes AND a large red balloon"}
    scores = ask(inference.TASK, five, lambda question: said[question.item.id], similarity="wordllama", tau="0.9")
    assert [score.labels["error_type"] for score in scores] == ["PWR", "PE", "RD"]
    assert not any(score.statistics["correct"] for score in scores)
    failed = ask(inference.TASK, five[:1], lambda question: None)[0]
    assert (failed.status, failed.labels["error_type"], failed.statistics["correct"]) == ("error", "failed", 0.0)
    babble = ask(inference.TASK, five[:1], lambda question: "It is about how bees make money out of flowers")[0]
    assert (babble.status, babble.labels["error_type"]) == ("unparsed", "IA")


def test_any_gold_alternative_in_any_form_is_right(ask, five: list[PunItem]) -> None:
    from dataclasses import replace

    item = replace(five[0], alternatives=("money", "cash"))
    for answer in ("Money", "**monies**", 'The other word is "cash".', "Answer: money"):
        assert ask(inference.TASK, [item], lambda question, said=answer: said)[0].statistics["correct"] == 1.0


def test_tau_moves_the_verdict_on_meanings(ask, five: list[PunItem]) -> None:
    answer = "noise made by a dog AND outer layer of a tree trunk"
    loose, strict = (
        ask(inference.TASK, five[2:3], lambda question: answer, tau=tau)[0].statistics["correct"]
        for tau in ("0.1", "0.999")
    )
    assert (loose, strict) == (1.0, 0.0)
    with pytest.raises(UsageError, match="τ must be"):
        check_options(BENCHMARK, {"tau": "high"})


def test_chain_stops_at_its_first_broken_link(ask, metrics, five: list[PunItem]) -> None:
    said = {
        "a": "Pun: yes\nWord: honey\nMeaning: money",  # holds
        "b": "Pun: yes\nWord: swim\nMeaning: or",  # breaks at the word, so the meaning does not count
        "c": "Pun: no\nWord: none\nMeaning: none",  # breaks at once
        "d": "Pun: no\nWord: none\nMeaning: none",  # a negative that is called one holds
        "e": "I do not know",
    }
    scores = ask(chain.TASK, five, lambda question: said[question.item.id])
    assert [score.labels["broken_at"] for score in scores] == ["none", "location", "recognition", "none", "recognition"]
    found = metrics(chain.TASK, scores)
    assert found == pytest.approx(
        {"end_to_end": 2 / 5, "recognised": 3 / 5, "located": 1 / 3, "inferred": 1 / 3}, abs=1e-12
    )


def test_chained_inference_names_the_word_the_model_found_itself(ask, five: list[PunItem], tmp_path) -> None:
    run = tmp_path / "run"
    run.mkdir()
    located = ask(location.TASK, five, lambda q: {"a": "bees", "b": "the word is unclear to me now"}.get(q.item.id))
    import json

    (run / "scores.jsonl").write_text("".join(json.dumps(score.to_json()) + "\n" for score in located))
    conditions = Conditions(modality="text", options={"found": str(run)})
    asked = {q.item.id: q for q in inference.TASK.ask(five, conditions, None)}
    assert 'on the word "bees"' in asked["a"].prompt.messages[-1].parts[0].text
    assert 'on the word "(you named none)"' in asked["b"].prompt.messages[-1].parts[0].text
    assert asked["a"].variant == "p0.chained"
    with pytest.raises(UsageError, match="finished run"):
        list(inference.TASK.ask(five, Conditions(modality="text", options={"found": str(tmp_path)}), None))


def test_listening_asks_the_same_question_on_both_clips(five: list[PunItem]) -> None:
    questions = list(listening.TASK.ask(five, Conditions(modality="text"), None))
    assert [q.variant for q in questions] == ["p0.main", "p0.swapped"]
    main, swapped = (q.prompt.messages[-1].parts[0].text for q in questions)
    assert main.replace("honey.", "money.", 1) == swapped
    assert "The bees want only money." in swapped


@pytest.mark.parametrize(
    ("answer", "moves", "accuracy"),
    [
        (listening.TASK.perfect, 1.0, 1.0),
        (lambda question: "money", 0.0, 0.5),  # stays with the sentence
        (lambda question: "honey" if "swapped" in question.variant else "money", -1.0, 0.0),
        (lambda question: "honey or money", 0.0, 0.0),
    ],
)
def test_moving_with_the_sound(ask, metrics, five: list[PunItem], answer, moves: float, accuracy: float) -> None:
    found = metrics(listening.TASK, ask(listening.TASK, five, answer))
    assert (found["moves"], found["accuracy"]) == (moves, accuracy)


def test_what_is_spoken(five: list[PunItem]) -> None:
    assert [u.text for u in utterances(five[0], "default")] == ["The bees want only honey."]
    assert [(u.part, u.text) for u in utterances(five[0], "swapped")] == [("swapped", "The bees want only money.")]
    assert [u.key_words for u in utterances(five[0], "all")] == [("honey",), ("money",)]
    assert not utterances(five[1], "swapped")  # a homophone sounds the same
    assert [u.part for u in listening.TASK.speech(five[0], Conditions())] == ["main", "swapped"]
    with pytest.raises(UsageError, match="no spoken form"):
        utterances(five[0], "sung")


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_every_status_has_every_statistic_and_scoring_is_pure(task, five: list[PunItem]) -> None:
    names = {name for metric in task.metrics for name in metric.statistics}
    replies = [
        Reply("ok", text="x", answer="x"),
        Reply("ok", text="", answer=""),
        Reply("truncated", text="pun", reason="ran out of tokens"),
        Reply("refused", reason="filtered"),
        Reply.error("broke"),
    ]
    for question in task.ask(five, Conditions(modality="text", options={"similarity": "wordllama"}), None):
        for reply in replies:
            score = task.score(question, reply)
            assert names <= set(score.statistics)
            assert score == task.score(question, reply)
            assert score.status == (reply.status if reply.status != "ok" else score.status)


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_no_prompt_gives_the_answer_away(task, five: list[PunItem]) -> None:
    """Beyond the pun word, which the paper's form gives in stage 3, nothing of the gold is in a prompt's fields."""
    for question in task.ask(five, Conditions(modality="text"), None):
        fields = {name: value for name, value in question.prompt.fields.items() if name != "transcripts"}
        shown = " ".join(map(str, fields.values()))
        item = question.item
        if task is not listening.TASK:
            assert not any(other in shown.split() for other in item.alternatives)
        assert item.type not in shown
        assert not any(meaning in shown for meaning in item.meanings)


def test_the_hint_points_to_the_end(five: list[PunItem]) -> None:
    plain, hint = (
        next(location.TASK.ask(five, Conditions(modality="text", variants=(name,)), None)).prompt.messages[-1]
        for name in ("p0", "hint")
    )
    assert "second half" in hint.parts[0].text
    assert "second half" not in plain.parts[0].text
    with pytest.raises(UsageError, match="no prompt variant 'nope'"):
        list(location.TASK.ask(five, Conditions(modality="text", variants=("nope",)), None))


def test_a_users_own_prompts(five: list[PunItem], tmp_path) -> None:
    own = tmp_path / "mine.toml"
    own.write_text(
        'version = 1\n[variants."p0.meaning"]\nuser = "senses of {pun_word}?"\n'
        '[variants.p0]\nuser = "{pun_word}: {transcript}"\n'
    )
    asked = list(inference.TASK.ask(five, Conditions(modality="text", prompts=own), None))
    texts = [question.prompt.messages[-1].parts[0].text for question in asked]
    assert texts == ["honey: The bees want only honey.", "oar: They sink oar swim today.", "senses of bark?"]


def test_every_prompt_file_has_an_audio_and_a_text_form() -> None:
    files = sorted(PROMPTS.glob("*.toml"))
    assert len(files) == 9
    for file in files:
        for template in load_templates(file).values():
            if file.name.startswith("annotate"):
                continue
            assert "{audio}" in template.messages[-1][1]
            assert "{transcript}" in template.text_messages[-1][1]


def test_questions_are_the_same_every_time(sample: list[PunItem]) -> None:
    def ids(task, items: list[PunItem]) -> list[str]:
        return [question.id for question in task.ask(items, Conditions(modality="text"), None)]

    for task in TASKS:
        assert ids(task, sample) == ids(task, sample)
        assert sorted(ids(task, sample)) == sorted(ids(task, sample[::-1]))
        assert len(set(ids(task, sample))) == len(ids(task, sample))


def test_the_order_of_options_depends_on_seed_and_item_only(sample: list[PunItem]) -> None:
    def orders(seed: int, items: list[PunItem]) -> dict[str, str]:
        asked: list[Question] = list(listening.TASK.ask(items, Conditions(modality="text", seed=seed), None))
        return {q.item.id: q.prompt.fields["first"] for q in asked}

    assert orders(0, sample) == orders(0, sample[::-1])
    assert orders(0, sample) != orders(1, sample)
    firsts = [orders(0, sample)[item.id] == item.pun_word for item in sample if swappable(item)]
    assert 0.3 < sum(firsts) / len(firsts) < 0.7


def test_importing_and_asking_loads_no_model_library() -> None:
    code = (
        "import sys; from benchmarks.apun_bench.benchmark import BENCHMARK; from apun.tasks import *;"
        "items = BENCHMARK.load(Subset('sample'));"
        "task = BENCHMARK.tasks['location'];"
        "[task.solve(q.prompt) for q in list(task.ask(items[:9], Conditions(modality='text'), None))];"
        "bad = {'torch', 'transformers', 'sentence_transformers', 'wordllama', 'librosa'} & set(sys.modules);"
        "assert not bad, bad"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_het_and_hop_are_judged_without_an_embedder() -> None:
    code = (
        "import sys; from benchmarks.apun_bench.benchmark import BENCHMARK; from apun.tasks import *;"
        "from apun.replies import Reply;"
        "items = [i for i in BENCHMARK.load(Subset('sample')) if i.type != 'homographic'];"
        "task = BENCHMARK.tasks['inference'];"
        "scores = [task.score(q, Reply('ok', text='x', answer='money'))"
        " for q in task.ask(items, Conditions(modality='text'), None)];"
        "assert len(scores) == 102;"
        "assert not {'torch', 'sentence_transformers', 'wordllama'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_similarities_are_listed_word_by_word_of_the_text() -> None:
    row = {"id": "x", "text": "It is a 10-foot snake.", "type": "homographic", "pun_word": "foot"}
    item = item_from(Record(row | {"meanings": ["m", "n"]}))
    found = place(item, "foot")
    shown = found.detail["similarities"]
    assert [word for word, _, _ in shown] == words(item.text)
    assert shown[item.pun_index] == ["10-foot", 1.0, 1.0]
    assert (found.index, found.coarse) == (3, True)
    assert place(item, "snake").index == 4


def test_a_phrase_around_the_pun_word_is_at_its_place() -> None:
    row = {"id": "x", "text": "The bees only want the honey from him.", "type": "heterographic", "pun_word": "honey"}
    item = item_from(Record(row | {"alternatives": ["money"]}))
    found = place(item, "the honey from")
    assert (found.coarse, found.fine, found.index) == (True, False, item.pun_index)
    assert not place(item, "bees only").coarse


@pytest.mark.parametrize(
    ("option", "says"),
    [
        ({"polarity": "puns"}, "no value of polarity called 'puns'. Did you mean pun"),
        ({"form": "sung"}, "no value of form called 'sung'"),
        ({"tau": "2"}, "τ must be between -1 and 1"),
        ({"similarity": "minilmm"}, "no similarity called 'minilmm'. Did you mean minilm"),
        ({"found": "no/such/run"}, "name the folder of a finished run"),
        ({"threshold": "1"}, "no option of apun called 'threshold'"),
    ],
)
def test_options_are_refused_before_anything_is_asked(option: dict[str, str], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        check_options(BENCHMARK, option)


def test_the_threshold_of_meanings_is_the_papers_unless_told_otherwise(five: list[PunItem]) -> None:
    from apun.scoring.meaning import TAU

    (*_, question) = inference.TASK.ask(five, Conditions(modality="text"), None)
    assert float(question.prompt.fields["tau"]) == TAU
    assert {option.name for option in BENCHMARK.options or ()} == {"form", "found", "polarity", "similarity", "tau"}
    check_options(BENCHMARK, {"similarity": "wordllama", "tau": "0.5", "polarity": "both", "form": "all"})


def test_commands_lay_out_what_they_measure_as_the_paper_does() -> None:
    from apun.registry import layout

    assert set(BENCHMARK.layouts) == {"synth", "wer", "latency"}
    for command, laid_out in BENCHMARK.layouts.items():
        assert layout("phun", command) is laid_out, "a benchmark without a layout of its own has this one"
