#!/usr/bin/env bash
# How many instructions a generic search takes for one written by hand: scripts/instructions.sh BINARY RACE [MOST],
# where RACE is expectimax or alpha-beta.
#
# Counted by valgrind, so the number is the same on a quiet machine and on a busy one. One round is the difference
# between two rounds and one. Fails if the ratio is above MOST.
set -euo pipefail

count() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$binary" bench --race "$race" --side "$1" --rounds "$2" 2>&1 |
        sed -n 's/.*Collected : //p'
}

usage='usage: scripts/instructions.sh BINARY RACE [MOST]'
binary=${1:?$usage}
race=${2:?$usage}
[ -x "$binary" ] || { echo "there is no program $binary" >&2; exit 2; }
generic=$(($(count generic 2) - $(count generic 1)))
by_hand=$(($(count by-hand 2) - $(count by-hand 1)))
awk -v race="$race" -v generic="$generic" -v by_hand="$by_hand" -v most="${3:-1e9}" 'BEGIN {
    ratio = generic / by_hand
    printf "%s: generic %d, by hand %d instructions: ratio %.3f\n", race, generic, by_hand, ratio
    exit ratio > most
}'
