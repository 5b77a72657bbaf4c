[ -t 0 ] || { sverklo_pairs=$(cat); eval "$(printf 'exec <<SVERKLO\n$sverklo_pairs\nSVERKLO')"; }; { printf '%s\n' "${sverklo_pairs-}" | git sverklo hook post-rewrite "$@"; } >/dev/null 2>&1 &
