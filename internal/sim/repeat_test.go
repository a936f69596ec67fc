package sim

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"interregnum/elector/machine"
	"interregnum/internal/trace"
	"interregnum/plan"
)

// TestRepeated: of the answers with a Retry-After those of 429 and of 500 and more are waited out, as client-go's checkWait
// (rest/with_retry.go) has it. Any other is the answer to the call.
func TestRepeated(t *testing.T) {
	for status, repeated := range map[int]bool{403: false, 404: false, 409: false, 428: false, 429: true, 499: false, 500: true, 504: true, 599: true} {
		f := window(plan.FaultError, 0, sec, "a")
		f.Status, f.RetryAfter = status, new(time.Second)
		f.Verb = machine.Get
		a := who("a", 0)
		a.Client = &plan.Client{Retries: true}
		p := play(t, with(round(aPlan(5*sec, a), ms), f))
		gets := p.at("a", trace.RequestSent, machine.Get)
		assert.Equal(t, repeated, len(gets) > 1 && gets[1] == 1002*ms, "%d: sent at %v", status, gets)
	}
}
