#!/usr/bin/env bash
# Expansions that the grammar loses its way in.

bold() {
  out="$("__$next" "$@")"
  echo "${out:+${out};}1"
}

faint() {
  list="${list%%]*}"
  echo "${names[(I)$1]:-none}"
}

last() { bold "$(faint "${1:-x}")"; }
