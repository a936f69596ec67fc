package electiontest

import (
	"testing"

	"interregnum/internal/newest"
)

// TestMain has the kit compared with the library that the profile client-go describes.
func TestMain(m *testing.M) { newest.Main(m) }
