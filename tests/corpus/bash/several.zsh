# Functions with several names, and lists of loops in parentheses.
function copy paste {
  unfunction copy paste
  "$0" "$@"
}

function prompt_one \
         prompt_two \
         prompt_three {
  return 1
}

is_plugin() {
  local base=$1
  test -f $base/$2
}

for plugin ($plugins); do
  if is_plugin "$ZSH" "$plugin"; then
    fpath=("$ZSH/$plugin" $fpath)
  fi
done

jump() {
  local mark="$(readlink $MARKS/$1)" || {echo "No such mark: $1"; return 1}
  builtin cd "$mark"
}

source_it() {
  source "$1"
}

[[ -n "$ZSH" ]] || export ZSH="${${(%):-%x}:a:h}"

after_flags() {
  for link in $MARKS/*(@N); do
    source_it "$link"
  done
}

last() {
  after_flags
}
