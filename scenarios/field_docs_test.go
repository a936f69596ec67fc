package scenarios

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/plan"
)

// TestCandidateFieldsInDocs: the example in scenarios.md has all fields of candidates as defaults, in the order of the table, each with a
// value that it may have. That is the default, unless the example says that the field can be absent: then the default is none.
func TestCandidateFieldsInDocs(t *testing.T) {
	t.Parallel()
	lines := strings.Split(example(t), "\n")
	root, ferr := parse([]byte(example(t)))
	require.Nil(t, ferr)
	defaults := root.get("defaults").value
	table := plan.CandidateFields()[1:]
	require.Equal(t, names(table), fieldsOf(defaults))
	for i, f := range defaults.fields {
		c, field := plan.DefaultCandidate(), table[i]
		decoded(t, func(d *decoder) { d.candidateField(f.name, f.value, &c) })
		if strings.Contains(lines[f.line-1], "absent: ") {
			none := usualCandidate
			field.Clear(&none)
			assert.True(t, field.Alike(&none, &usualCandidate), "the default of %s is not none", f.name)
			assert.True(t, field.In(&c) == nil || !field.Alike(&none, &c), "%s is no example of what it can be", f.name)
		} else {
			assert.True(t, field.Alike(&usualCandidate, &c), "the default of %s is another", f.name)
		}
	}
}

// TestPartsInDocs: the example in scenarios.md has all fields of a probe, of a clock and of the network, the first and the last with their
// defaults. The tables have all fields of clients, of their other traffic and of the coordinator.
func TestPartsInDocs(t *testing.T) {
	t.Parallel()
	root, ferr := parse([]byte(example(t)))
	require.Nil(t, ferr)
	probe := root.get("defaults").value.get("livenessProbe").value
	assert.Equal(t, names(probeFields), fieldsOf(probe))
	decoded(t, func(d *decoder) { assert.Equal(t, builtinProbe(), *d.livenessProbe(probe, new(plan.LivenessProbe))) })
	assert.Equal(t, names(clockFields), fieldsOf(root.get("service").value.get("clock").value))
	network := root.get("network").value
	assert.Equal(t, names(networkFields), fieldsOf(network))
	var delays Network
	decoded(t, func(d *decoder) { fields(d, network, "the network", networkFields, &delays) })
	assert.Equal(t, builtinNetwork(), delays)

	_, client, _ := strings.Cut(page(t, "scenarios"), "| field | |\n| --- | --- |\n| kind |")
	client, _, _ = strings.Cut("| kind |"+client, "\n\n")
	var documented []string
	for _, row := range regexp.MustCompile(`(?m)^\| ([^|]*) \|`).FindAllStringSubmatch(client, -1) {
		documented = append(documented, strings.Split(row[1], ", ")...)
	}
	assert.Equal(t, names(plan.ClientFields()), documented)
	_, other, _ := strings.Cut(client, "| other |")
	for _, name := range names(trafficFields) {
		assert.Contains(t, other, "`"+name+"`")
	}
	assert.Contains(t, page(t, "locks"), "| `coordinator` | scenario | `startAt`, `clock: {"+strings.Join(names(clockFields), ", ")+
		"}`, `network: {"+strings.Join(names(coordinatorLegs), ", ")+"}`")
	assert.Equal(t, []string{"startAt", "clock", "network"}, names(coordinatorFields))
}

// page returns the text of a page in docs.
func page(t *testing.T, name string) string {
	text, err := os.ReadFile("../docs/" + name + ".md")
	require.NoError(t, err)
	return string(text)
}

// example returns the first example in scenarios.md.
func example(t *testing.T) string {
	_, text, found := strings.Cut(page(t, "scenarios"), "```yaml\n")
	require.True(t, found)
	text, _, _ = strings.Cut(text, "```")
	return text
}

// decoded calls do with a decoder, and checks that there is no error then.
func decoded(t *testing.T, do func(*decoder)) {
	d := decoder{path: []step{{}}}
	do(&d)
	require.Nil(t, d.err)
}

// fieldsOf returns the names of the fields of a mapping.
func fieldsOf(n *node) (names []string) {
	for _, f := range n.fields {
		names = append(names, f.name)
	}
	return names
}
