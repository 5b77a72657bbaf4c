(** What the type of a class says. *)
class type ['a] queue = object
  method size : int
end

class stack : int -> object
  inherit [int] queue
  method is_empty : bool
end

(** Puts two together. *)
val ( @+ ) : 'a queue -> 'a queue -> 'a queue

external ( = ) : int -> int -> bool = "%equal"
