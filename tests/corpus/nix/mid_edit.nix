{ lib }:
let
  whole = x: x + 1;
  half = { a, b
in
{
  used = whole 2;
}
