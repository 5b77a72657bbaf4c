(** A shop. *)
open Printf
open! Base
include Comparable
module Str_map = Map.Make (String)
module L = List

(** What is sold. *)
type item = {
  name : string;
  mutable price : int;
}

type 'a tree =
  | Leaf
  | Node of 'a tree * 'a * 'a tree
and color = Red | Green of int

exception Not_found_item of string

module type STORE = sig
  type t
  val create : unit -> t
  val find : t -> string -> item option
end

module Memory : STORE = struct
  type t = (string, item) Hashtbl.t
  let create () = Hashtbl.create 16
  let find table key = Hashtbl.find_opt table key
  let _private = 1
end

module Make (S : STORE) = struct
  let lookup store key =
    match S.find store key with
    | Some { name; price } -> price
    | None -> raise (Not_found_item key)
end

let limit = 10
let rec total items = match items with
  | [] -> 0
  | x :: rest -> x.price + total rest
and count = function [] -> 0 | _ :: xs -> 1 + count xs

let ( +! ) a b = a + b

let print_item ?(prefix = "") ~name item =
  let label = prefix ^ name in
  printf "%s %d\n" label item.price;
  item.price <- item.price + 1

class counter init = object (self)
  val mutable n = init
  method next = n <- n + 1; self#peek
  method private peek = n
end

external c_hash : string -> int = "caml_hash"

let () =
  let store = Memory.create () in
  ignore (Memory.find store "a");
  List.iter (fun i -> print_item ~name:"x" i) []

let twice' x = x + x

let four = twice' 2
