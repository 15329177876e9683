"""Questions for people as the paper asked them (Appendix E.3): so many a stage, the pun types in equal number."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from apun import draws, people
from apun.run.data import Selection
from apun.tasks import Conditions
from benchmarks.apun_bench.data import load_subset
from benchmarks.apun_bench.items import PUN_TYPES, PunItem

OPTIONS = {"recognition": {"polarity": "pun"}, "location": {}, "inference": {}}


def choose(items: Sequence[PunItem], per_stage: int, seed: int) -> dict[str, list[PunItem]]:
    """A seeded sample of items for each stage, independent of the items' order.

    Recognition keeps the data's share of puns by chance alone; location takes puns; inference takes the
    three types in equal number, as far as there are enough.
    """

    def drawn(stage: str, count: int, pool: Sequence[PunItem]) -> list[PunItem]:
        return draws.shuffled(pool, f"{seed}:{stage}", lambda item: item.id)[:count]

    third = -(-per_stage // len(PUN_TYPES))
    pools = [[item for item in items if item.interpreted and item.type == kind] for kind in PUN_TYPES]
    by_type = [drawn("inference", third, pool) for pool in pools]
    in_turn = [item for row in zip(*by_type, strict=False) for item in row]
    one_by_one = [item for found in by_type for item in found]
    return {
        "recognition": drawn("recognition", per_stage, items),
        "location": drawn("location", per_stage, [item for item in items if item.is_pun]),
        "inference": (in_turn if len(in_turn) == len(one_by_one) else one_by_one)[:per_stage],
    }


def export(
    out: Path,
    *,
    subset: str = "sample",
    data_dir: Path | None = None,
    per_stage: int = 60,
    seed: int = 0,
    modality: str = "audio",
) -> tuple[int, list[str]]:
    """Write ``questionnaire.html``, ``.csv`` and ``.xlsx``.

    Args:
        out: folder to write to.
        subset: ``sample``, ``synthetic`` or ``real``.
        data_dir: the user's data folder.
        per_stage: questions a stage.
        seed: seed of the sample.
        modality: ``audio``, or ``text`` (the sentence is shown in place of a player).

    Returns:
        How many questions were written, and the commands that score the answers.

    Raises:
        UsageError, DataError: as opening the data does.
    """
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
    return len(asked), [people.scoring_command(own, "answers.csv") for own in selections]
