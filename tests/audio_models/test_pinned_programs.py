"""What each family's program asks of its libraries, on stand-ins that check the call as the real ones take it.

The real code and weights of these models are not at hand; the stand-ins follow their published
sources: arguments they accept, shapes they return, what they drop without a word.
"""

from __future__ import annotations

import importlib.util
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from audio_models.catalogue import MODELS

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
from transformers import BatchFeature  # noqa: E402 - after the skip

WORKERS = Path(__file__).resolve().parents[2] / "audio_models" / "pinned"
SETTINGS = {"max_new_tokens": 4, "temperature": 0.0, "seed": 0}
GREEDY = {"do_sample": False, "num_beams": 1, "repetition_penalty": 1.0, "max_new_tokens": 4}
END = 1


def clip(seconds: float) -> Any:
    return np.random.default_rng(0).uniform(-0.1, 0.1, int(seconds * 16_000)).astype(np.float32)


def question(*parts: str | int, role: str = "user") -> dict[str, Any]:
    return {"role": role, "content": [{"text": p} if isinstance(p, str) else {"audio": p} for p in parts]}


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Any]:
    """Load a family's program through the handler, in this process, over stand-ins."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))

    def start(family: str, modules: dict[str, dict[str, Any]], **options: Any) -> Any:
        for name, content in modules.items():
            module = types.ModuleType(name)
            module.__dict__.update(content)
            monkeypatch.setitem(sys.modules, name, module)
        spec = importlib.util.spec_from_file_location("handler_under_test", WORKERS / "chat.py")
        assert spec is not None
        assert spec.loader is not None
        handler = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(handler)
        described = MODELS[family]
        given = {"program": str(WORKERS / described.program), "device": "cpu", "dtype": "float32", **described.fixed}
        return handler.load({**given, "weights": str(tmp_path), "repository": str(tmp_path), **options})

    return start


class Network:
    """Has ``to``, ``eval`` and a ``generate`` that answers "hi" and ends."""

    dtype, device = torch.float32, torch.device("cpu")
    generation_config = types.SimpleNamespace(eos_token_id=END)

    def __init__(self, **loaded: Any) -> None:
        self.loaded, self.asked, self.answer = loaded, {}, [7, 8, END, 0]

    def to(self, *_: Any) -> Network:
        return self

    def eval(self) -> Network:
        return self

    def generate(self, **asked: Any) -> Any:
        self.asked = asked
        return torch.cat([asked["input_ids"], torch.tensor([self.answer])], dim=1)


class Words:
    """A tokenizer: one id a word."""

    all_special_tokens = ("<eos>",)
    added_tokens_decoder: dict[int, Any] = {}  # noqa: RUF012 - a stand-in

    def apply_chat_template(self, conversation: list[Any], *, tokenize: bool, add_generation_prompt: bool) -> str:
        assert not tokenize
        assert add_generation_prompt
        assert [message["role"] for message in conversation] == ["user"], "Gemma's template has no system role"
        return f"<start_of_turn>user\n{conversation[0]['content']}<end_of_turn>\n<start_of_turn>model\n"

    def decode(self, ids: list[int], skip_special_tokens: bool = False) -> str:
        return " ".join({7: "hi", 8: "there"}.get(i, "" if skip_special_tokens else "<eos>") for i in ids).strip()

    def encode(self, text: str, add_special_tokens: bool = True) -> list[int]:
        return [7] * len(text.split())


def factory(made: Any, seen: dict[str, Any] | None = None) -> Any:
    def from_pretrained(path: str, **arguments: Any) -> Any:
        if seen is not None:
            seen.update(arguments)
        return made

    return types.SimpleNamespace(from_pretrained=from_pretrained)


class MeralionProcessor:
    """Pieces of 30 s, 100 positions each, silent over what it is not given."""

    speech_token_index = 255_999
    deaf = False

    def __init__(self) -> None:
        self.tokenizer, self.texts = Words(), []

    def __call__(self, text: list[str], audios: list[Any]) -> BatchFeature:
        self.texts = text
        pieces = [one[at : at + 480_000] for one in audios for at in range(0, one.size, 480_000)][:10]
        mask = torch.zeros(len(pieces), 3000)
        for row, piece in enumerate(pieces):
            mask[row, : piece.size // 160] = 1
        ids = [5, *[self.speech_token_index] * 100 * len(pieces), 6]
        made = {"input_ids": torch.tensor([ids]), "attention_mask": torch.ones(1, len(ids), dtype=torch.long)}
        if self.deaf:
            return BatchFeature(made)
        return BatchFeature(
            {**made, "input_features": torch.zeros(len(pieces), 80, 3000), "feature_attention_mask": mask}
        )


@pytest.fixture
def meralion(program: Callable[..., Any]) -> tuple[Any, Network, MeralionProcessor, dict[str, Any]]:
    network, processor, loaded = Network(), MeralionProcessor(), {}
    stand_in = {
        "AutoModelForSpeechSeq2Seq": factory(network, loaded),
        "AutoProcessor": factory(processor),
        "__version__": "4.50.1",
    }
    return program("meralion-2", {"transformers": stand_in}), network, processor, loaded


def test_meralion(meralion: Any) -> None:
    chat, network, processor, loaded = meralion
    asked = [question("Be brief.", role="system"), question(0, "What is <SpeechHere> said?")]
    answer = chat.answer(asked, [clip(45.0)], SETTINGS)
    (prompt,) = processor.texts
    assert prompt == (
        "<start_of_turn>user\nInstruction: Be brief.\n\nWhat is < SpeechHere> said? \nFollow the text instruction "
        "based on the following audio: <SpeechHere><end_of_turn>\n<start_of_turn>model\n"
    )
    assert loaded["trust_remote_code"] is True
    assert loaded["local_files_only"] is True
    assert loaded["attn_implementation"] == "sdpa"
    assert network.asked.items() >= GREEDY.items()
    assert [network.asked[name] for name in ("temperature", "top_p", "top_k")] == [None] * 3
    assert "input_features" in network.asked
    assert (answer["text"], answer["tokens_out"], answer["ended"]) == ("hi there", 3, True)
    assert (answer["clips"], answer["seconds"], answer["audio_tokens"]) == (1, 45.0, 200)
    network.answer = [7, 8, 7, 8]
    assert chat.answer([question(0, "?")], [clip(1.0)], SETTINGS)["ended"] is False


def test_meralion_refuses_what_would_be_dropped(meralion: Any) -> None:
    chat, network, processor, _ = meralion
    with pytest.raises(ValueError, match="one clip in a prompt, not 2"):
        chat.answer([question(0, 1, "?")], [clip(1), clip(1)], SETTINGS)
    with pytest.raises(ValueError, match="one clip in a prompt, not 0"):
        chat.answer([question("?")], [], SETTINGS)
    with pytest.raises(ValueError, match="hears 300 s"):
        chat.answer([question(0)], [clip(300.5)], SETTINGS)
    processor.deaf = True
    with pytest.raises(ValueError, match="dropped the audio"):
        chat.answer([question(0)], [clip(1)], SETTINGS)
    assert not network.asked


class MiniCpmProcessor:
    """Writes down frames and spans of each clip, as ``audio_feature_lens`` and ``audio_bounds``."""

    def __call__(self, text: str, audios: list[Any]) -> dict[str, Any]:
        frames = [one.size // 160 for one in audios]
        positions = [((n - 1) // 2 - 1) // 2 + 1 for n in frames]
        bounds = torch.tensor([[4, 4 + n] for n in positions])
        return {
            "input_ids": torch.zeros(1, 9 + sum(positions)),
            "audio_feature_lens": [torch.tensor(frames)] if frames else [[]],
            "audio_bounds": [bounds] if frames else [[]],
        }


class MiniCpmNetwork(Network):
    """``chat`` as in the checkpoint's code: beams are three unless told otherwise."""

    def chat(self, msgs: Any, tokenizer: Any, processor: Any = None, sampling: bool = True, **asked: Any) -> str:
        self.asked = {"msgs": msgs, "sampling": sampling, **asked}
        flat = [part for message in msgs for part in message["content"]]
        processor("text", [part for part in flat if isinstance(part, np.ndarray)])
        return "hi there"


