package usual

import (
	"time"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/cliflag"
	"interregnum/internal/forecast/outlook"
)

// Thresholds has the flags of what is asked of a forecast.
type Thresholds struct {
	maxLosses, minAvailability, maxOverlaps, maxRequests cliflag.Parsed[float64]
	maxGapP99                                            cliflag.Parsed[time.Duration]
}

// Register adds the flags to the command.
func (f *Thresholds) Register(c *cobra.Command) {
	set := c.Flags()
	cliflag.Parse(set, &f.maxLosses, outlook.MaxLosses, "RATE", outlook.ParseRate, "leadership is lost so often at most, such as 0.1/30d")
	cliflag.Parse(set, &f.maxGapP99, outlook.MaxGapP99, "DURATION", outlook.ParseTime,
		"of 100 times in which nobody leads, 99 last so long at most, such as 40s")
	cliflag.Parse(set, &f.minAvailability, outlook.MinAvailability, "PERCENT", outlook.ParseShare,
		"somebody leads in that part of all time at least, such as 99.99%")
	cliflag.Parse(set, &f.maxOverlaps, outlook.MaxOverlaps, "RATE", outlook.ParseRate, "two lead at once so often at most, such as 1/10y")
	cliflag.Parse(set, &f.maxRequests, outlook.MaxRequests, "RATE", outlook.ParseRate,
		"all replicas together make so many requests at most, such as 1/s or 90000/1d")
	cliflag.Group(set, "Thresholds", thresholdFlags...)
}

// thresholdFlags are the names of the flags.
var thresholdFlags = []string{outlook.MaxLosses, outlook.MaxGapP99, outlook.MinAvailability, outlook.MaxOverlaps, outlook.MaxRequests}

// First returns the name of the first flag of a threshold that is given; "" if none is given.
func (f *Thresholds) First(c *cobra.Command) string {
	for _, name := range thresholdFlags {
		if c.Flags().Changed(name) {
			return name
		}
	}
	return ""
}

// All returns the thresholds of the flags. The value of one that is not given is nil, and its text "".
func (f *Thresholds) All() outlook.Thresholds {
	return outlook.Thresholds{
		MaxLosses: f.maxLosses.Value, MaxGapP99: f.maxGapP99.Value, MinAvailability: f.minAvailability.Value,
		MaxOverlaps: f.maxOverlaps.Value, MaxRequests: f.maxRequests.Value,
		Texts: map[string]string{
			outlook.MaxLosses: f.maxLosses.Text, outlook.MaxGapP99: f.maxGapP99.Text,
			outlook.MinAvailability: f.minAvailability.Text, outlook.MaxOverlaps: f.maxOverlaps.Text,
			outlook.MaxRequests: f.maxRequests.Text,
		},
	}
}
