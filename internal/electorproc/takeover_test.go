package electorproc

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFailures(t *testing.T) {
	const late, other = `{"level":"ERROR","msg":"Lock failed","err":"no answer within 900ms: sqllock"}`, `{"level":"ERROR","err":"refused"}`
	require.Equal(t, []string{other + "\n"}, failures(late+"\n"+other+"\n"+`{"level":"INFO"}`+"\n"))
}
