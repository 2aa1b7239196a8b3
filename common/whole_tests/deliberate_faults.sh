#!/usr/bin/env bash
# Tries the tests: puts one deliberate fault after the other into a copy of this tree and shows that
# a test catches it.
#
#     common/whole_tests/deliberate_faults.sh              all faults of deliberate_faults.txt
#     common/whole_tests/deliberate_faults.sh 7 12         those of these numbers
#     common/whole_tests/deliberate_faults.sh "poison"     those with this in their name
#     common/whole_tests/deliberate_faults.sh -l           lists them
#     common/whole_tests/deliberate_faults.sh -c build/cpu/tests
#                         only says which no longer apply, or whose test is not among those programs
#     -w FOLDER   keeps the copy and its build there instead of in ${TMPDIR:-/tmp}/deliberate_faults
#
# The copy has the files that git tracks, with their changes; the tree itself is never written to.
# Where there is ccache it is used. The first run builds the tests, some minutes on two cores; then
# a fault takes as long as building and running what concerns it: 10 to 30 seconds, and all of them
# about half an hour. Two runs at a time need two folders.
#
# Exit code 1 when a fault survived or an entry no longer applies, 2 when the faults could not be
# tried: bad usage, or tests that already fail without one.
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
list=$root/common/whole_tests/deliberate_faults.txt
work=${TMPDIR:-/tmp}/deliberate_faults
seconds_for_tests=300

fail() { echo "deliberate_faults: $1" >&2; exit 2; }

# An entry is "[name]", then "file PATH", lines "- TEXT" to replace and "+ TEXT" to put there, and
# one or more "test TARGET FILTER". The text occurs once in the file.
names=() files=() olds=() news=() tests=()
read_list() {
  local line i=-1
  while IFS= read -r line; do
    case $line in
      '' | '#'*) ;;
      '['*']') i=$((i + 1)); names[i]=${line:1:-1} files[i]='' olds[i]='' news[i]='' tests[i]='' ;;
      'file '*) files[i]=${line#file } ;;
      '- '*) olds[i]+=${olds[i]:+$'\n'}${line:2} ;;
      '+ '*) news[i]+=${news[i]:+$'\n'}${line:2} ;;
      'test '*) tests[i]+=${line#test }$'\n' ;;
      *) fail "$list: what is '$line'?" ;;
    esac
  done <"$list"
}

# Brings the copy up to date. A file that has not changed keeps its time and is not built again.
copy_tree() {
  local file
  mkdir -p "$work/tree"
  while IFS= read -r -d '' file; do
    [ -f "$root/$file" ] || continue
    cmp -s "$root/$file" "$work/tree/$file" && continue
    mkdir -p "$(dirname "$work/tree/$file")"
    cp "$root/$file" "$work/tree/$file"
  done < <(git -C "$root" ls-files -z)
  (cd "$work/tree" && find . -type f -printf '%P\n') | while IFS= read -r file; do
    [ -f "$root/$file" ] || rm "$work/tree/$file"
  done
}

configure() {
  local launcher=()
  if command -v ccache >/dev/null; then
    export CCACHE_BASEDIR=$work CCACHE_NOHASHDIR=1
    launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  fi
  cmake -S "$work/tree" -B "$work/build" -G Ninja -DWORKSHOP_GPU=OFF -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_CXX_FLAGS_RELEASE='-O1 -DNDEBUG' -DCMAKE_GTEST_DISCOVER_TESTS_DISCOVERY_MODE=PRE_TEST \
    "${launcher[@]}" >"$work/configure.log" 2>&1 ||
    fail "cmake failed: see $work/configure.log"
}

build() { cmake --build "$work/build" --target "$@" >"$work/build.log" 2>&1; }

# Runs these tests. What says which one failed, and how; empty when all are right.
what=
run_tests() {  # target filter
  local status=0
  {
    GTEST_FAIL_FAST=1 timeout "$seconds_for_tests" "$work/build/cpu/tests/$1" \
      --gtest_filter="$2" || status=$?
  } >"$work/test.log" 2>&1  # bash's own word on a crash, too
  what=
  [ "$status" -eq 0 ] && return
  what=$(sed -n 's/^\[  FAILED  \] \([^ ,]*\).*/\1/p' "$work/test.log" | head -1)
  [ -n "$what" ] && return
  what=$(sed -n 's/^\[ RUN      \] //p' "$work/test.log" | tail -1)
  if [ "$status" -eq 124 ]; then
    what+=" (had not ended after $seconds_for_tests s)"
  else
    what+=" (ended with $status)"
  fi
}

