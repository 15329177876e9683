"""Command-line options that choose questions and models; shared by several commands."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from apun import cli
from apun.errors import UsageError
from apun.models import LoadOptions
from apun.run.data import Selection
from apun.tasks import Conditions

SECRET = re.compile(r"(^|[._-])(api_?key|key|token|secret|password)$", re.IGNORECASE)


def add_selection(parser: argparse.ArgumentParser) -> None:
    """Options for which questions are asked, and how."""
    group = parser.add_argument_group("which questions")
    group.add_argument("--benchmark", default="apun", help="apun, phun, xriddles or yomi (default: apun)")
    group.add_argument("--tasks", type=cli.names, default=[], metavar="A,B", help="tasks to ask (default: all)")
    group.add_argument(
        "--subset", default="sample", help="sample (embedded), synthetic, real, or a released split (default: sample)"
    )
    group.add_argument("--data-dir", type=Path, metavar="DIR", help="your data folder (default: $APUN_DATA)")
    group.add_argument("--limit", type=cli.positive, metavar="N", help="a seeded sample of N items")
    group.add_argument("--ids", type=cli.names, default=[], metavar="A,B", help="only these items")
    group.add_argument(
        "--seed", type=cli.natural, default=0, help="seed of samples, distractors and intervals (default: 0)"
    )
    group.add_argument(
        "--modality", choices=["audio", "text"], default="audio", help="text: the gold transcript instead of the clip"
    )
    group.add_argument("--prompt-variant", type=cli.names, default=[], metavar="A,B", help="prompt wordings to use")
    group.add_argument("--prompts", type=Path, metavar="FILE", help="your own prompt file for the task named")
    group.add_argument(
        "--set", type=cli.pair, action="append", default=[], metavar="KEY=VALUE", help="a task's option; repeatable"
    )
    group.add_argument("--voices", default="default", help="speech engine for the sample (default: the embedded one)")


def selection(args: argparse.Namespace) -> Selection:
    """The selection that the options describe."""
    return Selection(
        benchmark=args.benchmark,
        tasks=tuple(args.tasks),
        subset=args.subset,
        data_dir=args.data_dir,
        limit=args.limit,
        ids=tuple(args.ids),
        conditions=Conditions(
            modality=args.modality,
            variants=tuple(args.prompt_variant),
            seed=args.seed,
            prompts=args.prompts,
            options=dict(args.set),
        ),
        voices=args.voices,
    )


def add_loading(parser: argparse.ArgumentParser) -> None:
    """Options for how models are loaded."""
    group = parser.add_argument_group("loading models")
    group.add_argument("--weights", metavar="DIR", help="folder with the model's weights (default: the hub's cache)")
    group.add_argument("--family", help="adapter family of a checkpoint given as a folder")
    group.add_argument("--revision", help="hub revision to load")
    group.add_argument("--device", default="auto", help="auto, cpu, cuda, cuda:1, mps (default: auto)")
    group.add_argument("--dtype", default="auto", help="auto, float32, bfloat16, float16 (default: auto)")
    group.add_argument("--base-url", metavar="URL", help="an OpenAI-compatible server (vLLM, SGLang, llama.cpp)")
    group.add_argument("--trust-remote-code", action="store_true", help="run code from the hub; needs --revision")
    group.add_argument(
        "--model-arg", type=cli.pair, action="append", default=[], metavar="KEY=VALUE", help="an adapter's own option"
    )


def loading(args: argparse.Namespace) -> LoadOptions:
    """The loading options.

    Raises:
        UsageError: a secret is given as an argument; arguments stand in the run folder.
    """
    for name, _ in args.model_arg:
        if SECRET.search(name):
            raise UsageError(
                f"--model-arg {name}: arguments are written to the run folder. Give keys in the environment "
                "(OPENAI_API_KEY, GEMINI_API_KEY, APUN_API_KEY for --base-url)"
            )
    return LoadOptions(
        device=args.device,
        dtype=args.dtype,
        weights=args.weights,
        revision=args.revision,
        family=args.family,
        base_url=args.base_url,
        trust_remote_code=args.trust_remote_code,
        args=dict(args.model_arg),
    )
