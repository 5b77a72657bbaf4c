# What is newer than the grammar, and what stands behind it.
module Stumbles

mutable struct Handle
    const id::Int # = 1
    name::String

    function Handle(id::Int; name = "")
        return new(id, name)
    end
end

const LIMIT::Int = 3

marker(k::Symbol) = get(
    (
        none = "none",
        (+) = "+",
        x = "x",
    ),
    k,
    "*",
)

"Closes a handle."
function close!(handle::Handle)
    handle.name = ""
end

isopen(handle::Handle) = !isempty(handle.name)

end
