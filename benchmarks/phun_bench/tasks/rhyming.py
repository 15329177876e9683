"""A line whose last one or two syllables rhyme with a given line's (§4.3); see ``rhyme.py`` for the rule."""

from __future__ import annotations

from apun.asking import item_of
from apun.readers.lines import verse
from apun.replies import Reply
from apun.scores import Score
from apun.tasks import Question, Task, ratio
from benchmarks.phun_bench import rhyme, solver
from benchmarks.phun_bench.items import RhymeItem
from benchmarks.phun_bench.tasks import ACCURACY, heard, kind, task


def _task(count: int, title: str) -> Task:
    """The task of rhyming the last ``count`` syllables."""

    def score(question: Question, reply: Reply) -> Score:
        """Right when the line rhymes and repeats nothing; else counted under the cause."""
        item = item_of(question, RhymeItem)
        line = reply.read(lambda text: verse(text).value)
        verdict = rhyme.judge(item.text, item.groups, line, count)
        parsed = None if verdict.cause == "unparsed" else line
        statistics = {"correct": float(verdict.correct)}
        statistics |= {cause: float(verdict.cause == cause) for cause in rhyme.CAUSES}
        labels = {"stratum": item.stratum, "cause": verdict.cause or "none"}
        if verdict.where:
            labels["where"] = verdict.where
        gold, groups = " ".join(item.groups[-count:]), " ".join(verdict.groups)
        return Score.of(question, reply, parsed, statistics, labels, gold=gold, groups=groups)

    def perfect(question: Question) -> str:
        item = item_of(question, RhymeItem)
        return solver.as_json(answer=rhyme.compose(item.text, item.groups, count))

    causes = (ratio(cause, cause.capitalize(), cause, higher_is_better=False) for cause in rhyme.CAUSES)
    name = f"rhyme_{count}"
    return task(name, title, heard(name, kind(RhymeItem)), score, (ACCURACY, *causes), solver.rhyming(count), perfect)


RHYME_1 = _task(1, "A line whose last syllable rhymes (§4.3)")
RHYME_2 = _task(2, "A line whose last two syllables rhyme, one by one (§4.3)")
