package files

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"interregnum/elector/machine"
	"interregnum/internal/gate/files/programs"
	"interregnum/internal/gate/files/setting"
	"interregnum/internal/gate/files/tree"
	"interregnum/plan"

	"go.yaml.in/yaml/v3"
	coordinationv1 "k8s.io/api/coordination/v1"
)

// ofJava and ofOpenAPI are in the names of those who have written an object: the first word of a client's user agent. Clients that
// OpenAPI's generator has made are those for Python and Java.
var ofJava, ofOpenAPI = regexp.MustCompile("(?i)fabric8|java"), regexp.MustCompile("(?i)openapi-generator|swagger-codegen")

// lease reads a Lease object, which has no timing but the lease duration, and appends a candidate to w.found. It adds a note
// or a problem instead for a node's heartbeat, an object without a duration above zero, a coordinated election, and a program
// whose client nobody can tell. It also adds a note instead if the duration is not the program's default (the common one where
// the program is not known), since the other timings are then not known either; a program with a profile is judged all the
// same.
func (w *walker) lease(n *yaml.Node) {
	all := w.Fields(n)
	var decoded coordinationv1.Lease
	if !w.decode(w.here(n), all, &decoded, "spec") {
		return
	}
	meta := w.Inside(all, "metadata")
	_, identity := tree.Get(w.Inside(meta, "labels"), "apiserver.kubernetes.io/identity")
	if w.namespace == "kube-node-lease" || identity {
		w.note(w.here(n), Ignored, "a heartbeat, not a leader's lease; not judged")
		return
	}
	if decoded.Spec.LeaseDurationSeconds == nil {
		w.note(w.here(n), Ignored, "spec.leaseDurationSeconds is not set; not judged")
		return
	}
	if decoded.Spec.Strategy != nil || decoded.Spec.PreferredHolder != nil {
		w.problem(w.here(n), noBound)
		return
	}
	seconds := *decoded.Spec.LeaseDurationSeconds
	line := w.here(n).Line
	if f, ok := tree.Get(w.Inside(all, "spec"), "leaseDurationSeconds"); ok {
		line = w.base + f.Line
	}
	if seconds <= 0 {
		w.problem(w.pos.at(line), fmt.Sprintf("leaseDurationSeconds: want more than zero, got %d", seconds))
		return
	}
	d := time.Duration(seconds) * time.Second
	name, _, _ := strings.Cut(tree.Text(meta, "name"), "-leader") // a CSI sidecar's has the driver after it
	if strings.HasPrefix(name, programs.L2Lease+"-") {
		name = programs.L2Lease
	}
	program := programs.OfObject(w.namespace, name)
	if d != program.Fill(machine.Timings{}).LeaseDuration && (program == nil || program.Profile == "") {
		w.note(w.pos.at(line), Ignored, fmt.Sprintf("a lease of %v says too little: whoever set it has likely set the renew deadline and "+
			"the retry period too, and they are not in it; not judged", d))
		return
	}
	c := w.candidate("", n.Line)
	c.component, c.lock, c.program = "Lease", plan.Lease, program
	for _, m := range w.Listed(meta, "managedFields") {
		c.managed = c.managed || ofOpenAPI.MatchString(tree.Text(w.Fields(m), "manager"))
		if ofJava.MatchString(tree.Text(w.Fields(m), "manager")) {
			c.language, c.started = programs.Java, true
		}
	}
	if w.notKnown(c) {
		return
	}
	c.set = map[setting.Key]timed{setting.LeaseDuration: {d: d, at: w.pos.at(line)}}
	w.found = append(w.found, c)
}
