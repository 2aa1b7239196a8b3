#!/usr/bin/env bash
# Tries the exercises' graders: every solution with one small mistake after the other in it, those
# of mutants.txt. Each must be refused; the survivors are printed.
#
#     common/exercise/attempts/mutants.sh                     all lessons, in build/
#     common/exercise/attempts/mutants.sh -B FOLDER 03 08     these lessons, in another build folder
#     common/exercise/attempts/mutants.sh -g 03 SOLUTION      prints the source of lesson 03's mutants
#
# All mutants of a lesson are compiled as one source, a namespace for each: some 20 s a lesson on
# two cores. Exit code 1 when a mutant survived, or when one was refused that is said to be the same
# as the solution; 2 when they could not be tried.
set -euo pipefail

folder=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$folder/../../.." && pwd)
build=$root/build

fail() { echo "mutants: $1" >&2; exit 2; }

# A line of mutants.txt is "OLD => NEW", or "2: OLD => NEW" for the second place where OLD stands.
# " ~~ REASON" at its end says why the mutant does the same as the solution.
olds=() news=() places=() reasons=()
read_list() {  # lesson
  local line lesson=
  while IFS= read -r line; do
    case $line in
      '' | '#'*) continue ;;
      '['*']') lesson=${line:1:-1}; continue ;;
    esac
    [[ $lesson == "$1" ]] || continue
    [[ $line == *' => '* ]] || fail "mutants.txt: what is '$line'?"
    local old=${line%%' => '*} new=${line#*' => '} place=1 reason=
    if [[ $new == *' ~~ '* ]]; then reason=${new#*' ~~ '} new=${new%%' ~~ '*}; fi
    if [[ $old =~ ^([0-9]):' '(.*)$ ]]; then place=${BASH_REMATCH[1]} old=${BASH_REMATCH[2]}; fi
    olds+=("$old") news+=("$new") places+=("$place") reasons+=("$reason")
  done <"$folder/mutants.txt"
}

replaced() {  # text old new place
  local before= rest=$1 i
  for ((i = 0; i < $4; i++)); do
    [[ $rest == *"$2"* ]] || fail "'$2' does not stand there $4 times"
    before+=${rest%%"$2"*}
    rest=${rest#*"$2"}
    if ((i + 1 < $4)); then before+=$2; fi
  done
  printf '%s' "$before$3$rest"
}

generate() {  # lesson, its solution.cuh
  local text body task lesson=${2%/solution.cuh} i
  lesson=${lesson##*/}
  read_list "${lesson%%_*}"
  text=$(grep -v '^#' "$2")
  case $lesson in
    05* | 06*) task='solution, mutant::solutionElementsPerThread' ;;
    07*) task=solutionFor ;;
    *) task=solution ;;
  esac
  printf '#include "%s/exercise_task.h"\n#include "exercise/attempts/mutants.h"\n' "${2%/*}"
  for i in "${!olds[@]}"; do
    body=$(replaced "$text" "${olds[i]}" "${news[i]}" "${places[i]}")
    printf 'namespace m%d {\n%s\n}\n' "$i" "$body"
  done
  printf 'int main() {\n  return tryMutants<%s>({\n' "$([[ $lesson == 09* ]] && echo double || echo int)"
  for i in "${!olds[@]}"; do
    printf '    {R"~(%s)~", R"~(%s)~", exerciseTask(%s)},\n' \
      "${places[i]}: ${olds[i]} => ${news[i]}" "${reasons[i]}" \
      "m$i::${task/mutant::/m$i::}"
  done
  printf '  });\n}\n'
}

if [[ ${1:-} == -g ]]; then
  generate "$2" "$3"
  exit
fi
if [[ ${1:-} == -B ]]; then build=$2; shift 2; fi
lessons=("$@")
[[ $# -gt 0 ]] || lessons=(02 03 04 05 06 07 08 09)
status=0
for lesson in "${lessons[@]}"; do
  cmake --build "$build" --target "mutants_${lesson}_cpu" >"$build/mutants.log" 2>&1 ||
    fail "lesson $lesson does not build: see $build/mutants.log"
  echo "lesson $lesson:"
  "$build/cpu/mutants_$lesson" || status=1
done
exit $status
