package usual

import (
	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/cliflag"
	"interregnum/internal/forecast/outlook"
)

// Thresholds has the flags of what is asked of a forecast.
type Thresholds struct {
	maxLosses, maxGapP99, minAvailability, maxOverlaps, maxRequests cliflag.Once
}

// Register adds the flags to the command.
func (f *Thresholds) Register(c *cobra.Command) {
	rate := func(text string) error { _, err := outlook.ParseRate(text); return err }
	duration := func(text string) error { _, err := outlook.ParseTime(text); return err }
	share := func(text string) error { _, err := outlook.ParseShare(text); return err }
	set := c.Flags()
	f.maxLosses = cliflag.Once{Kind: "RATE", Check: rate}
	f.maxGapP99 = cliflag.Once{Kind: "DURATION", Check: duration}
	f.minAvailability = cliflag.Once{Kind: "PERCENT", Check: share}
	f.maxOverlaps = cliflag.Once{Kind: "RATE", Check: rate}
	f.maxRequests = cliflag.Once{Kind: "RATE", Check: rate}
	set.Var(&f.maxLosses, outlook.MaxLosses, "leadership is lost so often at most, such as 0.1/30d")
	set.Var(&f.maxGapP99, outlook.MaxGapP99, "of 100 times in which nobody leads, 99 last so long at most, such as 40s")
	set.Var(&f.minAvailability, outlook.MinAvailability, "somebody leads in that part of all time at least, such as 99.99%")
	set.Var(&f.maxOverlaps, outlook.MaxOverlaps, "two lead at once so often at most, such as 1/10y")
	set.Var(&f.maxRequests, outlook.MaxRequests, "all replicas together make so many requests at most, such as 1/s or 90000/1d")
	cliflag.Group(set, "Thresholds", thresholdFlags...)
}

// thresholdFlags are the names of the flags.
var thresholdFlags = []string{outlook.MaxLosses, outlook.MaxGapP99, outlook.MinAvailability, outlook.MaxOverlaps, outlook.MaxRequests}

// First returns the first threshold that is given; "" if none is.
func (f *Thresholds) First(c *cobra.Command) string {
	for _, name := range thresholdFlags {
		if c.Flags().Changed(name) {
			return name
		}
	}
	return ""
}

// All returns the thresholds of the flags, which were checked when they were set.
func (f *Thresholds) All() outlook.Thresholds {
	t := outlook.Thresholds{Texts: map[string]string{
		outlook.MaxLosses: f.maxLosses.Text, outlook.MaxGapP99: f.maxGapP99.Text,
		outlook.MinAvailability: f.minAvailability.Text, outlook.MaxOverlaps: f.maxOverlaps.Text,
		outlook.MaxRequests: f.maxRequests.Text,
	}}
	if f.maxLosses.Text != "" {
		rate, _ := outlook.ParseRate(f.maxLosses.Text)
		t.MaxLosses = &rate
	}
	if f.maxGapP99.Text != "" {
		d, _ := outlook.ParseTime(f.maxGapP99.Text)
		t.MaxGapP99 = &d
	}
	if f.minAvailability.Text != "" {
		share, _ := outlook.ParseShare(f.minAvailability.Text)
		t.MinAvailability = &share
	}
	if f.maxOverlaps.Text != "" {
		rate, _ := outlook.ParseRate(f.maxOverlaps.Text)
		t.MaxOverlaps = &rate
	}
	if f.maxRequests.Text != "" {
		rate, _ := outlook.ParseRate(f.maxRequests.Text)
		t.MaxRequests = &rate
	}
	return t
}
