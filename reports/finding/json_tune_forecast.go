package finding

import (
	"encoding/json"
	"io"

	"interregnum/internal/forecast/outlook"
	"interregnum/reports/text"
)

// tuneForecastJSON is a tuning by thresholds. Its form is stable: fields may be added, never changed.
type tuneForecastJSON struct {
	Found       bool            `json:"found"`
	Best        *candidateJSON  `json:"best,omitempty"`
	Obstacles   []string        `json:"obstacles,omitempty"`
	Candidates  []candidateJSON `json:"lookedAt"`
	Replicas    int             `json:"candidates"`
	Behaviour   behaviourJSON   `json:"behaviour"`
	Environment environmentJSON `json:"environment"`
	Seed        uint64          `json:"seed"`
	Precision   float64         `json:"precisionPercent"`
	MaxWindows  int             `json:"maxWindows"`
}

// candidateJSON is a configuration that was looked at, with its forecast.
type candidateJSON struct {
	choiceJSON
	Coarse   bool               `json:"coarse,omitempty"`
	Forecast forecastTargetJSON `json:"forecast"`
	// Against is how much more it has than the best one; of the best one it is left out.
	Against *differenceJSON `json:"againstBest,omitempty"`
}

// TuneForecastJSON writes a tuning by thresholds as one line of JSON.
func TuneForecastJSON(w io.Writer, r *outlook.Tuning) error {
	t := r.Tuner
	out := tuneForecastJSON{
		Found: r.Best != nil, Candidates: []candidateJSON{}, Replicas: t.Wish.Candidates, Behaviour: behaviourToJSON(t.Site),
		Environment: environmentToJSON(&t.Environment), Seed: t.Options.Seed, Precision: shortened(100 * t.Options.Precision),
		MaxWindows: t.Options.MaxWindows, Obstacles: listOf(r.Obstacles, text.Obstacle),
	}
	for _, c := range r.Candidates {
		one := candidateJSON{choiceToJSON(&c.Choice), c.Coarse, forecastToJSON(c.Target), nil}
		if r.Best != nil && c != r.Best {
			one.Against = differenceToJSON(r.Best.Less(c))
		}
		out.Candidates = append(out.Candidates, one)
		if c == r.Best {
			out.Best = &one
		}
	}
	return json.NewEncoder(w).Encode(&out)
}

// behaviourToJSON returns the JSON form of what is usual at a site.
func behaviourToJSON(s *outlook.Site) behaviourJSON {
	usual := func(row *[2]string) usualRowJSON { return usualRowJSON{row[0], row[1]} }
	return behaviourJSON{s.From, listOf(text.BehaviourRows(s.Behaviour), usual)}
}
