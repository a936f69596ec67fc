package explore

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"interregnum/cmd/simulate/internal/cliflag"
	"interregnum/internal/explore"
	"interregnum/internal/phrase"
)

// forms are the forms of output of simulate explore.
var forms = cliflag.Forms[func(*cobra.Command, *explore.Config, *explore.Result) error]{
	{Name: cliflag.Text, Write: writeText}, {Name: cliflag.JSON, Write: writeJSON},
}

// writeText writes the outcome as text. If there is a violation, the text is a scenario file: all lines except the scenario
// are comments.
func writeText(c *cobra.Command, x *explore.Config, r *explore.Result) error {
	var b bytes.Buffer
	mark := ""
	if r.Found != nil {
		mark = "# "
	}
	fmt.Fprintf(&b, "%s%s %v/%v/%v, %d candidates, steps of %v, at most %s\n", mark, x.Profile.Name, x.LeaseDuration,
		x.RenewDeadline, x.RetryPeriod, x.Candidates, x.Grid, phrase.Number(x.Faults, "fault"))
	for faults, states := range r.Layers {
		fmt.Fprintf(&b, "%s%s: %s\n", mark, phrase.Number(faults, "fault"), phrase.Number(states, "state"))
	}
	if r.Complete && len(r.Layers) <= x.Faults {
		fmt.Fprintf(&b, "%sno state needs more faults\n", mark)
	}
	fmt.Fprintf(&b, "%s%s, %s, %s: %s\n", mark, phrase.Number(r.States, "state"), phrase.Number(r.Events, "event"),
		phrase.Number(r.Runs, "run"), verdictOf(r))
	if r.Found != nil {
		fmt.Fprintf(&b, "# two candidates' work at once, with %s\n", phrase.Number(r.Found.Faults, "fault"))
		if r.Unshown == 0 {
			b.WriteString("# no schedule does it with fewer\n")
		}
		if err := r.Found.Scenario.WriteYAML(&b); err != nil {
			return err
		}
		fmt.Fprintf(&b, "# %s | simulate run -\n", cliflag.Given(c, nil))
	}
	_, err := c.OutOrStdout().Write(b.Bytes())
	return err
}

// verdictOf returns the outcome in a word: "violated", "held", or "unfinished" if not all was tried or a violation came about in
// no run.
func verdictOf(r *explore.Result) string {
	switch {
	case r.Found != nil:
		return "violated"
	case r.Complete && r.Unshown == 0:
		return "held"
	}
	return "unfinished"
}

// writeJSON writes the outcome as one JSON object.
func writeJSON(c *cobra.Command, x *explore.Config, r *explore.Result) error {
	out := struct {
		Verdict    string `json:"verdict"`
		Profile    string `json:"profile"`
		Candidates int    `json:"candidates"`
		MaxFaults  int    `json:"maxFaults"`
		GridNs     int64  `json:"gridNs"`
		Layers     []int  `json:"statesByFaults"`
		States     int    `json:"states"`
		Events     int    `json:"events"`
		Runs       int    `json:"runs"`
		Unshown    int    `json:"unshown,omitempty"`
		Faults     *int   `json:"faults,omitempty"`
		Scenario   any    `json:"scenario,omitempty"`
	}{
		Verdict: verdictOf(r), Profile: x.Profile.Name, Candidates: x.Candidates, MaxFaults: x.Faults,
		GridNs: int64(x.Grid), Layers: r.Layers, States: r.States, Events: r.Events, Runs: r.Runs, Unshown: r.Unshown,
	}
	if r.Found != nil {
		out.Faults, out.Scenario = &r.Found.Faults, r.Found.Scenario
	}
	return json.NewEncoder(c.OutOrStdout()).Encode(out)
}
