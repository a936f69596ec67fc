package world

import (
	"io"
	"time"
)

// stalled is the answer to a watch. While answers are lost nothing comes of it; afterwards everything comes at once.
type stalled struct {
	io.ReadCloser
	process *process
}

// stallStep is how often a stalled watch is tried again.
const stallStep = 100 * time.Millisecond

// Read implements io.Reader. It keeps what it has read to itself for as long as answers to the process are lost.
func (s *stalled) Read(b []byte) (int, error) {
	n, err := s.ReadCloser.Read(b)
	w := s.process.node.world
	for err == nil {
		w.mu.Lock()
		cut := w.cut(s.process)
		w.mu.Unlock()
		if !cut && !s.process.gone() || w.isOver() {
			break
		}
		time.Sleep(stallStep)
	}
	return n, err
}
