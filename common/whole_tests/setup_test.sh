#!/usr/bin/env bash
# setup.sh says when CMake is too old. Exit code 77: it cannot be asked here.
# Usage: setup_test.sh <setup.sh> <folder to work in>
set -euo pipefail
command -v apt-get >/dev/null || exit 77
mkdir -p "$2"
printf '#!/bin/sh\necho "cmake version $FAKE"\n' >"$2/cmake"
printf '#!/bin/sh\necho "install ok installed"\n' >"$2/dpkg-query"  # libraries may have come otherwise
chmod +x "$2/cmake" "$2/dpkg-query"
try() {
  FAKE=$1 PATH="$2:$PATH" bash "$3" 2>&1 || true
}
try 3.9.0 "$2" "$1" | grep -q 'CMake 3.9.0 is too old, 3.25 or later is needed'
try 3.22.1 "$2" "$1" | grep -q 'CMake 3.22.1 is too old'
try 3.25.0 "$2" "$1" | grep -q 'everything is installed'
try 4.0.2 "$2" "$1" | grep -q 'everything is installed'
