"""Names to models: every form, errors that say what to do, and nothing heavy on the way."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from apun import digests
from apun.errors import ModelUnavailable, UsageError
from apun.models import LoadOptions
from audio_models.catalogue import MODELS, entry_for, families, load, resolve

NATIVE = [e.name for e in MODELS.values() if e.hub_id and not e.environment]


@pytest.fixture(autouse=True)
def _no_weights(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("APUN_WEIGHTS", raising=False)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("mock:perfect", "audio_models.mock:create"),
        ("mock", "audio_models.mock:create"),
        ("sheet:answers+mine.xlsx", "audio_models.sheet:create"),
        ("openai:gpt-audio-1.5", "audio_models.openai_api:create"),
        ("openai:org/some-model", "audio_models.openai_api:create"),
        ("gemini:gemini-9", "audio_models.gemini:create"),
        ("whisper-base+solver", "audio_models.cascade:create"),
        ("sensevoice+openai:gpt-4o", "audio_models.cascade:create"),
        ("solver", "audio_models.solver:create"),
        ("qwen2.5-omni", "audio_models.qwen_omni:create"),
        ("omni-r1", "audio_models.qwen_omni:create"),
        ("audio-reasoner", "audio_models.qwen2_audio:create"),
        ("smollm2-135m", "audio_models.text_llm:create"),
    ],
)
def test_forms_of_names(name: str, path: str) -> None:
    assert resolve(name, LoadOptions())[0] == path


def test_unknown_name_suggests_the_nearest() -> None:
    with pytest.raises(UsageError, match=r"no model called 'qwen2\.5-omi'. Did you mean qwen2\.5-omni"):
        load("qwen2.5-omi")


def test_folder_with_family_and_without(checkpoint: Callable[[str], Path], tmp_path: Path) -> None:
    folder = checkpoint("qwen2.5-omni")
    path, options = resolve(str(folder), LoadOptions())
    assert path == "audio_models.qwen_omni:create"
    assert options.family == "qwen2.5-omni" and options.weights == str(folder)
    assert resolve(str(folder), LoadOptions(family="omni-r1"))[1].family == "omni-r1"
    with pytest.raises(ModelUnavailable, match="--family"):
        load(str(tmp_path))
    with pytest.raises(ModelUnavailable, match="no folder"):
        load("./nowhere", LoadOptions(family="omni-r1"))
    with pytest.raises(UsageError, match="no model family called 'qwen3-omi'"):
        load(str(folder), LoadOptions(family="qwen3-omi"))


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"model_type": ', "null"])
def test_broken_config(content: str, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(content, encoding="utf-8")
    with pytest.raises(ModelUnavailable, match=r"config\.json"):
        load(str(tmp_path))


def test_hub_name_from_a_weights_folder(checkpoint: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch) -> None:
    folder = checkpoint("text-llm")
    model = load("hf:someone/some-chat-model", LoadOptions(weights=str(folder)))
    assert model.info.name == "hf:someone/some-chat-model" and model.info.family == "text-llm"
    model.close()
    monkeypatch.setenv("APUN_WEIGHTS", str(folder.parent))
    with pytest.raises(UsageError, match="not hf:ORG/NAME"):
        load("hf:nothing")


def test_weights_by_environment_variable(
    checkpoint: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """APUN_WEIGHTS holds one folder a model, by the hub's name with or without its organisation."""
    (tmp_path / "Qwen2.5-Omni-7B").symlink_to(checkpoint("qwen2.5-omni"))
    monkeypatch.setenv("APUN_WEIGHTS", str(tmp_path))
    model = load("qwen2.5-omni")
    assert model.info.revision.startswith("sha256:")
    model.close()