@pytest.mark.parametrize("release", ["2.6", "4.5"])
def test_minicpm_o(release: str, program: Callable[..., Any]) -> None:
    network, loaded = MiniCpmNetwork(), {}
    stand_in = {
        "AutoModel": factory(network, loaded),
        "AutoTokenizer": factory(Words()),
        "AutoProcessor": factory(MiniCpmProcessor()),
    }
    chat = program(f"minicpm-o-{release}", {"transformers": stand_in}, thinking=release == "4.5")
    parts = {name: loaded[name] for name in ("init_vision", "init_audio", "init_tts")}
    assert parts == {"init_vision": False, "init_audio": True, "init_tts": False}
    sound = clip(2.0)
    answer = chat.answer([question("What is (<audio>./</audio>) said?\n", 0)], [sound], SETTINGS)
    (message,) = network.asked["msgs"]
    assert message["role"] == "user"
    assert message["content"][0] == "What is ( <audio>./</audio>) said?\n"
    assert message["content"][1] is sound
    assert network.asked["num_beams"] == 1
    assert network.asked["repetition_penalty"] == 1.0
    assert network.asked["generate_audio"] is False
    assert network.asked["max_new_tokens"] == 4
    if release == "2.6":
        assert network.asked["sampling"] is False
        assert network.asked["use_tts_template"] is True
        assert "do_sample" not in network.asked
    else:
        assert network.asked["do_sample"] is False
        assert network.asked["enable_thinking"] is True
    assert (answer["clips"], answer["seconds"], answer["audio_tokens"]) == (1, 2.0, 50)
    assert (answer["text"], answer["ended"]) == ("hi there", True)
    chat.answer([question("Only text.")], [], SETTINGS)
    assert network.asked["use_tts_template"] is False


