#!/bin/sh
# gpu_code.sh NAME FURTHER COMPILER FLAGS...: makes NAME.ptx and NAME.d. What has no code of a GPU is no
# mistake here: the compiler of the host says what is wrong with a source. Where threads have arrays in
# memory and fewer with FURTHER, which unrolls more, that is taken: two flags, of which the second is tried
# beside the first.
name=$1 further=$2
shift 2
arrays() { grep -c '^[[:space:]]*\.local ' "$1"; }
if ! "$@" -S -o "$name.ptx" -MD -MF "$name.d" -MT "$name.ptx" 2>"$name.log"; then
  printf '// no code: %s\n' "$(grep -m 1 error: "$name.log")" >"$name.ptx"
  test -s "$name.d" || printf '%s:\n' "$name.ptx" >"$name.d"
elif test "$(arrays "$name.ptx")" -gt 0; then
  flag=${further%% *}
  for word; do
    shift
    case $word in "${flag%%=*}="*) word=$flag ;; esac
    set -- "$@" "$word"
  done
  for also in "" "${further#* }"; do
    if "$@" ${also:+-mllvm "$also"} -S -o "$name.further" 2>>"$name.log" &&
      test "$(arrays "$name.further")" -lt "$(arrays "$name.ptx")"; then
      mv "$name.further" "$name.ptx"
    fi
    rm -f "$name.further"
    test "$(arrays "$name.ptx")" -gt 0 || break
  done
fi
