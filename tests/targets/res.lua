local M = {}

function M.json(x)
  return x
end

return M
