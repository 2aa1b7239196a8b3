#!/usr/bin/env bash
# Installs what building and testing need and is not there yet: CMake, Ninja, a C++ compiler,
# Boost.Context, libdw, CLI11, fmt, nlohmann-json, GoogleTest, and clang with its OpenMP: estimates are made of
# the code that clang++ makes for a GPU. The CUDA Toolkit is not installed: without it everything runs on the
# CPU.
set -euo pipefail

# The newest packages of an older system may still hold a CMake that is too old.
check_cmake() {
  local version
  version=$(cmake --version | sed -n '1s/cmake version //p')
  [ "$(printf '%s\n' 3.25 "$version" | sort -V | head -n 1)" = 3.25 ] && return
  echo "setup: CMake $version is too old, 3.25 or later is needed. Ubuntu 22.04: sudo snap install" \
       "cmake --classic, or: pip install --user cmake, and ~/.local/bin first in PATH" >&2
  exit 1
}

if command -v apt-get >/dev/null; then
  packages=(cmake ninja-build g++ binutils libboost-context-dev libdw-dev libcli11-dev
            libfmt-dev nlohmann-json3-dev libgtest-dev clang libomp-dev)
  missing=()
  for package in "${packages[@]}"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q '^install ok' ||
      missing+=("$package")
  done
  if [ ${#missing[@]} -eq 0 ]; then
    check_cmake
    echo "setup: everything is installed"
    exit 0
  fi
  as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || {
      echo "setup: not root and no sudo; ask for these packages: ${missing[*]}" >&2
      exit 1
    }
    as_root=(sudo)
  fi
  echo "setup: installing ${missing[*]}"
  "${as_root[@]}" apt-get update -q
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -q --no-install-recommends "${missing[@]}"
elif [ "$(uname)" = Darwin ] && command -v brew >/dev/null; then
  brew install cmake ninja boost cli11 fmt nlohmann-json googletest libomp
else
  echo "setup: this script knows apt (Debian, Ubuntu) and Homebrew (macOS). Elsewhere install" \
       "CMake 3.25 or later, Ninja, a C++20 compiler, Boost.Context, libdw, and if you like CLI11," \
       "nlohmann-json and GoogleTest, which are fetched otherwise." >&2
  exit 1
fi
check_cmake
