package machine_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"interregnum/elector/machine"
)

func TestValidateStrictNamesEveryBound(t *testing.T) {
	const longest = math.MaxInt32 * time.Second
	for _, c := range []struct {
		lease, deadline, period time.Duration
		want                    []string
	}{
		{15 * time.Second, 10 * time.Second, 2 * time.Second, nil},
		{3, 2, 1, nil},
		{15 * time.Second, 12*time.Second + 1, 10 * time.Second, nil},
		{longest, 10 * time.Second, 2 * time.Second, nil},
		{longest + 1, 10 * time.Second, 2 * time.Second, []string{
			"leaseDuration must be at most 2147483647 s, which is what a Lease can carry, is 596523h14m7.000000001s",
		}},
		{10 * time.Second, 12 * time.Second, 10 * time.Second, []string{
			"leaseDuration must be greater than renewDeadline, is 10s, not more than 12s",
			"renewDeadline must be greater than retryPeriod*JitterFactor, is 12s, not more than 10s*1.2",
		}},
		{0, 0, 0, []string{
			"leaseDuration must be greater than zero, is 0s",
			"renewDeadline must be greater than zero, is 0s",
			"retryPeriod must be greater than zero, is 0s",
			"leaseDuration must be greater than renewDeadline, is 0s, not more than 0s",
		}},
		{math.MaxInt64, math.MinInt64, math.MaxInt64, []string{
			"renewDeadline must be greater than zero, is -2562047h47m16.854775808s",
			"renewDeadline must be greater than retryPeriod*JitterFactor, is -2562047h47m16.854775808s, " +
				"not more than 2562047h47m16.854775807s*1.2",
			"leaseDuration must be at most 2147483647 s, which is what a Lease can carry, " +
				"is 2562047h47m16.854775807s",
		}},
	} {
		timings := machine.Timings{LeaseDuration: c.lease, RenewDeadline: c.deadline, RetryPeriod: c.period}
		assert.Equal(t, strings.Join(c.want, "\n"), text(timings.ValidateStrict()), "%v", timings)
	}
}

// TestValidateStrictAndTheLibrary: both accept the same timings, as long as a Lease can carry them.
func TestValidateStrictAndTheLibrary(t *testing.T) {
	near := rapid.SampledFrom([]time.Duration{-1, 0, 1, time.Millisecond})
	rapid.Check(t, func(t *rapid.T) {
		// Within 2^51 ns the library's float64 product has its fraction.
		period := time.Duration(rapid.Int64Range(-2, 1<<51).Draw(t, "period"))
		deadline := period + period/5 + near.Draw(t, "deadline")
		timings := machine.Timings{
			LeaseDuration: deadline + near.Draw(t, "lease"), RenewDeadline: deadline, RetryPeriod: period,
		}
		assert.Equal(t, timings.Validate() == nil, timings.ValidateStrict() == nil, "%v", timings)
	})
}
