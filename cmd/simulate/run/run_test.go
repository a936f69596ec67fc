package run

import (
	"bytes"
	"errors"
	"os"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"interregnum/cmd/simulate/internal/cliflag"
	"interregnum/cmd/simulate/internal/exit"
	"interregnum/internal/sim"
	"interregnum/plan"
	"interregnum/scenarios"
)

// TestHarnessFails runs what stands still and what panics.
func TestHarnessFails(t *testing.T) {
	for _, c := range []struct {
		name, want string
		simulate   func(*scenarios.Scenario, scenarios.Options) (*scenarios.Result, error)
	}{
		{"standstill", "simulate: x: scenario x, seed 7: the run stands still at 3s",
			func(*scenarios.Scenario, scenarios.Options) (*scenarios.Result, error) {
				return nil, &sim.StandstillError{At: 3e9}
			}},
		{"panic", "simulate: x: scenario x, seed 7: panic: out of range",
			func(*scenarios.Scenario, scenarios.Options) (*scenarios.Result, error) { panic("out of range") }},
	} {
		for _, output := range []string{cliflag.Text, cliflag.JSON} {
			t.Run(c.name+" "+output, func(t *testing.T) {
				t.Chdir(t.TempDir())
				var stdout, stderr bytes.Buffer
				cmd := &cobra.Command{}
				cmd.SetOut(&stdout)
				cmd.SetErr(&stderr)
				form, err := forms.Chosen(cmd, output)
				require.NoError(t, err)
				f := runFlags{output: output, form: form, simulate: c.simulate, width: 100, files: eventFlags()}
				for i := range f.files {
					f.files[i].path = f.files[i].name
				}
				s := &scenarios.Scenario{Name: "x", Plan: plan.Plan{Seed: 7}}
				err = f.run(cmd, []job{{arg: "x", scenario: s}})

				var failed *exit.Error
				require.True(t, errors.As(err, &failed), "%v", err)
				assert.Equal(t, exit.HarnessFailed, failed.Code)
				assert.Contains(t, stderr.String(), c.want)
				assert.Empty(t, stdout.String())
				left, err := os.ReadDir(".")
				require.NoError(t, err)
				assert.Empty(t, left, "a failed run leaves nothing")
			})
		}
	}
}
