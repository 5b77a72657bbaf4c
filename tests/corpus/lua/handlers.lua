-- Functions that are entries of tables which nothing binds.
local log = require("log")

local Tree = {}
Tree.print = log.print or function(self)
  return tostring(self)
end

local KIND = "kind"
local names = { [KIND] = "a", [Tree.print] = "b", plain = KIND }

setmetatable(Tree, {
  __call = function(class, ...)
    return class.new(...)
  end,
})

autocmd("BufEnter", {
  callback = function(event)
    local retry = event.retry or function() end
    log.info(event, { on_error = function() retry() end })
  end,
  pattern = "*.lua",
})

return {
  {
    check = log.check and function(value)
      return value ~= nil
    end,
  },
}
