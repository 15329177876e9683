"""Conditions of X-Riddles: the options given as ``--set key=value``, read and checked in one place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from apun.errors import UsageError
from apun.prompts import Template, template_for
from apun.tasks import Conditions

PROMPTS = Path(__file__).with_name("prompts")
CHOICES: Mapping[str, tuple[str, ...]] = {
    "context": ("no", "yes"),
    "shots": ("0", "1", "3"),
    "cot": ("no", "yes"),
    "target": ("intended", "literal"),
    "form": ("default", "spoken"),
    "lang": ("zh", "en"),
    "samples": ("1", "3"),
}
"""Options with their values, the default first. ``dictionary`` (a file or folder) is free text."""
FREE = ("dictionary",)


@dataclass(frozen=True, slots=True)
class Options:
    """The conditions of X-Riddles.

    Attributes:
        context: whether an example sentence with a blank is shown.
        shots: worked examples before the question.
        cot: whether the model is asked to reason before it answers.
        literal: whether the literal answer is asked for instead of the intended one.
        spoken: whether everything is spoken, not only the riddle.
        lang: language of the prompt's own words.
        samples: xiehouyu asked for from each seed (creating).
        dictionary: list or folder of lists against which novelty is measured; empty for the embedded one.
        label: the conditions that differ from the default, for the question's variant.
    """

    context: bool
    shots: int
    cot: bool
    literal: bool
    spoken: bool
    lang: str
    samples: int
    dictionary: str
    label: str


def read_options(conditions: Conditions) -> Options:
    """The options of a run.

    Raises:
        UsageError: an unknown option or value; lists the known ones.
    """
    given = dict(conditions.options)
    for key, value in given.items():
        if key not in CHOICES and key not in FREE:
            raise UsageError(f"xriddles has no option {key!r}; it has {', '.join([*CHOICES, *FREE])}")
        if key in CHOICES and value not in CHOICES[key]:
            raise UsageError(f"{key}={value} is not known; use one of {', '.join(CHOICES[key])}")
    if given.get("form") == "spoken" and given.get("context") == "yes":
        raise UsageError("context=yes shows a sentence, and form=spoken shows nothing; leave one of them out")
    values = {key: given.get(key, known[0]) for key, known in CHOICES.items()}
    changed = [f"{key}-{values[key]}" for key, known in CHOICES.items() if values[key] != known[0]]
    return Options(
        context=values["context"] == "yes",
        shots=int(values["shots"]),
        cot=values["cot"] == "yes",
        literal=values["target"] == "literal",
        spoken=values["form"] == "spoken",
        lang=values["lang"],
        samples=int(values["samples"]),
        dictionary=given.get("dictionary", ""),
        label="+".join(changed),
    )


def variants(conditions: Conditions) -> tuple[str, ...]:
    """Prompt variants of a run."""
    return conditions.variants or ("p0",)


def variant_label(variant: str, options: Options) -> str:
    """A question's variant: prompt and conditions, such as ``p0.context-yes+cot-yes``."""
    return f"{variant}.{options.label}" if options.label else variant


def template(task: str, variant: str, conditions: Conditions, options: Options) -> Template:
    """A wording of a task: the user's file where one was given, else ours in the prompt language."""
    return template_for(conditions.prompts or PROMPTS / f"{task}.{options.lang}.toml", variant)
