(* What the type of a class says. *)
class type ['a] queue = object
  inherit base
  val held : 'a list
  method size : int
  method private push : 'a -> unit
end

class virtual stack = object (self)
  method virtual size : int
  method is_empty = self#size = 0
end

let drain (queue : 'a #queue) = queue#size
let keep (q : < size : int >) = q#size
