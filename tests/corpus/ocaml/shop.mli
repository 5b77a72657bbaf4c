(** A shop. *)

type item = { name : string; mutable price : int }

type 'a tree

exception Not_found_item of string

(** The sum. *)
val total : item list -> int

module Memory : sig
  type t
  val create : unit -> t
end

module Make (S : sig type t end) : sig
  val lookup : S.t -> string -> int
end
