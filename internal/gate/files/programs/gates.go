package programs

import (
	"strconv"
	"strings"
)

// Coordination is the gate of Kubernetes with which a coordinator of the API server decides elections. It is alpha from coordinationAlpha
// on, and beta from coordinationBeta on; neither turns it on by itself (k8s.io/kubernetes@v1.36.3 pkg/features/kube_features.go).
const Coordination = "CoordinatedLeaderElection"

var coordinationAlpha, coordinationBeta = release{1, 31}, release{1, 33}

// Gates are the feature gates that flags or fields turn on and off.
type Gates map[string]bool

// With returns the gates and those that a text, such as a flag --feature-gates, turns on and off.
func (g Gates) With(text string) Gates {
	for part := range strings.SplitSeq(text, ",") {
		i := strings.LastIndex(part, "=")
		if i < 0 {
			continue
		}
		name := part[:i]
		name = strings.TrimSpace(name[strings.LastIndex(name, "=")+1:])
		if on, err := strconv.ParseBool(strings.TrimSpace(part[i+1:])); err == nil {
			if g == nil {
				g = Gates{}
			}
			g[name] = on
		}
	}
	return g
}

// ReleasesBy tells whether the gate by which the program releases the lock is on, or AllAlpha, since the gates that are known are
// alpha ones. p can be nil.
func (p *Program) ReleasesBy(g Gates) bool {
	return p != nil && p.releaseGate != "" && (g[p.releaseGate] || g["AllAlpha"])
}

// CoordinatedBy tells whether feature gates make the election a coordinated one. The gate CoordinatedLeaderElection decides,
// where it is set. Otherwise a program that such gates can coordinate is coordinated by AllBeta, unless its release is known
// to be older than coordinationBeta, and by AllAlpha, if its release is known to be from coordinationAlpha up to that. Where
// nothing tells the release, open tells that AllAlpha may coordinate it. p can be nil.
func (p *Program) CoordinatedBy(g Gates, t Tag) (is, open bool) {
	if on, said := g[Coordination]; said {
		return on, false
	}
	if p == nil || !p.coordinates {
		return false, false
	}
	beta := !t.earlier(coordinationBeta)
	return g["AllBeta"] && beta || g["AllAlpha"] && !beta && !t.before(coordinationAlpha), g["AllAlpha"] && !t.known
}
