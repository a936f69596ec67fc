package electiontest

import (
	"testing"

	"k8s.io/client-go/rest"

	"interregnum/internal/newest"
)

// TestMain has the kit compared with the library that the profile client-go describes.
func TestMain(m *testing.M) { newest.Main(m, rest.AnonymousClientConfig) }
