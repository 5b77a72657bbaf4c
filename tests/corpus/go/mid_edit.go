package store

import "errors"

// ErrGone is returned for what is gone.
var ErrGone = errors.New("gone")

type Store struct {
	items map[string]int
}

// Get is whole.
func (s *Store) Get(key string) (int, error) {
	return s.items[key], nil
}

func (s *Store) Put(key string, value int) error {
	old := s.items[key]
	if old == value {
		return s.
