"""Optional packages: imported on use, and named with their extra where they are missing."""

from __future__ import annotations

import json

import pytest

from apun.errors import MissingDependency
from apun.registry import optional, package_folder


def test_what_is_there_is_imported_or_found() -> None:
    assert optional("json", "models") is json
    assert (package_folder("apun", "models") / "registry.py").is_file()


def test_what_is_missing_is_named_with_its_extra() -> None:
    with pytest.raises(MissingDependency, match=r"some-package is not installed.*apun\[zh\]"):
        optional("no_such_module", "zh", "some-package")
    with pytest.raises(MissingDependency, match=r"no-such-module is not installed.*apun\[ja\]"):
        package_folder("no_such_module", "ja")
    with pytest.raises(MissingDependency, match="some-package"):
        package_folder("json.tool", "ja", "some-package")  # a module without a folder of its own
