"""Our inputs against the official processors': same ids, same positions, same features to the last bit.

Three prompts with clips of different lengths: ordinary text in two scripts, with and without a
system message. The processors are an oracle from outside this tree; the adapters do without them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from asking import ask, tone

from apun.clips import Clip
from apun.models import Model
from apun.prompts import Audio, Prompt, Text

Get = Callable[[str], Model]
Find = Callable[[str], Path]
QUESTION = "Which word?\nOne of: sea, see. 哪个字？"


@pytest.fixture
def prompts(voices: list[Clip]) -> list[Prompt]:
    return [ask([voices[1]], QUESTION, "Listen."), ask([voices[3]], QUESTION), ask([tone(0.31)], "What?")]


def blocks(prompt: Prompt) -> list[dict[str, Any]]:
    """The prompt as the processors' templates take it."""
    return [
        {
            "role": message.role,
            "content": [
                {"type": "text", "text": part.text} if isinstance(part, Text) else {"type": "audio", "audio": "clip"}
                for part in message.parts
            ],
        }
        for message in prompt.messages
    ]


def tokenizer_of(folder: Path, **named: str) -> Any:
    from transformers import AutoTokenizer

    return (
        AutoTokenizer.from_pretrained(folder, extra_special_tokens=named)
        if named
        else AutoTokenizer.from_pretrained(folder)
    )


def processed(processor: Any, prompts: list[Prompt], **arguments: Any) -> Mapping[str, Any]:
    """The official two steps: template to text, then text and clips to tensors."""
    template = processor.tokenizer.chat_template
    texts = [
        processor.tokenizer.apply_chat_template(
            blocks(prompt), chat_template=template, tokenize=False, add_generation_prompt=True
        )
        for prompt in prompts
    ]
    clips = [audio.clip.samples for prompt in prompts for audio in prompt.audios]
    arguments.setdefault("text_kwargs", {"padding": True, "padding_side": "left", "add_special_tokens": False})
    found: Mapping[str, Any] = processor(text=texts, audio=clips, return_tensors="pt", **arguments)
    return found


