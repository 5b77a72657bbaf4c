"""
    Queues

Queues that keep their items in order.
"""
module Queues

using Dates, Random
using Base.Iterators: take, cycle as turn
using ..Shop: Item
import Base: push!, length, show
import JSON
import LinearAlgebra as LA

export Queue, Bounded, capacity, @timed_push
public pause

include("heap.jl")
include(joinpath("parts", "log.jl"))

# The most that a queue may hold.
const MAX_ITEMS = 1024
const Callback = Union{Function, Nothing}
DEBUG = false
const LOW, HIGH = 0, 9

"A thing that holds items."
abstract type Container{T} end

primitive type Tag <: Integer 32 end

"""
A queue in memory.
"""
mutable struct Queue{T} <: Container{T}
    items::Vector{T}
    limit::Int
    owner
    "Called on each change."
    watch::Callback

    Queue{T}(limit::Int) where {T} = new{T}(T[], limit, nothing, nothing)
    function Queue{T}(items::Vector{T}, limit::Int) where T
        new{T}(items, limit, nothing, nothing)
    end
end

Base.@kwdef struct Bounded <: Container{Any}
    low::Int = LOW
    high::Int = MAX_ITEMS
end

@enum Color RED GREEN=2 BLUE

@enum Level::UInt8 begin
    low
    high = 5
end

"""
    capacity(q)

How many items fit.
"""
capacity(q::Queue) = q.limit - length(q.items)
capacity(b::Bounded)::Int = b.high
capacity(q::Queue{T}) where {T<:Integer} = q.limit

Queue(limit) = Queue{Any}(limit)

function push!(q::Queue{T}, item::T; priority=0, notify::Bool=true) where {T}
    count = length(q.items)
    if count >= q.limit
        throw(BoundsError(q, count))
    end
    _sift!(q.items, item)
    push!(q.items, item)
    q.owner = item
    notify && @debug "pushed" item count
    for (i, other) in enumerate(q.items)
        other == item && return i
    end
    total, rest... = q.items
    q
end

Base.length(q::Queue) = length(q.items)

function Base.show(io::IO, q::Queue)
    print(io, "Queue of $(length(q)) and $q")
end

Base.:(==)(a::Queue, b::Queue) = a.items == b.items
+(a::Queue, b::Queue) = merge(a, b)

function (q::Queue)(item)
    push!(q, item)
end

@inline function _sift!(items, item)
    map(items) do x
        x + 1
    end
    squares = [y^2 for y in items if y > 0]
    f = z -> z * 2
    g(w) = w + f(w)
    let a = 1, b = 2
        a + b
    end
    sum(g(v) for v in squares)
end

function pause end

"""
Pushes and says how long it took.
"""
macro timed_push(q, item)
    quote
        t = time()
        push!($(esc(q)), $(esc(item)))
        time() - t
    end
end

module Inner
    using ..Queues
    greet(name) = println("hello ", name)
    helper = x -> x + 1
end

if VERSION >= v"1.6"
    newer(x) = x
else
    older(x) = x
end

for name in (:first, :last)
    @eval $name(q::Queue) = $name(q.items)
end

try
    risky()
catch err
    rethrow(err)
end

LA.norm([1, 2])
Inner.greet(:you)
const registry = Dict{String, Queue}()
lookup(key::Symbol) = getproperty(registry, key)::Queue

end # module
