package behaviour_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"interregnum/internal/behaviour"
	_ "interregnum/internal/few/garbage"
	"interregnum/internal/gate"
)

// TestEnvironmentBeside: one file has both. Each reader skips what is the other's, and no field but that.
func TestEnvironmentBeside(t *testing.T) {
	environment := gate.DefaultEnvironment()
	var b strings.Builder
	for _, n := range environment.AllNumbers() {
		value := n.Value
		if n.Name == "maxRetryAfter" {
			value = "1s"
		}
		b.WriteString(n.Name + ": " + value + "\n")
	}
	b.WriteString("behaviour: {roundTrip: 20ms}\n")
	_, _, err := behaviour.Read("e.yaml", strings.NewReader(b.String()))
	require.NoError(t, err)
	_, err = gate.ReadEnvironment("e.yaml", strings.NewReader(b.String()))
	require.NoError(t, err)

	_, _, err = behaviour.Read("e.yaml", strings.NewReader(b.String()+"maxroundtrip: 1s\n"))
	require.ErrorContains(t, err, "unknown field")
	_, err = gate.ReadEnvironment("e.yaml", strings.NewReader(b.String()+"roundTrip: 1s\n"))
	require.ErrorContains(t, err, "unknown field")
}

// TestPage: the example of docs/forecast.md is read as it stands, its bounds contradict nothing, and the gate reads it too.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/forecast.md")
	require.NoError(t, err)
	_, example, found := strings.Cut(string(page), "```yaml\n")
	require.True(t, found)
	example, _, _ = strings.Cut(example, "```")
	b, warnings, err := behaviour.Read("environment.yaml", strings.NewReader(example))
	require.NoError(t, err)
	require.Empty(t, warnings)
	require.Len(t, b.Episodes, 4)
	_, err = gate.ReadEnvironment("environment.yaml", strings.NewReader(example))
	require.NoError(t, err)

	_, warnings, err = behaviour.Read("environment.yaml", strings.NewReader(strings.Replace(example, "maxRoundTrip: 10s", "maxRoundTrip: 800ms", 1)))
	require.NoError(t, err)
	said := "maxRoundTrip: 800ms is the p99 of behaviour.roundTrip, and no maximum: 1% of these values are longer"
	require.Contains(t, string(page), said)
	require.Contains(t, warnings[0], said)
}
