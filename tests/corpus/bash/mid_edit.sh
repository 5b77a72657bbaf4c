#!/bin/sh
# Half-typed: the function in the middle has no end yet.
first() {
  echo "$1"
}

second() {
  if [ -n "$NAME" ]; then
    first "$NAME"

third() {
  second
}

third
