#!/bin/sh
# Two clones push their indexes to one remote at the same moment, many times: over file://, over
# ssh to a throw-away sshd, and over smart HTTP. Nothing may be lost, and after `gc` both must have
# the same index.
#
#   tests/remotes.sh [ROUNDS [file|ssh|http ...]]
#
# BINARY names the git-sverklo to try (default: target/release/git-sverklo). For ssh and http,
# Debian's openssh-server and lighttpd are needed. Exit status 1: something was lost or differs.
set -eu

rounds=${1:-50}
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- file ssh http
top=$(cd "$(dirname "$0")/.." && pwd)
binary=${BINARY:-$top/target/release/git-sverklo}
work=$(mktemp -d)
pids=
trap 'for pid in $pids; do kill "$pid" 2>/dev/null || :; done; rm -rf "$work"' EXIT
trap 'exit 2' INT TERM

export HOME="$work" GIT_CONFIG_NOSYSTEM=1 LC_ALL=C
unset XDG_CONFIG_HOME GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE || :
git config --global user.name 'A. Author'
git config --global user.email author@example.com
git config --global init.defaultBranch main
git config --global gc.auto 0
index=refs/sverklo/v1/index
failed=0

free_port() {
    python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# Waits until something listens on a port.
listening() {
    python3 - "$1" <<'PY'
import socket, sys, time
for _ in range(200):
    try:
        socket.create_connection(("127.0.0.1", int(sys.argv[1])), 1).close()
        sys.exit(0)
    except OSError:
        time.sleep(0.05)
sys.exit("nothing listens on port " + sys.argv[1])
PY
}

start_sshd() {
    port=$(free_port)
    mkdir -p "$work/sshd" /run/sshd
    ssh-keygen -q -t ed25519 -N '' -f "$work/sshd/host"
    ssh-keygen -q -t ed25519 -N '' -f "$work/sshd/user"
    cat >"$work/sshd/config" <<CONF
ListenAddress 127.0.0.1
Port $port
HostKey $work/sshd/host
PidFile none
AuthorizedKeysFile $work/sshd/user.pub
StrictModes no
UsePAM no
PasswordAuthentication no
PermitRootLogin yes
MaxStartups 100
CONF
    "$(command -v sshd || echo /usr/sbin/sshd)" -D -f "$work/sshd/config" -E "$work/sshd/log" &
    pids="$pids $!"
    listening "$port"
    export GIT_SSH_COMMAND="ssh -p $port -i $work/sshd/user -o IdentitiesOnly=yes -o BatchMode=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR"
}

start_lighttpd() {
    port=$(free_port)
    cat >"$work/lighttpd.conf" <<CONF
server.modules = ("mod_alias", "mod_setenv", "mod_cgi")
server.document-root = "$work"
server.bind = "127.0.0.1"
server.port = $port
server.errorlog = "$work/lighttpd.log"
alias.url = ("/git" => "$(git --exec-path)/git-http-backend")
\$HTTP["url"] =~ "^/git" {
    cgi.assign = ("" => "")
    setenv.add-environment = ("GIT_PROJECT_ROOT" => "$work", "GIT_HTTP_EXPORT_ALL" => "1")
}
CONF
    "$(command -v lighttpd || echo /usr/sbin/lighttpd)" -D -f "$work/lighttpd.conf" &
    pids="$pids $!"
    listening "$port"
}

experiment() {
    kind=$1
    hub=$work/$kind.git
    git init -q --bare "$hub"
    git -C "$hub" config http.receivepack true
    case $kind in
        file) url=file://$hub ;;
        ssh) start_sshd && url=ssh://$(id -un)@127.0.0.1$hub ;;
        http) start_lighttpd && url=http://127.0.0.1:$port/git/$kind.git ;;
        *) echo "unknown connection $kind" >&2 && exit 2 ;;
    esac
    for name in a b; do
        git init -q "$work/$kind-$name"
        git -C "$work/$kind-$name" remote add origin "$url"
        git -C "$work/$kind-$name" checkout -q -b "$name"
    done
    round=0
    races=0
    while [ "$round" -lt "$rounds" ]; do
        for name in a b; do
            clone=$work/$kind-$name
            printf 'def %s_%s():\n    return "%s"\n' "$name" "$round" "$kind" >"$clone/f$round.py"
            git -C "$clone" add -A
            git -C "$clone" commit -q -m "$round"
            git -C "$clone" push -q origin "$name"
            "$binary" -C "$clone" index
        done
        for name in a b; do
            "$binary" -C "$work/$kind-$name" push --json >"$work/$name.json" &
            eval "$name=\$!"
        done
        # shellcheck disable=SC2154
        wait "$a" && wait "$b" || { echo "$kind: a push failed in round $round" >&2; failed=1; }
        for name in a b; do
            lost=$(sed -n 's/.*"races":\([0-9]*\).*/\1/p' "$work/$name.json")
            races=$((races + ${lost:-0}))
        done
        round=$((round + 1))
    done
    git clone -q "$url" -b a "$work/$kind-c"
    "$binary" -C "$work/$kind-c" fetch
    report=$("$binary" -C "$work/$kind-c" index --json origin/a origin/b)
    lost=$(echo "$report" | sed -n 's/.*"documents_added":\([0-9]*\).*/\1/p')
    needed=$(echo "$report" | sed -n 's/.*"documents_needed":\([0-9]*\).*/\1/p')
    for name in a b; do
        "$binary" -C "$work/$kind-$name" fetch
        "$binary" -C "$work/$kind-$name" gc
    done
    same=no
    [ "$(git -C "$work/$kind-a" rev-parse $index)" = "$(git -C "$work/$kind-b" rev-parse $index)" ] && same=yes
    git -C "$hub" fsck --strict >/dev/null 2>&1 || { echo "$kind: git fsck complains" >&2; failed=1; }
    segments=$(git -C "$hub" ls-tree -r $index | grep -c seg/)
    echo "$kind: $rounds rounds, $needed documents, $lost lost, $races races lost and won later, $segments segments there, same index after gc: $same"
    [ "$lost" = 0 ] && [ "$same" = yes ] || failed=1
}

for kind in "$@"; do
    experiment "$kind"
done
exit "$failed"
