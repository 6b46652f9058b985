#!/usr/bin/env bash
# Builds the Python package as a wheel, installs it with all that its tests need into target/python, and tests it.
# Arguments go to pytest. Needs Rust and CPython 3.10 or later with the module venv.
set -euo pipefail
cd "$(dirname "$0")/.."
venv=target/python
[ -x "$venv/bin/python" ] || "${PYTHON:-python3}" -m venv "$venv"
"$venv/bin/pip" install --quiet --disable-pip-version-check 'maturin>=1.9.4,<2'
rm -rf target/wheels
"$venv/bin/maturin" build --release --locked --quiet --out target/wheels --interpreter "$venv/bin/python"
wheel=$(echo target/wheels/*.whl)
size=$(wc -c < "$wheel")
echo "the wheel has $size bytes"
[ "$size" -lt 15000000 ] || { echo "that is too large" >&2; exit 1; }
"$venv/bin/pip" install --quiet --disable-pip-version-check --force-reinstall --no-deps "$wheel"
"$venv/bin/pip" install --quiet --disable-pip-version-check "$wheel[test]"
"$venv/bin/mypy"
"$venv/bin/pytest" -q "$@"