class History:
    def __init__(self, positions: int, features: list[Any]) -> None:
        self.positions, self.continuous_feature = positions, features

    def to_tensor(self) -> Any:
        mask = torch.zeros(1, self.positions + 5, dtype=torch.bool)
        mask[:, : self.positions] = True
        return torch.zeros(1, self.positions + 5), torch.zeros(1, self.positions + 5), mask


class Kimi:
    """The repository's API object: prompts through its manager, text from a token loop."""

    heard_seconds = None

    def __init__(self, model_path: str, load_detokenizer: bool = True) -> None:
        assert load_detokenizer is False
        Kimi.made = self
        self.prompt_manager = types.SimpleNamespace(text_tokenizer=Words(), get_prompt=self.prompt)
        self.chats: Any = None
        self.written = [7, 8]

    def prompt(self, chats: list[dict[str, str]], output_type: str) -> History:
        import soundfile

        sounds = [soundfile.read(c["content"], dtype="float32") for c in chats if c["message_type"] == "audio"]
        self.sounds = [samples for samples, rate in sounds if rate == 16_000]
        seconds = self.heard_seconds or sum(len(samples) for samples in self.sounds) / 16_000
        return History(int(seconds * 12.5) if self.sounds else 0, self.sounds)

    def _generate_loop(self, **_: Any) -> tuple[list[int], list[int]]:
        return [], self.written

    def generate(self, chats: Any, **asked: Any) -> tuple[None, str]:
        self.chats, self.asked = chats, asked
        self.prompt_manager.get_prompt(chats, output_type=asked["output_type"])
        return None, Words().decode(self._generate_loop()[1])


