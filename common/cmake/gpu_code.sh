#!/bin/sh
# gpu_code.sh NAME COMPILER FLAGS...: makes NAME.ptx and NAME.d. What has no code of a GPU is no mistake
# here: the compiler of the host says what is wrong with a source.
name=$1
shift
if ! "$@" -S -o "$name.ptx" -MD -MF "$name.d" -MT "$name.ptx" 2>"$name.log"; then
  printf '// no code: %s\n' "$(grep -m 1 error: "$name.log")" >"$name.ptx"
  test -s "$name.d" || printf '%s:\n' "$name.ptx" >"$name.d"
fi
