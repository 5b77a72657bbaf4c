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
