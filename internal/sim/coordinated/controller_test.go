package coordinated

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"interregnum/elector/machine"
)

// TestLateAnswer: an answer that comes when the coordinator has given its step up, and has sent pings again, is none to
// these.
func TestLateAnswer(t *testing.T) {
	c := controller{awaited: 2, pinged: 5}
	c.answered(&post{verb: machine.Update, id: 4})
	assert.Equal(t, 2, c.awaited)
	c.answered(&post{verb: machine.Update, id: 5})
	assert.Equal(t, 1, c.awaited)
}
