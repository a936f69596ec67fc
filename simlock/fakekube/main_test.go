package fakekube

import (
	"testing"

	"k8s.io/client-go/rest"

	"interregnum/internal/newest"
)

// TestMain: the words of the recorded answers are those of v1.36, and the older k8s.io/apimachinery of go.mod has others.
func TestMain(m *testing.M) { newest.Main(m, rest.AnonymousClientConfig) }