def test_kimi_audio(program: Callable[..., Any]) -> None:
    names = ("kimia_infer", "kimia_infer.api")
    chat = program("kimi-audio", {**{name: {} for name in names}, "kimia_infer.api.kimia": {"KimiAudio": Kimi}})
    sound, kimi = clip(3.03), Kimi.made
    answer = chat.answer([question("Be brief.", role="system"), question("What?", 0)], [sound], SETTINGS)
    assert [(c["role"], c["message_type"]) for c in kimi.chats] == [("user", "text")] * 2 + [("user", "audio")]
    np.testing.assert_array_equal(kimi.sounds[0], sound)
    assert kimi.asked["output_type"] == "text"
    assert (kimi.asked["text_temperature"], kimi.asked["audio_temperature"]) == (0.0, 0.0)
    assert kimi.asked["text_repetition_penalty"] == 1.0
    assert kimi.asked["max_new_tokens"] == 4
    assert (answer["text"], answer["tokens_out"], answer["ended"]) == ("hi there", 2, True)
    assert answer["seconds"] == pytest.approx(3.03)
    assert answer["audio_tokens"] == 37
    kimi.heard_seconds, kimi.written = 2.0, [7] * 4
    cut = chat.answer([question(0, "?")], [sound], SETTINGS)
    assert (cut["seconds"], cut["ended"]) == (2.0, False)


