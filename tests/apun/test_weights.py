"""Weights are found where they were said to be, named by their content, and never fetched unasked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from apun import digests, weights
from apun.errors import ModelUnavailable
from apun.models import LoadOptions
from apun.weights import find, lacks, package_folder, verify

HUB = "org/some-model"


@pytest.fixture(autouse=True)
def asked_hub(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What the hub client is asked; it has nothing."""
    from huggingface_hub.errors import LocalEntryNotFoundError

    asked: list[dict[str, Any]] = []

    def snapshot(source: str, **arguments: Any) -> str:
        asked.append({"source": source, **arguments})
        raise LocalEntryNotFoundError("not here")

    monkeypatch.delenv("APUN_WEIGHTS", raising=False)
    monkeypatch.setattr("huggingface_hub.snapshot_download", snapshot)
    return asked


def checkpoint(folder: Path, *files: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name in files or ("config.json",):
        (folder / name).write_text("{}")
    return folder


def test_digests_keep_their_values(tmp_path: Path) -> None:
    """They name replies that are kept: another value would ask everything again."""
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "model.safetensors").write_bytes(b"a" * (3 << 20))
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "code.py").write_text("x = 1")
    (tmp_path / ".hidden").write_text("no")
    assert digests.of_folder(tmp_path) == "sha256:16da977cfc869fdf"
    parts = [tmp_path / "sub" / "code.py", str(tmp_path / "sub"), tmp_path / "model.safetensors"]
    assert digests.of_paths(parts) == "sha256:fb3bc7ba976a6544"
    assert digests.of_file(tmp_path / "config.json").startswith("44136fa355b3678a")


def test_the_given_folder_goes_first_and_is_never_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checkpoint(tmp_path / "root" / "some-model")
    monkeypatch.setenv("APUN_WEIGHTS", str(tmp_path / "root"))
    given = checkpoint(tmp_path / "given")
    assert find(HUB, LoadOptions(weights=str(given))).path == given
    holds = tmp_path / "root"
    assert find(HUB, LoadOptions(weights=str(holds))).path == holds / "some-model"
    with pytest.raises(ModelUnavailable, match=rf"no checkpoint in --weights .*typo: it has no config\.json.*{HUB}"):
        find(HUB, LoadOptions(weights=str(tmp_path / "typo")))
    with pytest.raises(ModelUnavailable, match=r"it has no am\.mvn, nor"):
        find(HUB, LoadOptions(weights=str(given)), lacks("config.json", "am.mvn"))


@pytest.mark.parametrize("place", ["org/some-model", "some-model"])
def test_the_environments_folder_goes_before_the_hub(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked_hub: list[dict[str, Any]]
) -> None:
    monkeypatch.setenv("APUN_WEIGHTS", str(tmp_path))
    folder = checkpoint(tmp_path / place, "weights.gguf")
    found = find(HUB, LoadOptions())
    assert (found.path, found.revision) == (folder, digests.of_folder(folder)) and not asked_hub
    assert find(HUB, LoadOptions(revision="abc")).revision == "abc"


def test_nothing_is_fetched_unasked(asked_hub: list[dict[str, Any]], tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match=r"weights of org/some-model are not on this machine.*download=yes, too"):
        find(HUB, LoadOptions(), skip=weights.PICKLES, hint=", too")
    with pytest.raises(ModelUnavailable):
        find(HUB, LoadOptions(args={"download": "yes"}), skip=weights.PICKLES)
    with pytest.raises(ModelUnavailable):
        find(HUB, LoadOptions(args={"download": "yes"}))
    assert [(one["local_files_only"], one["ignore_patterns"]) for one in asked_hub] == [
        (True, None),
        (False, list(weights.PICKLES)),
        (False, None),
    ]
    with pytest.raises(ModelUnavailable, match="weights of this model"):
        find("", LoadOptions())


def test_a_hub_that_fails_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def snapshot(source: str, **_: Any) -> str:
        raise OSError("no route to host")

    monkeypatch.setattr("huggingface_hub.snapshot_download", snapshot)
    with pytest.raises(ModelUnavailable, match=r"could not be fetched.*OSError: no route to host"):
        find(HUB, LoadOptions(args={"download": "yes"}))


def test_embedded_weights_are_found_unrun_and_checked(tmp_path: Path) -> None:
    assert package_folder("no_such_package_of_apun") is None
    folder = package_folder("apun")
    assert folder is not None and (folder / "weights.py").is_file()
    path = tmp_path / "model.bin"
    path.write_bytes(b"weights")
    assert verify(path, digests.of_file(path)) == digests.of_file(path)
    with pytest.raises(ModelUnavailable, match=r"model\.bin has SHA-256 .* expected 0000.*; delete it or reinstall"):
        verify(path, "0" * 64)
