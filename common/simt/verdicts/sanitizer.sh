#!/bin/sh
# What the four tools of compute-sanitizer say of each kernel of the set, as a table beside ours:
#   common/simt/verdicts/sanitizer.sh [build folder] > common/simt/verdicts/sanitizer.csv
# Needs a GPU. Kernels that may hang are left out; every other run is ended after a minute.
build=${1:-build}
program=$build/gpu/verdicts
command -v compute-sanitizer >/dev/null || { echo "compute-sanitizer: not found" >&2; exit 3; }
[ -x "$program" ] || { echo "$program: not built" >&2; exit 2; }

echo "kernel,verdict,tool,finds"
"$program" --list | tail -n +2 | while IFS="$(printf '\t')" read -r kernel verdict hangs _; do
  for tool in memcheck racecheck initcheck synccheck; do
    if [ "$hangs" = yes ]; then
      finds="left out"
    else
      report=$(timeout 60 compute-sanitizer --tool $tool --error-exitcode 9 "$program" "$kernel" \
        2>&1 </dev/null)
      case $? in
        0) finds=nothing ;;
        124) finds="no end" ;;
        9) finds=$(echo "$report" | sed -n 's/^========= \([A-Z][^:]*\).*/\1/p' | grep -v SUMMARY |
          grep -v '^COMPUTE' | head -1 | tr -d ',') ;;
        *) finds="the program fails" ;;
      esac
    fi
    echo "$kernel,$verdict,$tool,${finds:-something}"
  done
done
