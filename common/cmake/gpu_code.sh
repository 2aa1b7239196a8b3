#!/bin/sh
# gpu_code.sh NAME FURTHER COMPILER FLAGS...: makes NAME.ptx and NAME.d. What has no code of a GPU is no
# mistake here: the compiler of the host says what is wrong with a source. Of kernels whose threads have
# arrays in memory, and smaller ones with FURTHER, which unrolls more, that is taken: two flags, of which the
# second is tried beside the first.
name=$1 further=$2
shift 2
has_arrays() { grep -q '^[[:space:]]*\.local ' "$name.ptx"; }
# Each kernel from NAME.further where it has smaller arrays there.
take_smaller_arrays() {
  awk '
    /^\.visible \.entry / { kernel = $3; text = ""; bytes = 0; inside = 1 }
    !inside { if (FNR != NR) print; next }
    { text = text $0 "\n" }
    /^[ \t]*\.local / && match($0, /\[[0-9]+/) { bytes += substr($0, RSTART + 1, RLENGTH - 1) }
    $0 != "}" { next }
    { inside = 0 }
    FNR == NR { others[kernel] = text; others_bytes[kernel] = bytes; next }
    { printf "%s", (kernel in others) && others_bytes[kernel] < bytes ? others[kernel] : text }
  ' "$name.further" "$name.ptx" >"$name.merged" && mv "$name.merged" "$name.ptx"
}
if ! "$@" -S -o "$name.ptx" -MD -MF "$name.d" -MT "$name.ptx" 2>"$name.log"; then
  printf '// no code: %s\n' "$(grep -m 1 error: "$name.log")" >"$name.ptx"
  test -s "$name.d" || printf '%s:\n' "$name.ptx" >"$name.d"
elif has_arrays; then
  flag=${further%% *}
  for word; do
    shift
    case $word in "${flag%%=*}="*) word=$flag ;; esac
    set -- "$@" "$word"
  done
  for also in "" "${further#* }"; do
    if "$@" ${also:+-mllvm "$also"} -S -o "$name.further" 2>>"$name.log"; then take_smaller_arrays; fi
    rm -f "$name.further"
    has_arrays || break
  done
fi