class Step:
    """The repository's class: pieces of 25 s, the last of the new tokens is dropped."""

    def __init__(self, path: str) -> None:
        Step.made = self
        self.llm_tokenizer = Words()
        self.frames: int | None = None
        self.new = [7, 8]

    def apply_chat_template(self, messages: list[Any]) -> Any:
        import soundfile

        pieces, mels = [], []
        for message in messages:
            for item in message["content"] or []:
                if item["type"] == "text":
                    pieces.append(item["text"])
                    continue
                samples, rate = soundfile.read(item["audio"], dtype="float32")
                assert rate == 16_000
                for at in range(0, len(samples), 400_000):
                    frames = self.frames or (len(samples[at : at + 400_000]) + 479) // 160
                    mels.append(torch.zeros(128, frames))
                    pieces.append("<audio_start>" + "<audio_patch>" * (frames // 8) + "<audio_end>")
        return pieces, mels

    def __call__(self, messages: list[Any], **asked: Any) -> tuple[list[int], str, list[int]]:
        self.messages, self.asked = messages, asked
        self.pieces, _ = self.apply_chat_template(messages)
        return self.new, "hi there<|EOT|>", []


def test_step_audio_2(program: Callable[..., Any]) -> None:
    chat = program("step-audio-2", {"stepaudio2": {"StepAudio2": Step}})
    step = Step.made
    asked = [question("Be brief.", role="system"), question(0, "What is <audio_patch> said?")]
    answer = chat.answer(asked, [clip(31.0)], SETTINGS)
    assert [message["role"] for message in step.messages] == ["system", "human", "assistant"]
    assert step.messages[-1]["content"] is None
    assert [item["type"] for item in step.messages[1]["content"]] == ["audio", "text"]
    assert "What is < audio_patch> said?" in step.pieces
    assert step.asked.items() >= GREEDY.items()
    assert (answer["text"], answer["tokens_out"], answer["ended"]) == ("hi there", 2, True)
    assert answer["seconds"] == pytest.approx(31.0)
    assert answer["audio_tokens"] == 312 + 75
    step.new, step.frames = [7, 8, 7], 100
    cut = chat.answer([question(0)], [clip(3.0)], SETTINGS)
    assert (cut["ended"], cut["seconds"]) == (False, 1.0)
    step.frames = 4
    with pytest.raises(ValueError, match="dropped the audio"):
        chat.answer([question(0)], [clip(3.0)], SETTINGS)


class Salmonn(Network):
    """The repository's model: embeds, splits the prompt at its place, ends with ``</s>``."""

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Salmonn:
        cls.made = cls(**config)
        return cls.made

    def encode_speech(self, spectrogram: Any, raw_wav: Any = None, audio_padding_mask: Any = None) -> Any:
        return torch.zeros(1, 88, 8), torch.ones(1, 88)

    def generate(self, samples: dict[str, Any], generate_cfg: dict[str, Any], prompts: list[str]) -> list[str]:  # type: ignore[override]
        before, after = prompts[0].split("<SpeechHere>")
        self.asked = {"samples": samples, "cfg": generate_cfg, "before": before, "after": after}
        self.encode_speech(samples["spectrogram"], raw_wav=samples["raw_wav"])
        return [self.said]

    said = "<s> hi there</s>"


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_salmonn(program: Callable[..., Any], tmp_path: Path) -> None:
    extractor = transformers.WhisperFeatureExtractor(feature_size=80)
    modules = {
        "transformers": {"WhisperFeatureExtractor": factory(extractor)},
        "models": {},
        "models.salmonn": {"SALMONN": Salmonn},
    }
    chat = program("salmonn", modules, vicuna="v", whisper="w", beats="b", checkpoint="c")
    salmonn = Salmonn.made
    loaded = salmonn.loaded
    assert (loaded["llama_path"], loaded["whisper_path"], loaded["beats_path"], loaded["ckpt"]) == ("v", "w", "b", "c")
    assert (loaded["lora"], loaded["lora_rank"], loaded["lora_alpha"]) == (True, 8, 32)
    assert (loaded["window_level_Qformer"], loaded["second_per_window"]) == (True, 0.333333)
    answer = chat.answer([question("What is <SpeechHere> said?", 0)], [clip(0.5)], SETTINGS)
    assert salmonn.asked["before"] == "USER: <Speech>"
    assert salmonn.asked["after"] == "</Speech> What is < SpeechHere> said?\nASSISTANT:"
    assert salmonn.asked["samples"]["spectrogram"].shape == (1, 80, 3000)
    assert salmonn.asked["samples"]["raw_wav"].shape == (1, 16_000)  # padded to a second, as its command line does
    assert salmonn.asked["samples"]["padding_mask"].shape == (1, 16_000)
    assert salmonn.asked["cfg"].items() >= GREEDY.items()
    assert (answer["text"], answer["seconds"], answer["audio_tokens"]) == ("hi there", 0.5, 88)
    assert answer["ended"] is True
    Salmonn.said = "<s> hi there and"
    assert chat.answer([question(0)], [clip(1.0)], SETTINGS)["ended"] is False
    with pytest.raises(ValueError, match="hears 30 s"):
        chat.answer([question(0)], [clip(30.5)], SETTINGS)
    with pytest.raises(ValueError, match="one clip in a prompt, not 2"):
        chat.answer([question(0, 1)], [clip(1), clip(1)], SETTINGS)


def test_clips_of_another_type_are_refused(meralion: Any) -> None:
    chat = meralion[0]
    with pytest.raises(ValueError, match="float32"):
        chat.answer([question(0)], [clip(1.0).astype(np.float64)], SETTINGS)
    with pytest.raises(ValueError, match="shape"):
        chat.answer([question(0)], [clip(1.0).reshape(2, -1)], SETTINGS)
    with pytest.raises(ValueError, match="greedily"):
        chat.answer([question(0)], [clip(1.0)], {**SETTINGS, "temperature": 0.5})


def test_programs_keep_to_python_39() -> None:
    import ast

    programs = [path for path in WORKERS.glob("*.py") if path.stem != "model"]
    for path in (*programs, *(WORKERS.parents[1] / "apun" / "environments").glob("*ro*.py")):
        source = path.read_text(encoding="utf-8")
        ast.parse(source, feature_version=(3, 9))
        if path in programs:
            assert "import apun" not in source
            assert "from apun" not in source
            assert "from audio_models" not in source
