package web

// Engine serves.
type Engine struct {
	Level int
}

// New makes an engine.
func New() *Engine {
	return &Engine{}
}

// Run serves until the end.
func (e *Engine) Run() {
	c := &Context{engine: e}
	c.JSON(200, nil)
	c.HTML(200, "a")
}

// Log says what happened.
func (e *Engine) Log(code int) {}

// Group has routes.
type Group struct{}

// GET adds a route.
func (g *Group) GET(path string) {}

// Server is an engine with routes.
type Server struct {
	Group
	name string
}