@pytest.mark.parametrize("name", NATIVE)
def test_missing_weights_are_one_sentence(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("APUN_WEIGHTS", str(tmp_path))
    with pytest.raises(ModelUnavailable) as caught:
        load(name)
    message = str(caught.value)
    assert MODELS[name].hub_id in message and f"APUN_WEIGHTS {tmp_path}" in message and "--weights FOLDER" in message
    assert "\n" not in message and "Traceback" not in message


def test_a_named_folder_is_never_replaced_by_another_copy(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match="no checkpoint in --weights"):
        load("qwen2.5-omni", LoadOptions(weights=str(tmp_path / "typo")))


def test_remote_code_needs_a_pinned_revision() -> None:
    for revision in (None, "main", "abc123"):
        with pytest.raises(UsageError, match="40 hex digits"):
            load("qwen2.5-7b-instruct", LoadOptions(trust_remote_code=True, revision=revision))
    with pytest.raises(ModelUnavailable):
        load("qwen2.5-7b-instruct", LoadOptions(trust_remote_code=True, revision="0" * 40))


def test_checkpoint_with_remote_code_is_not_run(checkpoint: Callable[[str], Path], tmp_path: Path) -> None:
    """A folder that names code of its own is loaded without running it."""
    import shutil

    folder = tmp_path / "model"
    shutil.copytree(checkpoint("text-llm"), folder)
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    config["auto_map"] = {"AutoConfig": "evil.Config", "AutoModelForCausalLM": "evil.Model"}
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    (folder / "evil.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n", encoding="utf-8")
    load(str(folder)).close()
    assert not (tmp_path / "ran").exists()


def test_pickled_weights_are_refused(checkpoint: Callable[[str], Path], tmp_path: Path) -> None:
    import shutil

    import torch

    folder = tmp_path / "model"
    shutil.copytree(checkpoint("text-llm"), folder)
    (folder / "model.safetensors").unlink()
    torch.save({}, folder / "pytorch_model.bin")
    with pytest.raises(ModelUnavailable, match="safetensors"):
        load(str(folder))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("model.safetensors", b"\xff" * 100),
        ("model.safetensors", b""),
        ("tokenizer.json", b"{}"),
        ("tokenizer.json", b"\x00not json"),
        ("preprocessor_config.json", b"[1, 2"),
        ("config.json", b'{"model_type": "qwen2_5_omni_thinker", "text_config": 7}'),
        ("config.json", b'{"model_type": ["x"]}'),
    ],
)
def test_a_broken_folder_is_one_sentence(
    name: str, content: bytes, checkpoint: Callable[[str], Path], tmp_path: Path
) -> None:
    import shutil

    folder = tmp_path / "model"
    shutil.copytree(checkpoint("qwen2.5-omni"), folder)
    (folder / name).write_bytes(content)
    with pytest.raises(ModelUnavailable) as caught:
        load(str(folder), LoadOptions(family="qwen2.5-omni"))
    assert str(folder) in str(caught.value) and "\n" not in str(caught.value)


def test_weights_of_another_shape_are_refused(checkpoint: Callable[[str], Path], tmp_path: Path) -> None:
    import shutil

    folder = tmp_path / "model"
    shutil.copytree(checkpoint("text-llm"), folder)
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    config["intermediate_size"] = 96
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    with pytest.raises(ModelUnavailable, match="cannot be loaded"):
        load(str(folder))


def test_missing_tensors_are_refused(checkpoint: Callable[[str], Path], tmp_path: Path) -> None:
    """transformers would fill them with random numbers and only warn."""
    import shutil

    from safetensors.torch import load_file, save_file

    folder = tmp_path / "model"
    shutil.copytree(checkpoint("qwen2.5-omni"), folder)
    tensors = load_file(folder / "model.safetensors")
    lost = next(name for name in tensors if "audio_tower" in name)
    del tensors[lost]
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(ModelUnavailable, match="lacks"):
        load(str(folder), LoadOptions(family="qwen2.5-omni"))


