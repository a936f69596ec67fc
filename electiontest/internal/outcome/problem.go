package outcome

import (
	"fmt"
	"strings"
)

// Problem returns a line that says why the run shows nothing or, if it does show something, which properties are not as
// expected; then come the remarks. It is for a run that has failed: it never returns "".
func (o *Outcome) Problem() string {
	said := "scenario " + o.Result.Scenario
	if o.Blind != "" {
		return strings.Join(append([]string{said + ": " + o.Blind}, o.Remarks...), "; ")
	}
	var names []string
	for i := range o.Result.Properties {
		if p := &o.Result.Properties[i]; !o.Scenario.Fulfils(p) {
			names = append(names, fmt.Sprintf("%s is %s", p.Name, p.Verdict))
		}
	}
	return strings.Join(append([]string{said + " is not as expected: " + strings.Join(names, ", ")}, o.Remarks...), "; ")
}
