package finding

import (
	"encoding/json"
	"io"
	"time"

	"interregnum/internal/gate"
)

// tuneJSON is the result of a tuning. Best is nil if there is no configuration as wished.
type tuneJSON struct {
	Found      bool             `json:"found"`
	Profile    string           `json:"profile"`
	ClientGo   string           `json:"clientGo,omitempty"` // its version, where somebody says it
	Lock       string           `json:"lock,omitempty"`
	Release    bool             `json:"releaseOnCancel"`
	Candidates int              `json:"candidates"`
	Wanted     time.Duration    `json:"toleratedOutageWantedNs"`
	MaxQPS     float64          `json:"maxQPS,omitempty"`
	MaxLease   time.Duration    `json:"maxLeaseDurationNs"`
	Best       *choiceJSON      `json:"best,omitempty"`
	Obstacles  []string         `json:"obstacles,omitempty"`
	Neighbours []gate.Neighbour `json:"neighbours,omitempty"`
	Frontier   []choiceJSON     `json:"frontier"`

	Environment environmentJSON `json:"environment"`
}

// choiceJSON is a configuration with its figures.
type choiceJSON struct {
	settingsJSON
	Failover time.Duration `json:"worstFailoverNs"`
	Outage   time.Duration `json:"toleratedOutageNs"`
	QPS      float64       `json:"requestsPerSecond"`
	// IfClosed and IfRestarted are of the best: only where it is safe if the client closes no connection, and if no process starts again
	// under its own name within a second.
	IfClosed    time.Duration `json:"ifClosedNs,omitempty"`
	IfRestarted time.Duration `json:"ifRestartedNs,omitempty"`
}

// TuneJSON writes the result of tuning as one line of JSON.
func TuneJSON(w io.Writer, t *gate.Tuning) error {
	out := tuneJSON{
		Found: t.Best != nil, Profile: t.Wish.Config.Profile.Name, ClientGo: gate.ClientGoText(t.Wish.ClientGo), Lock: lockName(t.Wish.Config.Lock),
		Release:    t.Wish.Config.ReleaseOnCancel,
		Candidates: t.Wish.Candidates, Wanted: t.Wish.Outage, MaxQPS: t.Wish.MaxQPS, MaxLease: t.Wish.MaxLease,
		Obstacles: t.Obstacles, Neighbours: t.Neighbours, Frontier: listOf(t.Frontier, choiceToJSON), Environment: environmentToJSON(&t.Environment),
	}
	if t.Best != nil {
		best := choiceToJSON(t.Best)
		best.IfClosed, best.IfRestarted = t.Best.IfClosed(&t.Wish.Environment), t.Best.IfRestarted(&t.Wish)
		out.Best = &best
	}
	return json.NewEncoder(w).Encode(&out)
}

// choiceToJSON returns the JSON form of a configuration and its figures.
func choiceToJSON(c *gate.Choice) choiceJSON {
	return choiceJSON{settingsJSON: settingsOf(c.Config.Timings, c.Config.RequestTimeout), Failover: c.Failover, Outage: c.Outage, QPS: c.QPS}
}
