#!/bin/sh
# What the four tools of compute-sanitizer say of each kernel of the set, as a table beside ours:
#   common/simt/verdicts/sanitizer.sh build/gpu/verdicts > common/simt/verdicts/sanitizer.csv
# Needs a GPU. Kernels that may hang are left out; every other run is ended after a minute. In the
# environment: JOBS, how many runs share the GPU (8); SANITIZER, the tool where it is not on the path.
program=${1:-build/gpu/verdicts}
sanitizer=${SANITIZER:-compute-sanitizer}
command -v "$sanitizer" >/dev/null || { echo "$sanitizer: not found" >&2; exit 3; }
[ -x "$program" ] || { echo "$program: not built" >&2; exit 2; }
export program

# The first line of a report that is a finding.
finding() { sed -n 's/^========= \([A-Z][^:]*\).*/\1/p' | grep -v -e SUMMARY -e '^COMPUTE' | head -1 | tr -d ','; }

ask() {
  kernel=$1 verdict=$2 hangs=$3 tool=$4
  if [ "$hangs" = yes ]; then
    finds="left out"
  else
    report=$(timeout 60 "$sanitizer" --tool "$tool" --error-exitcode 9 "$program" "$kernel" \
      2>&1 </dev/null)
    case $? in
      0) finds=nothing ;;
      124) finds="no end" ;;
      9) finds=$(echo "$report" | finding) ;;
      *) finds="the program fails" ;;
    esac
  fi
  echo "$kernel,$verdict,$tool,${finds:-something}"
}

if [ "$2" = --one ]; then
  ask "$3" "$4" "$5" "$6"
  exit
fi

echo "kernel,verdict,tool,finds"
"$program" --list | tail -n +2 | while IFS="$(printf '\t')" read -r kernel verdict hangs _; do
  for tool in memcheck racecheck initcheck synccheck; do
    printf '%s\0%s\0%s\0%s\0' "$kernel" "$verdict" "$hangs" "$tool"
  done
done | xargs -0 -n 4 -P "${JOBS:-8}" "$0" "$program" --one | sort
