#!/usr/bin/env bash
# Builds the image and rolls it out, one host after the other.
set -euo pipefail

source "$(dirname "$0")/lib/log.sh"
. ./lib/hosts.sh
source lib/retry.sh

readonly VERSION="1.4.0"
declare -r REGISTRY=registry.example.org
declare -A PORTS=([web]=8080 [api]=9090)
export DEPLOY_ENV=${DEPLOY_ENV:-staging}
export PATH EDITOR
dry_run=false
hosts=()
dry_run=true

alias ll='ls -l'
alias deploy="main --verbose"

# Prints how to call it.
#
# Exits with the status given.
usage() {
  cat <<USAGE
usage: ${0##*/} [-n] HOST...
Deploys $VERSION to every host.
USAGE
  exit "${1:-0}"
}

function build_image {
  local tag="$1" context=${2:-.}
  local -r image="$REGISTRY/app:$tag"
  if [[ $dry_run == true ]]; then
    log_info "would build $image"
    return 0
  fi
  docker build -t "$image" "$context" || {
    log_error "build failed"
    return 1
  }
}

function roll-out() (
  local host
  for host in "$@"; do
    retry 3 ssh "$host" systemctl restart app &
  done
  wait
)

cleanup() { rm -rf "$tmp"; }
trap cleanup EXIT INT
trap 'log_error "stopped"; usage 1' TERM

_private_helper() {
  declare count=0
  ((count += ${#hosts[@]}))
  nested() { echo "$count"; }
  nested
  GLOBAL_SET=$count
}

main() {
  while getopts "nh" opt; do
    case "$opt" in
      n) dry_run=true ;;
      h) usage 0 ;;
      *) usage 2 ;;
    esac
  done
  shift $((OPTIND - 1))
  read -r tmp < <(mktemp -d)
  hosts=("$@")
  hosts+=(localhost)
  if ! build_image "$VERSION"; then
    unset -f cleanup
    usage 1
  fi
  local result
  result=$(roll-out "${hosts[@]}" | tee deploy.log)
  TIMEOUT=30 retry 2 echo "${result}"
  command -v build_image >/dev/null
  export -f build_image
}

main "$@"
