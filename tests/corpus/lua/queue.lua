--- A queue with priorities.
-- @module queue
local log = require("app.log")
local heap = require "app.heap"
local insert, remove = table.insert, table.remove
local json = require("dkjson").use_lpeg()

local M = {}

M.VERSION = "2.1"
M._default = { limit = 10, strict = true }

local Queue = {}
Queue.__index = Queue
Queue.count = 0

local MAX_ITEMS <const> = 1024
DEBUG = false

--- Makes a queue.
-- @param limit how many items it holds
function M.new(limit, ...)
  local self = setmetatable({ items = {}, limit = limit or MAX_ITEMS }, Queue)
  return self
end

function Queue:push(item, priority)
  if #self.items >= self.limit then
    log.warn("full", item)
    return false
  end
  insert(self.items, { item = item, priority = priority })
  self:_sift(#self.items)
  return true
end

--[[ Moves an item up.
     It is private. ]]
function Queue:_sift(i)
  local parent = math.floor(i / 2)
  while i > 1 and self.items[parent].priority < self.items[i].priority do
    self.items[parent], self.items[i] = self.items[i], self.items[parent]
    i, parent = parent, math.floor(parent / 2)
  end
end

Queue.pop = function(self)
  Queue.count = Queue.count - 1
  return remove(self.items, 1)
end

local function compare(a, b)
  return a.priority < b.priority
end

local sorted = function(q)
  local copy = {}
  for index, entry in ipairs(q.items) do
    copy[index] = entry
  end
  table.sort(copy, compare)
  for i = 1, #copy do
    local function show(x) print(x, i) end
    show(copy[i])
  end
  goto done
  ::done::
  return copy
end

function global_helper(x)
  return sorted(x), heap.of(x):pop().item
end

M.Queue = Queue
M.helpers = {
  sorted = sorted,
  size = function(q) return #q.items end,
  ["quoted-key"] = 1,
}
M.helpers.empty = function(q) return M.helpers.size(q) == 0 end

local ok, inspect = pcall(require, "inspect")

return M
