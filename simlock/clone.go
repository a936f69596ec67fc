package simlock

import "maps"

// Clone returns a store with the same objects and versions. Later changes of one do not show in the other.
func (s *Store) Clone() *Store {
	c := &Store{version: s.version, lives: s.lives, objects: maps.Clone(s.objects)}
	for key, o := range c.objects {
		copied := *o
		c.objects[key] = &copied
	}
	return c
}