# Without a fault every test must be there and right, or it would catch anything.
check_without_faults() {
  local needed target filter i
  needed=$(for i in "${chosen[@]}"; do printf %s "${tests[i]}"; done | sort -u)
  # shellcheck disable=SC2046 # one word for each target
  build $(cut -d ' ' -f 1 <<<"$needed" | sort -u) || fail "does not build: see $work/build.log"
  while read -r target filter; do
    run_tests "$target" "$filter"
    [ -z "$what" ] || fail "without any fault $target fails in $what: see $work/test.log"
    grep -q '^\[  PASSED  \] [1-9]' "$work/test.log" || fail "$target has no test $filter"
  done <<<"$needed"
}

# Whether its text is in a tree exactly once.
applies() {  # number, tree
  local text rest  # of the text behind its name, "#*" would take a thousand times as long
  [ -f "$2/${files[$1]}" ] || return 1
  text=$(<"$2/${files[$1]}")
  rest=${text/"${olds[$1]}"/$'\1'}
  [ "$rest" != "$text" ] && [[ $rest != *"${olds[$1]}"* ]]
}

# Puts the fault into the copy, where it applies.
apply() {  # number
  local file=$work/tree/${files[$1]} text
  applies "$1" "$work/tree" || return 1
  text=$(<"$file")
  cp "$file" "$work/without_fault"
  printf '%s\n' "${text/"${olds[$1]}"/"${news[$1]}"}" >"$file"
}

caught=0 compiler=0 survived=0 gone=0
try() {  # number
  local target filter outcome=survived start=$SECONDS
  if ! apply "$1"; then
    gone=$((gone + 1))
    printf '%3d %s: NO LONGER APPLIES to %s\n' "$(($1 + 1))" "${names[$1]}" "${files[$1]}"
    return
  fi
  while read -r target filter; do
    if ! build "$target"; then outcome=compiler; break; fi
    run_tests "$target" "$filter"
    if [ -n "$what" ]; then outcome=caught; break; fi
  done <<<"${tests[$1]%$'\n'}"
  cp "$work/without_fault" "$work/tree/${files[$1]}"
  case $outcome in
    survived) survived=$((survived + 1)) what=SURVIVED ;;
    compiler) compiler=$((compiler + 1)) what="caught by the compiler" ;;
    caught) caught=$((caught + 1)) what="caught by $what" ;;
  esac
  printf '%3d %s: %s (%d s)\n' "$(($1 + 1))" "${names[$1]}" "$what" "$((SECONDS - start))"
}

# Says which of the chosen ones do not apply to this tree, or name a test program that is not built.
check_only() {
  local i target filter
  for i in "${chosen[@]}"; do
    if ! applies "$i" "$root"; then
      gone=$((gone + 1))
      printf '%3d %s: NO LONGER APPLIES to %s\n' "$((i + 1))" "${names[i]}" "${files[i]}"
    fi
    while read -r target filter; do
      [ -x "$programs/$target" ] && continue
      gone=$((gone + 1))
      printf '%3d %s: THERE IS NO %s\n' "$((i + 1))" "${names[i]}" "$programs/$target"
    done <<<"${tests[i]%$'\n'}"
  done
  [ "$gone" -eq 0 ]
}

# Those of a number, or with this in their name.
chosen=()
choose() {
  local i found=
  for i in "${!names[@]}"; do
    if [[ $1 == "$((i + 1))" || (! $1 =~ ^[0-9]+$ && ${names[i]} == *"$1"*) ]]; then
      chosen+=("$i") found=1
    fi
  done
  [ -n "$found" ] || fail "there is no fault '$1' (-l lists them)"
}

only_list= programs=
while getopts lc:w: option; do
  case $option in
    l) only_list=1 ;;
    c) programs=$OPTARG ;;
    w) work=$OPTARG ;;
    *) fail "usage: deliberate_faults.sh [-l | -c FOLDER] [-w FOLDER] [NUMBER|NAME …]" ;;
  esac
done
shift $((OPTIND - 1))
read_list
if [ -n "$only_list" ]; then
  for i in "${!names[@]}"; do printf '%3d %s (%s)\n' "$((i + 1))" "${names[i]}" "${files[i]}"; done
  exit 0
fi
if [ $# -eq 0 ]; then chosen=("${!names[@]}"); fi
for word in "$@"; do choose "$word"; done
if [ -n "$programs" ]; then check_only; exit; fi

mkdir -p "$work"
work=$(cd "$work" && pwd)
copy_tree
configure
check_without_faults
for i in "${chosen[@]}"; do try "$i"; done
echo "${#chosen[@]} faults: $caught caught by tests, $compiler by the compiler," \
     "$survived survived, $gone no longer apply"
[ $((survived + gone)) -eq 0 ]
