#!/bin/sh
# Brings the archives that sources.tsv lists, at its versions: fetch.sh DOWNLOADS
#
# PyPI, npm and Debian through their own clients (Debian needs deb-src lines and a release that still
# has the versions); crates are read from cargo's registry/src after `cargo fetch`, and one that is
# missing there by `cargo info` of its version in an empty project.
set -u
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1/pypi" "$1/npm" "$1/deb" "$1/dsc"
cd "$1" || exit 1
tab=$(printf '\t')
tail -n +2 "$here/sources.tsv" | while IFS="$tab" read -r registry package version licence _; do
    case $licence in "left out" | "not used"* | unreadable*) continue ;; esac
    case $registry in
    pypi) pip download -q --no-deps -d pypi "$package==$version" ;;
    npm)
        # npm names the archive of @scope/name as scope-name: sources.tsv has the archive's name.
        (cd npm && npm pack --silent "$(awk -F '\t' -v p="$package" '$1 == p {print $2}' "$here/npm-scopes.tsv" | grep . || echo "$package")@$version") ;;
    debian)
        case $package in
        golang-* | ruby-* | php-*) (cd deb && apt-get download "$package=$version") ;;
        *) (cd dsc && apt-get source -qq --download-only "$package=$version") ;;
        esac ;;
    esac || echo "not fetched: $registry $package $version" >&2
done
