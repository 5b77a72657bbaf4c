# What Bash does not have.

if (( $+commands[kubectl] )); then
  zf_mv -f -- =( kubectl completion zsh ) "$TMPPREFIX"
fi

() {
  local once=1
}

function {
  local twice=2
}

update() {
  {
    fetch_all
  } always {
    unlock
  }
}

fetch_all() {
  update &|
  local tty=${${(%):-%l}##pts/}
}
