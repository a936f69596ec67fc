package machine_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/elector/machine"
)

// TestTimingErrorSaysTheNumbers: the rule in the library's words, and beside it what broke it.
func TestTimingErrorSaysTheNumbers(t *testing.T) {
	timings := machine.Timings{
		LeaseDuration: 15 * time.Second, RenewDeadline: 12 * time.Second, RetryPeriod: 10 * time.Second,
	}
	var e *machine.TimingError
	require.True(t, errors.As(timings.Validate(), &e))
	assert.Equal(t, timings, e.Timings)
	assert.Equal(t, "renewDeadline must be greater than retryPeriod*JitterFactor "+
		"(leaseDuration 15s, renewDeadline 12s, retryPeriod 10s, retryPeriod*JitterFactor 12s)", e.WithNumbers())
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
