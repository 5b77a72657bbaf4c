// Package server serves.
package server

import (
	"fmt"
	. "strings"
	_ "embed"
	yaml "gopkg.in/yaml.v3"
	"example.com/mod/v2"
)

import "net/http"

const Version = "1.0"

const (
	// StateNew is new.
	StateNew State = iota
	stateOld
)

var (
	ErrNotFound, errOther = errors.New("x"), 2
)

var _ Handler = (*Server)(nil)

// State is a state.
type State int

type Alias = http.Handler

// Handler handles.
//
// Deprecated: use Server.
type Handler interface {
	fmt.Stringer
	Serve(w http.ResponseWriter, r *Request) (n int, err error)
}

type Number interface{ ~int | ~float64 }

// Server serves.
type Server[T any] struct {
	*http.Client
	Base
	Name, addr string `json:"name"`
	opts struct{ Verbose bool }
	hooks map[string][]func(T) error
}

type (
	Point struct{ X, Y float64 }
)

// Run runs.
func (s *Server[T]) Run(ctx context.Context, args ...string) error {
	local := 1
	const inner = 2
	s.addr, local = args[0], len(args)
	for i, a := range args {
		s.hooks[a] = append(s.hooks[a], func(t T) error { return nil })
		i++
	}
	switch v := ctx.(type) {
	case *Point:
		v.X += 1
	}
	p := &Point{X: 1, Y: s.helper().Y}
	type row struct{ id int }
	go s.serve(p)
loop:
	for {
		break loop
	}
	return fmt.Errorf("bad %w", ErrNotFound)
}

func (o other) method() {}

func New[T any](name string) *Server[T] { return &Server[T]{Name: name} }

func TestRun(t *testing.T) { t.Run("sub", func(t *testing.T) {}) }
