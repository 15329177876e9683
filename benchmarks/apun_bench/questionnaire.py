"""Questions for people as the paper asked them (Appendix E.3): so many a stage, the pun types in equal number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from apun import draws, people
from apun.run.data import Selection
from apun.tasks import Conditions
from benchmarks.apun_bench.inference import concerns
from benchmarks.apun_bench.items import PUN_TYPES, PunItem

OPTIONS = {"recognition": {"polarity": "pun"}, "location": {}, "inference": {}}


@dataclass(frozen=True, slots=True)
class Questionnaire:
    """What was written: how many questions, and the commands that score the answers."""

    questions: int
    commands: tuple[str, ...]


def choose(items: Sequence[PunItem], per_stage: int, seed: int) -> dict[str, list[PunItem]]:
    """A seeded sample of items for each stage, independent of the items' order.

    Recognition keeps the data's share of puns by chance alone; location takes puns; inference takes the
    three types in equal number, as far as there are enough.
    """

    def drawn(pool: Sequence[PunItem], stage: str, count: int) -> list[PunItem]:
        return draws.shuffled(pool, f"{seed}:{stage}", lambda item: item.id)[:count]

    third = -(-per_stage // len(PUN_TYPES))
    by_type = [drawn([i for i in items if i.type == kind and concerns(i)], "inference", third) for kind in PUN_TYPES]
    return {
        "recognition": drawn(items, "recognition", per_stage),
        "location": drawn([i for i in items if i.is_pun], "location", per_stage),
        "inference": [item for row in zip(*by_type, strict=False) for item in row][:per_stage]
        if len({len(x) for x in by_type}) == 1
        else [item for found in by_type for item in found][:per_stage],
    }


def export(
    out: Path,
    *,
    subset: str = "sample",
    data_dir: Path | None = None,
    per_stage: int = 60,
    seed: int = 0,
    modality: str = "audio",
) -> Questionnaire:
    """Write ``questionnaire.html``, ``.csv`` and ``.xlsx``.

    Args:
        out: folder to write to.
        subset: ``sample``, ``synthetic`` or ``real``.
        data_dir: the user's data folder.
        per_stage: questions a stage.
        seed: seed of the sample.
        modality: ``audio``, or ``text`` (the sentence is shown in place of a player).

    Raises:
        UsageError, DataError: as opening the data does.
    """
    from benchmarks.apun_bench.exporting import load_subset

    chosen = choose(load_subset(subset, data_dir), per_stage, seed)
    selections = [
        Selection(
            tasks=(stage,),
            subset=subset,
            data_dir=data_dir,
            ids=tuple(item.id for item in chosen[stage]),
            conditions=Conditions(modality="text" if modality == "text" else "audio", seed=seed, options=options),
        )
        for stage, options in OPTIONS.items()
        if chosen[stage]
    ]
    asked = people.questions(selections)
    for suffix in (".csv", ".xlsx", ".html"):
        people.write(out / f"questionnaire{suffix}", asked)
    return Questionnaire(len(asked), tuple(people.scoring_command(own, "answers.csv") for own in selections))
