package queue

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"example.com/queue/store"
)

// Priority orders jobs.
type Priority int

const (
	Low Priority = iota + 1
	Middle
	High
)

var (
	defaults = Options{Retries: 3, Backoff: time.Second}
	registry = make(map[string]*Worker)
	fallback, err = NewWorker("fallback")
	settings struct {
		Verbose bool
	}
)

type Options struct {
	Retries int
	Backoff time.Duration
	log     struct {
		Path string
	}
}

type Base struct{ started bool }

func (b *Base) Start() { b.started = true }

// Worker runs jobs.
type Worker struct {
	*Base
	store.Client
	Options
	jobs    []*Job
	byName  map[string]Job
	handler http.Handler
	done    chan Job
	run     func(*Job) error
}

type Job struct {
	Name  string
	inner *Worker
}

type (
	Jobs    []Job
	Handler func(*Job)
	Same    = Worker
	Renamed Worker
)

type Runner interface {
	fmt.Stringer
	Run(ctx context.Context) (job *Job, err error)
	Next() Job
	Close() error
}

type Numeric interface {
	~int | ~float64 | Priority
}

type Pool[T Runner, K comparable] struct {
	items map[K]T
	first T
}

func NewWorker(name string) (*Worker, error) {
	w := &Worker{
		Base:   new(Base),
		jobs:   make([]*Job, 0, 4),
		byName: map[string]Job{name: {Name: name}, "b": Job{Name: "b"}},
	}
	w.Start()
	return w, nil
}

func (p *Pool[T, K]) Get(key K) (found T, ok bool) {
	found, ok = p.items[key]
	found.Run(nil)
	return
}

func Map[T, U any](xs []T, f func(T) U) (out []U) {
	for _, x := range xs {
		out = append(out, f(x))
	}
	return out
}

func (w *Worker) Loop(ctx context.Context, extra ...*Job) error {
	if job, err := w.next(); err != nil {
		return err
	} else if job.inner != nil {
		job.inner.Start()
	}
	for i, job := range w.jobs {
		w.jobs[i].inner.Start()
		job := job
		go func(n int) { job.handle(n) }(i)
	}
	for _, one := range extra {
		one.Name += "x"
	}
	for job := range w.done {
		job.handle(0)
	}
	select {
	case job, open := <-w.done:
		_ = open
		job.handle(1)
	case <-ctx.Done():
	}
	worker, ok := registry["main"]
	worker.Loop(ctx)
	_ = ok
	return nil
}

func (w Worker) next() (*Job, error) { return w.byName["x"].inner.jobs[0], nil }

func (*Job) handle(int) {}

func inspect(any interface{}) string {
	switch v := any.(type) {
	case *Worker:
		return v.handler.String()
	case Job, *Job:
		return v.Name
	case fmt.Stringer:
		return v.String()
	}
	if j, ok := any.(*Job); ok {
		return j.Name
	}
	const limit, unit = 10, Low
	var spare, other Job
	var p, q = Map[int, string](nil, nil), (*Job)(nil)
	list := Jobs{{Name: "a"}, spare}
	header := http.Header{limit: nil}
	return other.Name + list[0].Name + q.inner.String() + p[0] + header.Get("x") + any.(Runner).Next().Name
}

func table() {
	type pair struct{ left, right Job }
	tests := []struct {
		name string
		want Job
	}{
		{name: "one", want: Job{Name: "x"}},
		{"two", Job{}},
	}
	for _, tt := range tests {
		pairs := [...]pair{{left: tt.want, right: Job{}}, 1: {}}
		pairs[0].left.handle(len(tests))
		Map([]int{Low: 1}, func(n int) Job { return Job{inner: fallback} })
	}
	NewPool[Runner]().first.Close()
	time.Now().Add(settings.Verbose)
outer:
	for n := 0; n < 3; n++ {
		continue outer
	}
}

func NewPool[T Runner]() *Pool[T, string] { return nil }
