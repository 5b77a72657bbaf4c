let first x = x + 1

let second y =
  match y with
  | 0 -> first (

let third z = second z
