"""Parler-TTS: APUN-Bench's own synthesiser, with its 34 named speakers (Appendix B, Table 4).

parler-tts pins a transformers that apun's models cannot use, so it runs in the environment
``parler`` (``python -m apun.env create parler``) behind the worker protocol. The paper gives no
description wording; ``DESCRIPTION`` is ours, and what was sent is in each clip's metadata.
"""

from __future__ import annotations

from pathlib import Path

from apun import digests, environments
from apun.environments.client import Worker, WorkerDied, WorkerError
from apun.errors import ModelUnavailable, UsageError
from apun.models import Rendering, Voice
from apun.speech import Utterance
from tts.core.engine import SpeechEngine

ENVIRONMENT = "parler"
MODEL = "parler-tts/parler-tts-mini-v1"
HANDLER = Path(__file__).with_name("parler_worker.py")
SPEAKERS = (
    *("Laura", "Gary", "Jon", "Lea", "Karen", "Rick", "Brenda", "David", "Eileen", "Jordan", "Mike", "Yann"),
    *("Joy", "James", "Eric", "Lauren", "Rose", "Will", "Jason", "Aaron", "Naomie", "Alisa", "Patrick", "Jerry"),
    *("Tina", "Jenna", "Bill", "Tom", "Carol", "Barbara", "Rebecca", "Anna", "Bruce", "Emily"),
)
DESCRIPTION = (
    "{speaker} speaks clearly at a moderate pace in a natural tone. "
    "The recording is very clear and close, with no background noise."
)


class ParlerEngine(SpeechEngine):
    """Speaks with Parler-TTS in its own environment, seeded before each utterance."""

    name = "parler"

    def __init__(self, worker: Worker, model: str, description: str, version: str) -> None:
        super().__init__(version, [Voice(speaker, self.name, ("en",), "named speaker") for speaker in SPEAKERS])
        self._worker, self._model, self._description = worker, model, description

    def _say(self, utterance: Utterance, voice: str, seed: int) -> Rendering:
        """As the worker renders it.

        Raises:
            ModelUnavailable: the checkpoint cannot be loaded.
            WorkerError: the model failed on this text.
            WorkerDied: the environment's process ended twice on this text.
        """
        description = self._description.format(speaker=voice)
        text = tidy(utterance.text)
        try:
            self._worker.start()
        except (WorkerError, WorkerDied) as error:
            raise ModelUnavailable(f"Parler-TTS {self._model!r} cannot be loaded: {error}") from error
        answer = self._worker.call("speak", text=text, description=description, seed=seed)
        return Rendering(answer["samples"], int(answer["rate"]), text, {"description": description})

    def close(self) -> None:
        self._worker.close()


def tidy(text: str) -> str:
    """The text as Parler reads it best: straight quotes, single spaces, a mark at the end.

    Without a final mark it tends to drop the last word (parler-tts issue 104).
    """
    plain = " ".join(text.translate(str.maketrans("‘’“”", "''\"\"")).split())
    return plain if plain[-1:] in ".!?" else plain + "."


def load(
    model: str = MODEL,
    revision: str | None = None,
    device: str = "auto",
    dtype: str = "auto",
    description: str = DESCRIPTION,
    threads: int = 1,
) -> ParlerEngine:
    """The engine; the worker starts with the first utterance.

    Args:
        model: hub id or folder of a Parler-TTS checkpoint.
        revision: hub commit.
        device: ``auto``, ``cpu`` or ``cuda:N``.
        dtype: ``auto``, ``float32``, ``bfloat16``.
        description: template with ``{speaker}``.
        threads: CPU threads of the worker; output depends on it by rounding.

    Raises:
        ModelUnavailable: the environment has not been made; says the command.
        UsageError: the template does not name the speaker.
    """
    if "{speaker}" not in description:
        raise UsageError("the description of parler must hold {speaker}, or all voices would be one")
    python = environments.python_of(ENVIRONMENT)
    options = {"model": model, "revision": revision, "device": device, "dtype": dtype, "threads": int(threads)}
    version = "|".join(
        (
            model if not Path(model).is_dir() else f"folder:{digests.of_folder(Path(model))}",
            revision or "",
            dtype,
            digests.of_text(description, 8),
            digests.of_file(environments.lock_of(ENVIRONMENT), 8),
        )
    )
    return ParlerEngine(Worker(python, HANDLER, options), model, description, version)