def test_digest_follows_content(tmp_path: Path) -> None:
    big = tmp_path / "model.safetensors"
    big.write_bytes(b"a" * (3 << 20))
    (tmp_path / "config.json").write_text("{}", encoding="utf-8")
    first = digests.of_folder(tmp_path)
    assert first == digests.of_folder(tmp_path)
    big.write_bytes(b"a" * ((3 << 20) - 1) + b"b")
    second = digests.of_folder(tmp_path)
    (tmp_path / "config.json").write_text("{ }", encoding="utf-8")
    assert len({first, second, digests.of_folder(tmp_path)}) == 3


def test_catalogue_is_complete() -> None:
    wanted = {
        *("qwen2-audio", "audio-reasoner", "qwen2.5-omni", "qwen2.5-omni-3b", "omni-r1", "qwen3-omni"),
        *("qwen3-omni-thinking", "audio-flamingo-3", "voxtral", "granite-speech", "gemma-3n", "gemma-4"),
        *("phi-4-multimodal", "salmonn", "minicpm-o-2.6", "minicpm-o-4.5", "meralion-2", "kimi-audio"),
        *("step-audio-2", "qwen2.5-7b-instruct", "smollm2-135m", "mock", "solver"),
    }
    assert wanted <= set(MODELS)
    types = [one for entry in families().values() for one in entry.model_types]
    assert len(types) == len(set(types)) == 11
    for name, entry in MODELS.items():
        assert entry.name == name and entry.licence and ":" in entry.path
        if "not served" in entry.note:
            assert "replaces it" in entry.note
    assert entry_for("anything", "voxtral").family == "voxtral"


def test_listing_models_imports_nothing_heavy() -> None:
    code = (
        "import sys; import audio_models.catalogue, apun.probe;"
        "bad = {'torch', 'transformers', 'numpy.random', 'huggingface_hub'} & set(sys.modules);"
        "print(sorted(bad)); sys.exit(bool(bad))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_factory_path_of_this_environment_exists() -> None:
    import importlib

    for entry in MODELS.values():
        module, _, attribute = entry.path.partition(":")
        if not entry.environment:
            found: Any = importlib.import_module(module)
            assert callable(getattr(found, attribute)), entry.path


def test_every_argument_that_a_family_reads_is_known_and_a_mistyped_one_is_refused() -> None:
    import re

    import audio_models
    from apun import weights

    read = re.compile(r"""options\.(?:args\.get|number|whole|switch)\(\s*"(\w+)\"""")
    folder = Path(audio_models.__path__[0])
    places = [path for path in folder.rglob("*.py") if "cascade" not in path.parts]
    sources = [path.read_text(encoding="utf-8") for path in (*places, Path(weights.__file__))]
    declared = {name for entry in MODELS.values() for name in entry.arguments - set(entry.parts)}
    assert {name for source in sources for name in read.findall(source)} == declared
    with pytest.raises(UsageError, match="Did you mean batch"):
        load("mock:perfect", LoadOptions(args={"bacth": "2"}))
    load("mock:perfect", LoadOptions(args={"concurrency": "2"})).close()  # another family's, for several models at once


def test_what_an_entry_names_is_there() -> None:
    """Classes of transformers, splitters of thinking, programs: a mistyped row fails here and not at a user's."""
    transformers = pytest.importorskip("transformers")
    from audio_models.core.native import splitter

    for name, entry in MODELS.items():
        assert splitter(entry.thinking)("word").answer == "word" or entry.thinking != "optional", name
        for class_name in filter(None, (entry.network, entry.front_end)):
            assert hasattr(transformers, class_name), f"{name}: {class_name}"
        assert (entry.path == "audio_models.pinned.model:create") == bool(entry.program) == bool(entry.environment)
        assert not (entry.mark and not entry.repository), name


def test_a_row_with_a_field_nobody_knows_is_refused() -> None:
    from audio_models.catalogue import _entry

    with pytest.raises(TypeError, match="licens"):
        _entry("toy", {"name": "toy", "path": "a:b", "licens": "MIT"}, {"native": []})