def same_ids(ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> None:
    assert ours["input_ids"].tolist() == theirs["input_ids"].tolist()
    assert ours["attention_mask"].tolist() == theirs["attention_mask"].tolist()


def same_frames(
    ours: Mapping[str, Any], theirs: Mapping[str, Any], mask: str, features: str = "input_features"
) -> None:
    """Equal masks, and equal features wherever the mask is set; ours end with the longest clip."""
    import torch

    frames = ours[mask].shape[-1]
    assert torch.equal(ours[mask].bool(), theirs[mask][:, :frames].bool())
    assert not theirs[mask][:, frames:].any()
    valid = ours[mask].bool().unsqueeze(1).expand_as(ours[features])
    assert torch.equal(ours[features][valid], theirs[features][:, :, :frames][valid])


def test_qwen2_audio(model: Get, checkpoint: Find, prompts: list[Prompt]) -> None:
    from transformers import Qwen2AudioProcessor, WhisperFeatureExtractor

    ours: Any = model("qwen2-audio")
    folder = checkpoint("qwen2-audio")
    processor = Qwen2AudioProcessor(WhisperFeatureExtractor.from_pretrained(folder), tokenizer_of(folder))
    theirs = processed(processor, prompts, audio_kwargs={"sampling_rate": 16_000})
    tensors = ours.encode(prompts).tensors
    same_ids(tensors, theirs)
    same_frames(tensors, theirs, "feature_attention_mask")


@pytest.mark.parametrize("family", ["qwen2.5-omni", "qwen3-omni"])
def test_omni(family: str, model: Get, checkpoint: Find, prompts: list[Prompt]) -> None:
    pytest.importorskip("torchvision")
    import transformers

    ours: Any = model(family)
    folder = checkpoint(family)
    newer = family == "qwen3-omni"
    names = (
        {"audio_token": "<|audio_pad|>", "audio_bos_token": "<|audio_start|>", "audio_eos_token": "<|audio_end|>"}
        | {"image_token": "<|image_pad|>", "video_token": "<|video_pad|>"}
        | {"vision_bos_token": "<|vision_start|>", "vision_eos_token": "<|vision_end|>"}
        if newer
        else {"audio_token": "<|AUDIO|>", "audio_bos_token": "<|audio_bos|>", "audio_eos_token": "<|audio_eos|>"}
        | {"image_token": "<|IMAGE|>", "video_token": "<|VIDEO|>"}
        | {"vision_bos_token": "<|vision_bos|>", "vision_eos_token": "<|vision_eos|>"}
    )
    kind = transformers.Qwen3OmniMoeProcessor if newer else transformers.Qwen2_5OmniProcessor
    processor = kind(
        transformers.Qwen2VLImageProcessor(),
        transformers.Qwen2VLVideoProcessor(),
        transformers.WhisperFeatureExtractor.from_pretrained(folder),
        tokenizer_of(folder, **names),
    )
    # one by one: the official Qwen3-Omni processor counts a shorter clip's frames differently inside a batch
    for group in [[prompt] for prompt in prompts] if newer else [prompts]:
        theirs = processed(processor, group, audio_kwargs={"sampling_rate": 16_000})
        tensors = ours.encode(group).tensors
        same_ids(tensors, theirs)
        same_frames(tensors, theirs, "feature_attention_mask")


def test_audio_flamingo(model: Get, checkpoint: Find, prompts: list[Prompt]) -> None:
    from transformers import AudioFlamingo3Processor, WhisperFeatureExtractor

    ours: Any = model("audio-flamingo-3")
    folder = checkpoint("audio-flamingo-3")
    processor = AudioFlamingo3Processor(WhisperFeatureExtractor.from_pretrained(folder), tokenizer_of(folder))
    longer = [*prompts, ask([tone(34.0)], QUESTION)]
    theirs = processed(processor, longer)
    tensors = ours.encode(longer).tensors
    same_ids(tensors, theirs)
    same_frames(tensors, theirs, "input_features_mask")


def test_granite_speech(model: Get, checkpoint: Find, voices: list[Clip]) -> None:
    pytest.importorskip("torchaudio")
    import torch
    from transformers import GraniteSpeechFeatureExtractor, GraniteSpeechProcessor

    ours: Any = model("granite-speech")
    folder = checkpoint("granite-speech")
    processor = GraniteSpeechProcessor(GraniteSpeechFeatureExtractor.from_pretrained(folder), tokenizer_of(folder))
    for clip in voices[:2]:
        theirs = processed(processor, [ask([clip], QUESTION, "Listen.")])
        tensors = ours.encode([ask([clip], QUESTION, "Listen.")]).tensors
        same_ids(tensors, theirs)
        assert torch.equal(tensors["input_features"], theirs["input_features"])
        assert torch.equal(tensors["input_features_mask"], theirs["input_features_mask"])


@pytest.mark.parametrize("family", ["gemma-3n", "gemma-4"])
def test_gemma_features_and_positions(family: str, model: Get, checkpoint: Find, prompts: list[Prompt]) -> None:
    """The processors want image parts, so their rule for a clip's text is called, not the whole processor."""
    import torch
    import transformers

    ours: Any = model(family)
    folder = checkpoint(family)
    newer = family == "gemma-4"
    kind = transformers.Gemma4AudioFeatureExtractor if newer else transformers.Gemma3nAudioFeatureExtractor
    # one by one: inside a padded batch the official extractors count frames past a shorter clip's end
    for prompt in prompts:
        theirs = kind.from_pretrained(folder)([prompt.audios[0].clip.samples], return_tensors="pt")
        tensors = ours.encode([prompt]).tensors
        assert torch.equal(tensors["input_features_mask"], theirs["input_features_mask"].bool())
        valid = tensors["input_features_mask"]
        assert torch.equal(tensors["input_features"][valid], theirs["input_features"][valid])
    if newer:

        class Rule:
            boa_token, audio_token, eoa_token = "<|audio>", "<|audio|>", "<audio|>"

        for prompt in prompts:
            row = kind.from_pretrained(folder)([prompt.audios[0].clip.samples])["input_features_mask"][0]
            text = transformers.Gemma4Processor.replace_audio_token(Rule(), {"input_features_mask": [row]}, 0)
            ids = ours.encode([prompt]).tensors["input_ids"][0].tolist()
            expected = ours.tokenizer(text, add_special_tokens=False)["input_ids"]
            start = ids.index(expected[0])
            assert ids[start : start + len(expected)] == expected
    else:
        ids = ours.encode(prompts[:1]).tensors["input_ids"][0].tolist()
        text = "\n\n<start_of_audio>" + "<audio_soft_token>" * 188 + "<end_of_audio>\n\n"
        expected = ours.tokenizer(text, add_special_tokens=False)["input_ids"]
        assert any(ids[i : i + len(expected)] == expected for i in range(len(ids)))


def test_phi4(model: Get, checkpoint: Find, prompts: list[Prompt]) -> None:
    import torch
    from transformers import Phi4MultimodalFeatureExtractor

    ours: Any = model("phi-4-multimodal")
    extractor = Phi4MultimodalFeatureExtractor.from_pretrained(checkpoint("phi-4-multimodal"))
    clips = [audio.clip.samples for prompt in prompts for audio in prompt.audios]
    theirs = extractor(clips, sampling_rate=16_000, return_tensors="pt")
    batch = ours.encode(prompts)
    assert torch.equal(batch.tensors["audio_input_features"], theirs["audio_input_features"])
    assert torch.equal(batch.tensors["audio_attention_mask"], theirs["audio_attention_mask"].bool())
    assert [count for row in batch.positions for count in row] == theirs["audio_embed_sizes"].tolist()


def test_voxtral(model: Get, checkpoint: Find, voices: list[Clip], tmp_path: Path) -> None:
    """mistral-common's own request encoding, and transformers' own features."""
    import soundfile
    import torch
    from mistral_common.protocol.instruct.chunk import AudioChunk, TextChunk
    from mistral_common.protocol.instruct.messages import UserMessage
    from mistral_common.protocol.instruct.request import ChatCompletionRequest
    from mistral_common.tokens.tokenizers.audio import Audio as MistralAudio
    from mistral_common.tokens.tokenizers.mistral import MistralTokenizer
    from transformers import VoxtralProcessor, WhisperFeatureExtractor

    ours: Any = model("voxtral")
    folder = checkpoint("voxtral")
    official = MistralTokenizer.from_file(str(folder / "tekken.json"))
    for clip in (voices[1], tone(31.0)):
        path = tmp_path / "clip.wav"
        soundfile.write(path, clip.samples, 16_000, subtype="FLOAT")
        chunk = AudioChunk.from_audio(MistralAudio.from_file(str(path)))
        request = ChatCompletionRequest(messages=[UserMessage(content=[chunk, TextChunk(text=QUESTION)])])
        expected = official.encode_chat_completion(request).tokens
        tensors = ours.encode([ask([clip], QUESTION)]).tensors
        assert tensors["input_ids"][0].tolist() == expected

        class Holder:
            feature_extractor = WhisperFeatureExtractor.from_pretrained(folder)

        settings = {"sampling_rate": 16_000, "padding": True, "truncation": False, "pad_to_multiple_of": 480_000}
        theirs = VoxtralProcessor._retrieve_input_features(
            Holder(), [clip.samples], 3000, **settings, return_tensors="pt"
        )
        assert torch.equal(tensors["input_features"], theirs)


def test_text_llm_ids(model: Get) -> None:
    """A text model's ids are those of its chat template, rendered and encoded in one piece."""
    ours: Any = model("text-llm")
    prompt = ask([], QUESTION, "Be brief.")
    conversation = [
        {"role": m.role, "content": "".join(p.text for p in m.parts if isinstance(p, Text))} for m in prompt.messages
    ]
    text = ours.tokenizer.apply_chat_template(conversation, tokenize=False, add_generation_prompt=True)
    expected = ours.tokenizer(text, add_special_tokens=False)["input_ids"]
    assert ours.encode([prompt]).tensors["input_ids"][0].tolist() == expected
    assert not any(isinstance(part, Audio) for m in prompt.messages for part in m.parts)


def written(model: Any, prompt: Prompt, placeholder: str) -> str:
    """The prompt as the model sees it, runs of audio positions shown as one."""
    text = str(
        model.tokenizer.decode(model.encode([prompt]).tensors["input_ids"][0].tolist(), skip_special_tokens=False)
    )
    while placeholder * 2 in text:
        text = text.replace(placeholder * 2, placeholder)
    return text


def test_families_own_templates(model: Get, checkpoint: Find) -> None:
    """Templates for checkpoints that carry none, letter by letter; Jinja drops a template's last newline."""
    prompt, system = ask([tone(1.0)], "Which?"), ask([tone(1.0)], "Which?", "Listen.")
    chat = "<|im_start|>system\n{}<|im_end|>\n<|im_start|>user\n{}Which?<|im_end|>\n<|im_start|>assistant\n"
    polite = "You are a helpful assistant."
    expected = {
        "qwen2-audio": ("<|AUDIO|>", "Audio 1: <|audio_bos|><|AUDIO|><|audio_eos|>\n"),
        "qwen2.5-omni": ("<|AUDIO|>", "<|audio_bos|><|AUDIO|><|audio_eos|>"),
        "qwen3-omni": ("<|audio_pad|>", "<|audio_start|><|audio_pad|><|audio_end|>"),
        "audio-flamingo-3": ("<sound>", "<sound>"),
    }
    for family, (placeholder, clip) in expected.items():
        assert written(model(family), prompt, placeholder) == chat.format(polite, clip)
        assert written(model(family), system, placeholder) == chat.format("Listen.", clip)
    clip = "<start_of_audio><audio_soft_token><end_of_audio>"
    assert written(model("gemma-3n"), system, "<audio_soft_token>") == (
        f"<bos><start_of_turn>user\nListen.\n\n\n\n{clip}\n\nWhich?<end_of_turn>\n<start_of_turn>model\n"
    )
    assert written(model("gemma-4"), prompt, "<|audio|>") == (
        "<bos><|turn>user\n<|audio><|audio|><audio|>Which?<turn|>\n<|turn>model\n"
    )
    assert written(model("phi-4-multimodal"), system, "<|audio|>") == (
        "<|system|>Listen.<|end|><|user|><|audio|>Which?<|end|><|assistant|>"
    )
    assert written(model("granite-speech"), system, "<|audio|>") == (
        "<|start_of_role|>system<|end_of_role|>Listen.<|end_of_text|>\n<|start_of_role|>user<|end_of_role|><|audio|>"
        "Which?<|end_of_text|>\n<|start_of_role|>assistant<|end_of_role|>"
    )


def test_qwen2_audio_template_is_the_official_default(checkpoint: Find) -> None:
    from transformers import Qwen2AudioProcessor, WhisperFeatureExtractor

    from audio_models.qwen2_audio import TEMPLATE

    tokenizer = tokenizer_of(checkpoint("qwen2-audio"))
    official = Qwen2AudioProcessor(WhisperFeatureExtractor(), tokenizer).default_chat_template
    for prompt in (ask([tone(1.0)], QUESTION), ask([tone(1.0), tone(2.0)], QUESTION, "Listen."), ask([], "No clip.")):
        rendered = [
            tokenizer.apply_chat_template(
                blocks(prompt), chat_template=template, tokenize=False, add_generation_prompt=True
            )
            for template in (official, TEMPLATE)
        ]
        assert rendered[0] == rendered[1]
