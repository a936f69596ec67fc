package forecast_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestQuestionsOnPage: docs/forecast.md says of how many questions the truth is known.
func TestQuestionsOnPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/forecast.md")
	require.NoError(t, err)
	assert.Contains(t, string(page), fmt.Sprintf("for %d questions the truth is known", len(truthCases())))
}
