package outcome

import (
	"fmt"
	"strings"
)

// Problem returns a line that says what is not as expected.
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
