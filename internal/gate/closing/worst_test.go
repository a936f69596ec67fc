package closing

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"interregnum/internal/bound"
)

// TestAtMost: where a program may have one of two request timeouts, or connections close after one time or another, an upper bound is one
// of all of it.
func TestAtMost(t *testing.T) {
	const s = time.Second
	for name, c := range map[string]struct {
		worst, other bound.Result
		most         time.Duration
	}{
		"both are exact":             {bound.Result{Overlap: 7 * s}, bound.Result{Overlap: 6 * s}, 7 * s},
		"the other may be longer":    {bound.Result{Overlap: 7 * s}, bound.Result{Overlap: 6 * s, AtLeast: true, Slack: 5 * s}, 11 * s},
		"the other has no bound":     {bound.Result{Overlap: 7 * s}, bound.Result{Overlap: 6 * s, AtLeast: true}, 0},
		"the worst has none":         {bound.Result{Overlap: 7 * s, AtLeast: true}, bound.Result{Overlap: 6 * s}, 0},
		"the worst's own is longest": {bound.Result{Overlap: 7 * s, AtLeast: true, Slack: 9 * s}, bound.Result{Overlap: 6 * s}, 16 * s},
	} {
		atMost(&c.worst, []*bound.Result{&c.worst, &c.other})
		most, known := c.worst.AtMost()
		assert.Equal(t, c.most, most, name)
		assert.Equal(t, c.most > 0, known, name)
	}
}
