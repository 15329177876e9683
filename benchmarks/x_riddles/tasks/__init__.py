"""What the tasks share: their options, the frame of asking, the labels of a score."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from apun.tasks import Conditions, Option
from benchmarks.x_riddles.items import Riddle

PROMPTS = Path(__file__).parents[1] / "prompts"
SPLITS = ("high", "low", "new")
CONTEXT = Option("context", "show an example sentence with a blank (matching)", ("no", "yes"))
SHOTS = Option("shots", "worked examples before the question (matching)", ("0", "1", "3"))
COT = Option("cot", "ask for reasoning before the answer (matching)", ("no", "yes"))
TARGET = Option("target", "the answer asked for: the intended or the literal one (matching)", ("intended", "literal"))
FORM = Option("form", "speak the riddle alone, or everything", ("default", "spoken"))
LANG = Option("lang", "language of the prompt's own words", ("zh", "en"))
SAMPLES = Option("samples", "xiehouyu asked for from each seed (creating)", ("1", "3"))
DICTIONARY = Option("dictionary", "list, or folder of lists, against which novelty is measured (creating)")
OPTIONS = (CONTEXT, SHOTS, COT, TARGET, FORM, LANG, SAMPLES, DICTIONARY)


def changed(option: Option, conditions: Conditions) -> bool:
    """Whether an option has another value than its default."""
    return option.of(conditions) != option.values[0]


def suffix(conditions: Conditions) -> str:
    """The conditions that differ from the default, for the question's variant: ``.context-yes+cot-yes``."""
    listed = [option for option in OPTIONS if option.values and changed(option, conditions)]
    label = "+".join(f"{option.name}-{option.of(conditions)}" for option in listed)
    return f".{label}" if label else ""


def prompt_file(task: str, conditions: Conditions) -> str:
    """The task's prompts in the prompt language."""
    return f"{task}.{LANG.of(conditions)}.toml"


def labels_of(item: Riddle) -> Mapping[str, str]:
    """What results are broken down by."""
    return {"type": item.type, "split": item.split, "match": item.match or "none", "origin": item.origin}
