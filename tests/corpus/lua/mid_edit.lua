local M = {}

function M.one(x)
  return x + 1
end

function M.two(y)
  if y > 
    M.one(y)

function M.three()
  return M.one(3)
end

return M
