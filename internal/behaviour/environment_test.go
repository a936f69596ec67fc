package behaviour_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"interregnum/internal/behaviour"
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
