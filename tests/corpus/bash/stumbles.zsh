# What only zsh reads, and what stands behind it.

function first {
  local -a refs
  refs=("${(@f)$(git for-each-ref --format="%(refname:short)")}")
  (( ${+functions[_first::$1]} )) || {
    return 1
  }
}

function _first::second() {
  print -l ${(k)aliases[(R)$1*]}
}

third() { first "$1" }

case "$OSTYPE" in
  darwin*) third x ;;
esac

fourth() {
  first
  third
}

function remove_all {
  list | cut -d= -f1 | ${=runner} remove
}

function usage_of {
  cat <<EOF
Usage: ${(j: :)words} <command>
EOF
}
