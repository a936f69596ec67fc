package rest

import (
	"testing"

	_ "unsafe" // for go:linkname

	_ "k8s.io/apimachinery/pkg/util/wait" // holds jitterRand
	"k8s.io/client-go/rest"

	"interregnum/internal/newest"
)

func TestMain(m *testing.M) { newest.Main(m, rest.AnonymousClientConfig) }

// jitterRand is the library's only source of random numbers.
//
//go:linkname jitterRand k8s.io/apimachinery/pkg/util/wait.jitterRand
var jitterRand func() float64
