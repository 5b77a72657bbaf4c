module Styles

const fill_styles = ((/) = 9, (\) = 10, (|) = 7, (-) = 8, (+) = 11, (x) = 6)

struct Box{T}
    low::T
    high::T
end

width(b::Box) = b.high - b.low

function style(name::Symbol)
    fill_styles[name]
end

end
