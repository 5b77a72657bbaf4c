package web

// Context carries one request.
type Context struct {
	engine *Engine
}

// JSON answers with JSON.
func (c *Context) JSON(code int, obj any) {
	c.Render(code, obj)
}

// HTML answers with a page.
func (c *Context) HTML(code int, name string) {
	c.Render(code, name)
}

// C is the cost.
func (c *Context) C() int {
	return 1
}

// Render writes.
func (c *Context) Render(code int, obj any) {
	c.engine.Log(code)
}
