package investigate

import (
	"errors"

	"interregnum/internal/evidence"
)

// Tell concludes what it can for the lock. It returns an error if the evidence has nothing about it. No options are as options without any value.
func Tell(e *evidence.Evidence, lock evidence.Lock, o *Options) (*Story, error) {
	return nil, errors.New("nothing of this lock is logged")
}
