// Package newest holds the versions of the Kubernetes modules that this repository is built and tested with. The go.mod at its
// top requires the oldest that will do for a program that imports it; go.work takes the newer of both.
package newest

import (
	_ "k8s.io/api/core/v1"
	_ "k8s.io/apimachinery/pkg/runtime"
	_ "k8s.io/client-go/tools/leaderelection"
	_ "k8s.io/utils/clock"
)
