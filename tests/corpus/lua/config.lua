-- A module that is the table it returns.
local defaults = require("config.defaults")

return {
  name = "demo",
  setup = function(opts)
    opts = opts or defaults
    vim.opt.number = true
    require("telescope").setup({ theme = opts.theme })
  end,
  keys = { "a", "b" },
}
