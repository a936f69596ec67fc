package files

import (
	"strconv"
	"strings"
)

// coordination is the gate of Kubernetes with which a coordinator of the API server decides elections. It is alpha from coordinationAlpha
// on, and beta from coordinationBeta on; neither turns it on by itself (k8s.io/kubernetes@v1.36.3 pkg/features/kube_features.go).
const coordination = "CoordinatedLeaderElection"

var coordinationAlpha, coordinationBeta = release{1, 31}, release{1, 33}

// featureGates stores in c.gates the feature gates that a text, such as a flag --feature-gates, turns on and off.
func (c *candidate) featureGates(text string) {
	for part := range strings.SplitSeq(text, ",") {
		i := strings.LastIndex(part, "=")
		if i < 0 {
			continue
		}
		name := part[:i]
		name = strings.TrimSpace(name[strings.LastIndex(name, "=")+1:])
		if on, err := strconv.ParseBool(strings.TrimSpace(part[i+1:])); err == nil {
			if c.gates == nil {
				c.gates = map[string]bool{}
			}
			c.gates[name] = on
		}
	}
}

// releasesByGate tells whether the gate by which the program releases the lock is on, or AllAlpha, since the gates that are known are
// alpha ones.
func (c *candidate) releasesByGate() bool {
	return c.program != nil && c.program.releaseGate != "" && (c.gates[c.program.releaseGate] || c.gates["AllAlpha"])
}

// coordinated tells whether feature gates make the election a coordinated one. The gate CoordinatedLeaderElection decides,
// where it is set. Otherwise a program that such gates can coordinate is coordinated by AllBeta, unless its release is known
// to be older than coordinationBeta, and by AllAlpha, if its release is known to be from coordinationAlpha up to that. Where
// nothing tells the release, it adds to c.provided, as a condition of a safe verdict, that AllAlpha does not coordinate it.
func (c *candidate) coordinated() bool {
	if on, said := c.gates[coordination]; said {
		return on
	}
	if c.program == nil || !c.program.coordinates {
		return false
	}
	of, known := c.releaseOf()
	if c.gates["AllAlpha"] && !known {
		c.provided = append(c.provided, "AllAlpha does not coordinate the election, as in v1.31 and v1.32")
	}
	beta := !known || !of.before(coordinationBeta)
	return c.gates["AllBeta"] && beta || c.gates["AllAlpha"] && known && !beta && !of.before(coordinationAlpha)
}
