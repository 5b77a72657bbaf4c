git sverklo hook @EVENT@ "$@" </dev/null >/dev/null 2>&1 &
